import { decision } from '../../decision.ts';
import type { GatewayCall } from '../gateway-call.ts';

const lookupIsFree = (name: string, operation: GatewayCall['operation']) =>
  decision({
    rule: 'GW-GEN-05',
    honest: (_call: GatewayCall) => 0,
    lies: { [`${name}-lookup-costs-a-fee`]: (call) => (call.operation === operation ? 10 : 0) },
  });

const byEndsIsFree = decision({
  rule: 'GW-GEN-05',
  honest: (_call: GatewayCall) => 0,
  lies: {
    'card-history-lookup-by-its-ends-costs-a-fee': ({ operation, body }) =>
      operation === 'getCardHistory' && body['cardHistorySourceType'] === 'FIRST_6_LAST_4' ? 10 : 0,
  },
});

/** Operations beside payments, which move no money either. */
const othersAreFree = (name: string, operation: GatewayCall['operation']) =>
  decision({
    rule: 'GW-BAL-05',
    honest: (_call: GatewayCall) => 0,
    lies: { [`${name}-costs-a-fee`]: (call) => (call.operation === operation ? 10 : 0) },
  });

const fees = [
  othersAreFree('status', 'status'),
  othersAreFree('registration', 'registerCards'),
  othersAreFree('report', 'transactionReport'),
  byEndsIsFree,
  lookupIsFree('card-info', 'getCardInfo'),
  lookupIsFree('card-history', 'getCardHistory'),
  lookupIsFree('exchange-rate', 'getExchangeRate'),
];

/** Charges for what is no payment; honestly, nothing. */
export function debitOperationFee(call: GatewayCall): void {
  for (const fee of fees) {
    const due = fee(call.activeLies, call);
    if (due > 0) call.gatewayState.balances.debit(call.gatewayState.world.credentials.merchant.login, 'EUR', due);
  }
}
