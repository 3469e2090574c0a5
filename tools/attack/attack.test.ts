import { expect, test } from '@playwright/test';
import { answerTries } from './answer-attack.ts';
import { callbackTries } from './callback-attack.ts';
import { attackSuite } from './index.ts';
import { killTries } from './kill-attack.ts';
import { openPageAttack } from './page-attack.ts';

test('is at least seventy answers, thirty pages and eight floods', async () => {
  expect(answerTries().length).toBeGreaterThanOrEqual(70);
  expect(callbackTries().length).toBeGreaterThanOrEqual(8);
  const pages = await openPageAttack();
  expect(pages?.tries.length ?? 30).toBeGreaterThanOrEqual(30);
  await pages?.close();
});

test('strikes whoever a run consists of, by both kinds of signals, at moments that the seed gives back', () => {
  const names = killTries(30, 1).map(({ name }) => name);
  expect(killTries(30, 1).map(({ name }) => name)).toEqual(names);
  expect(killTries(30, 2).map(({ name }) => name)).not.toEqual(names);
  expect(names.filter((name) => name.startsWith('SIGKILL'))).toHaveLength(15);
  for (const victim of ['program', 'runner', 'program and runner', 'worker'])
    for (const isKill of [true, false])
      expect(
        names.filter((name) => name.includes(` to the ${victim} `) && name.startsWith('SIGKILL') === isKill).length,
        victim,
      ).toBeGreaterThan(1);
});

for (const only of ['answers', 'pages', 'callbacks', 'bundles'])
  test(`a sample of hostile ${only} gets nowhere`, async () => {
    test.setTimeout(240_000);
    const size = { spellings: 200, every: 9, kills: 0, seed: 1, only };
    for await (const { survivors } of attackSuite(size, () => {})) expect(survivors).toEqual([]);
  });

test('refuses a kind of attack that there is not, and makes none', async () => {
  const size = { spellings: 1, every: 1, kills: 1, seed: 1, only: 'pagse' };
  await expect(attackSuite(size, () => {}).next()).rejects.toMatchObject({ outcome: 'usage' });
});
