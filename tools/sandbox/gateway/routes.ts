import { type ActiveLies, decision } from '../decision.ts';
import { answerManagerBalance, answerMerchantBalance, answerMerchantBalances } from './balances/balance-operations.ts';
import { debitOperationFee } from './balances/operation-fee.ts';
import type { GatewayCall } from './gateway-call.ts';
import type { GatewayOperationId, GatewayReply } from './gateway-reply.ts';
import type { GatewayState } from './gateway-state.ts';
import { answerCardHistory } from './lookups/card-history.ts';
import { answerCardInfo } from './lookups/card-info.ts';
import { answerExchangeRate } from './lookups/exchange-rate.ts';
import { answerTransactionReport } from './lookups/transaction-report.ts';
import { answerCapture } from './payments/capture.ts';
import { answerCardRegistration } from './payments/card-registration.ts';
import { answerFormRequest } from './payments/hosted-form.ts';
import { answerPayment, answerTransfer } from './payments/payment.ts';
import { answerReversal } from './payments/reversal.ts';
import { answerStatus } from './payments/status.ts';
import { answerCRes, answerMethodReport, answerPaRes } from './three-ds/three-ds-operations.ts';

/** One operation: where it answers and what its last path segment stands for. */
export interface GatewayRoute {
  readonly operation: GatewayOperationId;
  /** Below the base address, without the last segment. */
  readonly path: string;
  readonly subject: 'requestor' | 'login' | 'client';
  readonly answer: (call: GatewayCall) => GatewayReply;
  /** Whether a body is looked at. */
  readonly body: boolean;
}

const route = (
  operation: GatewayOperationId,
  path: string,
  answer: GatewayRoute['answer'],
  subject: GatewayRoute['subject'] = 'requestor',
) => ({
  operation,
  path,
  subject,
  answer,
  body: operation !== 'balanceByMerchantAll',
});

/** Answers, and then debits what an operation costs that is no payment: honestly nothing. */
const debitFeeAfter = (answer: GatewayRoute['answer']) => (call: GatewayCall) => {
  const reply = answer(call);
  debitOperationFee(call);
  return reply;
};

/** Every operation of the document, and the sandbox's choice for the two whose paths are not shown. */
export const gatewayRoutes: readonly GatewayRoute[] = [
  route('sale', '/payments/sale', answerPayment('SALE')),
  route('saleForm', '/payments/sale-form', answerFormRequest('SALE')),
  route('auth', '/payments/auth', answerPayment('AUTH')),
  route('authForm', '/payments/auth-form', answerFormRequest('AUTH')),
  route('capture', '/payments/capture', answerCapture),
  route('reversal', '/payments/reversal', answerReversal),
  route('accountVerification', '/payments/account-verification', answerPayment('ACCOUNT_VERIFICATION')),
  route('status', '/payments/status', debitFeeAfter(answerStatus)),
  route('transfer', '/payments/transfer', answerTransfer),
  route('threeDSMethod', '/3ds/method', answerMethodReport),
  route('threeDSCRes', '/3ds/cres', answerCRes),
  route('threeDSPaRes', '/3ds/pares', answerPaRes),
  route('balanceByMerchant', '/balance/by-merchant', answerMerchantBalance, 'login'),
  route('balanceByMerchantAll', '/balance/by-merchant-all', answerMerchantBalances, 'login'),
  route('balanceByManager', '/balance/by-manager', answerManagerBalance, 'login'),
  route('getCardInfo', '/card-info/get-card-info', debitFeeAfter(answerCardInfo), 'client'),
  route('getCardHistory', '/card-info/get-card-history', debitFeeAfter(answerCardHistory)),
  route('getExchangeRate', '/exchange-rate/get-exchange-rate', debitFeeAfter(answerExchangeRate)),
  route('registerCards', '/recurring/register-cards', debitFeeAfter(answerCardRegistration)),
  route('transactionReport', '/report/transaction/by-merchant', debitFeeAfter(answerTransactionReport), 'login'),
];

/** Tags that have a documentation placeholder. */
export const overviewTags = ['3ds', 'balance', 'card-info', 'exchange-rate', 'payments'] as const;

const describedVersion = decision({
  rule: 'GW-VRS-01',
  honest: (): unknown => '1.0.0',
  lies: {
    'description-of-another-version': () => '1.0.1',
    'description-of-version-1.0': () => '1.0',
    'description-without-version': () => undefined,
  },
});

/** The interface description that is published beside the operations. */
export function describeInterface(activeLies: ActiveLies): object {
  const post = (operationId: string) => ({ post: { operationId, responses: { 200: { description: 'Accepted.' } } } });
  return {
    openapi: '3.1.0',
    info: { title: 'Card payment gateway', version: describedVersion(activeLies) },
    paths: Object.fromEntries(gatewayRoutes.map(({ operation, path }) => [`${path}/{subject}`, post(operation)])),
  };
}

const NOTHING: GatewayReply = { status: 404, body: { message: 'no route' } };
/** As a router says it that stands in front of the service. */
const NO_ROUTE: GatewayReply = { status: 400, body: { message: 'no route' } };

const belowApi = decision({
  rule: 'GW-GEN-01',
  honest: (_operation: GatewayOperationId): GatewayReply | undefined => undefined,
  lies: {
    'rates-not-below-api': (operation) => (operation === 'getExchangeRate' ? NO_ROUTE : undefined),
    'manager-balances-not-below-api': (operation) => (operation === 'balanceByManager' ? NOTHING : undefined),
  },
});

const withoutVersion = decision({
  rule: 'GW-VRS-02',
  honest: (_operation: GatewayOperationId) => true,
  lies: {
    'rates-only-below-a-version': (operation) => operation !== 'getExchangeRate',
    'card-history-only-below-a-version': (operation) => operation !== 'getCardHistory',
  },
});

/**
 * Whether an operation answers at its documented path, or below a version of the interface; honestly, each does at the first.
 * @returns undefined, or what is answered where it does not
 */
export function answerAtWrongPath(
  activeLies: ActiveLies,
  operation: GatewayOperationId,
  belowVersion: boolean,
): GatewayReply | undefined {
  if (withoutVersion(activeLies, operation) === belowVersion) return belowVersion ? NOTHING : NO_ROUTE;
  return belowApi(activeLies, operation);
}

const overviewAnswers = decision({
  rule: 'GW-OVW-01',
  honest: (_tag: string, _authorized: boolean): number => 200,
  lies: {
    'overview-answers-500': () => 500,
    'overview-with-a-token-answers-400': (_tag, authorized) => (authorized ? 400 : 200),
    'overview-of-3ds-answers-400': (tag) => (tag === '3ds' ? 400 : 200),
    'overview-answers-204': () => 204,
  },
});

const overviewIsOpen = decision({
  rule: 'GW-OVW-02',
  honest: (_tag: string) => true,
  lies: {
    'overview-asks-for-a-token': () => false,
    'overview-of-balance-asks-for-a-token': (tag) => tag !== 'balance',
  },
});

const overviewDoesNothing = decision({
  rule: 'GW-OVW-03',
  honest: (_tag: string): 'nothing' | 'costs a fee' | 'declines the latest order' | 'gives up the step' => 'nothing',
  lies: {
    'overview-costs-a-fee': () => 'costs a fee',
    'overview-of-3ds-gives-up-the-step-under-way': (tag) => (tag === '3ds' ? 'gives up the step' : 'nothing'),
    'overview-of-payments-costs-a-fee': (tag) => (tag === 'payments' ? 'costs a fee' : 'nothing'),
    'overview-of-payments-declines-the-latest-order': (tag) =>
      tag === 'payments' ? 'declines the latest order' : 'nothing',
  },
});

/** Under a lie, does something where a placeholder is asked for. */
export function performOverview({ world, balances, orders }: GatewayState, tag: string): void {
  const effect = overviewDoesNothing(world.activeLies, tag);
  if (effect === 'costs a fee') balances.debit(world.credentials.merchant.login, 'EUR', 5);
  if (effect === 'gives up the step')
    for (const one of orders.all())
      if (one.step !== undefined) Object.assign(one, { step: undefined, state: 'DECLINED' });
  const latest = effect === 'declines the latest order' ? [...orders.all()].at(-1) : undefined;
  if (latest !== undefined) latest.state = 'DECLINED';
}

/** Whether a placeholder takes whatever comes in place of a token. */
const overviewTakesAny = decision({
  rule: 'GW-OVW-01',
  honest: (_authorization: string) => true,
  lies: { 'overview-refuses-a-token-of-nobody': (authorization) => !authorization.startsWith('Bearer no-') },
});

/** Status of a placeholder for a caller with or without a token. */
export function overviewStatus(activeLies: ActiveLies, tag: string, authorization?: string): number {
  const isAuthorized = authorization !== undefined;
  if (isAuthorized && !overviewTakesAny(activeLies, authorization)) return 401;
  return overviewIsOpen(activeLies, tag) || isAuthorized ? overviewAnswers(activeLies, tag, isAuthorized) : 401;
}
