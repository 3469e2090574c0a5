import {
  type ApiReply,
  assertPromise,
  attributeTo,
  BROKEN_SIGNATURE,
  callAbreast,
  expect,
  FINAL_STATES,
  type GatewayClient,
  type GatewayFixtures,
  ISSUER_STEPS,
  isTaken,
  type MerchantLookups,
  type PreparedRequest,
  requireEntries,
  requireSeen,
  rule,
  type Target,
  test,
} from '#harness';
import { failingCardsOf, payInVain } from './support/failing-payments.ts';
import { BOOKED, PAYMENT_WAYS, REQUESTORS } from './support/payment-ways.ts';

/** Milliseconds for a check that has a customer pay again and again: as often as others disturb the balances. */
const LONG = 240_000;

const MERCHANT_FIELDS = [
  'GW-BAL-10',
  'GW-BAL-11',
  'GW-BAL-12',
  'GW-BAL-13',
  'GW-BAL-14',
  'GW-BAL-15',
  'GW-BAL-16',
  'GW-BAL-17',
];

/** Whatever else a balance shows may be shown in one place only. */
const DOCUMENTED = [
  ...['balanceName', 'balanceCurrency', 'realBalance', 'liveBalance'],
  ...['totalShortTermHold', 'totalRollingReserve', 'totalProcessingAmount'],
];

test(
  'answers a balance by merchant with its fields, whatever language the caller speaks',
  rule('GW-BAL-01', ...MERCHANT_FIELDS),
  async ({ gateway, lookups }) => {
    for (const balanceName of await lookups.balanceNames()) {
      expect(await lookups.balance(balanceName), 'GW-BAL-01').toAnswer(200);
      // How an amount is written in JSON is no matter of language; what comes is held against its schema.
      await gateway.send('balanceByMerchant', { body: { balanceName }, headers: { 'accept-language': 'de-DE, de' } });
    }
  },
);

test('shows the balance that was asked for, each by its name', rule('GW-BAL-02'), async ({ lookups }) => {
  for (const name of await lookups.balanceNames()) {
    const { balanceName } = (await lookups.balance(name)).object;
    expect(requireSeen(balanceName, 'the balanceName of a balance')).toBe(name);
  }
  const [first = ''] = await lookups.balanceNames();
  for (const name of ['no-such-balance', first.slice(0, -1), `${first.slice(0, -1)}%`].filter(Boolean)) {
    // How it is said that there is none is open; and there may be one of such a name.
    const unknown = await lookups.balance(name);
    if (unknown.status === 200) expect([name, undefined, null]).toContain(unknown.object.balanceName);
  }
});

test(
  'shows the balance that was asked for when several are at once',
  rule('GW-BAL-02'),
  async ({ lookups, together }) => {
    const names = await lookups.balanceNames();
    test.skip(names.length < 2, 'the merchant has one balance alone');
    const replies = await together(names.map((name) => () => lookups.balance(name)));
    for (const [i, { object }] of replies.entries())
      expect(requireSeen(object.balanceName, 'the balanceName of a balance')).toBe(names[i]);
  },
);

test(
  'shows another merchant its balances, too',
  rule('GW-BAL-01', 'GW-BAL-02', 'GW-BAL-03', 'GW-BAL-06', 'GW-BAL-17', 'GW-BAL-18', { needs: ['merchant.second'] }),
  async ({ lookups, target }) => {
    const merchant = target.gateway!.secondMerchant!;
    const all = await lookups.allBalances(merchant);
    expect(all, 'GW-BAL-06').toAnswer(200);
    const listed = attributeTo('GW-BAL-18', () => all.list('/merchantBalances')).map((entry) => Object(entry));
    for (const entry of listed) expectCovered(entry);
    const names = listed.map(({ balanceName }) => balanceName).filter((one) => typeof one === 'string');
    test.skip(names.length === 0, 'the other merchant has no balance with a name');
    for (const balanceName of names) {
      const reply = await lookups.balance(balanceName, merchant);
      expect(reply, 'GW-BAL-01').toAnswer(200);
      const shown = attributeTo('GW-BAL-01', () => reply.object);
      if ('balanceName' in shown) expect(shown.balanceName, 'GW-BAL-02').toBe(balanceName);
      expectCovered(shown);
    }
  },
);

/** Holds a balance to what it shows available: no more than what remains. What a manager may see held back besides is not known of each. */
function expectCovered(balance: ApiReply['object']): void {
  const { remains, live } = readAmounts(balance);
  const holds = !(live > remains + 0.005);
  assertPromise(holds, `a live balance of ${remains.toFixed(2)} or less`, String(live), 'GW-BAL-03');
}

test(
  'holds available what remains of the real amount after holds and processing',
  rule('GW-BAL-03'),
  async ({ lookups }) => expectLiveAmounts(lookups),
);

/** What takes money out, and does so for a while. */
const UNDER_WAY = [
  ['a refund', 'card.pending', (means: Outgoing) => beginRefund(means.gateway)],
  ['a transfer', 'oauth', (means: Outgoing) => means.transfers.send()],
] as const;

type Outgoing = Pick<GatewayFixtures, 'gateway' | 'transfers'>;

for (const [what, need, begin] of UNDER_WAY)
  test(
    `holds available what remains while ${what} is under way, too`,
    rule('GW-BAL-03', { needs: [need] }),
    async ({ gateway, transfers, lookups }) => {
      await begin({ gateway, transfers });
      await expectLiveAmounts(lookups);
    },
  );

for (const [what, by, earlier, { how, needs, test }] of [
  ['a refund of a sale', 'sale', 0, PAYMENT_WAYS.card],
  ['a second refund of a sale', 'sale', 300, PAYMENT_WAYS.card],
  ['a refund of a captured authorization', 'auth', 0, PAYMENT_WAYS.card],
  ['a refund of a sale', 'sale', 0, PAYMENT_WAYS.form],
] as const)
  test(
    `keeps nothing of ${what}${how && ` ${how}`} in processing once that is over`,
    rule('GW-BAL-16', { needs: ['card.approved', ...needs] }),
    async ({ arrangePaid, gateway, lookups }) => {
      const staysReserved = await lookups.staysReserved(async (amount) => {
        const order = await arrangePaid(by, { amount: 1000 });
        if (by === 'auth') await gateway.arrangeCapture(order);
        if (earlier > 0) {
          await gateway.reverse(order, earlier);
          await gateway.pollWhilePending(order);
        }
        await gateway.reverse(order, amount);
        await gateway.pollWhilePending(order);
      });
      expect(staysReserved).toBe(false);
    },
  );

test(
  'sets nothing aside for a void, or for a refund that is refused',
  rule('GW-BAL-16'),
  async ({ gateway, lookups }) => {
    for (const what of ['void', 'refund'] as const) {
      const staysReserved = await lookups.staysReserved(async (amount) => {
        const isVoid = what === 'void';
        const order = await gateway.arrangeApproved(isVoid ? 'auth' : 'sale', { amount: isVoid ? amount : amount - 1 });
        await gateway.reverse(order, isVoid ? undefined : amount);
        const { sum } = await gateway.sumAfterPolling(order, 'reversal');
        test.skip(!isVoid && sum > 0, 'a refund of more than was sold is taken for one of all of it');
      });
      expect(staysReserved, what).toBe(false);
    }
  },
);

test(
  'keeps nothing of a transfer in processing once that is over',
  rule('GW-BAL-16', { needs: ['oauth'] }),
  async ({ lookups, transfers }) => {
    const staysReserved = await lookups.staysReserved(async (amount) => {
      const state = await transfers.carryOut(amount);
      test.skip(!FINAL_STATES.includes(state), 'the transfer is shown in no final state');
    });
    expect(staysReserved).toBe(false);
  },
);

test(
  'keeps nothing of a transfer that failed in processing',
  rule('GW-BAL-16', { needs: ['oauth', 'card.filtered'] }),
  async ({ lookups, transfers }) => {
    expect(await lookups.staysReserved((amount) => transferInVain(transfers, amount))).toBe(false);
  },
);

test(
  'keeps nothing of two transfers at once in processing once both are over',
  rule('GW-BAL-16', { needs: ['oauth'] }),
  async ({ lookups, transfers, together }) => {
    const staysReserved = await lookups.staysReserved(async (amount) => {
      const states = await together([1, 2].map(() => () => transfers.carryOut(amount)));
      const isOver = states.every((state) => FINAL_STATES.includes(state));
      test.skip(!isOver, 'a transfer is shown in no final state');
    });
    expect(staysReserved).toBe(false);
  },
);

/** Sends a transfer to a card that cannot be paid with, and follows it to its end. */
async function transferInVain(transfers: GatewayFixtures['transfers'], amount: number): Promise<void> {
  const state = await transfers.carryOut(amount, 'filtered');
  // What becomes of such a transfer is not said.
  test.skip(!FINAL_STATES.includes(state) || state === 'APPROVED', `such a transfer is ${state || 'not shown'}`);
}

/** Takes back a part of a sale, with a card whose refunds are under way for a while. */
async function beginRefund(gateway: GatewayClient): Promise<void> {
  const { order, reply } = await gateway.pay('sale', { amount: 1000, card: 'pending' });
  await gateway.pollUntilFinal(order, reply);
  await gateway.reverse(order, 400);
}

/** Holds the live amount of each balance against what is to be taken off its real amount. */
async function expectLiveAmounts(lookups: MerchantLookups): Promise<void> {
  for (const name of await lookups.balanceNames()) {
    const shown = (await lookups.balance(name)).object;
    const { remains, live } = readAmounts(shown);
    if (Number.isNaN(remains - live)) continue; // an amount that is not shown says nothing
    const buffer = await lookups.bufferHold(name);
    if (buffer === undefined) {
      expectCovered(shown);
      continue;
    }
    const holds = [remains, remains - buffer].some((one) => Math.abs(one - live) < 0.005);
    assertPromise(holds, `a live balance of ${remains.toFixed(2)}`, String(live));
  }
}

/** What of a balance remains after holds and processing, and what it shows as live; NaN where an amount is not shown. */
function readAmounts(balance: ApiReply['object']): { remains: number; live: number } {
  const [real, hold, reserve, processing, live] = [
    'realBalance',
    'totalShortTermHold',
    'totalRollingReserve',
    'totalProcessingAmount',
    'liveBalance',
  ].map((field) => Number(balance[field])) as [number, number, number, number, number];
  return { remains: real - hold - reserve - processing, live };
}

test('is not changed by being read, by whichever view', rule('GW-BAL-04'), async ({ lookups, target }) => {
  const names = await lookups.balanceNames();
  const untouched = await lookups.readingLeavesBalances(async () => {
    for (let times = 0; times < 3; times += 1) {
      await lookups.allBalances();
      for (const name of names) {
        await lookups.balance(name);
        if (target.offers.has('manager')) await lookups.managerBalance(name);
      }
    }
  });
  expect(untouched).toBe(true);
});

for (const [name, whose] of REQUESTORS)
  for (const by of ['sale', 'auth'] as const)
    test(
      `is not changed by ${by === 'sale' ? 'payments' : 'authorizations'}${whose} with cards that are declined, are filtered or fail`,
      rule('GW-BAL-05', { needs: ['card.declined', ...(name === 'main' ? [] : BOOKED[name])] }),
      async ({ gateway, lookups, target }) => {
        const requestor = target.gateway!.requestors[name]!;
        const untouched = await lookups.ofRequestor(name).leavesBalances(async () => {
          for (const [card] of failingCardsOf(target)) {
            const { state } = await gateway.payAndFollow(by, { card, requestor });
            test.skip(state === 'APPROVED', `the payment is approved although its card is ${card}`);
          }
        });
        expect(untouched).toBe(true);
      },
    );

for (const { step, card, forward } of ISSUER_STEPS)
  for (const [what, by, name] of [
    ['a payment', 'sale', 'main'],
    ['an authorization', 'auth', 'main'],
    ['a payment of another requestor', 'sale', 'second'],
  ] as const)
    test(
      `is not changed by ${what} whose cardholder was not authenticated (${step})`,
      rule('GW-BAL-05', { needs: [card, 'browser', ...(name === 'main' ? [] : BOOKED[name])] }),
      async ({ gateway, lookups, target, threeDS, issuer }) => {
        test.setTimeout(LONG);
        const requestor = target.gateway!.requestors[name]!;
        const untouched = await lookups.ofRequestor(name).leavesBalances(async () => {
          const waiting = await threeDS.arrangeStep(step, { by, requestor });
          const reply = await threeDS.forwardAnswer(forward, waiting, await issuer.obtainRefusal(waiting));
          const state = await gateway.pollUntilFinal(waiting.order, reply);
          test.skip(state === 'APPROVED', 'the payment is approved although its cardholder did not pass');
        });
        expect(untouched).toBe(true);
      },
    );

for (const [name, whose] of [
  ['main', ''],
  ['second', ' of another requestor'],
] as const)
  test(
    `is not changed by payments${whose} that the customer cancels on the hosted form`,
    rule('GW-BAL-05', { needs: ['form', 'browser', ...(name === 'main' ? [] : BOOKED[name])] }),
    async ({ gateway, hostedForm, lookups, target }) => {
      test.setTimeout(LONG);
      const requestor = target.gateway!.requestors[name]!;
      const untouched = await lookups.ofRequestor(name).leavesBalances(async () => {
        for (const by of ['saleForm', 'authForm'] as const) {
          const started = await hostedForm.start(by, { requestor });
          test.skip(name !== 'main' && started.reply.status !== 200, 'forms may not be enabled for that requestor');
          await hostedForm.cancel(started);
          await hostedForm.waitForReturn(started.cancelled);
        }
        await gateway.sleepPollGap();
      });
      expect(untouched).toBe(true);
    },
  );

test(
  'is not changed by cards that are declined, are filtered or fail on the hosted form',
  rule('GW-BAL-05', { needs: ['form', 'browser', 'card.declined'] }),
  async ({ gateway, hostedForm, lookups, target }) => {
    test.setTimeout(LONG);
    let returns = 0;
    const untouched = await lookups.leavesBalances(async () => {
      for (const [card] of failingCardsOf(target)) {
        const { order, isBack } = await payInVain(hostedForm, 'saleForm', card);
        if (!isBack) continue;
        returns += 1;
        const state = await gateway.pollUntilFinal(order);
        test.skip(state === 'APPROVED', `the payment is approved although its card is ${card}`);
      }
    });
    test.skip(returns === 0, 'the customer does not come back from a payment that does not go through');
    expect(untouched).toBe(true);
  },
);

test(
  'is not changed by a transfer that failed',
  rule('GW-BAL-05', { needs: ['oauth', 'card.filtered'] }),
  async ({ lookups, transfers }) => {
    expect(await lookups.leavesBalances(() => transferInVain(transfers, 400))).toBe(true);
  },
);

test(
  'is not changed by requests that are refused',
  rule('GW-BAL-05'),
  async ({ gateway, lookups, target, transfers }) => {
    const { order: _, ...body } = gateway.preparePayment('sale').body;
    const { body: whole } = gateway.preparePayment('sale');
    for (const [what, send] of Object.entries({
      'without an order': () => gateway.send('sale', { body }),
      'with a token that nobody has': () => gateway.send('sale', { body: whole, token: 'no-token-of-anybody' }),
      ...(target.offers.has('oauth') && {
        'with a signature that does not verify': async () => (await transfers.send(BROKEN_SIGNATURE)).reply,
        'with another body than was hashed': async () =>
          (await transfers.send({ sent: (hashed) => `${hashed}\n` })).reply,
      }),
    })) {
      let isTaken = false;
      const untouched = await lookups.leavesBalances(async () => {
        isTaken = (await send()).status === 200 || isTaken;
      });
      // Whether it is refused is for other checks.
      if (!isTaken) expect(untouched, what).toBe(true);
    }
  },
);

/** Operations that a request which is taken may change balances by. */
const MOVES_MONEY = /^(?:sale|auth|accountVerification|capture|reversal|threeDS)/;

for (const [how, change] of [
  ['without a header', { token: null }],
  ['with a token that nobody has', { token: 'no-token-of-anybody' }],
  ['without any field', { body: {} }],
] as const)
  test(
    `is not changed by a request ${how}, on every operation`,
    rule('GW-BAL-05'),
    async ({ lookups, refusals, target }) => {
      const prepared: PreparedRequest[] = [];
      // What some of them are about is made before anything is looked at.
      for await (const one of refusals.all()) prepared.push(one);
      const taken: string[] = [];
      const untouched = await lookups.leavesBalances(async () => {
        const calls = prepared.map((one) => async () => {
          const reply = await refusals.send(one, change);
          if (MOVES_MONEY.test(one.operation) && isTaken(reply)) taken.push(one.operation);
        });
        await callAbreast(calls, target.manners.parallel);
      });
      // Whether it is refused is for other checks.
      test.skip(taken.length > 0, `taken: ${taken.join(', ')}`);
      expect(untouched).toBe(true);
    },
  );

test(
  'is not changed by a reversal that is refused after a chargeback',
  rule('GW-BAL-05', { needs: ['later'] }),
  async ({ gateway, lookups, target }) => {
    test.skip(target.control.chargeback === undefined, 'no control request charges an order back');
    const order = await gateway.arrangeApproved('sale', { amount: 1000 });
    await gateway.triggerControl('chargeback', order);
    await gateway.sleepPollGap();
    const before = await gateway.sumAfterPolling(order, 'reversal');
    const untouched = await lookups.leavesBalances(async () => {
      await gateway.reverse(order, 400);
      await gateway.pollWhilePending(order);
    });
    const { count } = await gateway.sumAfterPolling(order, 'reversal');
    // Whether it is refused is not said.
    test.skip(count > before.count, 'an order that was charged back can be taken back');
    expect(untouched).toBe(true);
  },
);

test(
  'is not changed by a capture or a reversal of what has none to make',
  rule('GW-BAL-05'),
  async ({ gateway, lookups, target }) => {
    const sale = await gateway.arrangeApproved('sale', { amount: 1000 });
    const { order: verification, state: verified } = await gateway.payAndFollow('accountVerification', {});
    const authorization = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(authorization);
    const isOffered = target.offers.has('card.declined');
    const declined = isOffered ? await gateway.payAndFollow('sale', { card: 'declined' }) : undefined;
    for (const [what, act] of Object.entries({
      'a capture of a sale': () => gateway.capture(sale, 1000),
      ...(verified === 'APPROVED' && {
        'a capture of a verification': () => gateway.capture(verification, 100),
      }),
      // The first may be cut to what is left; the next has nothing left to take.
      'a reversal above what was captured': () => gateway.reverse(authorization, 1001),
      ...(declined?.state === 'DECLINED' && {
        'a reversal of a declined payment': () => gateway.reverse(declined.order, 400),
      }),
    }))
      expect(await lookups.leavesBalances(act), what).toBe(true);
  },
);

test(
  'is not changed by a look at an order, a registered card or a report',
  rule('GW-BAL-05', { needs: ['card.approved'] }),
  async ({ gateway, lookups, recurring, reports, target }) => {
    const order = await gateway.arrangeApproved('sale');
    const untouched = await lookups.leavesBalances(async () => {
      await gateway.status(order);
      if (target.offers.has('recurring')) await recurring.registerCard(order);
      if (target.offers.has('report')) await reports.read(order);
    });
    expect(untouched).toBe(true);
  },
);

test(
  'answers all balances of a merchant, and nothing beside them',
  rule('GW-BAL-06', 'GW-BAL-18', 'GW-BAL-19'),
  async ({ lookups }) => {
    const reply = await lookups.allBalances();
    expect(reply, 'GW-BAL-06').toAnswer(200);
    attributeTo('GW-BAL-18', () => reply.list('/merchantBalances'));
  },
);

test(
  'lists to each of two merchants their own balances when both ask at once',
  rule('GW-BAL-06', { needs: ['merchant.second'] }),
  async ({ lookups, together, target }) => {
    const { merchant, secondMerchant } = target.gateway!;
    const list = async (i: number) => {
      const reply = await lookups.allBalances(i % 2 === 0 ? merchant : secondMerchant);
      return JSON.stringify(reply.requireStatus(200).list('/merchantBalances'));
    };
    const before = [await list(0), await list(1)];
    const atOnce = await together([0, 1, 2, 3].map((i) => () => list(i)));
    const after = [await list(0), await list(1)];
    // What is listed may change meanwhile, but not into what the other one is listed.
    const isListedTo = (shown: string, i: number) => [before[i % 2], after[i % 2]].includes(shown);
    expect(atOnce.filter((shown, i) => isListedTo(shown, i + 1) && !isListedTo(shown, i))).toEqual([]);
  },
);

test('lists each balance that there is', rule('GW-BAL-06'), async ({ lookups, target }) => {
  const { balance, balances = [] } = target.gateway!;
  const known = [...new Set([...balances, ...(balance === undefined ? [] : [balance])])];
  const listed = (await lookups.allBalances()).list('/merchantBalances') as readonly {
    balanceName?: unknown;
    balanceCurrency?: unknown;
  }[];
  const names = listed.map((one) => one?.balanceName).filter((name) => typeof name === 'string');
  if (listed.length > 0) requireEntries(names, 'names of listed balances');
  const balancesListed = listed.flatMap((one) =>
    typeof one?.balanceName === 'string' ? [`${one.balanceName} ${one.balanceCurrency}`] : [],
  );
  expect(balancesListed.length, 'entries for as many balances').toBe(new Set(balancesListed).size);
  for (const name of requireEntries(known, 'balances that the target file names')) {
    if ((await lookups.balance(name)).status === 200) expect(names).toContain(name);
  }
});

test('needs no body to show all balances', rule('GW-BAL-07'), async ({ lookups }) => {
  const reply = await lookups.allBalances();
  expect(reply).toAnswer(200);
  expect(reply.object).toHaveProperty('merchantBalances');
});

test('shows in the list what each balance shows by itself', rule('GW-BAL-19'), async ({ gateway, lookups, target }) => {
  const listed = (await lookups.allBalances()).list('/merchantBalances');
  await sellFirst(gateway, lookups, target);
  for (const entry of requireEntries(listed, 'balances of the merchant')) {
    const { balanceName } = entry as { balanceName?: unknown };
    if (typeof balanceName !== 'string') continue;
    const { object } = await lookups.balance(balanceName);
    const alone = DOCUMENTED.filter((field) => field in object);
    expect(Object.keys(entry as object)).toEqual(expect.arrayContaining(alone));
    expect(await lookups.listedOtherwise(balanceName, DOCUMENTED)).toEqual([]);
  }
});

for (const [what, need, begin] of UNDER_WAY)
  test(
    `shows in the list what a balance shows by itself while ${what} is under way, too`,
    rule('GW-BAL-19', { needs: [need] }),
    async ({ gateway, transfers, lookups }) => {
      await begin({ gateway, transfers });
      for (const name of await lookups.balanceNames())
        expect(await lookups.listedOtherwise(name, DOCUMENTED), name).toEqual([]);
    },
  );

test(
  'shows in the list of another merchant what each balance shows by itself',
  rule('GW-BAL-19', { needs: ['merchant.second'] }),
  async ({ lookups, target }) => {
    const merchant = target.gateway!.secondMerchant!;
    const entries = (await lookups.allBalances(merchant)).requireStatus(200).list('/merchantBalances');
    const names = entries.map((one) => Object(one).balanceName).filter((one) => typeof one === 'string');
    for (const name of requireEntries(names, 'balances of the other merchant that have a name').slice(0, 3))
      expect(await lookups.listedOtherwise(name, DOCUMENTED, merchant), name).toEqual([]);
  },
);

for (const [what, need, begin] of UNDER_WAY)
  test(
    `shows as the manager's live amount the merchant's while ${what} is under way, too`,
    rule('GW-BAL-21', { needs: [need] }),
    async ({ gateway, transfers, lookups }) => {
      await begin({ gateway, transfers });
      const live = async (name: string) => (await lookups.balance(name)).object.liveBalance;
      let compared = 0;
      for (const name of await lookups.balanceNames()) {
        const before = await live(name);
        const { onlineBalanceLiveAmount: shown } = (await lookups.managerBalance(name)).object;
        // What others move meanwhile says nothing.
        if (shown == null || before == null || before !== (await live(name))) continue;
        compared += 1;
        expect(Number(shown), name).toBe(Number(before));
      }
      requireSeen(compared || undefined, 'a live amount in both views that stands still');
    },
  );

test('takes a merchant login that is not a number', rule('GW-BAL-09'), async ({ lookups, target }) => {
  const replies = [await lookups.balance(), await lookups.allBalances()];
  if (target.offers.has('manager')) replies.push(await lookups.managerBalance());
  for (const reply of replies) expect(reply).toAnswer(200);
});

test(
  'answers a balance by manager with its fields',
  rule('GW-BAL-08', 'GW-BAL-24', 'GW-BAL-26', 'GW-BAL-27'),
  async ({ lookups }) => {
    expect(await lookups.managerBalance(), 'GW-BAL-08').toAnswer(200);
    // What is answered about the others is held against its schema.
    for (const name of await lookups.balanceNames()) await lookups.managerBalance(name);
  },
);

for (const [id, theirs, ours] of [
  ['GW-BAL-20', 'amount', 'realBalance'],
  ['GW-BAL-21', 'onlineBalanceLiveAmount', 'liveBalance'],
  ['GW-BAL-22', 'totalShortTermHoldAmount', 'totalShortTermHold'],
  ['GW-BAL-23', 'totalRollingReserveAmount', 'totalRollingReserve'],
] as const) {
  test(`shows as the manager's ${theirs} the merchant's ${ours}`, rule(id), async ({ gateway, lookups, target }) => {
    await sellFirst(gateway, lookups, target);
    const views = [];
    for (const name of await lookups.balanceNames()) views.push(await lookups.bothViews(name, theirs, ours));
    const whole = views.filter(({ manager, merchant }) => manager !== undefined && merchant !== undefined);
    for (const { manager, merchant, listed = merchant } of requireEntries(whole, `balances with ${theirs} and ${ours}`))
      expect({ merchant, listed }).toEqual({ merchant: manager, listed: manager });
  });
}

/** Sells something, so that figures that stand still are not what they were. */
async function sellFirst(gateway: GatewayClient, lookups: MerchantLookups, target: Target): Promise<void> {
  if (target.gateway?.cards.approved === undefined) return;
  await lookups.awaitBooking(() => gateway.pay('sale', { card: 'approved' }));
}

test('names the merchant whose balance a manager sees', rule('GW-BAL-25'), async ({ lookups, target }) => {
  const replies = [await lookups.managerBalance()];
  for (const name of await lookups.balanceNames()) replies.push(await lookups.managerBalance(name));
  for (const { object } of replies.filter(({ status }, i) => i === 0 || status === 200))
    expect(requireSeen(object.merchantLogin, 'the merchantLogin of a balance')).toBe(target.gateway?.merchant?.login);
});

test('gives a merchant one external id, whichever balance a manager sees', rule('GW-BAL-26'), async ({ lookups }) => {
  const ids = new Map<unknown, Set<string>>();
  for (const name of await lookups.balanceNames())
    for (let times = 0; times < 2; times += 1) {
      const reply = await lookups.managerBalance(name);
      if (reply.status !== 200) continue;
      const { merchantLogin, externalMerchantId } = reply.object;
      if (merchantLogin == null || externalMerchantId == null) continue;
      ids.set(merchantLogin, (ids.get(merchantLogin) ?? new Set()).add(String(externalMerchantId)));
    }
  for (const [login, all] of requireEntries([...ids], 'merchants with an external id'))
    expect(all.size, `external ids of ${login}`).toBe(1);
});
