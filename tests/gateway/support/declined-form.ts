import type { HostedForm, PaymentOptions, PlacedOrder } from '#harness';

/**
 * Has a customer pay on the hosted form with a card that is declined.
 * @returns the order, and whether the customer came back: the form may ask for another card instead
 */
export async function payDeclined(
  hostedForm: HostedForm,
  by: 'saleForm' | 'authForm',
  payment: PaymentOptions = {},
): Promise<{ readonly order: PlacedOrder; readonly isBack: boolean }> {
  const started = await hostedForm.start(by, { ...payment, card: 'declined' });
  await hostedForm.pay(started, 'declined');
  return { order: started.order, isBack: await hostedForm.waitForReturn(started.paid) };
}
