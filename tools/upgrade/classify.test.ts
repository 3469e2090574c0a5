import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { readSpec, SPEC_FILES } from '#contract';
import { classifyChanges } from './classify.ts';
import { isFingerprint } from './fingerprint.ts';
import { equalCases, goldenCases } from './golden.ts';
import { CHANGE_KINDS } from './kinds.ts';
import { type Description, parseDescription } from './read/description.ts';

const CASES = goldenCases();
const described = (root: unknown, file = 'new.yaml'): Description => ({
  file,
  text: JSON.stringify(root, null, 1),
  root: structuredClone(root) as Record<string, unknown>,
});
const told = (old: unknown, now: unknown) => classifyChanges(described(old, 'old.yaml'), described(now));

test('tells of every golden case what is expected and nothing else', () => {
  const wrong = CASES.flatMap(({ name, old, new: now, expected }) => {
    const found = told(old, now).map(({ id, level }) => `${id}: ${level}`);
    const wanted = Object.entries(expected).map(([id, level]) => `${id}: ${level}`);
    return found.sort().join() === wanted.sort().join() ? [] : [{ name, found, wanted }];
  });
  expect(wrong).toEqual([]);
  expect(CASES.length).toBeGreaterThan(300);
});

test('tells nothing of two ways to say the same', () => {
  const wrong = equalCases().flatMap(({ name, old, new: now }) => {
    const found = [...told(old, now), ...told(now, old)].map(({ id }) => id);
    return found.length === 0 ? [] : [{ name, found }];
  });
  expect(wrong).toEqual([]);
});

test('knows every kind from a golden case and no other', () => {
  const met = new Set(CASES.flatMap(({ expected }) => Object.keys(expected)));
  expect([...CHANGE_KINDS.keys()].filter((id) => !met.has(id))).toEqual([]);
  expect([...met].filter((id) => !CHANGE_KINDS.has(id))).toEqual([]);
});

test('every change says what, why, where and for whom', () => {
  const wrong = CASES.flatMap(({ name, old, new: now }) =>
    told(old, now)
      .filter(({ text, why, fingerprint, level, old: before, new: after, id, direction }) => {
        const kind = CHANGE_KINDS.get(id);
        const lines = [before?.line ?? 1, after?.line ?? 1];
        const said = /^[^{]+\.$/s.test(text) && /^[A-Z].*\.$/.test(why) && isFingerprint(fingerprint);
        return (
          !said ||
          !(before ?? after) ||
          lines.some((line) => line < 1) ||
          kind?.level !== level ||
          kind.direction !== direction
        );
      })
      .map((change) => ({ name, change })),
  );
  expect(wrong).toEqual([]);
});

const leaf = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'integer', 'boolean') }),
  fc.record({ type: fc.constant('string'), maxLength: fc.nat(99), pattern: fc.constantFrom('^a', 'b$') }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 1, null), { minLength: 1 }) }),
  fc.constant({ $ref: '#/components/schemas/S' }),
);
const schema = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
      required: fc.uniqueArray(fc.constantFrom('a', 'b')),
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc
      .tuple(tie('schema'), tie('schema'), tie('schema'))
      .map((all) => Object.fromEntries(['if', 'then', 'not'].map((key, i) => [key, all[i]]))),
  ),
})).schema;

const around = (value: unknown) => ({
  openapi: '3.1.0',
  info: { title: 'Any', version: '1' },
  paths: {
    '/a': {
      post: {
        requestBody: { content: { 'application/json': { schema: value } } },
        responses: { 200: { description: 'Fine.', content: { 'application/json': { schema: value } } } },
      },
    },
  },
  components: { schemas: { S: { type: 'object', properties: { below: { $ref: '#/components/schemas/S' } } } } },
});

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, below]) => [key, turned(below)]),
  );
}

test('tells nothing of a description and itself, whatever the order of keys', () => {
  fc.assert(
    fc.property(schema, (value) => {
      expect(told(around(value), around(value))).toEqual([]);
      expect(told(around(value), turned(around(value)))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('tells the same each time, and the same fingerprints whatever the order of keys', () => {
  fc.assert(
    fc.property(schema, schema, (a, b) => {
      const [once, again, other] = [
        told(around(a), around(b)),
        told(around(a), around(b)),
        told(turned(around(a)), turned(around(b))),
      ];
      expect(again).toEqual(once);
      expect(other.map(({ fingerprint }) => fingerprint).sort()).toEqual(
        once.map(({ fingerprint }) => fingerprint).sort(),
      );
    }),
    { numRuns: 60 },
  );
});

test('keeps fingerprints when lines, file names and references move', () => {
  const inner = (size: string) => ({ type: 'object', properties: { size: { type: size } } });
  const [old, now] = [around(inner('integer')), around(inner('number'))];
  const moved = (size: string) => {
    const root = around({ $ref: '#/components/schemas/Moved' });
    return { ...root, components: { schemas: { ...root.components.schemas, Moved: inner(size) } } };
  };
  const prints = (changes: ReturnType<typeof classifyChanges>) => changes.map(({ fingerprint }) => fingerprint).sort();
  const plain = prints(told(old, now));
  expect(plain).toHaveLength(2);
  expect(prints(told(moved('integer'), moved('number')))).toEqual(plain);
  const late = parseDescription('elsewhere.json', `\n\n\n${JSON.stringify(now)}`);
  expect(prints(classifyChanges(described(old), late))).toEqual(plain);
});

test('tells a change of a shared component once, with all operations that meet it', () => {
  const text = readFileSync(SPEC_FILES.v1, 'utf8');
  const old = readSpec('v1', SPEC_FILES.v1);
  const now = parseDescription('v1.yaml', text.replace('maxLength: 255', 'maxLength: 200'));
  const [change, ...others] = classifyChanges(old, now);
  expect(others).toEqual([]);
  expect(change).toMatchObject({ id: 'request-max-length-tightened', level: 'breaking', subject: '/url' });
  expect(change!.uses!.length).toBeGreaterThan(1);
  const line = text.split('\n').findIndex((one) => one.includes('maxLength: 255')) + 1;
  expect([change!.old?.line, change!.new?.line]).toEqual([line, line]);
});

test('tells nothing of the own descriptions and themselves', () => {
  for (const api of ['gateway', 'v1'] as const) {
    const [one, other] = [readSpec(api, SPEC_FILES[api]), readSpec(api, SPEC_FILES[api])];
    expect(classifyChanges(one, other)).toEqual([]);
  }
});

const BROKEN: readonly (readonly [what: string, text: string, line: number, message: string])[] = [
  ['no YAML', 'openapi: 3.1.0\ninfo: {a: [}', 2, 'the description is not valid YAML'],
  ['a list', '- 1', 1, 'the description is not a mapping'],
  ['Swagger 2', 'swagger: "2.0"', 1, 'the file is no OpenAPI 3 description'],
  [
    'a reference that leads nowhere',
    'openapi: 3.1.0\npaths:\n  /a:\n    get:\n      responses:\n        "200": { $ref: "#/components/responses/None" }',
    6,
    'unresolved reference #/components/responses/None',
  ],
  [
    'a reference out of the file',
    'openapi: 3.1.0\npaths:\n  /a:\n    $ref: other.yaml',
    3,
    'the reference "other.yaml" leaves the file',
  ],
  [
    'no schema',
    'openapi: 3.1.0\npaths:\n  /a:\n    post:\n      requestBody:\n        content:\n          application/json:\n            schema: 7',
    8,
    'a schema is expected here',
  ],
];

for (const [what, text, line, message] of BROKEN)
  test(`refuses ${what} with file, line, cause and fix`, () => {
    let trouble: unknown;
    try {
      const one = parseDescription('broken.yaml', text);
      classifyChanges(one, parseDescription('broken.yaml', text));
    } catch (error) {
      trouble = error;
    }
    expect(trouble).toMatchObject({
      name: 'Trouble',
      outcome: 'usage',
      message,
      place: { file: 'broken.yaml', line },
      reason: expect.stringMatching(/./),
      fix: expect.stringMatching(/./),
    });
  });
