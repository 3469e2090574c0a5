import { decision, type Faults } from '../decision.ts';
import { balanceByManager, balanceByMerchant, balanceByMerchantAll } from './balance-views.ts';
import type { Call, OperationId, Reply } from './call.ts';
import { capture } from './capture.ts';
import { cardHistory } from './card-history.ts';
import { cardInfo } from './card-info.ts';
import { exchangeRate } from './exchange-rate.ts';
import { startForm } from './form.ts';
import { chargeLookup } from './lookup-fee.ts';
import { pay, transfer } from './payments.ts';
import { registerCard } from './recurring.ts';
import { report } from './report.ts';
import { reversal } from './reversal.ts';
import { status } from './status.ts';
import { forwardCRes, forwardPaRes, reportMethod } from './three-ds.ts';

/** One operation: where it answers and what its last path segment stands for. */
export interface Route {
  readonly operation: OperationId;
  /** Below the base address, without the last segment. */
  readonly path: string;
  readonly subject: 'requestor' | 'login' | 'client';
  readonly answer: (call: Call) => Reply;
  /** Whether a body is looked at. */
  readonly body: boolean;
}

const route = (
  operation: OperationId,
  path: string,
  answer: Route['answer'],
  subject: Route['subject'] = 'requestor',
) => ({
  operation,
  path,
  subject,
  answer,
  body: operation !== 'balanceByMerchantAll',
});
const lookup = (answer: Route['answer']) => (call: Call) => {
  const reply = answer(call);
  chargeLookup(call);
  return reply;
};

/** Every operation of the document, and the sandbox's choice for the two whose paths are not shown. */
export const routes: readonly Route[] = [
  route('sale', '/payments/sale', pay('SALE')),
  route('saleForm', '/payments/sale-form', startForm('SALE')),
  route('auth', '/payments/auth', pay('AUTH')),
  route('authForm', '/payments/auth-form', startForm('AUTH')),
  route('capture', '/payments/capture', capture),
  route('reversal', '/payments/reversal', reversal),
  route('accountVerification', '/payments/account-verification', pay('ACCOUNT_VERIFICATION')),
  route('status', '/payments/status', status),
  route('transfer', '/payments/transfer', transfer),
  route('threeDSMethod', '/3ds/method', reportMethod),
  route('threeDSCRes', '/3ds/cres', forwardCRes),
  route('threeDSPaRes', '/3ds/pares', forwardPaRes),
  route('balanceByMerchant', '/balance/by-merchant', balanceByMerchant, 'login'),
  route('balanceByMerchantAll', '/balance/by-merchant-all', balanceByMerchantAll, 'login'),
  route('balanceByManager', '/balance/by-manager', balanceByManager, 'login'),
  route('getCardInfo', '/card-info/get-card-info', lookup(cardInfo), 'client'),
  route('getCardHistory', '/card-info/get-card-history', lookup(cardHistory)),
  route('getExchangeRate', '/exchange-rate/get-exchange-rate', lookup(exchangeRate)),
  route('registerCards', '/recurring/register-cards', registerCard),
  route('transactionReport', '/report/transaction/by-merchant', report, 'login'),
];

/** Tags that have a documentation placeholder. */
export const overviews = ['3ds', 'balance', 'card-info', 'exchange-rate', 'payments'] as const;

const belowApi = decision({
  rule: 'GW-GEN-01',
  honest: (_operation: OperationId) => true,
  lies: {
    'rates-not-below-api': (operation) => operation !== 'getExchangeRate',
    'manager-balances-not-below-api': (operation) => operation !== 'balanceByManager',
  },
});

const withoutVersion = decision({
  rule: 'GW-VRS-02',
  honest: (_operation: OperationId) => true,
  lies: {
    'rates-only-below-a-version': (operation) => operation !== 'getExchangeRate',
    'card-history-only-below-a-version': (operation) => operation !== 'getCardHistory',
  },
});

/** Whether an operation answers at its documented path; honestly, each does. */
export function answersHere(faults: Faults, operation: OperationId): boolean {
  return belowApi(faults, operation) && withoutVersion(faults, operation);
}

const overviewAnswers = decision({
  rule: 'GW-OVW-01',
  honest: (_tag: string): number => 200,
  lies: {
    'overview-answers-500': () => 500,
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

/** Status of a placeholder for a caller with or without a token. */
export function overviewStatus(faults: Faults, tag: string, authorized: boolean): number {
  return overviewIsOpen(faults, tag) || authorized ? overviewAnswers(faults, tag) : 401;
}
