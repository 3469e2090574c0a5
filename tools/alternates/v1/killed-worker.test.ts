import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { V1_ALTERNATES } from './choices.ts';
import { v1TargetSecrets, writeV1Target } from './target-file.ts';
import { openV1Alternate } from './v1-alternate.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The worker among the descendants of a process; undefined when there is none. */
function workerBelow(pid: number): number | undefined {
  const parent = new Map<number, number>();
  for (const one of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, above] = /\) \w (\d+)/.exec(readFileSync(`/proc/${one}/stat`, 'utf8'))!;
      parent.set(Number(one), Number(above));
    } catch {
      // It has ended meanwhile.
    }
  }
  const below = (one: number | undefined): boolean => one === pid || (one !== undefined && below(parent.get(one)));
  const isWorker = (one: number) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('workerProcessEntry');
  return [...parent.keys()].find((one) => below(one) && isWorker(one));
}

test('takes back what a worker had uploaded when it was killed', async () => {
  test.skip(process.platform !== 'linux', 'who belongs to whom is read from /proc');
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'assay-killed-'));
  let program: number | undefined;
  let [uploaded, killed] = [false, false];
  // The worker dies at its first request after the one that uploaded something: that one it has been told about.
  const alternate = await openV1Alternate(V1_ALTERNATES[1]!, undefined, async ({ method, path }) => {
    if (!/\/documents/.test(path) || killed) return;
    if (uploaded) {
      const worker = workerBelow(program!);
      killed = worker !== undefined && process.kill(worker, 'SIGKILL');
      await wait(100);
    }
    uploaded = method === 'POST';
  });
  try {
    const target = join(folder, 'target.yaml');
    writeFileSync(target, writeV1Target(alternate));
    mkdirSync(join(folder, 'tmp'));
    const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
    const argv = ['run', '--target', target, '--out', join(folder, 'run'), '--workers', '1', '--rule', 'V1-DOC-04'];
    const child = spawn(process.execPath, [join(ROOT, 'tools/cli/assay.mjs'), ...argv], {
      cwd: ROOT,
      env: { ...env, ...v1TargetSecrets(alternate), TMPDIR: join(folder, 'tmp') },
      stdio: 'ignore',
    });
    program = child.pid;
    const code = await new Promise<number | null>((done) => child.once('close', done));
    expect(killed).toBe(true);
    // A check that was cut short is no verdict about the service, and the others went on.
    expect(code).toBe(3);
    const lines = readFileSync(join(folder, 'run/evidence.ndjson'), 'utf8').trim().split('\n');
    const all = lines.map(
      (line) => JSON.parse(line) as { kind: string; what?: string; restored?: boolean; outcome?: string },
    );
    expect(all.filter(({ kind }) => kind === 'check').map(({ outcome }) => outcome)).toContain('pass');
    const [account] = alternate.accounts;
    const list = `${alternate.address}/api/v1/customers/${alternate.customer}/accounts/${account}/documents`;
    const left = await fetch(list, { headers: { authorization: `Bearer ${alternate.tokens.main}` } });
    expect(await left.json()).toEqual([]);
    expect(all.filter(({ what, restored }) => what === 'document' && restored)).not.toEqual([]);
  } finally {
    await alternate.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
