import { expect, test } from '@playwright/test';
import { describeUsage, listLies } from '#sandbox';
import { playDirectClient, playFormClient } from './honest-clients.test-support.ts';
import { listEncounters } from './list-encounters.ts';
import { contract, ScriptedWorld } from './scripted-client.test-support.ts';
import { ENCOUNTERS } from './services.ts';

let world: ScriptedWorld;
test.beforeAll(async () => {
  world = await ScriptedWorld.open();
});
test.afterAll(() => world.close());

/** What a script meets, by name. */
async function metBy(play: (client: ReturnType<ScriptedWorld['renew']>) => Promise<unknown>): Promise<string[]> {
  await play(world.renew());
  const traffic = world.collector.traffic({ isWhole: true, publicKeys: new Map() });
  return listEncounters(contract, traffic).flatMap(({ name, met }) => (met.length > 0 ? [name] : []));
}

test('names lies and test cards that there are', () => {
  const { samples } = describeUsage(world.sandbox, (name) => name);
  const cards = samples.flatMap(({ entries }) => entries.map((one) => (one as { name: string }).name));
  const lies = listLies().map(({ name }) => name);
  const brings = ENCOUNTERS.flatMap(([, list]) => list.map(({ bring }) => bring));
  const named = (pattern: RegExp) => brings.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  expect(named(/test card ([\w-]+)/).length).toBeGreaterThan(9);
  expect(named(/test card ([\w-]+)/).filter((name) => !cards.includes(name))).toEqual([]);
  expect(named(/lie ([\w-]+)/).filter((name) => !lies.includes(name))).toEqual([]);
});

test('tells what two clients met and did not', async () => {
  const direct = await metBy(playDirectClient);
  const form = await metBy(playFormClient);
  const both = ['APPROVED', 'PROCESSING', 'THREEDS_METHOD', 'non-final, then final', 'a callback', 'a delivery'];
  expect(both.filter((name) => !direct.includes(name) || !form.includes(name))).toEqual([]);
  for (const name of ['PAREQ', '401, token not found', 'a capture in part']) {
    expect(direct).toContain(name);
    expect(form).not.toContain(name);
  }
  for (const name of [
    "the customer's return",
    '429',
    'the same callback again',
    'an answer to a transfer that never came',
  ]) {
    expect(form).toContain(name);
    expect(direct).not.toContain(name);
  }
  for (const name of ['ERROR', '500', 'a later change']) expect([...direct, ...form]).not.toContain(name);
});

test('does as its suggestions say', async () => {
  const states: [string, string][] = [
    ['ERROR', '4000000000000606 123'],
    ['FILTERED', '4000000000000507 123'],
    ['UNKNOWN', '4000000000000804 123'],
    ['CHAIN_STEP', '4000000000000903 123'],
  ];
  for (const [state, card] of states)
    expect(await metBy((client) => client.gateway('/payments/sale/{id}', client.payment(card))), state).toContain(
      state,
    );
  expect(
    await metBy(async (client) => {
      world.sandbox.tellLies(['sale-answers-500', 'processing-never-ends']);
      await client.gateway('/payments/sale/{id}', client.payment('5555444433331111 123'));
      const payment = client.payment('4000000000000705 123');
      await client.gateway('/payments/auth/{id}', payment);
      for (let i = 0; i < 3; i += 1) await client.status({ orderMerchantId: payment['orderMerchantId'] });
      world.sandbox.tellLies([]);
    }),
  ).toEqual(expect.arrayContaining(['500', 'an order that stays non-final']));
});
