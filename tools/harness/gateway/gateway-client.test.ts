import { expect, test } from '@playwright/test';
import type { ApiReply, RecordingClient, TargetTime } from '#client';
import type { Recorder } from '#evidence';
import { EMBEDDED_TARGET, parseTarget, resolveTarget, type Target } from '#target';
import { GatewayClient } from './gateway-client.ts';
import type { PlacedOrder } from './placed-order.ts';

const embeddedTarget = () =>
  resolveTarget(parseTarget(EMBEDDED_TARGET), {
    embedded: (name) => (/id$/.test(name) ? 7 : `http://127.0.0.1/${name}`),
  });

/**
 * A client of a gateway whose answers show these states, one after the other; one behind a colon is that of a capture.
 * @param knows whether it takes a request by its body; others are answered 400
 */
function clientOf(
  states: string[],
  isSteered: boolean,
  knows = (_body: string) => true,
  differs: Partial<Target> = {},
) {
  const slept: number[] = [];
  let lever = isSteered ? 'moves' : 'unknown';
  const send = async ({ operation, body }: { operation?: string; body?: unknown }) => {
    if (!knows(JSON.stringify(body))) return { status: 400, operation } as unknown as ApiReply;
    const [orderState, status] = (states.length > 1 ? states.shift()! : states[0]!).split(':');
    const listed = [
      { type: 'AUTH', amount: '10.00', status: 'APPROVED' },
      { type: 'CAPTURE', amount: '10.00', status },
    ];
    const transactions = status === undefined ? undefined : listed;
    const object = { orderState, transactions };
    return { status: 200, operation, object, at: () => orderState, list: () => transactions } as unknown as ApiReply;
  };
  const gateway = new GatewayClient({
    target: {
      ...embeddedTarget(),
      ...differs,
    },
    client: { send } as unknown as RecordingClient,
    time: {
      steered: isSteered,
      lever: () => lever,
      noteLever: (_clock: string, is: string) => {
        lever = is;
      },
      sleep: async (seconds: number) => void slept.push(seconds),
    } as unknown as TargetTime,
    recorder: { state: () => {}, effect: () => {} } as unknown as Recorder,
    seed: 'seed',
  });
  return { gateway, slept, leverOfRecords: () => lever };
}

const ORDER = {
  merchantId: 'own-1',
  systemId: 1,
  amount: 1000,
  currency: 'EUR',
  requestor: { id: 7, token: 'none', currency: 'EUR' },
} as unknown as PlacedOrder;

for (const [what, isSteered, looks] of [
  ['time passes by itself', false, 1],
  ['the clock is moved', true, 3],
] as const)
  test(`what was answered to be under way is waited for before status may show it, where ${what}`, async () => {
    const { gateway, slept } = clientOf(
      ['PROCESSING', ...Array(looks).fill('APPROVED'), 'PROCESSING', 'DECLINED'],
      isSteered,
    );
    await gateway.capture(ORDER, 1000);
    expect((await gateway.pollWhilePending(ORDER)).object.orderState).toBe('DECLINED');
    expect(slept).toEqual(Array(looks + 1).fill(3));
  });

test('what was answered to be over is not waited for', async () => {
  const { gateway, slept } = clientOf(['APPROVED', 'APPROVED', 'DECLINED'], true);
  await gateway.capture(ORDER, 1000);
  expect((await gateway.pollWhilePending(ORDER)).object.orderState).toBe('APPROVED');
  expect(slept).toEqual([]);
});

for (const [what, knows] of [
  ["the caller's own id where status does not take that of the service", (body) => !/orderSystemId/.test(body)],
  ['no currency where status does not take one', (body) => !/orderCurrencyCode/.test(body)],
] as const satisfies [string, (body: string) => boolean][])
  test(`an order is followed by ${what}`, async () => {
    const { gateway } = clientOf(['PROCESSING', 'DECLINED'], true, knows);
    expect(await gateway.pollUntilFinal(ORDER)).toBe('DECLINED');
  });

test('an order that keeps to real time is followed beside a clock that is moved', async () => {
  const manners = { pollGap: 0.01, pollLimit: 2 } as Target['manners'];
  const states = ['PROCESSING', 'PROCESSING', 'PROCESSING', 'APPROVED'];
  const { gateway, slept } = clientOf(states, true, undefined, { kind: 'sandbox', manners });
  expect(await gateway.pollUntilFinal(ORDER)).toBe('APPROVED');
  expect(slept).toHaveLength(2);
  const own = clientOf(['PROCESSING'], true, undefined, { manners });
  expect(await own.gateway.pollUntilFinal(ORDER)).toBe('PROCESSING');
});

test('an order is not followed where status takes no name of it', async () => {
  const { gateway } = clientOf([], true, () => false);
  await expect(gateway.pollUntilFinal(ORDER)).rejects.toThrow('status was answered 400');
});

test('a transaction that is under way in an order that is not is waited for', async () => {
  const { gateway, slept } = clientOf(['APPROVED', 'APPROVED:PROCESSING', 'APPROVED:APPROVED', 'ERROR'], true);
  await gateway.capture(ORDER, 1000);
  expect((await gateway.sumAfterPolling(ORDER, 'capture')).count).toBe(1);
  expect(slept).toHaveLength(1);
});

test('one that stays as it is is waited for once, and one that failed never', async () => {
  const { gateway, slept } = clientOf(['APPROVED', 'APPROVED:not fine'], true);
  for (let i = 0; i < 2; i += 1) {
    await gateway.capture(ORDER, 1000);
    expect((await gateway.sumAfterPolling(ORDER, 'capture')).count).toBe(0);
  }
  expect(new Set(slept)).toEqual(new Set([3]));
  const { length } = slept;
  await gateway.capture(ORDER, 1000);
  await gateway.pollWhilePending(ORDER);
  expect(slept).toHaveLength(length);
  const other = clientOf(['APPROVED', 'APPROVED:DECLINED'], true);
  await other.gateway.capture(ORDER, 1000);
  await other.gateway.pollWhilePending(ORDER);
  expect(other.slept).toEqual([]);
});

test('transactions of an approved order of which none is understood tell nothing', async () => {
  const { gateway } = clientOf(['APPROVED:APPROVED'], true);
  const other = clientOf(['APPROVED:APPROVED'], true, undefined, foreignNames());
  const shown = await gateway.status(ORDER);
  expect(gateway.transactions(shown)).toHaveLength(2);
  expect(() => other.gateway.transactions(shown)).toThrow(/no transaction of an approved order was understood/);
  expect(() => other.gateway.sumTransactions(shown, 'capture')).toThrow(/no transaction/);
  expect(other.gateway.entries(shown)).toHaveLength(2);
});

/** A target whose file has other names for transactions. */
function foreignNames(): Partial<Target> {
  const { gateway } = embeddedTarget();
  const wire = { ...gateway!.wire, types: { ...gateway!.wire.types, authorization: ['RESERVED'], capture: ['TAKEN'] } };
  return { gateway: { ...gateway!, wire } } as Partial<Target>;
}

for (const [what, captured, is] of [
  ['when neither capture is carried out', ['DECLINED', 'DECLINED'], 'moves'],
  ['when one that names no amount is carried out all the same', ['APPROVED', 'DECLINED'], 'moves'],
  ['never where both are carried out', ['APPROVED', 'APPROVED'], 'unknown'],
] as const)
  test(`that the clock moves what an authorization goes by is learned ${what}`, async () => {
    const captures = captured.flatMap((state) => ['APPROVED', `APPROVED:${state}`]);
    const { gateway, leverOfRecords } = clientOf(['APPROVED', 'APPROVED', ...captures], false);
    await gateway.learnLapse().catch(() => {});
    expect(leverOfRecords()).toBe(is);
  });
