import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';
import { verifyRun } from '#report';

test.skip(process.platform !== 'linux', 'who belongs to a run is read from /proc');
test.setTimeout(120_000);

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-group-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Processes that were started for a run: those that have its folder in their environment, whenever they were started. */
function membersOf(run: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isMember = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`STRUCK_RUN=${run}\0`);
        return isMember ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        return [];
      }
    });
}

// The runner looks at every file of checks before it starts a worker: on a machine that has much to do that takes long.
test.setTimeout(240_000);

/** Starts a run and sends the program, and nobody else, a signal as soon as a worker or, when asked for, a browser and the page are there. */
async function strike(signal: NodeJS.Signals, browser: boolean): Promise<{ code: number | null; run: string }> {
  const run = join(folder, 'run');
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  const argv = ['run', '--out', run, '--workers', '2', '--rule', browser ? 'GW-TDS' : 'GW-CAP'];
  const child = spawn(process.execPath, [join(SUITE_FOLDER, 'tools/cli/assay.mjs'), ...argv], {
    cwd: SUITE_FOLDER,
    env: { ...env, STRUCK_RUN: run },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  // Not the worker that waits from the beginning on: the one beside it.
  const awaited = browser ? /--remote-debugging-pipe/ : /workerProcessEntry\.js/;
  const isUnderWay = () =>
    (!browser || existsSync(join(run, 'index.html'))) && membersOf(run).some((line) => awaited.test(line));
  await expect.poll(isUnderWay, { timeout: 200_000 }).toBe(true);
  await wait(300);
  child.kill(signal);
  return { code: await ended, run };
}

test('a program that is shot takes runner, workers and the browser along, and leaves a page that says incomplete', async () => {
  const { code, run } = await strike('SIGKILL', true);
  expect(code).toBe(null);
  await expect.poll(() => membersOf(run), { timeout: 20_000 }).toEqual([]);
  const { complete, verdict } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  expect({ complete, verdict }).toEqual({ complete: false, verdict: 'incomplete' });
  expect(readFileSync(join(run, 'index.html'), 'utf8')).toMatch(/incomplete/i);
});

test('SIGHUP ends with a signed folder that verifies, and with nobody left', async () => {
  const { code, run } = await strike('SIGHUP', false);
  expect(membersOf(run)).toEqual([]);
  expect(code).toBe(3);
  expect(verifyRun(run).findings).toEqual([]);
  expect(JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'))).toMatchObject({ verdict: 'incomplete' });
});
