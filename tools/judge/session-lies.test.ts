import { expect, test } from '@playwright/test';
import { listSessionLies } from '#sandbox';
import { judgeSessions, type SessionResult } from './judge-sessions.ts';
import { judgeTraffic } from './judge-traffic.ts';
import { contract } from './scripted-client.test-support.ts';
import {
  playCarefulClient,
  playCarelessClient,
  playHastyClient,
  SessionWorld,
} from './session-clients.test-support.ts';

/** What a client did under each of these lies. */
async function playAll(lies: readonly string[], client: typeof playCarefulClient): Promise<Map<string, SessionResult>> {
  const world = await SessionWorld.open(lies);
  try {
    return new Map(await world.play(client));
  } finally {
    await world.close();
  }
}

function deedsOf(result: SessionResult | undefined): string[] {
  return (result?.deeds ?? [])
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ deed }) => deed);
}

test('a careful client comes through everything that can be told, and each of it shows', async () => {
  test.setTimeout(180_000);
  const results = await playAll(['all'], playCarefulClient);
  const names = listSessionLies(['all']).map(({ name }) => name);
  expect([...results.keys()]).toEqual(names);
  for (const name of names) {
    const { session, others } = results.get(name)!;
    expect([name, session.isMet, deedsOf(results.get(name)), others]).toEqual([name, true, [], []]);
  }
});

/** What comes of a client without care under each lie; nothing where it does no harm. */
const HARM: Readonly<Record<string, { careless?: readonly string[]; hasty?: readonly string[] }>> = {
  'cut-off': { careless: ['paid twice'], hasty: ['lost an order'] },
  'error-after': { careless: ['paid twice'], hasty: ['lost an order'] },
  'error-before': { careless: ['paid twice'], hasty: ['lost an order'] },
  'too-many': { careless: ['asked too fast'] },
  'stays-open': { careless: ['paid twice'], hasty: ['acted unpaid', 'asked too fast'] },
  'unknown-state': { careless: ['paid twice'], hasty: ['acted unpaid', 'asked too fast'] },
  'never-final': { careless: ['paid twice'], hasty: ['acted unpaid', 'asked too fast'] },
  'false-message': { careless: ['paid twice', 'trusted a callback'] },
  'message-twice': { careless: ['trusted a callback'] },
};

for (const [style, client] of [
  ['careless', playCarelessClient],
  ['hasty', playHastyClient],
] as const)
  test(`a ${style} client shows under each lie what it does`, async () => {
    test.setTimeout(120_000);
    const lies = Object.keys(HARM).filter((name) => HARM[name]![style] !== undefined);
    const results = await playAll(lies, client);
    const did = Object.fromEntries(
      [...results].map(([name, result]) => [
        name,
        deedsOf(result).filter((deed) => HARM[name]![style]!.includes(deed)),
      ]),
    );
    expect(did).toEqual(Object.fromEntries(lies.map((name) => [name, HARM[name]![style]])));
  });

test('tells tests that run once different lies, and tests that are repeated all of them', async () => {
  const world = await SessionWorld.open(['cut-off', 'error-after', 'slow']);
  const told: unknown[] = [];
  for (const name of ['one', 'two', 'three', 'one', 'two', 'one', 'one'])
    told.push((await world.control('/session', { name }))['lie']);
  await world.close();
  expect(told).toEqual(['cut-off', 'error-after', 'slow', 'error-after', 'slow', 'slow', 'cut-off']);
});

test('counts what is done about an order in the session in which it began', async () => {
  const world = await SessionWorld.open(['stays-open', 'message-twice']);
  world.onCallback = async () => {};
  await world.control('/session', { name: 'first' });
  await world.gateway('sale', world.payment('spanning', '5555444433331111'));
  await world.control('/session', { name: 'second' });
  await world.gateway('sale', world.payment('spanning', '5555444433331111'));
  const traffic = world.collector.traffic({ isWhole: true, publicKeys: new Map() });
  await world.close();
  const results = judgeSessions(contract, traffic, judgeTraffic(contract, traffic));
  expect(results.map((one) => [one.session.name, deedsOf(one).includes('paid twice')])).toEqual([['first', true]]);
});

test('says of a lie that nobody has heard of which is the nearest', () => {
  expect(() => listSessionLies(['cut-of'])).toThrow(/cut-of/);
  expect(listSessionLies(['gentle']).every(({ isGentle }) => isGentle)).toBe(true);
  expect(listSessionLies(['sale-answers-500', 'sale-answers-500'])).toMatchObject([{ lies: ['sale-answers-500'] }]);
});
