import { at, loadContract, point, type Schema } from '#contract';

/** A body to be judged, and the schema to judge it by. */
export interface Body {
  readonly api: 'gateway' | 'v1';
  readonly schema: Schema;
  readonly value: unknown;
  /** Where it stands in its spec and what was done to it. */
  readonly name: string;
}

type Fields = Record<string, unknown>;

/** Every example of a request, response or message body, with the schema beside it. */
export function examples(contract = loadContract()): Body[] {
  const found: Body[] = [];
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
          add($ref ? (at(root, $ref) as { value: unknown }).value : value, point(`${here}/examples`, name));
        }
      }
      for (const [key, value] of Object.entries(node)) {
        if (key !== 'example' && key !== 'examples' && !key.startsWith('x-')) walk(value, point(here, key));
      }
    };
    walk(root, '');
  }
  return found;
}

/** Values that may stand where an example has another: every type, and the edges that the specs speak of. */
const STRANGERS: readonly unknown[] = [
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
export function mutations(body: Body): Body[] {
  const found: Body[] = [body];
  const change = (value: unknown, name: string) => found.push({ ...body, value, name: `${body.name} ${name}` });
  const walk = (node: unknown, here: string, put: (changed: unknown) => unknown) => {
    for (const [i, stranger] of STRANGERS.entries()) change(put(stranger), `${here} := stranger ${i}`);
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      node.forEach((one, i) => {
        walk(one, `${here}/${i}`, (changed) => put(node.with(i, changed)));
      });
      return;
    }
    change(put({ ...node, stranger: 1 }), `${here} with a stranger`);
    for (const [key, value] of Object.entries(node)) {
      const { [key]: _, ...rest } = node as Fields;
      change(put(rest), `${here} without ${key}`);
      walk(value, `${here}/${key}`, (changed) => put({ ...node, [key]: changed }));
    }
  };
  walk(body.value, '', (changed) => changed);
  return found;
}
