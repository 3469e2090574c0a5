import { expect, isArranged, listUuids, requireEntries, rule, test } from '#harness';
import { listWith } from './support/transfers.ts';

const REMOVED = Date.UTC(2025, 7, 4);

test('no longer shows aml_status once its removal is due', rule('V1-DEP-01'), async ({ v1, clock, target }) => {
  // A day of margin, as the time zone of the date is not told.
  test.skip((await clock.nowAtLeast()) < REMOVED + 86_400_000, 'the removal is not due on the clock of the target');
  const shown: unknown[] = [];
  const ended: string[] = [];
  for (const [changes, end] of [
    [{}, 'complete'],
    [{}, 'fail'],
    [v1.overSwift(), 'complete'],
  ] as const) {
    const { status, object: created } = await v1.createTransaction(changes);
    if (status !== 201) continue;
    const [uuid] = listUuids([created]);
    shown.push(created, uuid === undefined ? {} : (await v1.readTransaction(uuid)).object);
    if (uuid === undefined || target.control[end] === undefined) continue;
    if (await isArranged(v1.triggerEnd(uuid, end))) ended.push(uuid);
  }
  shown.push(...(await v1.listTransactions()).list('/transactions'));
  // An end may take a while to be booked.
  if (ended.length > 0) await v1.sleep(5);
  for (const uuid of ended) {
    const read = await v1.readTransaction(uuid);
    if (read.status === 200) shown.push(read.object);
  }
  if (ended.length > 0) shown.push(...(await listWith(v1, ended)));
  const { account, from, to } = target.v1!.history ?? {};
  if (account !== undefined && from !== undefined && to !== undefined) {
    const known = await v1.listTransactions({ account_uuid: account, date_from: from, date_to: to, per_page: 100 });
    const [uuid] = listUuids(known.list('/transactions'));
    shown.push(...known.list('/transactions'));
    if (uuid !== undefined) shown.push((await v1.readTransaction(uuid, account)).object);
  }
  const all = shown.map(Object).filter((one) => Object.keys(one).length > 0);
  const outdated = requireEntries(all, 'transactions').filter((one) => Object.hasOwn(one, 'aml_status'));
  expect(outdated).toEqual([]);
});
