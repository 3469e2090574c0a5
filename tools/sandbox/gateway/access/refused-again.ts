import { decision } from '../../decision.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayOperationId } from '../gateway-reply.ts';
import { METHOD_FIELDS } from '../three-ds/three-ds-operations.ts';

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
  ['GW-TDS-25', 'method-indicator', 'threeDSMethod', ({ threeDSCompInd }) => threeDSCompInd === 'X'],
] as const satisfies readonly (readonly [string, string, GatewayOperationId, (sent: Sent) => boolean])[];

function isOfNoSource({ cardHistorySourceType }: Sent): boolean {
  return cardHistorySourceType !== 'FULL_CARD_NUMBER' && cardHistorySourceType !== 'FIRST_6_LAST_4';
}

function hasNot(name: string, digits: number): (sent: Sent) => boolean {
  return (sent) => !new RegExp(`^\\d{${digits}}$`).test(String(sent[name]));
}

/** Whether a caller was refused for the same before; only lies ask, and take note of it. */
function wasRefused({ gatewayState: { refused }, subject }: GatewayCall, what: string): boolean {
  const refusal = `${what} of ${subject}`;
  const isThere = refused.has(refusal);
  refused.add(refusal);
  return isThere;
}

/** Whether a request that was refused for its body is taken when it comes again. */
const INVALID = REFUSED.map(([rule, what, at, isWrong]) =>
  decision({
    rule,
    honest: (_call: GatewayCall) => false,
    lies: {
      [`${what}-taken-when-it-comes-again`]: (call) =>
        call.operation === at && isWrong(call.body) && wasRefused(call, what),
    },
  }),
);

/** Whether a request is let through although it is refused, for it comes again. */
export function letsThroughAgain(call: GatewayCall): boolean {
  return INVALID.some((isLetThrough) => isLetThrough(call.activeLies, call));
}
