import { reachSchemas } from '#contract';
import { valueAt } from '#json-pointer';

const SILENT = /^(?:x-.*|title|description|examples?|deprecated|externalDocs|\$comment)$/;

/** Whether a pointer names one of these schemas, or a keyword of one. */
export function within(places: ReadonlySet<string>, pointer: string): boolean {
  const tokens = pointer.split('/');
  return [0, 1, 2].some((less) => places.has(tokens.slice(0, tokens.length - less).join('/')));
}

/** All that a schema demands, as one text: equal texts demand the same. What only explains is left out. */
export function demands(root: unknown, schemaAt: string): string {
  return JSON.stringify(
    [...reachSchemas(root, schemaAt)].sort().map((pointer) => [pointer, valueAt(root, pointer)]),
    (key, value) =>
      SILENT.test(key) && typeof value !== 'object' ? undefined : key.startsWith('x-') ? undefined : value,
  );
}
