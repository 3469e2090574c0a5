import { expect, test } from '@playwright/test';
import { rememberStacks } from './remember-stacks.ts';

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
    expect(here).toMatch(/^TypeError: one\n {4}at .*remember-stacks\.test\.ts:\d+:/);
  } finally {
    Error.prepareStackTrace = write;
  }
});
