/**
 * @module shapes
 * Writes the TypeScript types of the files whose shape a JSON Schema states, so that a shape is said once: `npm run shapes`. Its own
 * test holds what lies there against what would be written. Imports nothing of the project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

/** A schema, and the type that is made of it. Paths are relative to the project. */
export interface GeneratedShape {
  readonly schema: string;
  readonly file: string;
  readonly type: string;
}

/** Every shape that is stated as a JSON Schema. */
export const SCHEMA_SHAPES: readonly GeneratedShape[] = [
  {
    schema: 'targets/target.schema.json',
    file: 'tools/target/written-target.generated.ts',
    type: 'WrittenTargetFile',
  },
  { schema: 'targets/config.schema.json', file: 'tools/run/written-config.generated.ts', type: 'WrittenConfig' },
  { schema: 'tools/report/run.schema.json', file: 'tools/report/run-result.generated.ts', type: 'RunResult' },
];

const ROOT = new URL('../', import.meta.url);

/** The text of a shape's file: one exported type, read-only however deep. */
export async function renderShape({ schema, type }: GeneratedShape): Promise<string> {
  const written = JSON.parse(readFileSync(new URL(schema, ROOT), 'utf8')) as object;
  const types = await compile(withoutAsides(written) as object, type, {
    bannerComment: `/** Made from ${schema} by \`npm run shapes\`; change the schema instead. */`,
    style: { printWidth: 120, singleQuote: true },
    unknownAny: true,
    maxItems: 4,
  });
  const root = /^export interface (\w+)/m.exec(types)![1]!;
  return [
    types.replace(/^export /gm, '').trimEnd(),
    '',
    'type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;',
    '',
    `/** What ${schema} describes. */`,
    `export type ${type} = DeepReadonly<${root}>;`,
    '',
  ].join('\n');
}

/** What stands beside a `$ref` describes one use; left in, it would make a type of its own for each. */
function withoutAsides(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAsides);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string') return { $ref: node.$ref };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withoutAsides(value)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const shape of SCHEMA_SHAPES) writeFileSync(new URL(shape.file, ROOT), await renderShape(shape));
