import { expect, listUuids, requireEntries, requireSeen, rule, test, twice, type V1Client } from '#harness';
import { payFromSecond } from './support/transfers.ts';
import { inOtherLetters, uuidsBeside } from './support/uuids-beside.ts';

test('refuses to read a transaction without its account', rule('V1-TRR-01'), async ({ v1 }) => {
  const path = { uuid: await v1.readableTransaction() };
  await twice(async () => expect(await v1.send('readTransaction', { path })).toBeFault(422));
});

test(
  'refuses to read a transaction that was completed without its account',
  rule('V1-TRR-01', { needs: ['trigger'] }),
  async ({ v1 }) => {
    const uuid = await v1.arrangeTransaction();
    await v1.triggerEnd(uuid);
    expect(await v1.send('readTransaction', { path: { uuid } })).toBeFault(422);
  },
);

test('shows the transaction that was asked for, be it the newest or not', rule('V1-TRR-02'), async ({ v1 }) => {
  const made = new Map<string, string>();
  for (let i = 0; i < 3; i += 1) {
    const payment_details = v1.freshName();
    made.set(await v1.arrangeTransaction({ payment_details }), payment_details);
  }
  await expectShown(v1, made);
});

test(
  'shows the transaction of the second account that was asked for, be it the newest or not',
  rule('V1-TRR-02', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const { secondAccount = '' } = target.v1!;
    const made = new Map<string, string>();
    for (let i = 0; i < 2; i += 1) {
      const payment_details = v1.freshName();
      const { object } = await payFromSecond(v1, secondAccount, { payment_details });
      const [uuid] = requireEntries(listUuids([object]), 'uuids of created transactions');
      made.set(uuid!, payment_details);
    }
    await expectShown(v1, made, secondAccount);
  },
);

/** Reads transactions one after the other, twice, and finds each by its uuid and its details. @param made details by uuid */
async function expectShown(v1: V1Client, made: ReadonlyMap<string, string>, account = v1.account): Promise<void> {
  // Each of them again, which may come from elsewhere.
  for (const [uuid, details] of [...made, ...made]) {
    const shown = (await v1.readTransaction(uuid, account)).object;
    const known = [shown.uuid, shown.payment_details].filter((one) => one !== undefined);
    requireEntries(known, 'uuids or details of a transaction');
    expect({ uuid, payment_details: details, ...shown }).toMatchObject({ uuid, payment_details: details });
  }
  for (const [uuid, details] of [...made].slice(-1)) {
    // Whether letters of either kind are the same in a uuid is not said; it is that of no other transaction.
    const reply = await v1.readTransaction(inOtherLetters(uuid), account);
    if (reply.status !== 200) expect(reply, 'in other letters').toBeTurnedDown();
    else expect([undefined, details], 'in other letters').toContain(reply.object.payment_details);
  }
  for (const [uuid, details] of made)
    for (const other of uuidsBeside(uuid)) {
      // It may be that of a transaction as well, though of another one.
      const reply = await v1.readTransaction(other, account);
      if (reply.status !== 200) {
        expect(reply, 'another uuid').toBeTurnedDown();
        continue;
      }
      expect([reply.object.uuid === uuid, reply.object.payment_details === details]).not.toContain(true);
      expect([undefined, other.toLowerCase()], 'another uuid').toContain(reply.object.uuid?.toString().toLowerCase());
    }
}

test(
  'shows to each of three readers at once the transaction asked for',
  rule('V1-TRR-02'),
  async ({ v1, together }) => {
    const made: string[] = [];
    for (let i = 0; i < 3; i += 1) made.push(await v1.arrangeTransaction({ payment_details: v1.freshName() }));
    const replies = await together(made.map((uuid) => () => v1.readTransaction(uuid)));
    const shown = replies.map((reply, i) => ({
      asked: made[i],
      uuid: reply.status === 200 ? reply.object.uuid : undefined,
    }));
    const known = requireEntries(
      shown.filter(({ uuid }) => uuid !== undefined),
      'uuids of transactions read at once',
    );
    expect(known.filter(({ asked, uuid }) => asked !== uuid)).toEqual([]);
  },
);

test(
  'shows no other transaction under another account',
  rule('V1-TRR-02', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const uuid = await v1.arrangeTransaction();
    const reply = await v1.readTransaction(uuid, target.v1!.secondAccount);
    if (reply.status === 200) expect(requireSeen(reply.object.uuid, 'the uuid of a transaction')).toBe(uuid);
    else expect(reply).toBeTurnedDown();
  },
);

test('answers with the transaction', rule('V1-TRR-03'), async ({ v1, target }) => {
  const uuid = await v1.readableTransaction();
  for (let time = 0; time < 2; time += 1) {
    const reply = await v1.readTransaction(uuid);
    expect(reply).toAnswer(200);
    expect(reply.object).toBeDefined();
  }
  const { secondAccount: account_uuid } = target.v1!;
  if (account_uuid === undefined) return;
  const { status, object } = await v1.createTransaction({ account_uuid }, { query: { account_uuid } });
  const [there] = status === 201 ? listUuids([object]) : [];
  if (there !== undefined) expect(await v1.readTransaction(there, account_uuid)).not.toAnswer(500);
});
