import { decision } from '../decision.ts';
import type { Call } from './call.ts';

const lookupIsFree = (name: string, operation: Call['operation']) =>
  decision({
    rule: 'GW-GEN-05',
    honest: (_call: Call) => 0,
    lies: { [`${name}-lookup-costs-a-fee`]: (call) => (call.operation === operation ? 10 : 0) },
  });

const fees = [
  lookupIsFree('card-info', 'getCardInfo'),
  lookupIsFree('card-history', 'getCardHistory'),
  lookupIsFree('exchange-rate', 'getExchangeRate'),
];

/** Charges for a lookup; honestly, nothing. */
export function chargeLookup(call: Call): void {
  for (const fee of fees) {
    const due = fee(call.faults, call);
    if (due > 0) call.desk.balances.debit(call.desk.world.credentials.gateway.merchant.login, 'EUR', due);
  }
}
