import { isDeepStrictEqual } from 'node:util';
import {
  expect,
  findContradictions,
  hasValues,
  isArranged,
  listUuids,
  requireEntries,
  requireSeen,
  requireTargetLine,
  rule,
  type Target,
  test,
  type V1Client,
} from '#harness';
import { bringAbout } from './support/bring-about.ts';
import { readSteadyEntries } from './support/steady-entries.ts';

const ALIKE = [
  ...['V1-TRN-01', 'V1-TRN-03', 'V1-TRN-04', 'V1-TRN-05', 'V1-TRN-06', 'V1-TRN-07', 'V1-TRN-08', 'V1-TRN-09'],
  ...['V1-TRN-10', 'V1-TRN-11', 'V1-TRN-12', 'V1-TRN-13', 'V1-TRN-14', 'V1-TRN-15', 'V1-TRN-16', 'V1-TRN-17'],
  ...['V1-TRN-18', 'V1-TRN-19', 'V1-TRN-20', 'V1-TRN-21', 'V1-TRN-22', 'V1-TRN-31'],
];
/** An entry of a list as it is shown. */
type Entry = Readonly<Record<string, unknown>>;

const PARTY = ['V1-TRN-23', 'V1-TRN-24', 'V1-TRN-25', 'V1-TRN-26', 'V1-TRN-27', 'V1-TRN-28', 'V1-TRN-29', 'V1-TRN-30'];

/** Has transactions shown by every operation that shows them: with and without code, details and end-to-end identifier. */
async function shown(v1: V1Client): Promise<void> {
  const parties = v1.transferParties();
  const made = [
    await v1.createTransaction({
      ...parties,
      payment_details: v1.freshName(),
      end_to_end_ident: v1.freshUuid().slice(0, 18),
    }),
    await v1.createTransaction({ ...parties, payment_details: undefined, payment_code: v1.sample('payment_code') }),
  ];
  for (const uuid of listUuids(made.map((reply) => reply.requireStatus(201).object)))
    (await v1.readTransaction(uuid)).requireStatus(200);
  requireEntries((await v1.listTransactions()).list('/transactions'), 'transactions of the account');
}

// One answer settles the types of all the fields in it; each violation is charged to the rule of its field.
test('shows transactions in their documented types', rule(...ALIKE), async ({ v1 }) => {
  await shown(v1);
});

test('shows parties in their documented types', rule(...PARTY), async ({ v1 }) => {
  await shown(v1);
});

test('gives each transaction a uuid of its own', rule('V1-TRN-02'), async ({ v1, target }) => {
  const made = [await v1.arrangeTransaction(), await v1.arrangeTransaction(), await v1.arrangeTransaction()];
  expect(new Set(made).size).toBe(3);
  const { complete, fail } = target.control;
  if (complete !== undefined) await isArranged(v1.triggerEnd(made[0]!));
  if (fail !== undefined) await isArranged(v1.triggerEnd(made[1]!, 'fail'));
  // Whatever way one goes that is taken, a list has it once.
  const account_uuid = target.v1!.secondAccount ?? v1.account;
  await v1.createTransaction(v1.overSwift());
  await v1.createTransaction({ payment_code: v1.sample('payment_code') });
  await v1.createTransaction({}, { query: { account_uuid: v1.account }, headers: v1.requestIdHeader() });
  await v1.createTransaction({ account_uuid }, { query: { account_uuid } });
  for (const query of [{}, { account_uuid }, { direction: 'asc' }]) {
    const reply = await v1.listTransactions({ per_page: 100, ...query });
    // That there is an order upwards is not said.
    if ('direction' in query && reply.status !== 200) continue;
    const listed = listUuids(reply.list('/transactions'));
    expect(listed.length, JSON.stringify(query)).toBe(new Set(listed).size);
  }
});

test(
  'takes no transfer without a request id for another that comes at once',
  rule('V1-TRN-02'),
  async ({ v1, together }) => {
    v1.nameNoMore();
    const texts = [v1.freshName(), v1.freshName(), v1.freshName()];
    const sent = await together(texts.map((payment_details) => () => v1.createTransaction({ payment_details })));
    // Whether as many are taken at once is not said.
    const made = sent.filter(({ status }) => status === 201).map(({ object }) => object);
    const uuids = requireEntries(listUuids(made), 'uuids of created transactions');
    expect(new Set(uuids).size).toBe(uuids.length);
  },
);

test('shows a transaction in the history as it shows it by itself', rule('V1-TRN-32'), async ({ v1 }) => {
  v1.leaveDefaultsUnsaid();
  await v1.arrangeTransaction({ ...v1.transferParties(), payment_details: v1.freshName() });
  await v1.arrangeTransaction();
  const { payer, recipient } = v1.transferParties();
  const elsewhere = { ...recipient, name: 'Alan Test', address: '7 Example Street' };
  await v1.createTransaction({ payer, recipient: elsewhere, payment_type: 'swift' });
  // It may still change right after it was made.
  await v1.sleep(5);
  const listed = async () => (await v1.listTransactions({ per_page: 100 })).list('/transactions');
  const read = async (uuid: string) => (await v1.readTransaction(uuid)).object;
  const usual = async () => (await v1.listTransactions()).list('/transactions');
  const steady = [...(await readSteadyEntries(listed, read, 6)), ...(await readSteadyEntries(usual, read, 2))];
  for (const one of requireEntries(steady, 'transactions that both show and that did not change meanwhile'))
    expect(findContradictions(one.listed, one.read)).toEqual([]);
});

test('shows a transaction on a later page as it shows it by itself', rule('V1-TRN-32'), async ({ v1 }) => {
  for (const amount of [1, 2, 3]) await v1.arrangeTransaction({ amount, payment_details: v1.freshName() });
  // It may still change right after it was made.
  await v1.sleep(5);
  const listed = async (page: number) => (await v1.listTransactions({ per_page: 1, page })).list('/transactions');
  const read = async (uuid: string) => (await v1.readTransaction(uuid)).object;
  const steady = [
    ...(await readSteadyEntries(() => listed(2), read, 1)),
    ...(await readSteadyEntries(() => listed(3), read, 1)),
  ];
  for (const one of requireEntries(steady, 'transactions on a later page that did not change meanwhile'))
    expect(findContradictions(one.listed, one.read)).toEqual([]);
});

for (const [end, how] of [
  ['complete', 'completed'],
  ['fail', 'ended otherwise'],
] as const)
  test(
    `shows a transaction that ${how} in the history as it shows it by itself`,
    rule('V1-TRN-32', { needs: ['trigger'] }),
    async ({ v1 }) => {
      const uuid = await v1.arrangeTransaction();
      await v1.triggerEnd(uuid, end);
      await v1.sleep(5);
      const listed = async () =>
        (await v1.listTransactions({ per_page: 100 })).list('/transactions').filter((one) => hasValues(one, { uuid }));
      const before = await listed();
      const read = await v1.readTransaction(uuid);
      // That there is an order upwards is not said.
      const upwards = await v1.listTransactions({ per_page: 100, direction: 'asc' });
      test.skip(!isDeepStrictEqual(before, await listed()), 'the transaction changed meanwhile');
      const [one] = requireEntries(before, `transactions that ${how}`);
      expect(findContradictions(one, read.object)).toEqual([]);
      const there = upwards.status === 200 ? upwards.list('/transactions') : [];
      for (const other of there.filter((entry) => hasValues(entry, { uuid })))
        expect(findContradictions(other, read.object)).toEqual([]);
    },
  );

for (const [end, how, needs, changes] of [
  ['complete', 'completed', [], () => ({})],
  ['fail', 'ended otherwise', [], () => ({})],
  ['complete', 'completed over SWIFT', [], (v1: V1Client) => v1.overSwift()],
  [
    'complete',
    'completed in the second account',
    ['account.second'],
    (_v1: V1Client, target: Target) => ({ account_uuid: target.v1!.secondAccount }),
  ],
] as const)
  test(
    `shows a transaction that ${how} as pending no more`,
    rule('V1-TRN-04', { needs: ['trigger', ...needs] }),
    async ({ v1, target }) => {
      const body = v1.transferBody(changes(v1, target));
      const account_uuid = String(body['account_uuid']);
      const reply = await v1.createTransaction(body, { query: { account_uuid } });
      test.skip(reply.status !== 201, `a valid transfer was answered ${reply.status}`);
      const [uuid] = requireEntries(listUuids([reply.object]), 'uuids of created transactions');
      // What was read or listed once may be kept.
      await v1.readTransaction(uuid!, account_uuid);
      await v1.listTransactions({ account_uuid, per_page: 100 });
      await bringAbout(v1.triggerEnd(uuid!, end), account_uuid === target.v1!.secondAccount);
      const statuses = async () => {
        const read = await v1.readTransaction(uuid!, account_uuid);
        const listed = (await v1.listTransactions({ account_uuid, per_page: 100 }))
          .list('/transactions')
          .filter((one) => hasValues(one, { uuid }));
        return [read.object, ...listed].map((one) => Object(one).status).filter((status) => status != null);
      };
      let seen = await statuses();
      for (let looks = 0; looks < 6 && seen.includes('pending'); looks += 1) {
        await v1.sleep(5);
        seen = await statuses();
      }
      expect(requireEntries(seen, 'statuses of the transaction')).not.toContain('pending');
    },
  );

test(
  'shows a transaction that was completed days ago as pending no more',
  rule('V1-TRN-04', { needs: ['trigger', 'clock'] }),
  async ({ v1 }) => {
    const uuid = await v1.arrangeTransaction();
    await v1.triggerEnd(uuid, 'complete');
    await v1.sleep(2 * 86_400);
    const listed = (await v1.listTransactions({ per_page: 100 })).list('/transactions');
    const shown = [(await v1.readTransaction(uuid)).object, ...listed.filter((one) => hasValues(one, { uuid }))];
    const statuses = shown.map((one) => Object(one).status).filter((status) => status != null);
    expect(requireEntries(statuses, 'statuses of the transaction')).not.toContain('pending');
  },
);

test(
  'shows transactions of a known history there as it shows them by themselves',
  rule('V1-TRN-32'),
  async ({ v1, target }) => {
    const { account: account_uuid, from, to } = requireTargetLine(target.v1!.history, 'v1.history');
    const query = { account_uuid, date_from: from, date_to: to, per_page: 100 };
    const listed = (await v1.listTransactions(query)).list('/transactions') as readonly Entry[];
    // That there is an order upwards is not said.
    const upwards = await v1.listTransactions({ ...query, direction: 'asc' });
    const turned = (upwards.status === 200 ? upwards.list('/transactions') : []) as readonly Entry[];
    // Of each kind one, and some of all the others, so that what is shown of all alike would be seen.
    const kinds = new Map(listed.map((one) => [`${one.transaction_type} ${one.direction} ${one.payment_type}`, one]));
    const stride = Math.ceil(listed.length / 20);
    const some = new Set([...[...kinds.values()].slice(0, 10), ...listed.filter((_, i) => i % stride === 0)]);
    for (const one of requireEntries(
      [...some].filter((entry) => typeof entry?.uuid === 'string'),
      'transactions with a uuid',
    )) {
      const read = await v1.readTransaction(String(one!.uuid), account_uuid);
      const again = turned.filter(({ uuid }) => uuid === one!.uuid);
      for (const shows of [one, ...again])
        expect(findContradictions(shows, read.requireStatus(200).object)).toEqual([]);
    }
  },
);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Less than zones differ by. */
const ZONE = 1_500_000;

test('tells one and the same moment in seconds and in words', rule('V1-TRN-08'), async ({ v1 }) => {
  const created = (await v1.createTransaction()).object;
  // It may show them only once it is settled.
  await v1.sleep(5);
  const all = [created, ...(await v1.listTransactions({ per_page: 100 })).list('/transactions')] as Record<
    string,
    unknown
  >[];
  for (const uuid of listUuids([created])) all.push((await v1.readTransaction(uuid)).object);
  // A moment without a zone may be meant in any.
  const both = all.filter(
    (one) => /(Z|[+-]\d\d:?\d\d)$/i.test(String(one.operation_date_time)) && one.operation_date_unix != null,
  );
  const what = 'transactions with operation_date_time with a zone and operation_date_unix';
  for (const { operation_date_time: words, operation_date_unix: seconds } of requireEntries(both, what))
    expect(Math.abs(Date.parse(String(words)) / 1000 - Number(seconds))).toBeLessThanOrEqual(1);
});

/** Holds the day that transactions tell, one that is made and those listed, against the moment that they tell in seconds. */
async function expectDays(v1: V1Client): Promise<void> {
  const created = (await v1.createTransaction()).object;
  // It may show them only once it is settled.
  await v1.sleep(5);
  const all = [created, ...(await v1.listTransactions({ per_page: 100 })).list('/transactions')].map(
    (one) => Object(one) as Readonly<Record<string, unknown>>,
  );
  const both = all.filter((one) => one.operation_date != null && one.operation_date_unix != null);
  const what = 'transactions with operation_date and operation_date_unix';
  for (const { operation_date: day, operation_date_unix: seconds } of requireEntries(both, what)) {
    const since = Number(seconds) * 1000 - Date.parse(String(day));
    // A day begins nowhere more than 14 hours before it does here, and ends nowhere more than 12 hours after it does here.
    expect(since).toBeGreaterThanOrEqual(-14 * HOUR);
    expect(since).toBeLessThan(DAY + 12 * HOUR);
  }
}

test('tells the day of the moment that it tells in seconds', rule('V1-TRN-06'), ({ v1 }) => expectDays(v1));

test(
  'tells the day of the moment at hours at which the day before, or after, can be nowhere',
  rule('V1-TRN-06', { needs: ['clock'], movesClock: true }),
  async ({ v1, clock }) => {
    for (const hour of [5, 17]) {
      const left = (DAY + hour * HOUR - ((await clock.now()) % DAY)) % DAY;
      await v1.sleep(left / 1000);
      await expectDays(v1);
    }
  },
);

test('gives the creation in seconds since 1970', rule('V1-TRN-19'), async ({ v1, clock, target }) => {
  const before = await clock.now();
  const reply = await v1.createTransaction();
  const { created_at } = await v1.showCreated(reply, ['created_at']);
  const created = Number(requireSeen(created_at, 'the created_at of a transaction')) * 1000;
  // Its own clock may go wrong, though not by the hours of another zone against what it says itself.
  const said = target.control.now === undefined ? Date.parse(reply.headers.get('date') ?? '') : await clock.now();
  expect(Math.abs(created - before)).toBeLessThan(DAY);
  if (!Number.isNaN(said)) expect(Math.abs(created - said)).toBeLessThan(ZONE);
});
