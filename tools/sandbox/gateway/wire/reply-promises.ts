import { decision } from '../../decision.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayOperationId, GatewayReply } from '../gateway-reply.ts';

const failed = (): GatewayReply => ({
  status: 500,
  body: { errorCode: -1, errorMessage: 'Internal system error', errorCorrelationId: 'none' },
});

/** @param others whether the other requestors of a target are told something of their own by it */
const answers = (rule: string, name: string, others = false) =>
  decision({
    rule,
    honest: (reply: GatewayReply, _call: GatewayCall) => reply,
    lies: {
      [`${name}-answers-500`]: failed,
      [`${name}-answers-nothing`]: (reply) => ({ ...reply, body: undefined }),
      ...(others && {
        [`${name}-for-another-requestor-answers-500`]: (reply: GatewayReply, call: GatewayCall) =>
          isForSecond(call) ? failed() : reply,
        [`${name}-in-several-currencies-answers-500`]: (reply: GatewayReply, call: GatewayCall) =>
          isForMulticurrency(call) ? failed() : reply,
      }),
    },
  });

/** What every operation is promised to answer with, one rule each. */
const promised: Readonly<Record<GatewayOperationId, ReturnType<typeof answers>>> = {
  sale: answers('GW-SAL-01', 'sale', true),
  saleForm: answers('GW-FRM-01', 'sale-form', true),
  auth: answers('GW-ATH-01', 'authorization', true),
  authForm: answers('GW-FRM-08', 'auth-form', true),
  capture: answers('GW-CAP-01', 'capture', true),
  reversal: answers('GW-REV-01', 'reversal', true),
  accountVerification: answers('GW-VER-01', 'verification', true),
  status: answers('GW-STS-01', 'status', true),
  transfer: answers('GW-TRF-01', 'transfer'),
  threeDSMethod: answers('GW-TDS-02', 'method'),
  threeDSCRes: answers('GW-TDS-08', 'cres'),
  threeDSPaRes: answers('GW-TDS-11', 'pares'),
  balanceByMerchant: answers('GW-BAL-01', 'balance'),
  balanceByMerchantAll: answers('GW-BAL-06', 'all-balances'),
  balanceByManager: answers('GW-BAL-08', 'manager-balance'),
  getCardInfo: answers('GW-INF-01', 'card-info'),
  getCardHistory: answers('GW-HIS-01', 'card-history', true),
  getExchangeRate: answers('GW-RAT-01', 'exchange-rate', true),
  registerCards: answers('GW-REC-04', 'registration', true),
  transactionReport: answers('GW-REP-01', 'report'),
};

const oneObject = decision({
  rule: 'GW-STR-02',
  honest: (reply: GatewayReply, _operation: GatewayOperationId) => reply,
  lies: {
    'capture-answers-a-list': (reply, operation) =>
      operation === 'capture' ? { ...reply, body: [reply.body] } : reply,
    'reversal-answers-a-list': (reply, operation) =>
      operation === 'reversal' ? { ...reply, body: [reply.body] } : reply,
    'verification-answers-text': (reply, operation) =>
      operation === 'accountVerification' ? { ...reply, body: 'accepted' } : reply,
    'status-answers-a-list': (reply, operation) => (operation === 'status' ? { ...reply, body: [reply.body] } : reply),
  },
});

const bodiesAreJson = decision({
  rule: 'GW-GEN-02',
  honest: (reply: GatewayReply, _operation: GatewayOperationId) => reply,
  lies: {
    'status-body-with-a-prefix': (reply, operation) => (operation === 'status' ? prefixed(reply) : reply),
    'balance-body-with-a-prefix': (reply, operation) => (operation === 'balanceByMerchant' ? prefixed(reply) : reply),
    'rates-answer-html': (reply, operation) =>
      operation === 'getExchangeRate' ? { status: 200, body: '<p>1.08</p>', type: 'text/html; charset=utf-8' } : reply,
    'verification-body-as-form': (reply, operation) =>
      operation === 'accountVerification'
        ? { ...reply, type: 'application/x-www-form-urlencoded', body: 'orderState=PROCESSING' }
        : reply,
  },
});

const fourStatuses = decision({
  rule: 'GW-GEN-03',
  honest: (reply: GatewayReply, _operation: GatewayOperationId) => reply,
  lies: {
    'capture-answered-201': (reply, operation) => (operation === 'capture' ? { ...reply, status: 201 } : reply),
    'card-info-answered-203': (reply, operation) => (operation === 'getCardInfo' ? { ...reply, status: 203 } : reply),
    'status-of-an-unknown-order-answered-404': (reply, operation) =>
      operation === 'status' && (reply.body as Record<string, unknown> | undefined)?.['errorCode'] === -27
        ? { ...reply, status: 404 }
        : reply,
    'unlisted-card-answered-404': (reply) =>
      String((reply.body as Record<string, unknown> | undefined)?.['result']).startsWith('NOT_FOUND')
        ? { ...reply, status: 404 }
        : reply,
  },
});

/** The reply to a call that went through, as promised for its operation. */
export function keepReplyPromises(call: GatewayCall, reply: GatewayReply): GatewayReply {
  const { activeLies, operation } = call;
  if (activeLies.size === 0) return reply;
  const kept = promised[operation](activeLies, reply, call);
  return fourStatuses(
    activeLies,
    bodiesAreJson(activeLies, oneObject(activeLies, kept, operation), operation),
    operation,
  );
}

/** A body that is not JSON but looks nearly like it. */
function prefixed(reply: GatewayReply): GatewayReply {
  return { ...reply, body: `)]}',\n${JSON.stringify(reply.body)}`, type: 'application/json; charset=utf-8' };
}
