import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { rememberStacks } from './runner-steps.ts';

test('a stack is written as it would be without, with the name and the message of each error, and looked up once', () => {
  const write = Error.prepareStackTrace!;
  const lookedUp: NodeJS.CallSite[][] = [];
  Error.prepareStackTrace = (error, frames) => {
    if (frames.length > 0) lookedUp.push(frames);
    return write(error, frames);
  };
  try {
    rememberStacks();
    const errors = [new TypeError('one'), new RangeError('another')];
    const [here, ...there] = errors.map((error) => error.stack);
    const again = [1, 2, 3].map((nth) => new Error(`number ${nth}`).stack);
    Error.prepareStackTrace = write;
    expect(lookedUp).toHaveLength(3);
    const [first = [], second = [], third = []] = lookedUp;
    expect(here).toBe(write(errors[0]!, first));
    expect(there).toEqual([write(errors[1]!, second)]);
    expect(again).toEqual([1, 2, 3].map((nth) => write(new Error(`number ${nth}`), third)));
    expect(here).toMatch(/^TypeError: one\n {4}at .*runner-steps\.test\.ts:\d+:/);
  } finally {
    Error.prepareStackTrace = write;
  }
});

test('a step that is kept is not told to the runner; how its test ended, and where it failed, is', () => {
  const load = createRequire(import.meta.url);
  const folder = mkdtempSync(join(tmpdir(), 'assay-steps-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    write(
      'one.spec.cjs',
      `const { expect, test } = require(${JSON.stringify(load.resolve('@playwright/test'))});
       test('one', async () => {
         await test.step('a step', () => expect(1).toBe(1));
         expect(1).toBe(2);
       });`,
    );
    write(
      'reporter.cjs',
      `const seen = { steps: 0, ends: [] };
       module.exports = class {
         onStepBegin() { seen.steps += 1; }
         onStepEnd() { seen.steps += 1; }
         onTestEnd(test, { status, error }) { seen.ends.push([status, error.location.line]); }
         onEnd() { console.log(JSON.stringify(seen)); }
       };`,
    );
    const play = (config: string) => {
      write('playwright.config.mjs', `${config}; export default { workers: 1, reporter: './reporter.cjs' };`);
      const cli = join(dirname(load.resolve('@playwright/test/package.json')), 'cli.js');
      const { stdout } = spawnSync(process.execPath, [cli, 'test'], { cwd: folder, encoding: 'utf8' });
      return JSON.parse(stdout) as { steps: number; ends: unknown };
    };
    const steps = JSON.stringify(load.resolve('./runner-steps.ts'));
    const kept = play(`import { keepSteps } from ${steps}; if (process.env.TEST_WORKER_INDEX) keepSteps()`);
    expect(kept).toEqual({ steps: 0, ends: [['failed', 4]] });
    const told = play('');
    expect(told.ends).toEqual(kept.ends);
    expect(told.steps).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
