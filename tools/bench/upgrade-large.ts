/**
 * How long a large description takes: a made-up one of 1,000 operations and about 11 MB, and one of our own, by the command line, with
 * time and memory of the process; `npx tsx tools/bench/upgrade-large.ts [operations]`. Times on a busy machine say little: processor
 * seconds are told beside them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeExample } from '#upgrade';

const PROGRAM = fileURLToPath(new URL('../cli/assay.mjs', import.meta.url));
const OWN = fileURLToPath(new URL('../../specs/v1.yaml', import.meta.url));
const FIELDS = 23;
const TYPES = [
  { type: 'string', maxLength: 200 },
  { type: 'integer', minimum: 0 },
  { type: 'string', enum: ['open', 'closed', 'held'] },
  { type: 'array', items: { type: 'string', format: 'uuid' } },
  { type: 'number', multipleOf: 0.01 },
];

/** A field of a body, whose words make the file as wordy as real ones are. */
function fieldOf(index: number, operation: number): object {
  return {
    ...TYPES[(index + operation) % TYPES.length],
    description: `Field ${index} of body ${operation}: what it holds, who fills it in, when it may be left out, and where else it shows up.`,
  };
}

function bodyOf(operation: number, changed: boolean): object {
  const properties = Object.fromEntries(
    Array.from({ length: FIELDS }, (_, i) => [`field_${i}`, fieldOf(i, operation)] as const).filter(
      ([name]) => !(changed && name === 'field_22'),
    ),
  );
  const all = { ...properties, shared: { $ref: `#/components/schemas/Shared${operation % 50}` } };
  return {
    type: 'object',
    required: changed ? ['field_0', 'field_1', 'field_2'] : ['field_0', 'field_1'],
    properties: all,
  };
}

/** One side of the pair; in the new one every twentieth operation and one shared schema are not as they were. */
function describe(operations: number, isNew: boolean): object {
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = {};
  for (let i = 0; i < 50; i += 1)
    schemas[`Shared${i}`] = {
      type: 'object',
      properties: {
        kind: { enum: isNew && i === 7 ? ['a', 'b', 'c'] : ['a', 'b'] },
        next: { $ref: `#/components/schemas/Shared${(i + 1) % 50}` },
      },
    };
  for (let i = 0; i < operations; i += 1) {
    const changed = isNew && i % 20 === 3;
    schemas[`Body${i}`] = bodyOf(i, changed);
    schemas[`Answer${i}`] = bodyOf(i + 1, changed);
    const content = (name: string) => ({
      'application/json': { schema: { $ref: `#/components/schemas/${name}${i}` } },
    });
    paths[`/things/${i}/{id}`] = {
      post: {
        operationId: `makeThing${i}`,
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: changed ? 'string' : 'integer' } }],
        requestBody: { required: true, content: content('Body') },
        responses: { 200: { description: 'Made.', content: content('Answer') }, 400: { description: 'Refused.' } },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: isNew ? '2.0.0' : '1.0.0' },
    paths,
    components: { schemas },
  };
}

function measure(name: string, from: string, to: string, out: string): void {
  const args = ['-f', '%e %U %S %M', process.execPath, PROGRAM, 'upgrade', '--from', from, '--to', to, '--out', out];
  const { stderr, stdout } = spawnSync('/usr/bin/time', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const [wall, user, system, memory] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  const said = stdout.trim().split('\n').at(-2);
  console.log(
    `${name.padEnd(28)}${`${wall} s`.padStart(10)}${`${(user! + system!).toFixed(1)} s`.padStart(12)}${`${Math.round(memory! / 1024)} MB`.padStart(10)}   ${said}`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'assay-large-'));
try {
  const operations = Number(process.argv[2] ?? 1000);
  const [from, to] = [join(folder, 'old.json'), join(folder, 'new.json')];
  writeFileSync(from, JSON.stringify(describe(operations, false), undefined, 1));
  writeFileSync(to, JSON.stringify(describe(operations, true), undefined, 1));
  const example = writeExample(join(folder, 'next'));
  const size = (statSync(from).size / 1e6).toFixed(1);
  console.log(`${'pair'.padEnd(28)}${'wall'.padStart(10)}${'processor'.padStart(12)}${'memory'.padStart(10)}   answer`);
  measure(`${operations} operations, ${size} MB`, from, to, join(folder, 'large'));
  measure('one of our own', OWN, example.spec, join(folder, 'own'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
