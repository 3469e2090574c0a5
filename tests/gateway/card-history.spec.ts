import {
  type ApiReply,
  assertPromise,
  expect,
  FINAL_STATES,
  hasTransactions,
  mixCalls,
  requireEntries,
  requireSeen,
  rule,
  test,
  twice,
} from '#harness';
import { expectNoFailure } from './support/other-requestors.ts';

const SIDES = ['deposits', 'withdrawals'] as const;

test('answers a history lookup', rule('GW-HIS-01'), async ({ lookups, target }) => {
  expect(await lookups.cardHistory('history')).toAnswer(200);
  await expectNoFailure('GW-HIS-01', target, (requestor) =>
    lookups.cardHistory('history', 'FULL_CARD_NUMBER', {}, requestor),
  );
});

for (const [card, needs] of [
  ['history', []],
  ['nohistory', ['card.nohistory']],
] as const) {
  for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const) {
    const how = `(${card}, ${by})`;

    test(
      `says whether the deposits are those of a high roller ${how}`,
      rule('GW-HIS-17', { needs }),
      async ({ lookups }) => {
        const reply = (await lookups.cardHistory(card, by)).requireStatus(200);
        const flags = members(reply.object, 'depositsHighRoller');
        expect(flags).not.toEqual([]);
        expect(flags.filter((one) => !isFlag(one))).toEqual([]);
      },
    );

    test(
      `tells how many days deposits and withdrawals span ${how}`,
      rule('GW-HIS-05', { needs }),
      async ({ lookups, history }) => {
        const reply = (await lookups.cardHistory(card, by)).requireStatus(200);
        for (const side of SIDES) {
          expect(history.isPresent(reply, side, 'Days'), side).toBe(true);
          const days = history.read(reply, side, 'Days');
          if (card === 'history' && days !== null) expectDays(days, side);
        }
      },
    );

    test(
      `tells whether several sources took part ${how}`,
      rule('GW-HIS-07', { needs }),
      async ({ lookups, history }) => {
        const reply = (await lookups.cardHistory(card, by)).requireStatus(200);
        for (const side of SIDES) expect(history.isPresent(reply, side, 'Several'), side).toBe(true);
      },
    );
  }
}

test('looks a card up by its full number, the digit fields left empty', rule('GW-HIS-02'), async ({ lookups }) => {
  expect(await lookups.cardHistory('history', 'FULL_CARD_NUMBER')).toAnswer(200);
});

test(
  'looks a card up by its first six and last four digits, the number left empty',
  rule('GW-HIS-03'),
  async ({ lookups, history }) => {
    const byEnds = await lookups.cardHistory('history', 'FIRST_6_LAST_4');
    expect(byEnds).toAnswer(200);
    for (const side of SIDES) {
      const found = history.read(byEnds, side, 'Found');
      if (found !== undefined) expect(Boolean(found)).toBe(true);
    }
  },
);

test(
  'looks cards up whose last four digits begin with a zero, as any other',
  rule('GW-HIS-03'),
  async ({ lookups }) => {
    // How it is said that there is no such card is open.
    const other = await lookups.cardHistory('history', 'FIRST_6_LAST_4', { cardLastDigits: '4042' });
    test.skip(other.status !== 200, 'a card that there is not is not looked up');
    expect(await lookups.cardHistory('history', 'FIRST_6_LAST_4', { cardLastDigits: '0042' })).toAnswer(200);
  },
);

test(
  'looks a card up for another requestor by its full number and by its digits',
  rule('GW-HIS-02', 'GW-HIS-03', { needs: ['requestor.second'] }),
  async ({ lookups, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const byNumber = await lookups.cardHistory('history', 'FULL_CARD_NUMBER', {}, requestor);
    const byEnds = await lookups.cardHistory('history', 'FIRST_6_LAST_4', {}, requestor);
    test.skip(byNumber.status !== 200 && byEnds.status !== 200, 'the second requestor looks no history up');
    expect(byNumber, 'GW-HIS-02').toAnswer(200);
    expect(byEnds, 'GW-HIS-03').toAnswer(200);
  },
);

test('tells whether there were any deposits and withdrawals', rule('GW-HIS-04'), async ({ lookups, history }) => {
  for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const) {
    const [known, unknown] = [await lookups.cardHistory('history', by), await lookups.cardHistory('nohistory', by)];
    for (const side of SIDES) {
      expect(history.isPresent(known, side, 'Found'), side).toBe(true);
      expect(history.read(known, side, 'Found'), side).not.toEqual(history.read(unknown, side, 'Found'));
    }
  }
});

test(
  'tells whether there were any of each of two cards that are looked up at once',
  rule('GW-HIS-04'),
  async ({ lookups, history, together }) => {
    // What there is to tell of each may be looked up once.
    for (const card of ['history', 'nohistory'] as const) (await lookups.cardHistory(card)).requireStatus(200);
    const lookUp = (card: 'history' | 'nohistory') => () => lookups.cardHistory(card);
    const { ones, others } = await mixCalls(together, lookUp('history'), lookUp('nohistory'));
    // Whether as many are taken at once is not said.
    const [known, unknown] = [ones, others].map((some) => some.filter(({ status }) => status === 200));
    for (const one of known!)
      for (const other of unknown!)
        for (const side of SIDES)
          expect(history.read(one, side, 'Found'), side).not.toEqual(history.read(other, side, 'Found'));
    requireSeen(known![0] && unknown![0], 'what is told of each of two cards at once');
  },
);

test('scores deposits and withdrawals from 0 to 1', rule('GW-HIS-06'), async ({ lookups, history, target }) => {
  for (const card of ['history', 'nohistory', 'badscore'] as const) {
    if (target.gateway?.cards[card] === undefined) continue;
    for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const) {
      const reply = await lookups.cardHistory(card, by);
      for (const side of SIDES) {
        // What there is to score where nothing was found is not said.
        if (card === 'nohistory' && !history.isPresent(reply, side, 'Score')) continue;
        const score = Number(history.read(reply, side, 'Score'));
        assertPromise(score >= 0 && score <= 1, `a score of ${side} from 0 to 1`, String(score));
      }
    }
  }
});

for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const) {
  test(`leaves no order behind (${by})`, rule('GW-HIS-08'), async ({ gateway, lookups }) => {
    const { merchantId } = gateway.paymentBody();
    expect(await lookups.cardHistory('history', by, { orderMerchantId: merchantId })).toAnswer(200);
    const reply = await gateway.send('status', { body: { orderMerchantId: merchantId } });
    expect(holdsOrder(reply)).toBe(false);
    const { order } = await gateway.pay('sale');
    const shown = holdsOrder(await gateway.status(order, 'orderMerchantId'));
    requireSeen(shown || undefined, 'by its merchant id an order that was placed');
  });
}

test('leaves an order as it is whose id a lookup names', rule('GW-HIS-08'), async ({ gateway, lookups }) => {
  const order = await gateway.arrangeApproved('sale');
  const show = () => gateway.status(order, 'orderMerchantId');
  requireSeen(holdsOrder(await show()) || undefined, 'by its merchant id an order that was placed');
  await lookups.cardHistory('history', 'FULL_CARD_NUMBER', { orderMerchantId: order.merchantId });
  const shown = await show();
  expect(shown.status === 200 && shown.object.orderState).toBe('APPROVED');
});

for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const) {
  test(`refuses another source type with the fields of ${by}`, rule('GW-HIS-10'), async ({ lookups }) => {
    (await lookups.cardHistory('history', by)).requireStatus(200);
    await twice(async () =>
      expect(await lookups.cardHistory('history', by, { cardHistorySourceType: 'FIRST_8_LAST_2' })).toBeError(400),
    );
  });
}

test('refuses a lookup by full number without the number', rule('GW-HIS-11'), async ({ lookups }) => {
  (await lookups.cardHistory('history')).requireStatus(200);
  for (const cardNumber of [undefined, ''])
    await twice(async () =>
      expect(await lookups.cardHistory('history', 'FULL_CARD_NUMBER', { cardNumber })).toBeError(400),
    );
});

for (const [id, field, wrong] of [
  ['GW-HIS-12', 'cardFirstDigits', ['5555', '55554', '5555444', '55555555', '555544443', undefined]],
  ['GW-HIS-13', 'cardLastDigits', ['11', '111', '11111', '111111', undefined]],
] as const) {
  for (const digits of wrong) {
    test(
      `refuses ${digits === undefined ? 'a lookup without' : `${digits.length} digits as`} ${field}`,
      rule(id),
      async ({ lookups }) => {
        (await lookups.cardHistory('history', 'FIRST_6_LAST_4')).requireStatus(200);
        await twice(async () =>
          expect(await lookups.cardHistory('history', 'FIRST_6_LAST_4', { [field]: digits })).toBeError(400),
        );
      },
    );
  }
}

for (const [id, field, wrong] of [
  ['GW-HIS-12', 'cardFirstDigits', ['ABCDEF', '55554x', '55.554', ' 55554']],
  ['GW-HIS-13', 'cardLastDigits', ['ABCD', '111x', '1.11', ' 111']],
] as const) {
  test(`refuses letters, a point and a blank in ${field}`, rule(id), async ({ lookups }) => {
    (await lookups.cardHistory('history', 'FIRST_6_LAST_4')).requireStatus(200);
    for (const letters of wrong)
      expect(await lookups.cardHistory('history', 'FIRST_6_LAST_4', { [field]: letters }), letters).toBeError(400);
  });
}

for (const [id, field] of [
  ['GW-HIS-14', 'expireMonth'],
  ['GW-HIS-15', 'expireYear'],
  ['GW-HIS-16', 'orderMerchantId'],
] as const) {
  for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const) {
    test(`refuses a lookup by ${by} without ${field}`, rule(id), async ({ lookups }) => {
      (await lookups.cardHistory('history', by)).requireStatus(200);
      await twice(async () => expect(await lookups.cardHistory('history', by, { [field]: undefined })).toBeError(400));
    });
  }
}

for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const)
  test(
    `tells another requestor of a card whatever there is to tell (${by})`,
    rule('GW-HIS-04', 'GW-HIS-05', 'GW-HIS-06', 'GW-HIS-07', 'GW-HIS-17', { needs: ['requestor.second'] }),
    async ({ lookups, history, target }) => {
      const reply = await lookups.cardHistory('history', by, {}, target.gateway!.requestors.second!);
      test.skip(reply.status !== 200, 'the second requestor looks no history up');
      for (const side of SIDES) {
        expect(history.isPresent(reply, side, 'Found'), 'GW-HIS-04').toBe(true);
        expect(history.isPresent(reply, side, 'Days'), 'GW-HIS-05').toBe(true);
        expect(history.isPresent(reply, side, 'Several'), 'GW-HIS-07').toBe(true);
        // Of this requestor nothing may be found, and then there may be nothing to score.
        if (!history.isPresent(reply, side, 'Score')) continue;
        const score = Number(history.read(reply, side, 'Score'));
        assertPromise(score >= 0 && score <= 1, `a score of ${side} from 0 to 1`, String(score), 'GW-HIS-06');
      }
      const flags = members(reply.object, 'depositsHighRoller');
      expect(flags.length > 0 && flags.every(isFlag), 'GW-HIS-17').toBe(true);
    },
  );

test(
  'refuses lookups of another requestor that are not as they must be',
  rule('GW-HIS-10', 'GW-HIS-11', 'GW-HIS-12', 'GW-HIS-13', 'GW-HIS-14', 'GW-HIS-15', 'GW-HIS-16', {
    needs: ['requestor.second'],
  }),
  async ({ lookups, target }) => {
    const look = (by: 'FULL_CARD_NUMBER' | 'FIRST_6_LAST_4', changes: Readonly<Record<string, unknown>> = {}) =>
      lookups.cardHistory('history', by, changes, target.gateway!.requestors.second!);
    for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const)
      test.skip((await look(by)).status !== 200, 'the second requestor looks no history up');
    for (const [id, by, changes] of [
      ['GW-HIS-10', 'FULL_CARD_NUMBER', { cardHistorySourceType: 'FIRST_8_LAST_2' }],
      ['GW-HIS-11', 'FULL_CARD_NUMBER', { cardNumber: undefined }],
      ['GW-HIS-11', 'FULL_CARD_NUMBER', { cardNumber: '' }],
      ...['55554', '5555444', 'ABCDEF', undefined].map(
        (cardFirstDigits) => ['GW-HIS-12', 'FIRST_6_LAST_4', { cardFirstDigits }] as const,
      ),
      ...['111', '11111', 'ABCD', undefined].map(
        (cardLastDigits) => ['GW-HIS-13', 'FIRST_6_LAST_4', { cardLastDigits }] as const,
      ),
      ['GW-HIS-14', 'FULL_CARD_NUMBER', { expireMonth: undefined }],
      ['GW-HIS-15', 'FIRST_6_LAST_4', { expireYear: undefined }],
      ['GW-HIS-16', 'FULL_CARD_NUMBER', { orderMerchantId: undefined }],
    ] as const)
      expect(await look(by, changes), id).toBeError(400);
  },
);

/** Holds what was found to a figure of days; where nothing was, there may be none, and how it is written is not shown. */
function expectDays(value: unknown, side: string): void {
  assertPromise(/\d/.test(JSON.stringify(value)), `a figure of days of ${side}`, JSON.stringify(value), 'GW-HIS-05');
  assertPromise(!(Number(value) < 0), `days of ${side}, none below zero`, String(value), 'GW-HIS-05');
}

/** What is called so, wherever it stands. */
function members(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(key === name ? [inner] : []), ...members(inner, name)]);
}

/** Whether a value says yes or no; how is not shown. */
function isFlag(value: unknown): boolean {
  return typeof value === 'boolean' || /^(?:[01yn]|yes|no|true|false)$/i.test(String(value));
}

/** Whether a status answer shows an order with anything in it; UNKNOWN without transactions is how some servers say there is none. */
function holdsOrder(reply: ApiReply): boolean {
  if (reply.status !== 200) return false;
  return hasTransactions(reply) || !['UNKNOWN', 'ERROR'].includes(String(reply.object.orderState));
}

test('declines no payment with the card of the worst score', rule('GW-HIS-09'), async ({ gateway, lookups }) => {
  const pay = async (by: 'sale' | 'auth') => {
    const { reply, order } = await gateway.pay(by, { card: 'badscore' });
    return gateway.pollUntilFinal(order, reply.requireStatus(200));
  };
  const states = [await pay('sale')];
  (await lookups.cardHistory('badscore')).requireStatus(200);
  for (const by of ['sale', 'auth'] as const) states.push(await pay(by));
  const outcomes = requireEntries(
    states.filter((state) => FINAL_STATES.includes(state)),
    'outcomes of payments with the card',
  );
  expect(outcomes.filter((state) => state === 'DECLINED' || state === 'FILTERED')).toEqual([]);
});
