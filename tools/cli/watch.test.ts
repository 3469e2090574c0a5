import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { Trouble } from '#trouble';
import { readArguments } from './arguments.ts';
import { watchCommand } from './commands/watch.ts';
import { fetchPublished } from './fetch-published.ts';

const SPEC = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        '200':
          description: Orders
          content:
            application/json:
              schema: { type: object, required: [total], properties: { total: { type: integer } } }
`;

/** 64 MiB of nothing. */
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

let folder: string;
let server: Server | undefined;
let answer: RequestListener;
let url: string;
test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-watch-'));
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.yaml`;
});
test.afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
  rmSync(folder, { recursive: true, force: true });
});

/** What the command ends with: its exit code, or the trouble that the program would print. */
async function watch(text: string | RequestListener, pinned: string, ...more: readonly string[]) {
  answer = typeof text === 'string' ? (_request, response) => response.end(text) : text;
  const given = readArguments(watchCommand, [
    '--url',
    url,
    '--pinned',
    join(folder, pinned),
    '--out',
    join(folder, 'out'),
    ...more,
  ]);
  if (typeof given === 'string') throw new Error(given);
  try {
    return { code: await watchCommand.run(given) };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    return { trouble: error, outcome: error.outcome };
  }
}
const told = () => JSON.parse(readFileSync(join(folder, 'out/watch.json'), 'utf8'));

test('pins what is published when it is told to, and finds nothing new after that', async () => {
  expect(await watch(SPEC, 'v1.yaml')).toMatchObject({ outcome: 'usage' });
  expect(await watch(SPEC, 'v1.yaml', '--pin')).toEqual({ code: 0 });
  expect(readFileSync(join(folder, 'v1.yaml'), 'utf8')).toBe(SPEC);
  expect(await watch(SPEC, 'v1.yaml')).toEqual({ code: 0 });
  expect(told()).toMatchObject({ change: null, verdict: 'safe' });
});

test('ends with 5 for a breaking change, and calls the same change by the same letters each day', async () => {
  await watch(SPEC, 'v1.yaml', '--pin');
  const broken = SPEC.replace('total: { type: integer }', 'total: { type: string }');
  expect(await watch(broken, 'v1.yaml')).toEqual({ code: 5 });
  const { change, verdict } = told();
  expect([change, verdict]).toEqual([expect.stringMatching(/^[a-z]{12}$/), 'needs work']);
  expect(await watch(`${broken}# generated today\n`, 'v1.yaml')).toEqual({ code: 5 });
  expect(told().change).toBe(change);
  expect(await watch(SPEC.replace('total: { type: integer }', 'total: { type: boolean }'), 'v1.yaml')).toEqual({
    code: 5,
  });
  expect(told().change).not.toBe(change);
  expect(readFileSync(join(folder, 'v1.yaml'), 'utf8'), 'what is pinned stays').toBe(SPEC);
  expect(await watch(broken, 'v1.yaml', '--pin')).toEqual({ code: 5 });
  expect(await watch(broken, 'v1.yaml')).toEqual({ code: 0 });
});

test('compares a document clause by clause', async () => {
  const text = '# Shop\n\n## Limits\n\n- Ten requests a minute.\n';
  await watch(text, 'v1.md', '--pin');
  expect(await watch(text, 'v1.md')).toEqual({ code: 0 });
  await watch(text.replace('Ten', 'Five'), 'v1.md');
  expect(told().change).toMatch(/^[a-z]{12}$/);
});

for (const [what, listener, says] of [
  ['is not there', (_request, response) => response.writeHead(404).end(), /was answered 404/],
  [
    'leads in circles',
    (_request, response) => response.writeHead(302, { location: '/openapi.yaml' }).end(),
    /cannot be fetched/,
  ],
  ['is a web page', (_request, response) => response.end('<!doctype html><title>Log in</title>'), /no description/],
  ['is empty', (_request, response) => response.end(''), /no description/],
  ['is some other YAML', (_request, response) => response.end('a: [1, 2]\n'), /no description/],
  ['is no YAML', (_request, response) => response.end('a: [\n'), /no description/],
  [
    'unfolds without end',
    (_request, response) =>
      response.end(
        `a: &a [x]\n${'bcdefghijk'
          .split('')
          .map((one, i) => `${one}: &${one} [${`*${'abcdefghij'[i]},`.repeat(10)}]`)
          .join('\n')}\n`,
      ),
    /no description/,
  ],
  ['is no text', (_request, response) => response.end(Buffer.from([0xff, 0xfe, 0x00])), /no text in UTF-8/],
  [
    'breaks off',
    (_request, response) => response.writeHead(200, { 'content-length': '999' }).write('a', () => response.destroy()),
    /cannot be fetched/,
  ],
  ['never ends', (_request, response) => void response.write('a'), /did not answer within 1 s/],
  ['is a bomb', (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB), /too large/],
] as const satisfies readonly (readonly [string, RequestListener, RegExp])[])
  test(`an answer that ${what} is one message, and nothing is compared`, async () => {
    writeFileSync(join(folder, 'v1.yaml'), SPEC);
    const { trouble, outcome } = await watch(
      listener,
      'v1.yaml',
      '--pin',
      '--within',
      what === 'never ends' ? '1' : '30',
    );
    expect([outcome, trouble?.message]).toEqual(['incomplete', expect.stringMatching(says)]);
    expect(readFileSync(join(folder, 'v1.yaml'), 'utf8')).toBe(SPEC);
  });

test('nobody at the address is incomplete, no address is usage', async () => {
  server!.close();
  await expect(fetchPublished('http://127.0.0.1:1/openapi.yaml', { seconds: 5 })).rejects.toMatchObject({
    outcome: 'incomplete',
  });
  for (const wrong of ['vendor.example', 'file:///etc/passwd', 'https://me:word@vendor.example/'])
    await expect(fetchPublished(wrong, { seconds: 5 })).rejects.toMatchObject({ outcome: 'usage' });
});
