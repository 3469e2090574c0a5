import { expect, test } from '@playwright/test';
import type { TargetNeed } from '#contract';
import { locksOfCheck, takesAllLanes } from './check-locks.ts';

const claimed = (rule: string, needs: readonly TargetNeed[] = [], isAlone = false) => ({
  rules: [rule],
  needs: new Set(needs),
  isAlone,
  movesClock: false,
});
const turns = { lanes: { v1: 2, gateway: 3 }, isPortShared: false, movedClocks: 'all' } as const;
const standing = { ...turns, movedClocks: 'none' } as const;

test('checks of a service take its lanes in turn, and one that is alone takes them all', () => {
  const lanes = [0, 1, 2, 3].map((serial) => locksOfCheck(claimed('V1-TRR-02'), turns, serial));
  expect(lanes).toEqual([['v1 1'], ['v1 2'], ['v1 1'], ['v1 2']]);
  expect(locksOfCheck(claimed('V1-PAG-09', [], true), turns, 0)).toEqual(['v1 1', 'v1 2']);
  const looksAtBalances = claimed('GW-SAL-02', ['merchant']);
  expect(locksOfCheck(looksAtBalances, standing, 0)).toEqual(['gateway 1', 'gateway 2', 'gateway 3']);
});

test('what there is one of is used by one: the webhook configuration, a newcomer, a port that is fixed', () => {
  expect(locksOfCheck(claimed('V1-WHK-01', ['v1.user']), turns, 0)).toEqual([
    'v1 1',
    'webhook configuration',
    'newcomer',
  ]);
  const fixed = { ...turns, isPortShared: true };
  expect(locksOfCheck(claimed('GW-CBK-01', ['callback']), fixed, 1)).toEqual(['gateway 2', 'port']);
  expect(locksOfCheck(claimed('GW-CBK-01', ['callback']), turns, 1)).toEqual(['gateway 2']);
});

test('whoever uses a limit up or makes a service fail is alone at that service', () => {
  for (const need of ['exhaustion', 'v1.fault'] as const)
    expect(locksOfCheck(claimed('V1-LIM-01', [need]), turns, 0)).toEqual(['v1 1', 'v1 2']);
  const failing = claimed('GW-ERR-14', ['gateway.fault']);
  expect(locksOfCheck(failing, turns, 0)).toEqual(['gateway 1', 'gateway 2', 'gateway 3']);
});

test('whoever moves the clock of all services runs while no other check does', () => {
  expect(locksOfCheck(claimed('V1-LIM-01', ['clock']), turns, 0)).toEqual(['-exclusive-']);
  const weeksLater = { ...claimed('GW-BEA-03'), movesClock: true };
  expect(locksOfCheck(weeksLater, turns, 0)).toEqual(['-exclusive-']);
  // What is booked later is looked for later, which opens another window of the limit.
  expect(locksOfCheck(claimed('GW-SAL-02', ['merchant']), turns, 0)).toEqual(['-exclusive-']);
  expect(locksOfCheck(weeksLater, standing, 0), 'where the clock cannot be moved').toEqual(['gateway 1']);
});

test('where each service has a clock of its own, whoever moves it is alone at that service', () => {
  const apart = { ...turns, movedClocks: 'own' } as const;
  expect(locksOfCheck({ ...claimed('GW-BEA-03'), movesClock: true }, apart, 0)).toEqual([
    'gateway 1',
    'gateway 2',
    'gateway 3',
  ]);
  expect(locksOfCheck(claimed('V1-EVT-01'), apart, 0)).toEqual(['v1 1', 'v1 2', 'webhook configuration']);
});

test('where each worker has a sandbox of its own nobody waits for anybody', () => {
  expect(locksOfCheck(claimed('V1-LIM-01', ['exhaustion'], true), undefined, 0)).toEqual([]);
});

test('a check is known to be alone by the lanes that it takes, where there is more than one', () => {
  expect(takesAllLanes(['v1 1', 'v1 2'], 'v1', turns)).toBe(true);
  expect(takesAllLanes(['v1 1', 'webhook configuration'], 'v1', turns)).toBe(false);
  expect(takesAllLanes(['v1 1'], 'v1', { ...turns, lanes: { v1: 1 } })).toBe(false);
  expect(takesAllLanes([], 'v1', undefined)).toBe(false);
});
