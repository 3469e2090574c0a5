import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { classifyChanges } from '../classify.ts';
import { judgeUpgrade } from '../upgrade.ts';
import { type Description, lineOf, parseDescription, placeOf, readDescription } from './description.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-read-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const HEAD = 'openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\n';
const write = (name: string, text: string) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const body = (schema: string) =>
  `${HEAD}paths:\n  /a:\n    post:\n      requestBody: { content: { application/json: { schema: ${schema} } } }\n      responses: {}\n`;
const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};
const ids = (old: Description, now: Description) => classifyChanges(old, now).map(({ id }) => id);

test('finds lines of block and flow, quoted names, elements and what is not there', () => {
  const text =
    '# c\nopenapi: 3.1.0\npaths:\n  "/a~b":\n    get: { x: 1,\n      \'y z\': [1,\n        2] }\n  &n /c: &m\n    d: 1\n  /e: *m\n';
  const one = parseDescription('x.yaml', text);
  const lines = [
    '',
    '/openapi',
    '/paths',
    '/paths/~1a~0b',
    '/paths/~1a~0b/get/y z/1',
    '/paths/~1c/d',
    '/paths/~1e/d',
    '/paths/~1q/r',
  ];
  expect(lines.map((pointer) => lineOf(one, pointer))).toEqual([1, 2, 3, 4, 7, 9, 9, 3]);
  const json = parseDescription('x.json', '{\n "openapi": "3.1.0",\n "paths": {\n  "/a": { "\\u0067et":\n   1 } } }');
  expect(lineOf(json, '/paths/~1a/get')).toBe(4);
});

test('a callback that leads back to its own operation ends', () => {
  const loop = `${HEAD}paths:\n  /a: &a\n    post:\n      callbacks:\n        done:\n          '{$request.body#/url}': { $ref: '#/paths/~1a' }\n      responses: { '200': { description: Fine. } }\n`;
  const [from, to] = [write('old.yaml', loop), write('new.yaml', loop.replace("'200'", "'201'"))];
  const found = judgeUpgrade({ from, to, today: '2026-01-01', seed: 1 }, classifyChanges);
  expect(found.changes.map(({ id }) => id)).toContain('response-success-status-removed');
});

test('a schema by its anchor is a schema of the file', () => {
  const text = `${body("{ $ref: '#node' }")}components: { schemas: { N: { $anchor: node, type: string, maxLength: 9 } } }\n`;
  const [one, other] = [text, text.replace('9', '8')].map((each) => parseDescription('x.yaml', each));
  expect(ids(one!, other!)).toEqual(['request-max-length-tightened']);
  const lost = parseDescription('x.yaml', body("{ $ref: '#none' }"));
  expect(refusal(() => classifyChanges(lost, lost))).toMatchObject({
    message: 'unresolved reference #none',
    reason: 'no schema of the file has this $anchor',
  });
});

test('schemas nested far over a hundred deep are read', () => {
  const nested = (depth: number, inner: string) =>
    body('{ type: array, items: '.repeat(depth) + inner + ' }'.repeat(depth));
  const [from, to] = [
    write('old.yaml', nested(300, '{ type: string }')),
    write('new.yaml', nested(300, '{ type: integer }')),
  ];
  const found = judgeUpgrade({ from, to, today: '2026-01-01', seed: 1 }, classifyChanges);
  expect(found.changes.map(({ id }) => id)).toEqual(['request-type-changed']);
  expect(refusal(() => readDescription(write('deep.yaml', nested(2000, '{}'))))).toMatchObject({
    message: 'the description is not valid YAML',
    reason: expect.stringContaining('nesting exceeded'),
  });
});

test('aliases that stand for too much, or for what holds them, are refused at once', () => {
  const bomb = `${HEAD}x-a: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n${Array.from({ length: 12 }, (_, i) => `x-${i}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]\n`).join('')}paths: {}\n`;
  expect(refusal(() => readDescription(write('bomb.yaml', bomb)))).toMatchObject({
    outcome: 'usage',
    message: 'the description cannot be unfolded',
    reason: expect.stringMatching(/^its aliases stand for \d/),
    fix: 'write out what the aliases stand for',
  });
  expect(refusal(() => readDescription(write('loop.yaml', `${HEAD}x-a: &a { b: *a }\npaths: {}\n`)))).toMatchObject({
    outcome: 'usage',
    message: expect.stringMatching(/cannot be unfolded|not valid YAML/),
  });
});

for (const version of ['3.2.0', '3.3.1', '4.0.0'])
  test(`refuses OpenAPI ${version} by name`, () => {
    const spec = write('new.yaml', `openapi: ${version}\ninfo: { title: T, version: 1.0.0 }\npaths: {}\n`);
    const trouble = refusal(() =>
      judgeUpgrade({ from: spec, to: spec, today: '2026-01-01', seed: 1 }, classifyChanges),
    );
    expect(trouble).toMatchObject({
      outcome: 'usage',
      place: { line: 1 },
      fix: 'give a description in OpenAPI 3.0 or 3.1',
    });
    expect(String(trouble)).toContain(version);
  });

test('takes in files beside the description, and files that these refer to, with their own lines', () => {
  const main = body("{ $ref: 'parts/names.yaml#/Name' }");
  write(
    'parts/names.yaml',
    "Name:\n  type: object\n  properties:\n    first: { $ref: 'more.json#/First' }\n    self: { $ref: '../api.yaml#/components/schemas/Own' }\n",
  );
  write('parts/more.json', '{\n "First": {\n  "type": "string",\n  "maxLength": 9 } }');
  const own = 'components: { schemas: { Own: { type: string } } }\n';
  const old = readDescription(write('api.yaml', main + own));
  write('parts/more.json', '{\n "First": {\n  "type": "string",\n  "maxLength": 8 } }');
  const now = readDescription(write('api.yaml', main + own.replace('string', 'integer')));
  const changes = classifyChanges(old, now);
  expect(changes.map(({ id, subject }) => [id, subject])).toEqual([
    ['request-max-length-tightened', '/first'],
    ['request-type-changed', '/self'],
  ]);
  expect(changes[0]!.new).toMatchObject({ file: expect.stringMatching(/parts\/more\.json$/), line: 4 });
  expect(placeOf(now, '/components/schemas/Own').line).toBe(8);
  expect(old.sha256).not.toBe(now.sha256);
});

test('takes in no file above the folder, none from the network, and says which one is missing', () => {
  for (const ref of ['../outside.yaml#/A', 'https://a.invalid/b.yaml', '/etc/hostname']) {
    const spec = readDescription(write('api.yaml', body(`{ $ref: '${ref}' }`)));
    expect(
      refusal(() => classifyChanges(spec, spec)),
      ref,
    ).toMatchObject({ message: expect.stringContaining('leaves the file') });
  }
  expect(refusal(() => readDescription(write('api.yaml', body("{ $ref: 'nowhere.yaml' }"))))).toMatchObject({
    message: 'the file nowhere.yaml that the description refers to cannot be read',
    place: { line: 6 },
  });
});
