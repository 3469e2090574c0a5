import { expect, requireEntries, requireSeen, rule, test, type V1Client } from '#harness';

const read = (v1: V1Client, uuid: string, account_uuid: string | undefined = v1.account) =>
  v1.send('readTransaction', { path: { uuid }, query: { account_uuid } });

test('refuses to read a transaction without its account', rule('V1-TRR-01'), async ({ v1 }) => {
  const path = { uuid: await v1.readableTransaction() };
  expect(await v1.send('readTransaction', { path })).toBeFault(422);
});

test('shows the transaction that was asked for, be it the newest or not', rule('V1-TRR-02'), async ({ v1 }) => {
  const made = new Map<string, string>();
  for (let i = 0; i < 3; i += 1) {
    const payment_details = v1.freshName();
    made.set(await v1.arrangeTransaction({ payment_details }), payment_details);
  }
  for (const [uuid, details] of made) {
    const shown = (await read(v1, uuid)).object;
    const known = [shown.uuid, shown.payment_details].filter((one) => one !== undefined);
    requireEntries(known, 'uuids or details of a transaction');
    expect({ uuid, payment_details: details, ...shown }).toMatchObject({ uuid, payment_details: details });
  }
});

test(
  'shows no other transaction under another account',
  rule('V1-TRR-02', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const uuid = await v1.arrangeTransaction();
    const reply = await read(v1, uuid, target.v1!.secondAccount);
    if (reply.status === 200) expect(requireSeen(reply.object.uuid, 'the uuid of a transaction')).toBe(uuid);
    else expect(reply).toBeTurnedDown();
  },
);

test('answers with the transaction', rule('V1-TRR-03'), async ({ v1 }) => {
  const reply = await read(v1, await v1.readableTransaction());
  expect(reply).toAnswer(200);
  expect(reply.object).toBeDefined();
});
