import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { startSandbox } from '#sandbox';
import { callProgram } from './call-program.test-support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-sources-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
const program = [join(ROOT, 'tools/cli/assay.mjs')];

/** Starts the program; resolves once it has printed something. */
function start(pattern: RegExp, ...argv: string[]): Promise<{ child: ChildProcess; printed: string }> {
  const child = spawn(process.execPath, [...program, ...argv], { cwd: ROOT, env });
  let printed = '';
  return new Promise((done, fail) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (pattern.test(printed)) done({ child, printed });
    });
    child.stderr.on('data', (chunk) => {
      printed += chunk;
    });
    child.once('exit', () => fail(new Error(printed)));
  });
}

function stop(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  child.kill('SIGTERM');
  return ended;
}

const CARDS = { approved: '5555444433331111', pending: '4000000000000705' } as const;

/** A client as merchants write them, with two mistakes: a sale without a browser, and one that is paid again while it is processed. */
async function playShop(gateway: string, { id, token }: { id: number; token: string }): Promise<void> {
  const ask = async (path: string, body: object) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
    };
    const response = await fetch(`${gateway}${path}/${id}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { orderSystemId: number };
  };
  const pay = (
    orderMerchantId: string,
    card: keyof typeof CARDS,
    more: object = { browser: { ipAddress: '203.0.113.5' } },
  ) =>
    ask('/payments/sale', {
      orderMerchantId,
      order: { orderMerchantId, orderAmount: '10.00', orderCurrencyCode: 'EUR' },
      card: { cardNumber: CARDS[card], cvv2: '123', expireMonth: '10', expireYear: '2049' },
      ...more,
    });
  const { orderSystemId } = await pay('first', 'approved');
  await ask('/payments/status', { orderSystemId });
  await pay('second', 'approved', {});
  await pay('third', 'pending');
  await pay('third', 'approved');
}

/** Failed and kept rules of the client's side. */
function sidesOf(run: string): { failed: string[]; kept: string[] } {
  const { rules } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as {
    rules: { id: string; verdict: string }[];
  };
  const of = (verdict: string) =>
    rules
      .filter((one) => one.verdict === verdict && /-C/.test(one.id))
      .map(({ id }) => id)
      .filter((id) => !/-CBK-|-CAP-/.test(id));
  return { failed: of('fail'), kept: of('pass') };
}

test('a client comes off alike at the sandbox, through the proxy and from a recording', async () => {
  const runs = { sandbox: join(folder, 'sandbox'), proxy: join(folder, 'proxy'), recording: join(folder, 'recording') };

  const sandbox = await start(/^\}$/m, 'sandbox', '--judge', '--json', '--out', runs.sandbox);
  const { addresses, credentials } = JSON.parse(sandbox.printed.slice(0, sandbox.printed.search(/^\}$/m) + 1));
  await playShop(addresses.gateway, credentials.gateway.main);
  expect(await stop(sandbox.child)).toBe(1);

  const upstream = await startSandbox({ seed: 'upstream' });
  const { main } = upstream.credentials.gateway;
  const target = join(folder, 'target.yaml');
  writeFileSync(
    target,
    [
      'name: shop',
      'kind: sandbox',
      'gateway:',
      `  address: ${upstream.addresses.gateway}`,
      `  requestors: { main: { id: ${main.id}, token: file:token.txt, currency: EUR } }`,
      '',
    ].join('\n'),
  );
  writeFileSync(join(folder, 'token.txt'), main.token);
  const proxy = await start(/Stop it/, 'proxy', '--target', target, '--whole', '--out', runs.proxy);
  await playShop(/gateway +(\S+)/.exec(proxy.printed)![1]!, main);
  expect(await stop(proxy.child)).toBe(1);
  await upstream.close();

  const har = join(folder, 'shop.har');
  expect(await callProgram(['export', runs.proxy, '--har', '--out', har])).toMatchObject({ code: 0 });
  expect(await callProgram(['judge', har, '--whole', '--out', runs.recording])).toMatchObject({ code: 1 });

  const [first, second, third] = Object.values(runs).map(sidesOf);
  expect(first!.failed).toEqual(['GW-CMY-01', 'GW-CRQ-04']);
  expect(second).toEqual(first);
  expect(third!.failed).toEqual(first!.failed);
  // The one rule that needs the token itself, which an export does not have.
  expect(first!.kept.filter((id) => !third!.kept.includes(id))).toEqual(['GW-CTK-03']);
  for (const one of Object.values(runs)) {
    const text = readFileSync(join(one, 'evidence.ndjson'), 'utf8');
    for (const secret of [main.token, ...Object.values(CARDS)]) expect(text).not.toContain(secret);
  }
});
