import { type Decision, decision } from '../../decision.ts';
import { takeNote } from '../../take-note.ts';
import { isRefusedAgain } from '../asked-again.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayOperationId } from '../gateway-reply.ts';
import { METHOD_FIELDS } from '../three-ds/three-ds-operations.ts';
import type { AdmissionProblem, GatewayRefusal } from '../wire/gateway-refusal.ts';
import { isJsonObject } from '../wire/request-fields.ts';

type Sent = Readonly<Record<string, unknown>>;

const lacks = (name: string) => (sent: Sent) => sent[name] === undefined;
const isBy =
  (type: string, isWrong: (sent: Sent) => boolean) =>
  (sent: Sent): boolean =>
    sent['cardHistorySourceType'] === type && isWrong(sent);

/** Requests that are refused for what is in their body: the rule, what they are, the operation, and whether one is such. */
const REFUSED = [
  ['GW-HIS-10', 'history-of-another-source', 'getCardHistory', isOfNoSource],
  ['GW-HIS-11', 'history-without-number', 'getCardHistory', isBy('FULL_CARD_NUMBER', lacks('cardNumber'))],
  [
    'GW-HIS-12',
    'history-of-other-first-digits',
    'getCardHistory',
    isBy('FIRST_6_LAST_4', hasNot('cardFirstDigits', 6)),
  ],
  ['GW-HIS-13', 'history-of-other-last-digits', 'getCardHistory', isBy('FIRST_6_LAST_4', hasNot('cardLastDigits', 4))],
  ['GW-HIS-14', 'history-without-month', 'getCardHistory', lacks('expireMonth')],
  ['GW-HIS-15', 'history-without-year', 'getCardHistory', lacks('expireYear')],
  ['GW-HIS-16', 'history-without-merchant-id', 'getCardHistory', lacks('orderMerchantId')],
  ['GW-TDS-20', 'method-report', 'threeDSMethod', (sent) => METHOD_FIELDS.some((field) => lacks(field)(sent))],
  ['GW-SAL-05', 'sale-without-order', 'sale', hasNoPart('order')],
  ['GW-SAL-06', 'sale-without-browser', 'sale', hasNoPart('browser')],
  ['GW-VER-07', 'verification-without-order', 'accountVerification', hasNoPart('order')],
  ['GW-VER-07', 'verification-without-browser', 'accountVerification', hasNoPart('browser')],
  ['GW-FRM-09', 'sale-form-without-order', 'saleForm', hasNoPart('order')],
  ['GW-FRM-09', 'sale-form-without-customer', 'saleForm', hasNoPart('customer')],
  ['GW-FRM-09', 'auth-form-without-browser', 'authForm', hasNoPart('browser')],
  ['GW-TDS-21', 'cres-without-order', 'threeDSCRes', lacks('orderSystemId')],
  ['GW-TDS-21', 'cres-without-value', 'threeDSCRes', hasNoAnswer('cres')],
  ['GW-TDS-22', 'pares-without-order', 'threeDSPaRes', lacks('orderSystemId')],
  ['GW-TDS-22', 'pares-without-value', 'threeDSPaRes', hasNoAnswer('pares')],
  ['GW-TDS-25', 'method-indicator', 'threeDSMethod', ({ threeDSCompInd }) => threeDSCompInd === 'X'],
] as const satisfies readonly (readonly [string, string, GatewayOperationId, (sent: Sent) => boolean])[];

function isOfNoSource({ cardHistorySourceType }: Sent): boolean {
  return cardHistorySourceType !== 'FULL_CARD_NUMBER' && cardHistorySourceType !== 'FIRST_6_LAST_4';
}

/** The document shows no name of the issuer's answer. */
function hasNoAnswer(name: 'cres' | 'pares'): (sent: Sent) => boolean {
  return (sent) => Object.keys(sent).every((key) => key.toLowerCase() !== name);
}

function hasNoPart(name: string): (sent: Sent) => boolean {
  return (sent) => !isJsonObject(sent[name]);
}

function hasNot(name: string, digits: number): (sent: Sent) => boolean {
  return (sent) => !new RegExp(`^\\d{${digits}}$`).test(String(sent[name]));
}

/** Whether a request that was refused for its body is taken when it comes again. */
const INVALID = REFUSED.map(([rule, what, at, isWrong]) =>
  decision({
    rule,
    honest: (_call: GatewayCall) => false,
    lies: {
      [`${what}-taken-when-it-comes-again`]: (call) =>
        call.operation === at &&
        isWrong(call.body) &&
        takeNote(call.gatewayState.refused, `${what} of ${call.subject}`),
    },
  }),
);

/** Whether a request is let through although it is refused, for it comes again. */
export function letsThroughAgain(call: GatewayCall): boolean {
  return call.activeLies.size > 0 && INVALID.some((isLetThrough) => isLetThrough(call.activeLies, call));
}

type LettingIn = Partial<Record<AdmissionProblem, Decision<[operation: string], boolean>>>;

/** Operations that are let in alone, by how the name of a lie ends. */
const LET_IN: Readonly<Record<string, RegExp>> = {
  'at-payments': /^(?:sale|auth|accountVerification)$/,
  'at-forms': /Form$/,
  'at-captures': /^capture$/,
  'at-reversals': /^reversal$/,
  'at-balances': /^balance/,
  'at-lookups': /^get/,
  'at-reports': /Report$/,
};
const OF_ANYBODY = Object.keys(LET_IN);
const OF_REQUESTORS = ['at-payments', 'at-forms', 'at-captures', 'at-reversals', 'at-lookups'];

/** Requests that are not admitted, by why: whether they are let in when they come again. */
const LETS_IN: LettingIn = {
  'no header': lettingIn('GW-ERR-02', 'missing-token', OF_ANYBODY),
  'empty header': lettingIn('GW-ERR-03', 'empty-header'),
  'other scheme': lettingIn('GW-ERR-04', 'token-of-another-scheme', OF_ANYBODY),
  'no space': lettingIn('GW-ERR-05', 'token-without-a-space'),
  'unknown token': lettingIn('GW-BEA-04', 'unknown-token', OF_ANYBODY),
  'other requestor': lettingIn('GW-BEA-05', 'anothers-token', OF_REQUESTORS),
  'other login': lettingIn('GW-BEA-06', 'token-of-another-login'),
  'other host': lettingIn('GW-BEA-08', 'token-of-another-host', OF_ANYBODY),
  'other address': lettingIn('GW-ADR-02', 'request-from-another-address', OF_REQUESTORS),
};

/** The same of requests that are not admitted for reasons of their own. */
const LETS_IN_AT: Partial<Record<GatewayOperationId, LettingIn>> = {
  transactionReport: { ...LETS_IN, 'other login': lettingIn('GW-BEA-07', 'report-token-of-another-login') },
  transfer: {
    'no header': lettingIn('OA-ERR-01', 'transfer-without-header'),
    'other scheme': lettingIn('OA-ERR-02', 'transfer-under-another-scheme'),
    'missing parameter': lettingIn('OA-ERR-03', 'transfer-without-a-parameter'),
    'other body': lettingIn('OA-ERR-04', 'transfer-of-another-body'),
    'wrong signature': lettingIn('OA-ERR-05', 'transfer-with-a-wrong-signature'),
    'other address': lettingIn('OA-ERR-08', 'transfer-from-another-address'),
  },
};

/** @param where which operations may let it in alone */
function lettingIn(rule: string, what: string, where: readonly string[] = []) {
  return decision({
    rule,
    honest: (_operation: string) => false,
    lies: {
      [`${what}-accepted-when-it-comes-again`]: () => true,
      ...Object.fromEntries(
        where.map((one) => [
          `${what}-accepted-when-it-comes-again-${one}`,
          (operation: string) => LET_IN[one]!.test(operation),
        ]),
      ),
    },
  });
}

/** Whether a request is let in that is not admitted, for it comes again as it was; only lies do that. */
export function isLetInAgain(call: GatewayCall, { reason }: GatewayRefusal): boolean {
  if (call.activeLies.size === 0 || reason === undefined) return false;
  const letsIn = (LETS_IN_AT[call.operation] ?? LETS_IN)[reason];
  return isRefusedAgain(call) && (letsIn?.(call.activeLies, call.operation) ?? false);
}
