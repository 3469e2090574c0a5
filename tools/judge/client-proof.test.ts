import { expect, test } from '@playwright/test';
import { WRONG_GATEWAY_CLIENTS } from './gateway/wrong-clients.test-support.ts';
import { playDirectClient, playFormClient } from './honest-clients.test-support.ts';
import { contract, ScriptedWorld } from './scripted-client.test-support.ts';
import { WRONG_V1_CLIENTS } from './v1/wrong-clients.test-support.ts';

test.describe.configure({ mode: 'default' });

let world: ScriptedWorld;
test.beforeAll(async () => {
  world = await ScriptedWorld.open();
});
test.afterAll(() => world.close());

/** Ids of the rules that can be judged. */
const JUDGED = [...contract.clientRules.values()].filter((rule) => !rule.untestable).map(({ id }) => id);

const STYLES = [
  ['takes cards itself', playDirectClient],
  ['leaves cards to the hosted form', playFormClient],
] as const;

test('finds nothing in honest clients of two styles, which keep every rule between them', async () => {
  const met = new Set<string>();
  for (const [style, play] of STYLES)
    await test.step(`one that ${style}`, async () => {
      await play(world.renew());
      const verdicts = world.verdicts();
      const broken = verdicts.filter(({ outcome }) => outcome === 'broken');
      expect(broken.map(({ rule, breaches }) => [rule.id, ...breaches.map(({ actual }) => actual)])).toEqual([]);
      for (const { rule, outcome } of verdicts) if (outcome === 'kept') met.add(rule.id);
    });
  expect(JUDGED.filter((id) => !met.has(id))).toEqual([]);
});

const WRONG_CLIENTS = [...WRONG_GATEWAY_CLIENTS, ...WRONG_V1_CLIENTS];

for (const { rule, name, play } of WRONG_CLIENTS)
  test(`catches a client that ${name} (${rule})`, async () => {
    await play(world.renew());
    const broken = world.verdicts().filter(({ outcome }) => outcome === 'broken');
    expect(broken.map((one) => one.rule.id)).toEqual([rule]);
  });

test('has a wrong client for every rule that can be judged', () => {
  const caught = new Set(WRONG_CLIENTS.map(({ rule }) => rule));
  expect(JUDGED.filter((id) => !caught.has(id))).toEqual([]);
  expect(WRONG_CLIENTS.filter(({ rule }) => !contract.clientRules.has(rule))).toEqual([]);
});
