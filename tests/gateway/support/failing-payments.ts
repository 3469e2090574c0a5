import type { HostedForm, PaymentOptions, PlacedOrder } from '#harness';

/** The cards whose payments do not go through, and how each ends, in words. */
export const FAILING_CARDS = [
  ['declined', 'was declined'],
  ['filtered', 'was filtered'],
  ['error', 'failed'],
] as const;

/**
 * Has a customer pay on the hosted form with a card whose payment does not go through.
 * @returns the order, and whether the customer came back: the form may ask for another card instead
 */
export async function payInVain(
  hostedForm: HostedForm,
  by: 'saleForm' | 'authForm',
  card: (typeof FAILING_CARDS)[number][0],
  payment: PaymentOptions = {},
): Promise<{ readonly order: PlacedOrder; readonly isBack: boolean }> {
  const started = await hostedForm.start(by, { ...payment, card });
  await hostedForm.pay(started, card);
  return { order: started.order, isBack: await hostedForm.waitForReturn(started.paid) };
}
