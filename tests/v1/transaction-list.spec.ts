import {
  type ApiReply,
  assertPromise,
  expect,
  findContradictions,
  hasValues,
  LIST_DEFAULTS,
  listUuids,
  mixCalls,
  requireEntries,
  requireSeen,
  requireTargetLine,
  rule,
  test,
  twice,
  type V1Client,
} from '#harness';
import { listWith, MOST_PAGES, payFromSecond, pickLasting } from './support/transfers.ts';
import { uuidsBeside } from './support/uuids-beside.ts';

for (const [id, name] of [
  ['V1-TRL-01', 'account_uuid'],
  ['V1-TRL-02', 'date_from'],
  ['V1-TRL-04', 'date_to'],
] as const) {
  test(`refuses a list without ${name}`, rule(id), async ({ v1 }) => {
    v1.leaveDefaultsUnsaid();
    (await v1.listTransactions()).requireStatus(200);
    await twice(async () => expect(await v1.listTransactions({ [name]: undefined })).toBeFault(422));
    expect(await v1.listTransactions({ ...LIST_DEFAULTS, [name]: undefined }), 'beside the defaults').toBeFault(422);
  });

  test(`refuses a later page of a list without ${name}`, rule(id), async ({ v1 }) => {
    for (let i = 0; i < 2; i += 1) await v1.arrangeTransaction();
    const page = { per_page: 1, page: 2, sort: 'created_at', direction: 'desc' };
    expect(await v1.listTransactions(page)).toAnswer(200);
    expect(await v1.listTransactions({ ...page, [name]: undefined })).toBeFault(422);
  });
}

test(
  'refuses a list of the second account without a period, or with days that are none',
  rule('V1-TRL-02', 'V1-TRL-04', 'V1-TRL-06', { needs: ['account.second'] }),
  async ({ v1, target }) => {
    const account_uuid = target.v1!.secondAccount!;
    v1.leaveDefaultsUnsaid();
    (await v1.listTransactions({ account_uuid })).requireStatus(200);
    expect(await v1.listTransactions({ account_uuid, date_from: undefined }), 'V1-TRL-02').toBeFault(422);
    expect(await v1.listTransactions({ account_uuid, date_to: undefined }), 'V1-TRL-04').toBeFault(422);
    for (const name of ['date_from', 'date_to'])
      expect(await v1.listTransactions({ account_uuid, [name]: 'not-a-date' }), 'V1-TRL-06').toBeTurnedDown();
  },
);

/** What may be asked for beside a period. */
const ALL_TOLD = { ...LIST_DEFAULTS, per_page: 100 };

interface Days {
  readonly date_from: string;
  readonly date_to: string;
}

/** Uuids of the transactions that a list of a period shows. A page after the first may be refused where there is none, and an order upwards. */
async function listDays(
  v1: V1Client,
  days: Days,
  page: { per_page?: number; page?: number; sort?: string; direction?: string },
): Promise<string[]> {
  const reply = await v1.listTransactions({ ...days, ...page });
  const isOpen = (page.page ?? 1) > 1 || page.direction === 'asc';
  if (isOpen && reply.status >= 400 && reply.status < 500) return [];
  const listed = reply.list('/transactions');
  const uuids = listUuids(listed);
  if (listed.length > 0) requireEntries(uuids, 'uuids of listed transactions');
  return uuids;
}

/**
 * Holds lists of other days, of their first page, of a later one and in an order, against transactions of late, some of which it makes.
 * @param year the days of another year that are called as those of late are; they may be refused
 */
async function expectNoneOfLate(v1: V1Client, days: Days, year: Days): Promise<void> {
  v1.leaveDefaultsUnsaid();
  const made: string[] = [];
  for (let i = 0; i < 3; i += 1) made.push(await v1.arrangeTransaction());
  const elsewhere = [
    ...(await listDays(v1, days, { per_page: 100, page: 1 })),
    ...(await listDays(v1, days, { per_page: 1, page: 2 })),
    ...(await listDays(v1, days, { per_page: 1, page: 3 })),
    ...(await listDays(v1, days, { per_page: 100, page: 1, sort: 'created_at', direction: 'desc' })),
    ...(await listDays(v1, days, { per_page: 100, page: 1, direction: 'asc' })),
    ...(await listDays(v1, days, {})),
  ];
  const ofYear = await v1.listTransactions({ ...year, per_page: 100 });
  if (ofYear.status === 200) elsewhere.push(...listUuids(ofYear.list('/transactions')));
  else v1.leaveOut(`days of another year: they are refused, as they may be`);
  // Listed last, they hold what others made meanwhile, which may have pushed ours off the first page.
  const [late, recent] = [[] as string[], await v1.recentDays(-2)];
  for (let page = 1; page <= MOST_PAGES && !made.every((uuid) => late.includes(uuid)); page += 1)
    late.push(...(await listDays(v1, recent, { per_page: 100, page })));
  expect({
    missed: made.filter((uuid) => !late.includes(uuid)).length,
    misplaced: elsewhere.filter((uuid) => late.includes(uuid)).length,
  }).toEqual({ missed: 0, misplaced: 0 });
}

test('lists nothing from before the period', rule('V1-TRL-03'), async ({ v1 }) => {
  test.skip((await v1.daysAhead()) < 2, 'a period that lies ahead of today is refused, as it may be');
  await expectNoneOfLate(v1, await v1.dayRange(2, 9), await v1.dayRange(363, 368));
});

test('lists nothing from after the period', rule('V1-TRL-05'), async ({ v1 }) => {
  await expectNoneOfLate(v1, await v1.dayRange(-9, -4), await v1.dayRange(-368, -363));
});

for (const [id, where, first, last] of [
  ['V1-TRL-03', 'before', 2, 9],
  ['V1-TRL-05', 'after', -9, -4],
] as const)
  test(
    `lists nothing of the second account from ${where} the period`,
    rule(id, { needs: ['account.second'] }),
    async ({ v1, target }) => {
      test.skip(first > (await v1.daysAhead()), 'a period that lies ahead of today is refused, as it may be');
      const account_uuid = target.v1!.secondAccount!;
      const made = [(await payFromSecond(v1, account_uuid)).object, (await payFromSecond(v1, account_uuid)).object];
      const uuids = requireEntries(listUuids(made), 'uuids of created transactions');
      const list = async (period: Days) =>
        listUuids((await v1.listTransactions({ account_uuid, ...period, per_page: 100 })).list('/transactions'));
      const isThere = (await list(await v1.recentDays(-2))).some((one) => uuids.includes(one));
      requireSeen(isThere || undefined, 'a transaction in a list of its day');
      const days = await v1.dayRange(first, last);
      // There may be no such page.
      const later = await v1.listTransactions({ account_uuid, ...days, per_page: 1, page: 2 });
      const listed = [...(await list(days)), ...(later.status === 200 ? listUuids(later.list('/transactions')) : [])];
      expect(uuids.filter((one) => listed.includes(one))).toEqual([]);
    },
  );

test('lists what is of late in a period of many months, too', rule('V1-TRL-05', 'V1-TRL-06'), async ({ v1 }) => {
  const uuid = await v1.arrangeTransaction();
  for (const [id, period] of [
    ['V1-TRL-05', await v1.recentDays(-60)],
    ['V1-TRL-05', await v1.recentDays(-400)],
    ['V1-TRL-05', { ...(await v1.recentDays()), date_to: '2099-12-31' }],
    ['V1-TRL-06', { ...(await v1.recentDays()), date_from: '1969-12-31' }],
  ] as const) {
    const reply = await v1.listTransactions({ ...period, per_page: 100 });
    // How long a period may be, and how far it may lie behind or ahead, is not said.
    if (reply.status === 200) expect(listUuids(reply.list('/transactions')), id).toContain(uuid);
    else expect(reply, id).toBeTurnedDown();
  }
});

test(
  'keeps to the period of each of two lists that are asked for at once',
  rule('V1-TRL-03'),
  async ({ v1, together }) => {
    const uuid = await v1.arrangeTransaction();
    requireSeen(listUuids(await listWith(v1, [uuid])).includes(uuid) || undefined, 'the transaction in the history');
    const [recent, before] = [await v1.recentDays(-2), await v1.dayRange(-9, -4)];
    const list = (days: Days) => () => v1.listTransactions({ ...days, per_page: 100 });
    const { others } = await mixCalls(together, list(recent), list(before));
    // Whether as many are taken at once is not said.
    const taken = others.filter(({ status }) => status === 200);
    for (const reply of requireEntries(taken, 'lists of other days'))
      expect(listUuids(reply.list('/transactions'))).not.toContain(uuid);
  },
);

test('keeps to the days of a known history', rule('V1-TRL-03', 'V1-TRL-05'), async ({ v1, target }) => {
  const { account, from, to, count, lastDay } = requireTargetLine(target.v1!.history, 'v1.history');
  const end = { counts: to, 'does not count': shiftDay(to, 1) }[requireTargetLine(lastDay, 'v1.history.lastDay')];
  const shown = async (date_from: string, date_to: string) =>
    (await v1.listTransactions({ account_uuid: account, date_from, date_to, per_page: 100 })).list('/transactions');
  const all = await shown(from, end);
  expect(all.length, 'V1-TRL-03').toBe(Math.min(count, 100));
  const known = requireEntries(listUuids(all), 'uuids of listed transactions');
  const among = (other: readonly unknown[]) => listUuids(other).filter((uuid) => known.includes(uuid)).length;
  expect(among(await shown(shiftDay(to, 2), shiftDay(to, 9))), 'V1-TRL-03').toBe(0);
  expect(among(await shown(shiftDay(from, -9), shiftDay(from, -2))), 'V1-TRL-05').toBe(0);
  // Days of other years that are called as its own are, where it is not as long itself.
  const isShort = Date.parse(to) - Date.parse(from) < 300 * 86_400_000;
  for (const [id, days] of [
    ['V1-TRL-03', 366],
    ['V1-TRL-05', -366],
  ] as const) {
    const year = { date_from: shiftDay(from, days - 3), date_to: shiftDay(to, days + 3) };
    const reply = await v1.listTransactions({ account_uuid: account, ...year, per_page: 100 });
    if (isShort && reply.status === 200) expect(among(reply.list('/transactions')), id).toBe(0);
  }
  for (const [id, first, last] of [
    ['V1-TRL-03', from, shiftDay(end, 400)],
    ['V1-TRL-05', shiftDay(from, -400), end],
  ] as const) {
    const found = await listWhole(v1, { account_uuid: account, date_from: first, date_to: last });
    if (found === undefined)
      v1.leaveOut(`a period of more than a year: it is refused, or longer than it may be walked`);
    else expect(found, id).toEqual(expect.arrayContaining([...known]));
  }
});

/** Uuids of a whole list, page by page; undefined where it is refused, as a long period may be, or longer than is gone through. */
async function listWhole(
  v1: V1Client,
  query: Days & { readonly account_uuid: string },
): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const reply = await v1.listTransactions({ ...query, per_page: 100, page });
    if (page === 1 && reply.status !== 200) return undefined;
    const listed = reply.status === 200 ? reply.list('/transactions') : [];
    found.push(...listUuids(listed));
    if (listed.length < 100) return found;
  }
  return undefined;
}

test('keeps to a single day of a known history', rule('V1-TRL-03', 'V1-TRL-05'), async ({ v1, target }) => {
  const { account, from, to, lastDay } = requireTargetLine(target.v1!.history, 'v1.history');
  const beyond = requireTargetLine(lastDay, 'v1.history.lastDay') === 'counts' ? 0 : 1;
  let beside: Readonly<Record<string, string | number>> = { per_page: 100 };
  const ask = (date_from: string, date_to: string) =>
    v1.listTransactions({ account_uuid: account, date_from, date_to: shiftDay(date_to, beyond), ...beside });
  const shown = (reply: ApiReply) => reply.list('/transactions') as Readonly<Record<string, unknown>>[];
  // By days that a zone cannot shift: those on which the service and a clock of UTC have it, about noon.
  const known = shown(await ask(from, to)).flatMap(({ uuid, operation_date, created_at }) => {
    const moment = new Date(Number(created_at) * 1000);
    const isSure = Math.abs(moment.getUTCHours() - 12) <= 1 && moment.toISOString().slice(0, 10) === operation_date;
    return isSure && typeof uuid === 'string' ? [{ uuid, day: String(operation_date) }] : [];
  });
  const has = (reply: ApiReply, uuid: unknown) => shown(reply).some((one) => one.uuid === uuid);
  const holds = async (uuid: unknown, date_from: string, date_to: string) => has(await ask(date_from, date_to), uuid);
  for (const { uuid, day } of requireEntries(known, 'transactions of a sure day').slice(0, 3)) {
    beside = 'page' in beside ? { per_page: 100 } : ALL_TOLD;
    const [before, after] = [shiftDay(day, -1), shiftDay(day, 1)];
    expect(await holds(uuid, day, after), 'V1-TRL-03').toBe(true);
    expect(await holds(uuid, after, shiftDay(day, 9)), 'V1-TRL-03').toBe(false);
    expect(await holds(uuid, before, day), 'V1-TRL-05').toBe(true);
    expect(await holds(uuid, shiftDay(day, -9), before), 'V1-TRL-05').toBe(false);
    // That a period may be as short as that is not said.
    const alone = await ask(day, day);
    if (alone.status === 200) expect(has(alone, uuid), 'V1-TRL-05').toBe(true);
    else v1.leaveOut(`a period of one day: it was answered ${alone.status}`);
  }
});

/** The day so many days after one. */
function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

test('takes plain days as the ends of the period', rule('V1-TRL-06'), async ({ v1 }) => {
  for (const beside of [{}, ALL_TOLD]) {
    expect(await v1.listTransactions({ ...(await v1.recentDays(-1)), ...beside })).toAnswer(200);
    expect(await v1.listTransactions({ ...(await v1.dayRange(-9, -4)), ...beside })).toAnswer(200);
  }
});

test('takes each day that there is as an end of the period', rule('V1-TRL-06'), async ({ v1 }) => {
  for (const day of ['2024-02-29', '2023-12-31']) {
    const [before, after] = [shiftDay(day, -1), shiftDay(day, 1)];
    const days = { date_from: before, date_to: after };
    if ((await v1.listTransactions(days)).status !== 200) {
      v1.leaveOut(`${day}: a period about it is refused, as it may be`);
      continue;
    }
    expect(await v1.listTransactions({ ...days, date_from: day }), day).toAnswer(200);
    expect(await v1.listTransactions({ ...days, date_to: day }), day).toAnswer(200);
  }
});

for (const name of ['date_from', 'date_to']) {
  test(`refuses a ${name} that is no date`, rule('V1-TRL-06'), async ({ v1 }) => {
    const { date_from: lately } = await v1.recentDays(0);
    // The last February that is over, unless nothing as old as that is shown.
    const year = Number(lately.slice(0, 4)) - (lately.slice(5) < '03-03' ? 1 : 0);
    const february = { date_from: `${year}-02-01`, date_to: `${year}-02-28` };
    const isShown = (await v1.listTransactions(february)).status === 200;
    if (!isShown) v1.leaveOut('days that there are not: a period in February is refused, as it may be');
    const days = isShown ? february : await v1.recentDays();
    for (const wrong of ['', 'not-a-date', '42', ...(isShown ? [`${year}-02-30`, `${year}-13-01`] : [])])
      for (const beside of [{}, ALL_TOLD])
        await twice(async () =>
          expect(await v1.listTransactions({ ...days, [name]: wrong, ...beside }), wrong).toBeTurnedDown(),
        );
    // A year that is over and has no leap day.
    const common = [year - 1, year - 2].find((one) => one % 4 !== 0);
    const whole = { date_from: `${common}-01-01`, date_to: `${common}-12-31` };
    if ((await v1.listTransactions(whole)).status !== 200) v1.leaveOut('days that there are not: a year is refused');
    else
      for (const wrong of [`${common}-02-29`, `${common}-04-31`, `${common}-06-00`])
        expect(await v1.listTransactions({ ...whole, [name]: wrong }), wrong).toBeTurnedDown();
  });
}

/** The uuid of the account that a list names, in small letters; undefined where it names none. */
const nameAccount = (reply: ApiReply): string | undefined => {
  const named = reply.at('/account/uuid');
  return named === undefined ? undefined : String(named).toLowerCase();
};

test(
  'keeps the history of one account apart from that of another',
  rule('V1-TRL-07', 'V1-TRN-32'),
  async ({ v1, target }) => {
    v1.leaveDefaultsUnsaid();
    const [here, there] = [v1.account, target.v1!.secondAccount!];
    for (let i = 0; i < 4; i += 1) await v1.arrangeTransaction({ amount: 1 });
    const made = [await v1.arrangeTransaction()];
    const histories: unknown[][] = [];
    const other = await v1.createTransaction({ account_uuid: there }, { query: { account_uuid: there } });
    if (other.status === 201) made.push(String(other.object.uuid));
    else v1.leaveOut(`a transaction of the second account: a valid transfer was answered ${other.status}`);
    // What goes another way, where it may, is held apart by whom it pays.
    const swift = { ...v1.overSwift(), account_uuid: there };
    await v1.createTransaction(swift, { query: { account_uuid: there } });
    for (const [i, account_uuid] of [here, there].entries()) {
      const reply = await v1.listTransactions({ account_uuid, per_page: 100 });
      const order = { sort: 'created_at', direction: 'desc' };
      // Fees may stand between those that were made, and there may be no such pages, and no such direction.
      const pages = [reply, await v1.listTransactions({ account_uuid, per_page: 100, direction: 'asc' })];
      pages.push(await v1.listTransactions({ account_uuid }));
      for (const [per_page, page] of [
        [1, 2],
        [1, 3],
        [1, 5],
        [10, 2],
      ] as const)
        pages.push(await v1.listTransactions({ account_uuid, per_page, page, ...order }));
      const shown = pages.filter(({ status }) => status === 200);
      const entries = shown.flatMap((one) => one.list('/transactions'));
      for (const one of shown.slice(1))
        expect([undefined, account_uuid.toLowerCase()], 'V1-TRL-07').toContain(nameAccount(one));
      histories.push(entries);
      const found = listUuids(entries);
      expect(nameAccount(reply), 'V1-TRL-07').toBe(account_uuid.toLowerCase());
      const uuid = made[i];
      const listed = reply.list('/transactions').find((one) => uuid !== undefined && hasValues(one, { uuid }));
      if (uuid !== undefined && listed !== undefined) {
        const read = await v1.readTransaction(uuid, account_uuid);
        const lasting = (one: object) => pickLasting(one, 'payer');
        expect(findContradictions(lasting(Object(listed)), lasting(read.object)), 'V1-TRN-32').toEqual([]);
      }
      expect(
        made.map((uuid) => found.includes(uuid)),
        'V1-TRL-07',
      ).toEqual(made.map((_, at) => at === i));
    }
    // One from the one account to the other may be in the history of both; those that are made here go elsewhere.
    const paid = histories.map((entries) =>
      listUuids(entries.filter((one) => Object(Object(one).recipient).iban === v1.iban)),
    );
    expect(
      paid[0]!.filter((uuid) => paid[1]!.includes(uuid)),
      'V1-TRL-07',
    ).toEqual([]);
  },
);

test(
  'keeps the histories of two accounts apart that are listed at once',
  rule('V1-TRL-07', { needs: ['account.second'] }),
  async ({ v1, target, together }) => {
    const second = target.v1!.secondAccount!;
    const uuid = await v1.arrangeTransaction();
    const list = (account_uuid: string) => () => v1.listTransactions({ account_uuid, per_page: 100 });
    const { ones, others } = await mixCalls(together, list(v1.account), list(second));
    // Whether as many are taken at once is not said.
    const [own, foreign] = [ones, others].map((replies) => replies.filter(({ status }) => status === 200));
    for (const reply of own!) expect(nameAccount(reply)).toBe(v1.account.toLowerCase());
    for (const reply of foreign!) {
      expect(nameAccount(reply)).toBe(second.toLowerCase());
      expect(listUuids(reply.list('/transactions'))).not.toContain(uuid);
    }
    requireSeen([...own!, ...foreign!][1], 'two lists at once');
  },
);

test(
  'lists each of two transfers that were made at once in the history of its own account',
  rule('V1-TRL-07', { needs: ['account.second'] }),
  async ({ v1, target, together }) => {
    const accounts = [v1.account, target.v1!.secondAccount!];
    await payFromSecond(v1, accounts[1]!);
    const pay = (account_uuid: string) => () =>
      v1.createTransaction({ account_uuid }, { query: { account_uuid }, headers: v1.requestIdHeader() });
    const made = (await together(accounts.map(pay))).map(({ status, object }) =>
      status === 201 ? listUuids([object])[0] : undefined,
    );
    let seen = 0;
    for (const [i, account_uuid] of accounts.entries()) {
      const [own, other] = [made[i], made[1 - i]];
      const found = listUuids(await listWith(v1, own === undefined ? [] : [own], account_uuid));
      if (other !== undefined) expect(found).not.toContain(other);
      if (own !== undefined && found.includes(own)) seen += 1;
    }
    requireSeen(seen || undefined, 'a transfer in the history of its account');
  },
);

test('names the account asked for where there may be nothing to list, too', rule('V1-TRL-07'), async ({ v1 }) => {
  // A uuid that differs in one digit is that of another account, or of none.
  const [other] = uuidsBeside(v1.account);
  const beside = await v1.listTransactions({ account_uuid: other });
  if (beside.status === 200) expect([undefined, other.toLowerCase()]).toContain(nameAccount(beside));
  else expect(beside, 'another uuid').toBeTurnedDown();
  for (const days of [await v1.dayRange(-9, -4), await v1.recentDays()]) {
    const named = (await v1.listTransactions(days)).at('/account/uuid');
    expect(String(named).toLowerCase()).toBe(v1.account.toLowerCase());
  }
});

test('answers a list with the account and an array of transactions', rule('V1-TRL-08'), async ({ v1, target }) => {
  for (let i = 0; i < 2; i += 1) await v1.arrangeTransaction();
  for (const page of [{}, { per_page: 1, page: 2 }]) {
    const reply = await v1.listTransactions(page);
    expect(reply).toAnswer(200);
    assertPromise(reply.at('/account/uuid') !== undefined, 'the uuid of the account', 'none');
    expect(reply.list('/transactions').length).toBeGreaterThan(0);
  }
  const { secondAccount: account_uuid } = target.v1!;
  if (account_uuid !== undefined) expect(await v1.listTransactions({ account_uuid })).not.toAnswer(500);
});

test('answers a list in which there may be nothing with as much', rule('V1-TRL-08'), async ({ v1 }) => {
  const reply = await v1.listTransactions(await v1.dayRange(-9, -4));
  expect(reply).toAnswer(200);
  assertPromise(reply.at('/account/uuid') !== undefined, 'the uuid of the account', 'none');
  expect(reply.at('/transactions')).toBeInstanceOf(Array);
});
