import { SUBSCHEMA_KEYWORDS } from '#contract';
import { valueAt } from '#json-pointer';

const SILENT = /^(?:x-.*|title|description|examples?|deprecated|externalDocs|\$comment)$/;
const { one, several, byName } = SUBSCHEMA_KEYWORDS;

/** Whether a pointer names one of these schemas, or a keyword of one. */
export function namesSchemaOf(places: ReadonlySet<string>, pointer: string): boolean {
  const tokens = pointer.split('/');
  return [0, 1, 2].some((less) => places.has(tokens.slice(0, tokens.length - less).join('/')));
}

/** What a schema demands by itself, as one text; the schemas below and what only explains are left out. */
export function demandsAt(root: object, pointer: string): string {
  const schema = valueAt(root, pointer);
  if (typeof schema !== 'object' || schema === null) return JSON.stringify(schema) ?? '';
  const own = Object.entries(schema)
    .filter(([key]) => !SILENT.test(key))
    .map(([key, value]) => {
      if (one.includes(key) && typeof value === 'object') return [key];
      if (several.includes(key) && Array.isArray(value)) return [key, value.length];
      if (byName.includes(key) && typeof value === 'object') return [key, Object.keys(value as object).sort()];
      return [key, value];
    });
  return JSON.stringify(own.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}
