import { expect, requireEntries, rule, test } from '#harness';

const FORMS = { saleForm: 'a sale', authForm: 'an authorization' } as const;
const KINDS = Object.keys(FORMS) as (keyof typeof FORMS)[];

for (const [id, by] of [
  ['GW-FRM-01', 'saleForm'],
  ['GW-FRM-08', 'authForm'],
] as const) {
  test(`answers the start of a form for ${FORMS[by]} with a StatusResponse`, rule(id), async ({ gateway }) => {
    expect((await gateway.pay(by)).reply).toAnswer(200);
  });
}

test('leads on from the start of a sale form', rule('GW-FRM-02'), async ({ gateway }) => {
  const { outputRedirectToUrl, outputHtml } = (await gateway.pay('saleForm')).reply.object;
  expect(String(outputRedirectToUrl ?? outputHtml ?? '')).toMatch(/\S/);
});

for (const by of KINDS) {
  for (const part of ['order', 'customer', 'browser']) {
    test(`refuses to start a form for ${FORMS[by]} without ${part}`, rule('GW-FRM-09'), async ({ gateway }) => {
      const { [part]: _, ...body } = gateway.preparePayment(by).body;
      expect(await gateway.send(by, { body })).toBeRefused();
    });
  }

  test(`asks the customer for a card (${FORMS[by]})`, rule('GW-FRM-03'), async ({ hostedForm }) => {
    expect(await hostedForm.openForm(await hostedForm.start(by))).toBe(true);
  });

  test(`sends the customer back after paying (${FORMS[by]})`, rule('GW-FRM-05'), async ({ hostedForm }) => {
    const started = await hostedForm.start(by);
    await hostedForm.pay(started);
    expect(await hostedForm.waitForReturn(started.paid)).toBe(true);
  });

  test(`sends the customer back after cancelling (${FORMS[by]})`, rule('GW-FRM-06'), async ({ hostedForm }) => {
    const started = await hostedForm.start(by);
    await hostedForm.cancel(started);
    expect(await hostedForm.waitForReturn(started.cancelled)).toBe(true);
  });

  test(
    `has the outcome of a form in status, without the card number that was typed (${FORMS[by]})`,
    rule('GW-FRM-04', 'GW-FRM-07'),
    async ({ gateway, hostedForm, target }) => {
      const started = await hostedForm.start(by);
      await hostedForm.pay(started);
      expect(await gateway.pollUntilFinal(started.order), 'GW-FRM-07').toBe('APPROVED');
      const { text } = await gateway.status(started.order);
      expect(digits(text).includes(target.gateway!.cards.approved!.number), 'GW-FRM-04').toBe(false);
    },
  );
}

test(
  'has the outcome in status although the customer never came back',
  rule('GW-FRM-07'),
  async ({ gateway, hostedForm }) => {
    const started = await hostedForm.start('saleForm', { returnUrl: 'https://merchant.invalid/return' });
    await hostedForm.pay(started);
    expect(await gateway.pollUntilFinal(started.order)).toBe('APPROVED');
  },
);

test(
  'has a decline in status although the customer came back',
  rule('GW-FRM-07', { needs: ['card.declined'] }),
  async ({ gateway, hostedForm }) => {
    const started = await hostedForm.start('saleForm', { card: 'declined' });
    await hostedForm.pay(started, 'declined');
    expect(await gateway.pollUntilFinal(started.order)).toBe('DECLINED');
  },
);

for (const by of KINDS)
  test(
    `does not show ${FORMS[by]} as approved that was cancelled`,
    rule('GW-FRM-07'),
    async ({ gateway, hostedForm }) => {
      const started = await hostedForm.start(by);
      await hostedForm.cancel(started);
      await hostedForm.waitForReturn(started.cancelled);
      await gateway.sleepPollGap();
      expect((await gateway.status(started.order)).object.orderState).not.toBe('APPROVED');
    },
  );

test('keeps the card number that was typed to itself', rule('GW-FRM-04'), async ({ gateway, hostedForm, target }) => {
  const started = await hostedForm.start('saleForm');
  await hostedForm.pay(started);
  await gateway.pollUntilFinal(started.order);
  const { text } = await gateway.status(started.order);
  expect(digits(text)).not.toContain(target.gateway!.cards.approved!.number);
});

test(
  'keeps the card number that was typed out of callbacks',
  rule('GW-FRM-04', { needs: ['callback'] }),
  async ({ gateway, hostedForm, callbacks, target }) => {
    const started = await hostedForm.start('saleForm', { callbackUrl: callbacks.url });
    await hostedForm.pay(started);
    await gateway.pollUntilFinal(started.order);
    await callbacks.waitFor(started.order);
    const number = target.gateway!.cards.approved!.number;
    expect(callbacks.deliveriesAbout(started.order).filter(({ text }) => digits(text).includes(number)).length).toBe(0);
  },
);

test(
  'keeps the card number that was typed out of the address the customer returns to',
  rule('GW-FRM-04'),
  async ({ hostedForm, target }) => {
    const started = await hostedForm.start('saleForm');
    await hostedForm.pay(started);
    await hostedForm.waitForReturn(started.paid);
    const seen = requireEntries(started.paid.visits, 'returns of the customer').map(
      ({ path, text, headers }) => `${decodeURIComponent(path)} ${text} ${[...headers.values()].join(' ')}`,
    );
    expect(seen.filter((one) => digits(one).includes(target.gateway!.cards.approved!.number)).length).toBe(0);
  },
);

test(
  'keeps the card number that was typed out of answers to what follows, and of their headers',
  rule('GW-FRM-04'),
  async ({ gateway, hostedForm, target }) => {
    const started = await hostedForm.start('saleForm');
    await hostedForm.pay(started);
    await gateway.pollUntilFinal(started.order);
    const replies = [await gateway.status(started.order), await gateway.reverse(started.order, 100)];
    const seen = replies.map(({ text, headers }) => `${text} ${[...headers.values()].join(' ')}`);
    expect(seen.filter((one) => digits(one).includes(target.gateway!.cards.approved!.number)).length).toBe(0);
  },
);

test(
  'keeps the card number that was typed out of reports',
  rule('GW-FRM-04', { needs: ['report'] }),
  async ({ gateway, hostedForm, reports, target }) => {
    const started = await hostedForm.start('saleForm');
    await hostedForm.pay(started);
    await gateway.pollUntilFinal(started.order);
    await reports.rows(started.order, 1);
    const { text } = await reports.read(started.order);
    expect(digits(text).includes(target.gateway!.cards.approved!.number)).toBe(false);
  },
);

/** Text without what a card number may be grouped with. */
function digits(text: string): string {
  return text.replace(/(?<=\d)[ -](?=\d)/g, '');
}
