import { loadContract, type SpecSchema } from '#contract';
import { appendPointer, referencePointer, valueAt } from '#json-pointer';

/** A body to be judged, and the schema to judge it by. */
export interface SampleBody {
  readonly api: 'gateway' | 'v1';
  readonly schema: SpecSchema;
  readonly value: unknown;
  /** Where it stands in its spec and what was done to it. */
  readonly name: string;
}

type Fields = Record<string, unknown>;

/** Every example of a request, response or message body, with the schema beside it. */
export function exampleBodies(contract = loadContract()): SampleBody[] {
  const found: SampleBody[] = [];
  for (const api of ['gateway', 'v1'] as const) {
    const root = contract.document(api);
    const { schemas } = contract.compiled[api];
    const walk = (node: unknown, here: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { schema, example, examples: several } = node as { schema?: unknown; example?: unknown; examples?: Fields };
      if (schema !== undefined) {
        const add = (value: unknown, pointer: string) =>
          found.push({ api, schema: schemas.get(`${here}/schema`)!, value, name: `${api}#${pointer}` });
        if (example !== undefined) add(example, `${here}/example`);
        for (const [name, one] of Object.entries(several ?? {})) {
          const { $ref, value } = one as { $ref?: string; value?: unknown };
          add(
            $ref ? (valueAt(root, referencePointer($ref)!) as { value: unknown }).value : value,
            appendPointer(`${here}/examples`, name),
          );
        }
      }
      for (const [key, value] of Object.entries(node)) {
        if (key !== 'example' && key !== 'examples' && !key.startsWith('x-')) walk(value, appendPointer(here, key));
      }
    };
    walk(root, '');
  }
  return found;
}

/** Values that may stand where an example has another: every type, and the edges that the specs speak of. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.005,
  101,
  '',
  'x',
  'sepa',
  '2026-02-30',
  '2026-03-02T09:30:00Z',
  'https://example.invalid/',
  'x'.repeat(36),
  'x'.repeat(501),
  [],
  [1],
  ['x'],
  {},
  { name: 1 },
];

/** An example and what becomes of it by one change anywhere: a member left out, added, or replaced. */
export function mutateBody(body: SampleBody): SampleBody[] {
  const found: SampleBody[] = [body];
  const change = (value: unknown, name: string) => found.push({ ...body, value, name: `${body.name} ${name}` });
  const walk = (node: unknown, here: string, put: (changed: unknown) => unknown) => {
    for (const [i, odd] of ODD_VALUES.entries()) change(put(odd), `${here} := odd ${i}`);
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      node.forEach((one, i) => {
        walk(one, `${here}/${i}`, (changed) => put(node.with(i, changed)));
      });
      return;
    }
    change(put({ ...node, odd: 1 }), `${here} with a odd`);
    for (const [key, value] of Object.entries(node)) {
      const { [key]: _, ...rest } = node as Fields;
      change(put(rest), `${here} without ${key}`);
      walk(value, `${here}/${key}`, (changed) => put({ ...node, [key]: changed }));
    }
  };
  walk(body.value, '', (changed) => changed);
  return found;
}
