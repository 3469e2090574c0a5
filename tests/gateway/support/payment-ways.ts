import { type PlacedOrder, test } from '#harness';

interface PaidOrders {
  /** Arranges an order that is finally APPROVED, paid in this way. What that takes once, such as a registered card, is there before. */
  readonly arrangePaid: (by: 'sale' | 'auth') => Promise<PlacedOrder>;
}

/** The ways in which an order is paid: what each needs of a target, and the test whose checks have orders paid so. */
export const PAYMENT_WAYS = {
  card: {
    needs: [],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ gateway }, use) => use((by) => gateway.arrangeApproved(by)),
    }),
  },
  cardId: {
    needs: ['recurring'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ gateway, recurring }, use) => {
        const cardId = await recurring.arrangeRegistration();
        await use((by) => gateway.arrangeApproved(by, { cardId }));
      },
    }),
  },
  form: {
    needs: ['form', 'browser'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ hostedForm }, use) => use((by) => hostedForm.arrangeApproved(`${by}Form`)),
    }),
  },
  threeDS: {
    needs: ['card.challenge', 'browser'],
    test: test.extend<PaidOrders>({
      arrangePaid: async ({ threeDS, issuer }, use) =>
        use((by) => threeDS.arrangeAuthenticated('CREQ', issuer, { by })),
    }),
  },
} as const;
