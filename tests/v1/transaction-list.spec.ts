import { assertPromise, expect, listUuids, rule, test } from '#harness';

for (const [id, name] of [
  ['V1-TRL-01', 'account_uuid'],
  ['V1-TRL-02', 'date_from'],
  ['V1-TRL-04', 'date_to'],
] as const) {
  test(`refuses a list without ${name}`, rule(id), async ({ v1 }) => {
    expect(await v1.listTransactions({ [name]: undefined })).toBeFault(422);
  });
}

test('lists nothing from before the period', rule('V1-TRL-03'), async ({ v1 }) => {
  const uuid = await v1.arrangeTransaction();
  const listed = async (from: number, to: number) =>
    listUuids(
      (await v1.listTransactions({ ...(await v1.dayRange(from, to)), per_page: 100 })).list('/transactions'),
    ).includes(uuid);
  expect({ within: await listed(-2, 2), later: await listed(2, 9) }).toEqual({ within: true, later: false });
});

test('lists nothing from after the period', rule('V1-TRL-05'), async ({ v1 }) => {
  const uuid = await v1.arrangeTransaction();
  const listed = async (from: number, to: number) =>
    listUuids(
      (await v1.listTransactions({ ...(await v1.dayRange(from, to)), per_page: 100 })).list('/transactions'),
    ).includes(uuid);
  expect({ within: await listed(-2, 2), earlier: await listed(-9, -2) }).toEqual({ within: true, earlier: false });
});

test('takes plain days as the ends of the period', rule('V1-TRL-06'), async ({ v1 }) => {
  expect(await v1.listTransactions(await v1.dayRange(-1, 1))).toAnswer(200);
  expect(await v1.listTransactions({ date_from: '2026-02-01', date_to: '2026-02-28' })).toAnswer(200);
});

for (const name of ['date_from', 'date_to']) {
  test(`refuses a ${name} that is no date`, rule('V1-TRL-06'), async ({ v1 }) => {
    for (const wrong of ['not-a-date', '2026-02-30', '2026-13-01', '42'])
      expect(
        await v1.listTransactions({ date_from: '2026-01-01', date_to: '2026-12-31', [name]: wrong }),
      ).toBeTurnedDown();
  });
}

test('keeps the history of one account apart from that of another', rule('V1-TRL-07'), async ({ v1, target }) => {
  const accounts = [v1.account, target.v1!.secondAccount!];
  const made = [];
  for (const account_uuid of accounts)
    made.push(String((await v1.createTransaction({ account_uuid }, { query: { account_uuid } })).object.uuid));
  for (const [i, account_uuid] of accounts.entries()) {
    const reply = await v1.listTransactions({ account_uuid, per_page: 100 });
    expect(String(reply.at('/account/uuid')).toLowerCase()).toBe(account_uuid.toLowerCase());
    const found = listUuids(reply.list('/transactions'));
    expect(made.map((uuid) => found.includes(uuid))).toEqual([i === 0, i === 1]);
  }
});

test('answers a list with the account and an array of transactions', rule('V1-TRL-08'), async ({ v1 }) => {
  await v1.arrangeTransaction();
  const reply = await v1.listTransactions();
  expect(reply).toAnswer(200);
  assertPromise(reply.at('/account/uuid') !== undefined, 'the uuid of the account', 'none');
  expect(reply.list('/transactions').length).toBeGreaterThan(0);
});
