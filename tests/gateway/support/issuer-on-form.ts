import {
  type GatewayFixtures,
  type HostedForm,
  ISSUER_STEPS,
  type IssuerPage,
  type PlacedOrder,
  readIssuerAnswer,
  readThreeDSProgress,
  type StartedForm,
  test,
} from '#harness';

/** Pays on a form with a card that needs 3-D Secure, and answers the issuer who asks the customer there. */
export async function answerIssuer(
  { hostedForm, issuer }: { readonly hostedForm: HostedForm; readonly issuer: IssuerPage },
  {
    by,
    refuses,
    ...payment
  }: {
    readonly by: 'saleForm' | 'authForm';
    readonly card: 'challenge' | 'pareq';
    readonly refuses: boolean;
    readonly requestor?: PlacedOrder['requestor'];
    readonly callbackUrl?: string;
  },
): Promise<StartedForm> {
  const { card } = payment;
  const started = await hostedForm.start(by, payment);
  test.skip(started.reply.status !== 200 && payment.requestor !== undefined, 'forms may not be enabled for it');
  await hostedForm.payAndLeave(started, card);
  const isAsked = await issuer.answerHere(() => started.paid.visits.length > 0, refuses);
  // A form may leave the steps of 3-D Secure to the caller, who finds them in status.
  test.skip(!isAsked, 'no issuer asks the customer of the form anything');
  return started;
}

/** Waits for the customer of a form; what they bring from the issuer is forwarded where the order waits for it, as the document asks of a caller. */
export async function waitAndForward(
  { gateway, hostedForm, threeDS }: Pick<GatewayFixtures, 'gateway' | 'hostedForm' | 'threeDS'>,
  { order, paid }: StartedForm,
): Promise<boolean> {
  const isBack = await hostedForm.waitForReturn(paid);
  const value = paid.visits.map(readIssuerAnswer).find((one) => one !== undefined);
  if (value === undefined) return isBack;
  const step = readThreeDSProgress(await gateway.status(order)).auth?.threeDSAuthStep;
  const due = ISSUER_STEPS.find((one) => one.step === step);
  if (due !== undefined) await threeDS.forwardAnswer(due.forward, { order }, value);
  return isBack;
}
