import {
  expect,
  type GatewayClient,
  type GatewayFixtures,
  type PlacedOrder,
  requireEntries,
  requireSeen,
  rule,
  test,
} from '#harness';
import { BOOKED, OTHER_REQUESTORS } from './support/payment-ways.ts';

/** How many rows there will be when a report has all of an order: as many as status lists transactions, and so many at least. */
async function countListed(gateway: GatewayClient, order: PlacedOrder, least = 0): Promise<number> {
  const listed = gateway.transactions(await gateway.pollWhilePending(order));
  // An order without transactions has no rows to ask for.
  return Math.max(least, least > 0 ? listed.length : requireEntries(listed, 'transactions of the order').length);
}

test(
  'opens a transaction report with the token of the merchant login',
  rule('GW-REP-01'),
  async ({ gateway, reports }) => {
    expect(await reports.read(await gateway.arrangeApproved('sale'))).toAnswer(200);
  },
);

for (const by of ['auth', 'sale'] as const)
  test(
    `has a row for each transaction of ${by === 'auth' ? 'a captured authorization' : 'a sale'}`,
    rule('GW-REP-02'),
    async ({ gateway, reports }) => {
      // On the same card and of the same amount: its rows are not those of the other.
      const twin = await gateway.arrangeApproved(by, { amount: 1000 });
      const order = await gateway.arrangeApproved(by, { amount: 1000 });
      if (by === 'auth') await gateway.arrangeCapture(order, 900);
      // A sale has more of them than a page that somebody made for a few.
      for (const amount of by === 'auth' ? [300, 200] : [300, 200, 150, 100, 50]) {
        await gateway.reverse(order, amount);
        await gateway.pollWhilePending(order);
      }
      for (const one of [order, twin]) {
        const length = await countListed(gateway, one);
        expect((await reports.rows(one, length)).length).toBe(length);
      }
    },
  );

for (const by of ['sale', 'auth'] as const) {
  const what = by === 'sale' ? 'a sale' : 'an authorization';
  test(
    `has a row for each transaction of ${what} on a registered card, and each reason`,
    rule('GW-REP-02', 'GW-REP-04', { needs: ['recurring'] }),
    async ({ gateway, recurring, reports }) => {
      const cardId = await recurring.arrangeRegistration();
      const order = await gateway.arrangeApproved(by, { amount: 1000, cardId });
      if (by === 'auth') await gateway.arrangeCapture(order);
      await expectReported(gateway, reports, order);
    },
  );

  test(
    `has a row for each transaction of ${what} on the hosted form, and each reason`,
    rule('GW-REP-02', 'GW-REP-04', { needs: ['form', 'browser'] }),
    async ({ gateway, hostedForm, reports }) => {
      const order = await hostedForm.arrangeApproved(`${by}Form`, { amount: 1000 });
      if (by === 'auth') await gateway.arrangeCapture(order);
      await expectReported(gateway, reports, order);
    },
  );
}

for (const by of ['sale', 'auth'] as const)
  test(
    `has a row for each transaction of ${by === 'sale' ? 'a sale' : 'an authorization'} whose cardholder was authenticated, and each reason`,
    rule('GW-REP-02', 'GW-REP-04', { needs: ['card.challenge', 'browser'] }),
    async ({ gateway, threeDS, issuer, reports }) => {
      const order = await threeDS.arrangeAuthenticated('CREQ', issuer, { by, amount: 1000 });
      if (by === 'auth') await gateway.arrangeCapture(order);
      await expectReported(gateway, reports, order);
    },
  );

/** Reads the report about another requestor's order. Where there is none, nothing is seen. @returns the reports given */
async function seeReported(
  theirs: GatewayFixtures['reports'],
  order: PlacedOrder,
): Promise<GatewayFixtures['reports']> {
  // Whose reports it is in is not said of every requestor.
  requireSeen((await theirs.read(order)).status === 200 || undefined, "a report about another requestor's order");
  requireEntries(await theirs.rows(order, 1), "rows of another requestor's order");
  return theirs;
}

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `has a row for each transaction of a sale of ${whose}, and each reason`,
    rule('GW-REP-02', 'GW-REP-04', { needs: BOOKED[name] }),
    async ({ gateway, reports, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('sale', { amount: 1000, requestor });
      requireSeen(state === 'APPROVED' || undefined, `an approved payment of ${whose}`);
      const theirs = await seeReported(reports.ofRequestor(name), order);
      await expectReported(gateway, theirs, order);
    },
  );

for (const [name, whose] of OTHER_REQUESTORS)
  for (const [id, what] of [
    ['GW-REP-02', 'has a row for the authorization and one for the capture'],
    ['GW-REP-03', 'links the rows of the authorization and the capture'],
  ] as const)
    test(`${what} of an order of ${whose}`, rule(id, { needs: BOOKED[name] }), async ({ gateway, reports, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('auth', { amount: 1000, requestor });
      requireSeen(state === 'APPROVED' || undefined, `an approved authorization of ${whose}`);
      await gateway.capture(order);
      const { count } = await gateway.sumAfterPolling(order, 'capture');
      requireSeen(count > 0 || undefined, `a capture of ${whose}`);
      const theirs = await seeReported(reports.ofRequestor(name), order);
      const length = await countListed(gateway, order, 2);
      const rows = await theirs.rows(order, length);
      if (id === 'GW-REP-02') expect(rows.length).toBe(length);
      else expect(rows.length).toBeGreaterThanOrEqual(2);
    });

/** Takes parts of an order back and holds the report about it to a row for each transaction and to the reasons. */
async function expectReported(
  gateway: GatewayClient,
  reports: GatewayFixtures['reports'],
  order: PlacedOrder,
): Promise<void> {
  // How long a reason may be is not said.
  const reasons: string[] = [];
  for (const word of ['first', 'second']) {
    const reason = `${word} of ${order.merchantId}`;
    await gateway.reverse(order, 250, reason);
    const { count } = await gateway.sumAfterPolling(order, 'reversal');
    // Whether it is taken back is for other checks.
    if (count > reasons.length) reasons.push(reason);
  }
  requireEntries(reasons, 'reversals with a reason');
  const length = await countListed(gateway, order);
  const rows = await reports.rows(order, length);
  expect(rows.length, 'GW-REP-02').toBe(length);
  const given = reasons.filter((reason) => rows.some((row) => reports.givesReason(row, reason)));
  expect(given, 'GW-REP-04').toEqual(reasons);
}

test('has a row for the void of an authorization', rule('GW-REP-02'), async ({ gateway, reports }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.reverse(order);
  const length = await countListed(gateway, order);
  expect((await reports.rows(order, length)).length).toBe(length);
});

test('has a row for a chargeback', rule('GW-REP-02'), async ({ gateway, reports, target }) => {
  test.skip(target.control.chargeback === undefined, 'no control request charges an order back');
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  await gateway.triggerControl('chargeback', order);
  await gateway.sleepPollGap();
  const length = await countListed(gateway, order);
  expect((await reports.rows(order, length)).length).toBe(length);
});

test(
  'has a row for each of two captures, and the reason of each reversal after them',
  rule('GW-REP-02', 'GW-REP-04'),
  async ({ gateway, reports }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(order, 500);
    const { length } = gateway.transactions(await gateway.arrangeSecondCapture(order, 400));
    expect((await reports.rows(order, length)).length, 'GW-REP-02').toBe(length);
    await expectReported(gateway, reports, order);
  },
);

test(
  'gives each of two merchants who ask at once the report about their own orders',
  rule('GW-REP-01', { needs: BOOKED.second }),
  async ({ gateway, reports, together, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const own = await gateway.arrangeApproved('sale');
    const { order: other, state } = await gateway.payAndFollow('sale', { requestor });
    requireSeen(state === 'APPROVED' || undefined, 'an approved payment of another requestor');
    const theirs = await seeReported(reports.ofRequestor('second'), other);
    requireEntries(await reports.rows(own, 1), 'rows of a sale');
    const readings = [
      { whose: reports, order: own },
      { whose: theirs, order: other },
    ];
    const atOnce = await together(
      [...readings, ...readings].map(
        ({ whose, order }) =>
          () =>
            whose.rowsNow(order),
      ),
    );
    expect(atOnce.map((rows) => rows.length > 0)).toEqual(atOnce.map(() => true));
  },
);

test(
  'links the rows of an order that was authorized and captured',
  rule('GW-REP-03'),
  async ({ gateway, reports, recorder }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(order);
    const rows = await reports.rows(order, await countListed(gateway, order, 2));
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const kinds = reports.transactionKinds(rows);
    if (kinds === undefined) recorder.leaveOut('rows show no type; gateway.wire.report.row.type would say where');
    else expect(kinds).toEqual(expect.arrayContaining(['authorization', 'capture']));
  },
);

test('links the rows of an order that was captured twice', rule('GW-REP-03'), async ({ gateway, reports }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(order, 500);
  await gateway.arrangeSecondCapture(order, 400);
  const rows = await reports.rows(order, await countListed(gateway, order, 3));
  expect(rows.length).toBeGreaterThanOrEqual(3);
  // There may be rows of other kinds, which are not in the place of a capture.
  const captures = reports.transactionKinds(rows)?.filter((kind) => kind === 'capture');
  if (captures !== undefined) expect(captures.length).toBeGreaterThanOrEqual(2);
});

test('gives the reason of each reversal', rule('GW-REP-02', 'GW-REP-04'), async ({ gateway, reports }) => {
  await expectReported(gateway, reports, await gateway.arrangeApproved('sale', { amount: 1000 }));
});

test(
  'gives each of two reversals at once a reason of its own',
  rule('GW-REP-04'),
  async ({ gateway, reports, together }) => {
    const orders = [await gateway.arrangeApproved('sale', { amount: 1000 }), await gateway.arrangeApproved('sale')];
    const reasonOf = ({ merchantId }: PlacedOrder) => `return of ${merchantId}`;
    await together(orders.map((order) => () => gateway.reverse(order, 400, reasonOf(order))));
    for (const order of orders) {
      const { count } = await gateway.sumAfterPolling(order, 'reversal');
      // Whether both are taken at once is not said.
      if (count === 0) continue;
      const rows = await reports.rows(order, await countListed(gateway, order, 2));
      expect(rows.some((row) => reports.givesReason(row, reasonOf(order)))).toBe(true);
    }
  },
);

test('gives the reason of a full refund', rule('GW-REP-04'), async ({ gateway, reports }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  const reason = `refund of ${order.merchantId}`;
  await gateway.reverse(order, undefined, reason);
  const rows = await reports.rows(order, await countListed(gateway, order, 2));
  expect(rows.some((row) => reports.givesReason(row, reason))).toBe(true);
});

test('gives a reason as it was written', rule('GW-REP-04'), async ({ gateway, reports }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  const taken: string[] = [];
  for (const reason of [
    "Ann & Tom's order, late",
    'a <late> return',
    'said to be "late"',
    '04711',
    'Rückgabe, zu spät',
    'Возврат',
    'late 📦 return',
    '2+1 parcels, %41 on the label',
    'late return, as the customer wrote to us twice before the parcel was on its way back to the shop',
  ]) {
    await gateway.reverse(order, 100, reason);
    const { count } = await gateway.sumAfterPolling(order, 'reversal');
    // Which letters a reason may have is not said.
    if (count > taken.length) taken.push(reason);
  }
  test.skip(taken.length === 0, 'reversals with such reasons are refused');
  const rows = await reports.rows(order, await countListed(gateway, order, taken.length + 1));
  expect(taken.filter((reason) => !rows.some((row) => reports.givesReason(row, reason)))).toEqual([]);
});

test(
  'gives the reason of a reversal weeks after the sale',
  rule('GW-REP-04', { needs: ['clock'] }),
  async ({ gateway, reports }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1000 });
    await gateway.sleep(20 * 86_400);
    const reason = `late return of ${order.merchantId}`;
    await gateway.reverse(order, 400, reason);
    const { count } = await gateway.sumAfterPolling(order, 'reversal');
    test.skip(count === 0, 'the sale is not reversed any more');
    // A report about these days may have the sale or not, and may have it before the reversal.
    const hasReason = (rows: readonly unknown[]) => rows.some((row) => reports.givesReason(row, reason));
    expect(hasReason(await reports.rows(order, hasReason))).toBe(true);
  },
);

test('gives the reason of a void', rule('GW-REP-04'), async ({ gateway, reports }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  const reason = `void of ${order.merchantId}`;
  await gateway.reverse(order, undefined, reason);
  const rows = await reports.rows(order, await countListed(gateway, order, 2));
  expect(rows.some((row) => reports.givesReason(row, reason))).toBe(true);
});
