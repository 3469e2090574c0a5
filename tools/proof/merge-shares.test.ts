import { expect, test } from '@playwright/test';
import { describeShare, type FinishedShare, mergeShares, type WorkShare } from './merge-shares.ts';
import { takeShare } from './take-share.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const GROUND = { suite: 'this', seed: 1, full: false };

function share(text: string, change: Partial<WorkShare> = {}, pieces = takeShare(NAMES, text)): FinishedShare<string> {
  return { file: `${text}.json`, share: { ...describeShare(text, NAMES, GROUND)!, ...change }, pieces };
}
const merge = (...shares: FinishedShare<string>[]) => mergeShares(shares, (name) => name);

test('shares in any order make the whole in its order', () => {
  expect(merge(share('3/3'), share('1/3'), share('2/3'))).toEqual(NAMES);
  expect(merge(share('1/1'))).toEqual(NAMES);
  const many = Array.from({ length: 9 }, (_, i) => share(`${i + 1}/9`));
  expect(merge(...many)).toEqual(NAMES);
  expect(describeShare(undefined, NAMES, GROUND)).toBeUndefined();
});

const REFUSED: readonly [name: string, shares: () => FinishedShare<string>[], says: RegExp][] = [
  ['one missing', () => [share('1/3'), share('3/3')], /1 of 3 shards are missing: 2/],
  ['one twice', () => [share('1/2'), share('1/2'), share('2/2')], /shard 1 of 2 is there twice/],
  ['another suite', () => [share('1/2'), share('2/2', { suite: 'other' })], /2\/2\.json is a shard of another proof/],
  ['another seed', () => [share('1/2'), share('2/2', { seed: 2 })], /a shard of another proof/],
  ['another manner', () => [share('1/2'), share('2/2', { full: true })], /a shard of another proof/],
  ['another number of shards', () => [share('1/2'), share('2/3')], /a shard of another proof/],
  ['another selection', () => [share('1/2'), share('2/2', { sha256: '0' })], /a shard of another proof/],
  ['a piece missing', () => [share('1/2'), share('2/2', {}, ['b', 'd'])], /the shards hold 6 of 7 pieces/],
  ['a piece too many', () => [share('1/2'), share('2/2', {}, ['b', 'd', 'f', 'h'])], /the shards hold 8 of 7 pieces/],
  ['a piece of another work', () => [share('1/2'), share('2/2', {}, ['b', 'd', 'x'])], /others than were asked for/],
  ['none at all', () => [], /no shard was named/],
];
for (const [name, shares, says] of REFUSED)
  test(`${name} is refused`, () => expect(() => merge(...shares())).toThrow(says));
