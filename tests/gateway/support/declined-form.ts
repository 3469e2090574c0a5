import type { HostedForm, PlacedOrder } from '#harness';

/** Has a customer pay on the hosted form with a card that is declined; the form may ask for another card then. @returns the order */
export async function payDeclined(hostedForm: HostedForm, by: 'saleForm' | 'authForm'): Promise<PlacedOrder> {
  const started = await hostedForm.start(by, { card: 'declined' });
  await hostedForm.pay(started, 'declined');
  await hostedForm.waitForReturn(started.paid);
  return started.order;
}
