import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { findBrowser } from '#browser';
import type { RunResult } from '#report';
import { outerEnvironment } from './call-program.test-support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SHOP = join(ROOT, 'examples/shop');
let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-shop-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
test.skip(findBrowser() === undefined, 'the hosted form is paid in a browser');

const env = outerEnvironment();

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

/** Runs the shop's own tests against a sandbox that judges the shop. */
async function judgeShop(
  shop: string,
  lies: readonly string[] = [],
  tests: readonly string[] = [],
): Promise<{
  tests: number | null;
  out: string;
  code: number | null;
  failed: string[];
  warned: string[];
  run: RunResult;
}> {
  const run = join(folder, `${shop} ${lies.join()}`);
  const named = lies.flatMap((name) => ['--lies', name]);
  const program = [join(ROOT, 'tools/cli/assay.mjs'), 'sandbox', '--judge', ...named, '--json', '--out', run];
  const sandbox = spawn(process.execPath, program, { cwd: ROOT, env });
  const printed = await new Promise<string>((done) => {
    let text = '';
    sandbox.stdout.on('data', (chunk) => {
      text += chunk;
      if (/^\}$/m.test(text)) done(text.slice(0, text.search(/^\}$/m) + 1));
    });
  });
  const { addresses, credentials } = JSON.parse(printed);
  const { id, token } = credentials.gateway.main;
  const played = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', ...tests, '--output', join(folder, 'results')],
    {
      cwd: SHOP,
      env: {
        ...env,
        SHOP: shop,
        PORT: String(await freePort()),
        CHROMIUM: findBrowser(),
        GATEWAY_URL: addresses.gateway,
        GATEWAY_ID: String(id),
        GATEWAY_TOKEN: token,
        ...(addresses.control && { CONTROL_URL: addresses.control }),
      },
    },
  );
  let out = '';
  for (const stream of [played.stdout, played.stderr]) stream.on('data', (chunk) => (out += chunk));
  const ended = await new Promise<number | null>((done) => played.once('exit', done));
  const stopped = new Promise<number | null>((done) => sandbox.once('exit', done));
  sandbox.kill('SIGTERM');
  const code = await stopped;
  const result = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as RunResult;
  const of = (verdict: string) => result.rules.filter((one) => one.verdict === verdict).map((one) => one.id);
  return { tests: ended, out, code, failed: of('fail'), warned: of('warn'), run: result };
}

test('finds the five mistakes of the shop, whose own tests are green', async () => {
  test.setTimeout(180_000);
  const { tests, out, code, failed, warned } = await judgeShop('shop-with-mistakes.mjs');
  expect([tests, tests === 0 ? '' : out]).toEqual([0, '']);
  expect(failed).toEqual(['GW-CMY-01', 'GW-CMY-02', 'GW-CMY-03', 'GW-COR-01', 'GW-COR-03']);
  expect(warned).toEqual([]);
  expect(code).toBe(1);
});

test('finds none in the corrected shop', async () => {
  test.setTimeout(180_000);
  const { tests, out, code, failed, warned } = await judgeShop('shop.mjs');
  expect([tests, tests === 0 ? '' : out]).toEqual([0, '']);
  expect([failed, warned]).toEqual([[], []]);
  expect(code).toBe(0);
});

const LIES = ['cut-off', 'stays-open'];
/** One test, once under each. */
const TESTS = ['-g', 'sells at once', '--repeat-each', '2'];

/** What a shop did under each lie that showed. */
function deedsOf({ sessions = [] }: RunResult): Record<string, string[]> {
  const told = sessions.filter(({ met }) => met);
  return Object.fromEntries(
    told.map(({ lie, deeds }) => [
      lie,
      deeds.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ deed }) => deed),
    ]),
  );
}

test('says under each lie what the shop does to itself and its customers', async () => {
  test.setTimeout(180_000);
  const { tests, out, code, run } = await judgeShop('shop-with-mistakes.mjs', LIES, TESTS);
  expect([tests, tests === 0 ? '' : out]).toEqual([0, '']);
  expect(deedsOf(run)).toEqual({ 'cut-off': ['paid twice'], 'stays-open': ['asked too fast'] });
  expect(code).toBe(1);
});

test('the corrected shop comes through', async () => {
  test.setTimeout(180_000);
  const { tests, out, code, run } = await judgeShop('shop.mjs', LIES, TESTS);
  expect([tests, tests === 0 ? '' : out]).toEqual([0, '']);
  expect(deedsOf(run)).toEqual(Object.fromEntries(LIES.map((name) => [name, []])));
  expect(code).toBe(0);
});

test('the shop is a package of its own', () => {
  for (const file of ['shop.mjs', 'shop-with-mistakes.mjs', 'shop.spec.mjs', 'playwright.config.mjs'])
    expect(readFileSync(join(SHOP, file), 'utf8')).not.toMatch(/from '(?:\.\.|#)/);
  expect(
    spawnSync('diff', [join(SHOP, 'shop.mjs'), join(SHOP, 'shop-with-mistakes.mjs')], {
      encoding: 'utf8',
    }).stdout.match(/Mistake \d/g),
  ).toHaveLength(6);
});
