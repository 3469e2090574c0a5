/**
 * @module harness
 * Where Playwright meets the rest: `test`, `expect`, `rule` and the fixtures of the checks. Every exchange of a check is recorded and
 * held against the contract without the check asking for it. Checks and CLI import it.
 */
export {
  type ApiReply,
  isArranged,
  NoAnswerError,
  PromiseFinding,
  requireEntries,
  requireSeen,
  requireTargetLine,
  UnarrangedError,
  UnofferedError,
} from '#client';
export { placeValue, type Target } from '#target';
export { countAffordable } from './affordable-calls.ts';
export { attributeTo } from './attribution.ts';
export { callAbreast } from './call-abreast.ts';
export { readCheckAnnotations } from './check-annotations.ts';
export { assertPromise } from './conclusions.ts';
export { embeddedLookup } from './embedded-lookup.ts';
export { expect } from './expect.ts';
export type { CommonFixtures } from './fixture-types.ts';
export type { BearerRequests, PathSubject, PreparedRequest } from './gateway/bearer-requests.ts';
export type { CallbackInbox } from './gateway/callback-inbox.ts';
export { CustomerBrowser } from './gateway/customer-browser.ts';
export type { GatewayFixtures } from './gateway/fixtures.ts';
export type { GatewayClient } from './gateway/gateway-client.ts';
export type { HostedForm, StartedForm } from './gateway/hosted-form.ts';
export type { IssuerPage } from './gateway/issuer-page.ts';
export { readIssuerAnswer } from './gateway/issuer-page.ts';
export type { MerchantLookups } from './gateway/merchant-lookups.ts';
export {
  ISSUER_STEPS,
  isSameThreeDSAuth,
  type MerchantThreeDS,
  type ReceivedThreeDSAuth,
  readThreeDSProgress,
  type WaitingOrder,
} from './gateway/merchant-three-ds.ts';
export {
  FINAL_STATES,
  type GatewayRequestOptions,
  identifiersOf,
  type OrderIdentifier,
  type PaymentOptions,
  PENDING_STATES,
  type PlacedOrder,
} from './gateway/placed-order.ts';
export { requireSeenAddress } from './gateway/seen-address.ts';
export {
  BROKEN_SIGNATURE,
  REFUSED_TRANSFERS,
  readRefusalContext,
  type SentTransfer,
  type SignedTransfers,
  type TransferChange,
} from './gateway/signed-transfers.ts';
export { isTaken } from './gateway/taken-reply.ts';
export { hasTransactions, shownSum, type TransactionSum } from './gateway/transaction-sums.ts';
export { MessageReceiver, type ReceivedDelivery } from './message-receiver.ts';
export { mixCalls } from './mixed-calls.ts';
export { PageProxy, withPort } from './page-proxy.ts';
export { passMoment } from './pass-moment.ts';
export { assertProperty, type PropertyStep, replayOptions, tryProperty } from './property.ts';
export { placeLaw, rule } from './rule.ts';
export type { CheckCost, RunPlan } from './run-plan.ts';
export { type CheckTurns, type ProofStep, readSettings } from './settings.ts';
export { lawTest, test } from './test.ts';
export { type TargetTrial, tryTarget } from './try-target.ts';
export { twice } from './twice.ts';
export type { CustomerDocuments, ListedDocument } from './v1/customer-documents.ts';
export type { EventInbox } from './v1/event-inbox.ts';
export { LIST_DEFAULTS } from './v1/list-defaults.ts';
export { hasValues, listUuids } from './v1/list-entries.ts';
export type { LockedWebhook, NewcomerUser } from './v1/locked-webhook.ts';
export {
  describeReplies,
  OPERATION_GROUPS,
  type PreparedCall,
  prepareCalls,
  prepareFailures,
  prepareRefusals,
  provokeErrors,
  sweepOperations,
} from './v1/operation-sweep.ts';
export { isFalling } from './v1/requests-left.ts';
export { findContradictions } from './v1/two-views.ts';
export type { V1Client, V1RequestOptions } from './v1/v1-client.ts';
