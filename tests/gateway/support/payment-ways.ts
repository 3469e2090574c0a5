import { type PaymentOptions, type PlacedOrder, test } from '#harness';

interface PaidOrders {
  /** Arranges an order that is finally APPROVED, paid in this way. What that takes once, such as a registered card, is there before. */
  readonly arrangePaid: (by: 'sale' | 'auth', payment?: PaymentOptions) => Promise<PlacedOrder>;
}

/** The ways in which an order is paid: what each needs of a target, and the test whose checks have orders paid so. */
export const PAYMENT_WAYS = {
  card: {
    needs: [],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ gateway }, use) => use((by, payment) => gateway.arrangeApproved(by, payment)),
    }),
  },
  cardId: {
    needs: ['recurring'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ gateway, recurring }, use) => {
        const cardId = await recurring.arrangeRegistration();
        await use((by, payment) => gateway.arrangeApproved(by, { ...payment, cardId }));
      },
    }),
  },
  form: {
    needs: ['form', 'browser'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ hostedForm }, use) =>
        use((by, payment) => hostedForm.arrangeApproved(`${by}Form`, payment)),
    }),
  },
  threeDS: {
    needs: ['card.challenge', 'browser'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ threeDS, issuer }, use) =>
        use((by, payment) => threeDS.arrangeAuthenticated('CREQ', issuer, { ...payment, by })),
    }),
  },
} as const;
