import { expect, test } from '@playwright/test';
import { answerTries } from './answer-attack.ts';
import { callbackTries } from './callback-attack.ts';
import { attackSuite } from './index.ts';
import { killTries } from './kill-attack.ts';

test('is at least seventy answers and eight floods, and strikes by both kinds of signals', () => {
  expect(answerTries().length).toBeGreaterThanOrEqual(70);
  expect(callbackTries().length).toBeGreaterThanOrEqual(8);
  const names = killTries(30, 1).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('SIGKILL'))).toHaveLength(15);
  expect(killTries(30, 1).map(({ name }) => name)).toEqual(names);
});

for (const only of ['answers', 'callbacks', 'bundles'])
  test(`a sample of hostile ${only} gets nowhere`, async () => {
    test.setTimeout(240_000);
    const tallies = await attackSuite({ spellings: 200, every: 9, kills: 0, seed: 1, only }, () => {});
    expect(tallies.flatMap(({ survivors }) => survivors)).toEqual([]);
  });
