import {
  type ApiReply,
  expect,
  FINAL_STATES,
  type GatewayFixtures,
  type HostedForm,
  requireEntries,
  requireSeen,
  rule,
  type StartedForm,
  test,
  twice,
  UnarrangedError,
} from '#harness';
import { showsCard } from './support/card-digits.ts';
import { answerIssuer, waitAndForward } from './support/issuer-on-form.ts';
import { sumListed } from './support/listed-sum.ts';
import { expectNoFailure } from './support/other-requestors.ts';
import { keepsQuery, OWN_QUERY } from './support/own-query.ts';
import { OTHER_REQUESTORS } from './support/payment-ways.ts';

const FORMS = { saleForm: 'a sale', authForm: 'an authorization' } as const;
/** What the start of a form has to have. */
const PARTS = ['order', 'customer', 'browser'] as const;
const KINDS = Object.keys(FORMS) as (keyof typeof FORMS)[];

for (const [id, by] of [
  ['GW-FRM-01', 'saleForm'],
  ['GW-FRM-08', 'authForm'],
] as const) {
  test(`answers the start of a form for ${FORMS[by]} with a StatusResponse`, rule(id), async ({ gateway, target }) => {
    expect((await gateway.pay(by)).reply).toAnswer(200);
    await expectNoFailure(id, target, async (requestor) => (await gateway.pay(by, { requestor })).reply);
  });
}

test('leads on from the start of a sale form', rule('GW-FRM-02'), async ({ gateway }) => {
  const { outputRedirectToUrl, outputHtml } = (await gateway.pay('saleForm')).reply.object;
  expect(String(outputRedirectToUrl ?? outputHtml ?? '')).toMatch(/\S/);
});

test(
  'leads each of two customers whose forms start at once to their own',
  rule('GW-FRM-02'),
  async ({ gateway, together }) => {
    const start = () => gateway.pay('saleForm');
    const addresses = (await together([start, start]))
      .filter(({ reply }) => reply.status === 200)
      .map(({ reply }) => reply.object.outputRedirectToUrl)
      .filter((one) => typeof one === 'string');
    // An address is all that a customer comes with.
    requireEntries(addresses.slice(1), 'addresses of two forms');
    expect(new Set(addresses).size).toBe(addresses.length);
  },
);

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `leads on from the start of a sale form of ${whose}`,
    rule('GW-FRM-02', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const { reply } = await gateway.pay('saleForm', { requestor: target.gateway!.requestors[name]! });
      test.skip(reply.status !== 200, `forms may not be enabled for ${whose}`);
      const { outputRedirectToUrl, outputHtml } = reply.object;
      expect(String(outputRedirectToUrl ?? outputHtml ?? '')).toMatch(/\S/);
    },
  );

for (const by of KINDS) {
  for (const part of PARTS)
    test(`refuses to start a form for ${FORMS[by]} without ${part}`, rule('GW-FRM-09'), async ({ gateway }) => {
      (await gateway.pay(by)).reply.requireStatus(200);
      const { merchantId } = gateway.paymentBody();
      await twice(async () => expect(await gateway.payWithout(part, by, { merchantId })).toBeRefused());
    });

  test(
    `refuses to start another requestor's form for ${FORMS[by]} that lacks a part`,
    rule('GW-FRM-09', { needs: ['requestor.second'] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors.second!;
      const { reply } = await gateway.pay(by, { requestor });
      test.skip(reply.status !== 200, 'forms may not be enabled for the second requestor');
      for (const part of PARTS) expect(await gateway.payWithout(part, by, { requestor }), part).toBeRefused();
    },
  );

  test(
    `asks the customer for a card, sends them back, and has the outcome in status without its number (${FORMS[by]})`,
    rule('GW-FRM-03', 'GW-FRM-04', 'GW-FRM-05', 'GW-FRM-07'),
    async ({ gateway, hostedForm, target }) => {
      const started = await hostedForm.start(by);
      expect(await hostedForm.openForm(started), 'GW-FRM-03').toBe(true);
      await hostedForm.enterCard();
      expect(await hostedForm.waitForReturn(started.paid), 'GW-FRM-05').toBe(true);
      expect(await gateway.pollUntilFinal(started.order), 'GW-FRM-07').toBe('APPROVED');
      const { text } = await gateway.status(started.order);
      expect(showsCard(text, target.gateway!.cards.approved!.number), 'GW-FRM-04').toBe(false);
    },
  );

  test(
    `sends the customer back after cancelling, and shows nothing as approved (${FORMS[by]})`,
    rule('GW-FRM-06', 'GW-FRM-07'),
    async ({ gateway, hostedForm }) => {
      const started = await hostedForm.start(by);
      await hostedForm.cancel(started);
      expect(await hostedForm.waitForReturn(started.cancelled), 'GW-FRM-06').toBe(true);
      await gateway.sleepPollGap();
      expect((await gateway.status(started.order)).object.orderState, 'GW-FRM-07').not.toBe('APPROVED');
    },
  );

  test(
    `sends customers of ${FORMS[by]} back to addresses that have a query, who paid and who cancelled`,
    rule('GW-FRM-05', 'GW-FRM-06'),
    async ({ hostedForm, receiver }) => {
      receiver.pageQuery = OWN_QUERY;
      const [own, other] = [await hostedForm.start(by), await hostedForm.start(by)];
      await hostedForm.pay(own);
      expect(await hostedForm.waitForReturn(own.paid), 'GW-FRM-05').toBe(true);
      expect(own.paid.visits.some(keepsQuery), 'GW-FRM-05').toBe(true);
      await hostedForm.cancel(other);
      expect(await hostedForm.waitForReturn(other.cancelled), 'GW-FRM-06').toBe(true);
      expect(other.cancelled.visits.some(keepsQuery), 'GW-FRM-06').toBe(true);
    },
  );

  test(
    `sends a customer of ${FORMS[by]} back to the address of their own form, and has no other paid by it`,
    rule('GW-FRM-05', 'GW-FRM-07'),
    async ({ gateway, hostedForm }) => {
      const [own, other] = [await hostedForm.start(by), await hostedForm.start(by)];
      await hostedForm.pay(own);
      const isBack = await hostedForm.waitForReturn(own.paid);
      expect(await gateway.pollUntilFinal(own.order), 'GW-FRM-07').toBe('APPROVED');
      expect((await gateway.status(other.order)).object.orderState, 'GW-FRM-07').not.toBe('APPROVED');
      expect(isBack, 'GW-FRM-05').toBe(true);
    },
  );

  test(
    `has a form for ${FORMS[by]} paid by what is entered on it while another customer has another one open`,
    rule('GW-FRM-07', 'GW-FRM-05'),
    async ({ gateway, hostedForm, otherForm }) => {
      const { own, other } = await openTwo(hostedForm, otherForm, { by });
      await hostedForm.enterCard();
      const isBack = await hostedForm.waitForReturn(own.paid);
      expect(await gateway.pollUntilFinal(own.order), 'GW-FRM-07').toBe('APPROVED');
      expect((await gateway.status(other.order)).object.orderState, 'GW-FRM-07').not.toBe('APPROVED');
      expect({ isBack, others: other.paid.visits.length }, 'GW-FRM-05').toEqual({ isBack: true, others: 0 });
      await otherForm.enterCard();
      const isOtherBack = await otherForm.waitForReturn(other.paid);
      expect(await gateway.pollUntilFinal(other.order), 'GW-FRM-07').toBe('APPROVED');
      expect(isOtherBack, 'GW-FRM-05').toBe(true);
    },
  );

  test(
    `has the outcome of ${FORMS[by]} in status although the customer never came back`,
    rule('GW-FRM-07'),
    async ({ gateway, hostedForm }) => {
      const started = await hostedForm.start(by, { returnUrl: 'https://merchant.invalid/return' });
      await hostedForm.pay(started);
      expect(await gateway.pollUntilFinal(started.order)).toBe('APPROVED');
    },
  );

  test(
    `takes no card on a form for ${FORMS[by]} that was cancelled for good`,
    rule('GW-FRM-07'),
    async ({ gateway, hostedForm }) => {
      const started = await hostedForm.start(by);
      const { outputRedirectToUrl, outputHtml } = started.reply.object;
      test.skip((outputRedirectToUrl ?? outputHtml ?? undefined) === undefined, 'the form is not there at once');
      await hostedForm.cancel(started);
      await hostedForm.waitForReturn(started.cancelled);
      await gateway.sleepPollGap();
      const { orderState } = (await gateway.status(started.order)).object;
      test.skip(!['DECLINED', 'ERROR', 'FILTERED'].includes(String(orderState)), 'cancelling does not end the order');
      await hostedForm.payAgain(started);
      expect((await gateway.pollWhilePending(started.order)).object.orderState).not.toBe('APPROVED');
    },
  );

  test(
    `has the outcome in status of a form for ${FORMS[by]} that was filled in minutes after its start`,
    rule('GW-FRM-07', { needs: ['clock'] }),
    async ({ gateway, hostedForm }) => {
      const started = await hostedForm.start(by);
      test.skip(!(await hostedForm.openForm(started)), 'no form to enter a card came up');
      await gateway.sleep(20 * 60);
      await hostedForm.enterCard();
      // How long a form waits is not said.
      test.skip(!(await hostedForm.waitForReturn(started.paid)), 'the form does not take the card any more');
      expect(FINAL_STATES).toContain(await gateway.pollUntilFinal(started.order));
    },
  );

  test(
    `keeps the card number that was typed out of reports (${FORMS[by]})`,
    rule('GW-FRM-04', { needs: ['report'] }),
    async ({ gateway, hostedForm, reports, target }) => {
      const order = await hostedForm.arrangeApproved(by, { amount: 1000 });
      if (by === 'authForm') await gateway.arrangeCapture(order);
      requireEntries(await reports.rows(order, by === 'authForm' ? 2 : 1), 'rows of the order');
      const { text } = await reports.read(order);
      expect(showsCard(text, target.gateway!.cards.approved!.number)).toBe(false);
    },
  );
}

test(
  'tells two cards apart that are entered on two forms at once',
  rule('GW-FRM-07', { needs: ['card.declined'] }),
  async ({ gateway, hostedForm, otherForm }) => {
    const { own, other } = await openTwo(hostedForm, otherForm, { card: 'declined' });
    await Promise.all([hostedForm.enterCard(), otherForm.enterCard('declined')]);
    await hostedForm.waitForReturn(own.paid);
    expect(await gateway.pollUntilFinal(own.order)).toBe('APPROVED');
    await gateway.sleepPollGap();
    // A form may ask for another card instead.
    expect((await gateway.status(other.order)).object.orderState).not.toBe('APPROVED');
  },
);

/**
 * Opens two forms before two customers.
 * @param by what they are for
 * @param card that the other one is going to enter
 * @throws Unarranged when a form does not come up
 */
async function openTwo(
  hostedForm: HostedForm,
  otherForm: HostedForm,
  { by = 'saleForm', card = 'approved' }: { readonly by?: keyof typeof FORMS; readonly card?: 'approved' | 'declined' },
) {
  const [own, other] = [await hostedForm.start(by), await hostedForm.start(by, { card })];
  if (!((await hostedForm.openForm(own)) && (await otherForm.openForm(other))))
    throw new UnarrangedError('no form to enter a card came up');
  return { own, other };
}

test(
  'has the outcome in status of a form that was paid after another was cancelled',
  rule('GW-FRM-07'),
  async ({ gateway, hostedForm }) => {
    const [own, other] = [await hostedForm.start('saleForm'), await hostedForm.start('saleForm')];
    await hostedForm.cancel(other);
    await hostedForm.waitForReturn(other.cancelled);
    // Nobody has cancelled this one.
    expect((await gateway.status(own.order)).object.orderState).not.toBe('DECLINED');
    await hostedForm.pay(own);
    await hostedForm.waitForReturn(own.paid);
    expect(await gateway.pollUntilFinal(own.order)).toBe('APPROVED');
  },
);

for (const [by, card, state] of [
  ['saleForm', 'declined', 'DECLINED'],
  ['authForm', 'declined', 'DECLINED'],
  ['saleForm', 'error', 'ERROR'],
  ['authForm', 'error', 'ERROR'],
  ['saleForm', 'filtered', 'FILTERED'],
  ['authForm', 'filtered', 'FILTERED'],
] as const)
  test(
    `has in status that ${FORMS[by]} with a card that is ${card} did not go through, although the customer came back`,
    rule('GW-FRM-07', { needs: [`card.${card}`] }),
    async ({ gateway, hostedForm }) => {
      const started = await hostedForm.start(by, { card });
      await hostedForm.pay(started, card);
      // A form may ask for another card instead.
      test.skip(!(await hostedForm.waitForReturn(started.paid)), 'the customer does not come back after that');
      expect(await gateway.pollUntilFinal(started.order)).toBe(state);
    },
  );

test(
  'has the outcome in status of a form of a requestor of several currencies',
  rule('GW-FRM-07', { needs: ['requestor.multicurrency'] }),
  async ({ gateway, hostedForm, target }) => {
    const started = await hostedForm.start('saleForm', { requestor: target.gateway!.requestors.multicurrency! });
    test.skip(started.reply.status !== 200, 'forms may not be enabled for that requestor');
    await hostedForm.pay(started);
    await hostedForm.waitForReturn(started.paid);
    expect(FINAL_STATES).toContain(await gateway.pollUntilFinal(started.order));
  },
);

test(
  "sends another requestor's customer back after paying, and has the outcome in status",
  rule('GW-FRM-05', 'GW-FRM-07', { needs: ['requestor.second'] }),
  async ({ gateway, hostedForm, receiver, target }) => {
    receiver.pageQuery = OWN_QUERY;
    const started = await hostedForm.start('saleForm', { requestor: target.gateway!.requestors.second! });
    test.skip(started.reply.status !== 200, 'forms may not be enabled for the second requestor');
    await hostedForm.pay(started);
    const isBack = await hostedForm.waitForReturn(started.paid);
    const state = await gateway.pollUntilFinal(started.order);
    expect(FINAL_STATES, 'GW-FRM-07').toContain(state);
    test.skip(state !== 'APPROVED', `a payment on the form of the second requestor ended in ${state}`);
    expect(isBack, 'GW-FRM-05').toBe(true);
    expect(started.paid.visits.some(keepsQuery), 'GW-FRM-05').toBe(true);
  },
);

test(
  "sends another requestor's customer back after cancelling",
  rule('GW-FRM-06', { needs: ['requestor.second'] }),
  async ({ hostedForm, receiver, target }) => {
    receiver.pageQuery = OWN_QUERY;
    const started = await hostedForm.start('authForm', { requestor: target.gateway!.requestors.second! });
    test.skip(started.reply.status !== 200, 'forms may not be enabled for the second requestor');
    await hostedForm.cancel(started);
    expect(await hostedForm.waitForReturn(started.cancelled)).toBe(true);
    expect(started.cancelled.visits.some(keepsQuery)).toBe(true);
  },
);

/** Holds a payment against its outcome whose cardholder did not pass 3-D Secure. */
async function expectNotApproved(
  fixtures: Pick<GatewayFixtures, 'gateway' | 'hostedForm' | 'threeDS'>,
  started: StartedForm,
): Promise<void> {
  // What the customer is shown after that is not said: a form may ask for another card, and then there is no outcome yet.
  const isBack = await waitAndForward(fixtures, started);
  const state = await fixtures.gateway.pollUntilFinal(started.order);
  expect(state, 'GW-TDS-26').not.toBe('APPROVED');
  if (isBack) expect(FINAL_STATES, 'GW-FRM-07').toContain(state);
}

for (const [by, card] of [
  ['saleForm', 'challenge'],
  ['authForm', 'pareq'],
] as const) {
  test(
    `sends the customer of ${FORMS[by]} back after 3-D Secure, and has the outcome in status (${card})`,
    rule('GW-FRM-05', 'GW-FRM-07', 'GW-FRM-04', ...(by === 'authForm' ? (['GW-ATH-02'] as const) : []), {
      needs: [`card.${card}`],
    }),
    async ({ gateway, hostedForm, issuer, threeDS, target }) => {
      const started = await answerIssuer({ hostedForm, issuer }, { by, card, refuses: false });
      const isBack = await waitAndForward({ gateway, hostedForm, threeDS }, started);
      const state = await gateway.pollUntilFinal(started.order);
      // Who was authenticated may be declined all the same.
      expect(FINAL_STATES, 'GW-FRM-07').toContain(state);
      requireSeen(state === 'APPROVED' ? state : undefined, `${FORMS[by]} that was paid after 3-D Secure`);
      expect(isBack, 'GW-FRM-05').toBe(true);
      const shown = await gateway.status(started.order);
      expect(showsCard(shown.text, target.gateway!.cards[card]!.number), 'GW-FRM-04').toBe(false);
      if (by === 'saleForm') return;
      expect(sumListed(gateway, shown, 'sale'), 'GW-ATH-02').toBe(0);
    },
  );

  test(
    `approves no ${by === 'saleForm' ? 'sale' : 'authorization'} on the hosted form whose cardholder did not pass 3-D Secure (${card})`,
    rule('GW-FRM-07', 'GW-TDS-26', 'GW-FRM-04', { needs: [`card.${card}`] }),
    async ({ gateway, hostedForm, issuer, threeDS, target }) => {
      const started = await answerIssuer({ hostedForm, issuer }, { by, card, refuses: true });
      await expectNotApproved({ gateway, hostedForm, threeDS }, started);
      const { order } = started;
      const { text } = await gateway.status(order);
      expect(showsCard(text, target.gateway!.cards[card]!.number), 'GW-FRM-04').toBe(false);
    },
  );
}

test(
  "approves no payment on another requestor's form whose cardholder did not pass 3-D Secure",
  rule('GW-FRM-07', 'GW-TDS-26', { needs: ['card.challenge', 'requestor.second'] }),
  async ({ gateway, hostedForm, issuer, threeDS, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const way = { by: 'saleForm', card: 'challenge', refuses: true, requestor } as const;
    await expectNotApproved({ gateway, hostedForm, threeDS }, await answerIssuer({ hostedForm, issuer }, way));
  },
);

for (const [what, by, card] of [
  [FORMS.saleForm, 'saleForm', 'approved'],
  [FORMS.authForm, 'authForm', 'approved'],
  ['a sale that is declined', 'saleForm', 'declined'],
] as const)
  test(
    `keeps the card number that was typed out of the address the customer returns to, and of answers to what follows (${what})`,
    rule('GW-FRM-04', { needs: [`card.${card}`] }),
    async ({ gateway, hostedForm, recurring, target }) => {
      const started = await hostedForm.start(by, { card, amount: 1000 });
      await hostedForm.pay(started, card);
      const isBack = await hostedForm.waitForReturn(started.paid);
      // A form may ask for another card instead.
      test.skip(!isBack && card === 'declined', 'the customer does not come back after a decline');
      await gateway.pollUntilFinal(started.order);
      const replies = [await gateway.status(started.order)];
      if (target.gateway!.wire.recurring !== undefined) replies.push(await recurring.registerCard(started.order));
      if (by === 'authForm') replies.push(await gateway.capture(started.order));
      replies.push(await gateway.reverse(started.order, 100));
      const write = ({ text, headers }: { text: string; headers: ApiReply['headers'] }) =>
        `${text} ${[...headers.values()].join(' ')}`;
      const { number } = target.gateway!.cards[card]!;
      const holding = (texts: readonly string[]) => texts.filter((one) => showsCard(one, number)).length;
      expect(holding(replies.map(write))).toBe(0);
      const visits = requireEntries(started.paid.visits, 'returns of the customer');
      expect(holding(visits.map((one) => `${decodeURIComponent(one.path)} ${write(one)}`))).toBe(0);
    },
  );
