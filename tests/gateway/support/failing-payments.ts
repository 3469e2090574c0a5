import type { HostedForm, PaymentOptions, PlacedOrder, Target } from '#harness';

/** The cards whose payments do not go through, how each ends, in words, and in which state. */
export const FAILING_CARDS = [
  ['declined', 'was declined', 'DECLINED'],
  ['filtered', 'was filtered', 'FILTERED'],
  ['error', 'failed', 'ERROR'],
] as const;

/** Those that a target has. */
export const failingCardsOf = ({ gateway }: Target): readonly (typeof FAILING_CARDS)[number][] =>
  FAILING_CARDS.filter(([card]) => gateway!.cards[card] !== undefined);

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
