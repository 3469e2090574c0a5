import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a process that starts a worker, and gives the ids of both. */
async function startFamily(goesOn: string): Promise<{ parent: number; worker: number }> {
  const worker = `import { endWithParent } from './tools/harness/orphan-watch.ts';
    endWithParent(1000);
    setTimeout(() => { console.log(String(process.ppid) + ' ' + process.pid); setTimeout(() => { ${goesOn} }, 100); }, 500);`;
  const argv = JSON.stringify(['--import', 'tsx', '--input-type=module', '-e', worker]);
  const parent = `require('node:child_process').spawn(process.execPath, ${argv}, { stdio: 'inherit' }); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', parent], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const ids = await new Promise<string>((done) => child.stdout.once('data', (text) => done(String(text))));
  const [one = 0, other = 0] = ids.split(' ').map(Number);
  return { parent: one, worker: other };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a worker that is kept busy goes with the process that started it, and not before', async () => {
  test.setTimeout(60_000);
  const { parent, worker } = await startFamily('for (;;);');
  try {
    // Longer than it takes the watch to look twice.
    await new Promise((done) => setTimeout(done, 3000));
    expect(isThere(worker)).toBe(true);
    process.kill(parent, 'SIGKILL');
    await expect.poll(() => isThere(worker), { timeout: 20_000 }).toBe(false);
  } finally {
    for (const pid of [parent, worker]) if (isThere(pid)) process.kill(pid, 'SIGKILL');
  }
});
