import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';
import { readWorkerTask, stalledTaskFile, WorkerPulse } from './worker-pulse.ts';
import { watchWorkers } from './worker-watch.ts';

let folder: string;
const children: ChildProcess[] = [];
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-watch-'));
});
test.afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process with a pulse that goes on in the way given. */
function worker(check: string, goesOn: string): ChildProcess {
  const script = `import { WorkerPulse } from './tools/harness/worker-pulse.ts';
    new WorkerPulse(${JSON.stringify(folder)}).note({ check: '${check}', text: 'exchange ${check}.3, an answer of 40960 bytes to status' });
    console.log('started');
    ${goesOn}`;
  const argv = ['--import', 'tsx', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, argv, { cwd: SUITE_FOLDER, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

test('what is dealt with is read back, also when less is to be said of it than of what came before', () => {
  const pulse = new WorkerPulse(folder);
  for (const text of ['exchange c0000001.12, an answer of 40960 bytes – to status', 'its start', 'exchange é']) {
    pulse.note({ check: 'c0000001', text });
    expect(readWorkerTask(folder, process.pid)).toEqual({ check: 'c0000001', text });
  }
  pulse.close();
  expect(readWorkerTask(folder, process.pid)).toBe(undefined);
});

test('a worker that an answer keeps busy is ended, and what it dealt with is said; one that waits is not', async () => {
  test.setTimeout(60_000);
  const busy = worker('c0000001', 'for (;;);');
  const waiting = worker('c0000002', 'setInterval(() => {}, 60_000);');
  await Promise.all([busy, waiting].map((one) => new Promise((done) => one.stdout!.once('data', done))));
  const ended = new Promise((done) => busy.once('exit', (_code, signal) => done(signal)));
  const endWatch = watchWorkers(folder, 4);
  expect(await ended).toBe('SIGKILL');
  endWatch();
  expect(JSON.parse(readFileSync(stalledTaskFile(folder, 'c0000001'), 'utf8'))).toEqual({
    check: 'c0000001',
    text: 'no progress for 4 s at exchange c0000001.3, an answer of 40960 bytes to status; its worker was ended',
  });
  expect(waiting.exitCode).toBe(null);
  expect(waiting.signalCode).toBe(null);
});
