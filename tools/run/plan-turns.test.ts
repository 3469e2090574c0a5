import { expect, test } from '@playwright/test';
import type { ServicePace } from '#client';
import type { Target } from '#target';
import { planRun } from './plan-run.ts';
import { describeTurns, layTurns } from './plan-turns.ts';

const asked = (paces: readonly ServicePace[], parallel: number, workers?: number, port?: number) =>
  layTurns(
    paces,
    { manners: { parallel }, control: {}, callback: port === undefined ? undefined : { port } } as unknown as Target,
    workers,
  );

const gateway = { api: 'gateway', milliseconds: 200 } as const;
const v1 = { api: 'v1', milliseconds: 240, limit: 500 } as const;

test('as many checks as the budget feeds and the manners allow', () => {
  // 500 a minute of 240 ms each are two at any time, and one more that thinks meanwhile.
  expect(asked([v1], 6)).toMatchObject({ workers: 3, turns: { lanes: { v1: 3 } } });
  expect(asked([v1], 2)).toMatchObject({ workers: 2, turns: { lanes: { v1: 2 } } });
  expect(asked([{ ...v1, limit: 60 }], 6)).toMatchObject({ workers: 2, turns: { lanes: { v1: 2 } } });
  expect(asked([gateway], 6)).toMatchObject({ workers: 6, turns: { lanes: { gateway: 6 } } });
  // One worker is left for the other service.
  expect(asked([gateway, v1], 6)).toMatchObject({ workers: 6, turns: { lanes: { gateway: 5, v1: 3 } } });
  expect(asked([gateway, v1], 1)).toMatchObject({ workers: 1, turns: { lanes: { gateway: 1, v1: 1 } } });
});

test('a number of workers that was asked for is used, and a service with a limit gets no more of them than it feeds', () => {
  expect(asked([gateway, v1], 6, 12)).toMatchObject({ workers: 12, turns: { lanes: { gateway: 6, v1: 3 } } });
  expect(asked([gateway, v1], 6, 2)).toMatchObject({ workers: 2, turns: { lanes: { gateway: 2, v1: 2 } } });
  expect(asked([gateway, v1], 6, 1)).toMatchObject({ workers: 1, turns: { lanes: { gateway: 1, v1: 1 } } });
});

test('where the next window is opened by moving the clock, a limit holds nobody up', () => {
  const moving = (moves: readonly string[] | undefined) =>
    layTurns([v1], { manners: { parallel: 6 }, control: { advance: { moves } } } as unknown as Target, undefined).turns
      .lanes;
  expect(moving(['records', 'limits'])).toEqual({ v1: 6 });
  for (const one of [['records'], undefined]) expect(moving(one)).toEqual({ v1: 3 });
});

test('a shard reckons with nothing that its machine has seen of a target', () => {
  const turns = asked([gateway], 6);
  const costs = () => ({ 'a check': { requests: 5 } });
  const plan = (isShard: boolean) =>
    planRun({ turns, workers: 6, money: undefined, costs, reopened: undefined, isShard, within: undefined });
  expect([false, true].map((isShard) => plan(isShard)?.costs)).toEqual([costs(), {}]);
});

test('whose clock a check moves goes by whether the lever asks for the service', () => {
  const moved = (advance: object | undefined) =>
    layTurns([v1], { manners: { parallel: 6 }, control: { advance } } as unknown as Target, undefined).turns
      .movedClocks;
  expect(moved(undefined)).toBe('none');
  expect(moved({ url: 'https://control.example/advance' })).toBe('all');
  expect(moved({ url: `https://control.example/\${service}/advance` })).toBe('own');
  expect(moved({ url: 'https://control.example/advance', body: { of: `\${service:string}` } })).toBe('own');
});

test('a port that is fixed is shared, one that is drawn is not, and the plan is said', () => {
  expect([asked([v1], 6, 2, 8443), asked([v1], 6, 2, 0)].map(({ turns }) => turns.isPortShared)).toEqual([true, false]);
  expect(describeTurns(asked([gateway, v1], 6))).toBe(
    '6 checks at the same time: gateway answers after 200 ms; v1 answers after 240 ms and announces 500 requests a minute',
  );
});
