import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';

/** What became of each rule that was not skipped, when the balances of a service are checked that answers like this. */
async function judgeBalances(answer: RequestListener): Promise<{ code: number | null; rules: Record<string, string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-hollow-'));
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    const file = join(folder, 't.yaml');
    writeFileSync(
      file,
      `name: hollow\nkind: mock\ngateway:\n  address: ${address}\n  requestors:\n    main: { id: 1, token: env:ASSAY_HOLLOW }\n` +
        '  merchant: { login: a-merchant, token: env:ASSAY_HOLLOW }\n  manager: { login: a-manager, token: env:ASSAY_HOLLOW }\n  balance: Main\n',
    );
    const run = join(folder, 'run');
    const argv = ['run', '--target', file, '--rule', 'GW-BAL', '--out', run, '--workers', '2'];
    const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
    const child = spawn(process.execPath, [join(SUITE_FOLDER, 'tools/cli/assay.mjs'), ...argv], {
      cwd: SUITE_FOLDER,
      env: { ...env, ASSAY_HOLLOW: 'a-token-of-a-hollow-service' },
      stdio: 'ignore',
    });
    const code = await new Promise<number | null>((done) => child.once('close', done));
    const { rules } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as {
      rules: { id: string; verdict: string; reason?: { code: string } }[];
    };
    const told = rules.filter(({ verdict }) => verdict !== 'skipped');
    return { code, rules: Object.fromEntries(told.map(({ id, verdict, reason }) => [id, reason?.code ?? verdict])) };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('nothing is kept by a service that destroys every connection', async () => {
  test.setTimeout(300_000);
  const { code, rules } = await judgeBalances((request) => void request.socket.destroy());
  expect(code).toBe(3);
  expect(Object.keys(rules).length).toBeGreaterThan(15);
  expect(Object.entries(rules).filter(([, what]) => what !== 'unreachable')).toEqual([]);
});

test('a service that answers {} to every lookup breaks what promises fields, and keeps nothing said of them', async () => {
  test.setTimeout(300_000);
  const { code, rules } = await judgeBalances((_request, reply) => {
    reply.setHeader('content-type', 'application/json').end('{}');
  });
  expect(code).toBe(1);
  expect(rules).toMatchObject({ 'GW-BAL-17': 'fail', 'GW-BAL-27': 'fail' });
  for (const id of ['02', '03', '10', '11', '12', '13', '14', '15', '16', '20', '21', '22', '23', '24', '25', '26'])
    expect(rules[`GW-BAL-${id}`], `GW-BAL-${id}`).toBe('unseen');
});
