import { expect, test } from '@playwright/test';
import { waitAtMost } from './wait-at-most.ts';

test('gives what comes in time, and what it fails with', async () => {
  expect(await waitAtMost(5000, Promise.resolve(7))).toBe(7);
  expect(await waitAtMost(5000, 7)).toBe(7);
  await expect(waitAtMost(5000, Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});

test("waits no longer than it may, and a failure after that is nobody's", async () => {
  let fail = (_error: Error) => {};
  const late = new Promise<number>((_done, reject) => {
    fail = reject;
  });
  expect(await waitAtMost(1, late)).toBeUndefined();
  fail(new Error('late'));
  // A failure that nobody takes would end the worker.
  await new Promise((done) => setImmediate(done));
});
