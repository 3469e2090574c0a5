import { expect, rule, test } from '#harness';

const REMOVED = Date.UTC(2025, 7, 4);

test('no longer shows aml_status once its removal is due', rule('V1-DEP-01'), async ({ v1, clock }) => {
  // A day of margin, as the time zone of the date is not told.
  test.skip((await clock.now()) < REMOVED + 86_400_000, 'the removal is not due on the clock of the target');
  const created = await v1.createTransaction();
  const read = await v1.readTransaction(String(created.object.uuid));
  const listed = (await v1.listTransactions()).list('/transactions');
  const shown = [created.object, read.object, ...listed].filter((one) => Object.hasOwn(one as object, 'aml_status'));
  expect(shown).toEqual([]);
});
