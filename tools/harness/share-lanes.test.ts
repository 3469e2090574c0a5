import { expect, test } from '@playwright/test';
import { type LockedCheck, shareLanes } from './share-lanes.ts';

const turns = { lanes: { v1: 2, gateway: 1 }, isPortShared: false, movedClocks: 'none' } as const;

interface WeighedCheck extends LockedCheck {
  readonly api: 'v1' | 'gateway' | undefined;
  readonly seconds: number;
}

const share = (...checks: WeighedCheck[]) => {
  shareLanes(checks, (check) => check, turns);
  return checks.map(({ _locks }) => _locks);
};
const inLane = (seconds: number, ...more: string[]): WeighedCheck => ({
  api: 'v1',
  seconds,
  _locks: ['v1 1', ...more],
});

test('a check gets the lane that has least to do: behind a long one come none but when the others are as far', () => {
  expect(share(inLane(30), inLane(5), inLane(5), inLane(5))).toEqual([['v1 1'], ['v1 2'], ['v1 2'], ['v1 2']]);
});

test('what is skipped takes no lane from others, and other locks stay', () => {
  expect(share(inLane(1), inLane(0), inLane(0), inLane(1, 'port'))).toEqual([
    ['v1 1'],
    ['v1 2'],
    ['v1 2'],
    ['v1 2', 'port'],
  ]);
});

test('who takes all lanes, none, or asks nobody keeps what it has', () => {
  const alone: WeighedCheck = { api: 'v1', seconds: 9, _locks: ['v1 1', 'v1 2'] };
  const exclusive: WeighedCheck = { api: 'v1', seconds: 9, _locks: ['-exclusive-'] };
  const law: WeighedCheck = { api: undefined, seconds: 9, _locks: [] };
  const unknown: WeighedCheck = { api: 'v1', seconds: 9 };
  expect(share(alone, exclusive, law, unknown)).toEqual([['v1 1', 'v1 2'], ['-exclusive-'], [], undefined]);
});
