import { expect, listUuids, requireEntries, rule, test } from '#harness';

const REMOVED = Date.UTC(2025, 7, 4);

test('no longer shows aml_status once its removal is due', rule('V1-DEP-01'), async ({ v1, clock }) => {
  // A day of margin, as the time zone of the date is not told.
  test.skip((await clock.now()) < REMOVED + 86_400_000, 'the removal is not due on the clock of the target');
  const { object: created } = await v1.createTransaction();
  const [uuid] = listUuids([created]);
  const read = uuid === undefined ? {} : (await v1.readTransaction(uuid)).object;
  const listed = (await v1.listTransactions()).list('/transactions');
  const shown = [created, read, ...listed].map(Object).filter((one) => Object.keys(one).length > 0);
  const outdated = requireEntries(shown, 'transactions').filter((one) => Object.hasOwn(one, 'aml_status'));
  expect(outdated).toEqual([]);
});
