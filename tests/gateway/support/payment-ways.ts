import { type PaymentOptions, type PlacedOrder, test } from '#harness';

interface PaidOrders {
  /** Arranges an order that is finally APPROVED, paid in this way. What that takes once, such as a registered card, is there before. */
  readonly arrangePaid: (by: 'sale' | 'auth', payment?: PaymentOptions) => Promise<PlacedOrder>;
}

/** The way of an order whose issuer asks the cardholder, with a card whose payment comes to that step. */
const askedByIssuer = <const Card extends 'challenge' | 'method' | 'pareq'>(
  step: 'CREQ' | 'PAREQ',
  card: Card,
  how: string,
) => ({
  how,
  needs: [`card.${card}`, 'browser'] as const,
  test: test.extend<PaidOrders>({
    arrangePaid: async ({ threeDS, issuer }, use) =>
      use((by, payment) => threeDS.arrangeAuthenticated(step, issuer, { ...payment, by, card })),
  }),
});

/** The ways in which an order is paid: in words, what each needs of a target, and the test whose checks have orders paid so. */
export const PAYMENT_WAYS = {
  card: {
    how: '',
    needs: [],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ gateway }, use) => use((by, payment) => gateway.arrangeApproved(by, payment)),
    }),
  },
  cardId: {
    how: 'on a registered card',
    needs: ['recurring'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ gateway, recurring }, use) => {
        const cardId = await recurring.arrangeRegistration();
        await use((by, payment) => gateway.arrangeApproved(by, { ...payment, cardId }));
      },
    }),
  },
  form: {
    how: 'on the hosted form',
    needs: ['form', 'browser'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ hostedForm }, use) =>
        use((by, payment) => hostedForm.arrangeApproved(`${by}Form`, payment)),
    }),
  },
  threeDS: askedByIssuer('CREQ', 'challenge', 'whose cardholder was authenticated'),
  afterMethod: askedByIssuer('CREQ', 'method', 'after a challenge that followed the 3DS method'),
  paReq: askedByIssuer('PAREQ', 'pareq', 'after 3-D Secure 1.0.2'),
  frictionless: {
    how: 'without a challenge',
    needs: ['card.frictionless'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ threeDS }, use) => use((by, payment) => threeDS.arrangeFrictionless({ ...payment, by })),
    }),
  },
  pending: {
    how: 'later than at once',
    needs: ['card.pending'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ gateway }, use) =>
        use(async (by, payment) => {
          const { order, state } = await gateway.payAndFollow(by, { ...payment, card: 'pending' });
          test.skip(state !== 'APPROVED', 'a payment that is not final at first is not approved in the end');
          return order;
        }),
    }),
  },
} as const;

/**
 * The ways other than raw card data.
 * @param authenticated how a payment whose cardholder was authenticated is called where the words of the table do not suit the title
 */
export const otherWays = (authenticated: string = PAYMENT_WAYS.threeDS.how) =>
  [
    PAYMENT_WAYS.cardId,
    PAYMENT_WAYS.form,
    { ...PAYMENT_WAYS.threeDS, how: authenticated },
    PAYMENT_WAYS.paReq,
  ] as const;

/** How an order is paid whose issuer, or whose end, is another than usual. */
export const UNUSUAL_WAYS = [PAYMENT_WAYS.frictionless, PAYMENT_WAYS.afterMethod, PAYMENT_WAYS.pending] as const;

/** The requestors that a target may have beside its first one, in words. */
export const OTHER_REQUESTORS = [
  ['second', 'another requestor'],
  ['multicurrency', 'a requestor of several currencies'],
] as const;

/** All requestors of a target: how a title goes on. */
export const REQUESTORS = [
  ['main', ''],
  ...OTHER_REQUESTORS.map(([name, whose]) => [name, ` of ${whose}`] as const),
] as const;

/** What a check needs that looks at the balances on which one of {@link OTHER_REQUESTORS} is booked. */
export const BOOKED = {
  second: ['requestor.second', 'merchant.second'],
  multicurrency: ['requestor.multicurrency', 'merchant'],
} as const;
