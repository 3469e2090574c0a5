import { type ActiveLies, decision } from '../../decision.ts';
import type { GatewayOperationId, GatewayReply } from '../gateway-reply.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';

type Body = Record<string, unknown>;

const drop = (name: string, when: (status: number) => boolean) => (body: Body, status: number) => {
  const { [name]: _, ...rest } = body;
  return when(status) ? rest : body;
};
const any = () => true;
/** What our own refusals are about, by their code. */
const ABOUT = { malformed: -2, path: -5, scheme: -7, address: -20, order: -27 } as const;
const isAbout = ({ more }: GatewayRefusal, parameter: string) => [more['invalidParams']].flat().includes(parameter);
const isOfTransfer = (code: unknown) => [-13, -18, -19].includes(Number(code));

const threeFields = decision({
  rule: 'GW-ERR-07',
  honest: (body: Body, _status: number, _operation: GatewayOperationId | undefined): Body => body,
  lies: {
    'error-without-code': drop('errorCode', any),
    'error-without-message': drop('errorMessage', any),
    'error-without-correlation-id': drop('errorCorrelationId', any),
    '500-without-correlation-id': drop('errorCorrelationId', (status) => status === 500),
    'transfer-error-without-correlation-id': ({ errorCorrelationId, ...rest }) =>
      isOfTransfer(rest['errorCode']) ? rest : { ...rest, errorCorrelationId },
    '401-without-correlation-id': drop('errorCorrelationId', (status) => status === 401),
    'broken-body-error-without-correlation-id': ({ errorCorrelationId, ...rest }) =>
      rest['errorCode'] === -3 ? rest : { ...rest, errorCorrelationId },
    'malformed-body-error-without-correlation-id': ({ errorCorrelationId, ...rest }) =>
      rest['errorCode'] === ABOUT.malformed ? rest : { ...rest, errorCorrelationId },
    'address-error-without-correlation-id': ({ errorCorrelationId, ...rest }) =>
      rest['errorCode'] === ABOUT.address ? rest : { ...rest, errorCorrelationId },
    'error-about-a-cres-without-correlation-id': ({ errorCorrelationId, ...rest }, _status, operation) =>
      operation === 'threeDSCRes' ? rest : { ...rest, errorCorrelationId },
    'broken-pares-error-without-correlation-id': ({ errorCorrelationId, ...rest }, _status, operation) =>
      operation === 'threeDSPaRes' && rest['errorCode'] === -3 ? rest : { ...rest, errorCorrelationId },
    'scheme-error-without-correlation-id': ({ errorCorrelationId, ...rest }, status) =>
      rest['errorCode'] === ABOUT.scheme && status === 400 ? rest : { ...rest, errorCorrelationId },
  },
});

const codeIsNumber = decision({
  rule: 'GW-ERR-08',
  honest: (code: number): unknown => code,
  lies: {
    'error-code-of-broken-bodies-as-text': (code) => (code === -3 ? '-3' : code),
    'error-code-of-addresses-as-text': (code) => (code === ABOUT.address ? String(code) : code),
    'error-code-as-text': String,
    'error-code-by-name': () => 'BAD_REQUEST',
  },
});

const messageIsText = decision({
  rule: 'GW-ERR-09',
  honest: (message: string): unknown => message,
  lies: { 'error-message-as-list': (message) => [message], 'error-message-as-object': (message) => ({ en: message }) },
});

const correlationIsFresh = decision({
  rule: 'GW-ERR-10',
  honest: (id: string | number, _refusal: GatewayRefusal, _operation: GatewayOperationId | undefined): unknown => id,
  lies: {
    'correlation-id-shared-by-broken-bodies': (id, { code }) => (code === -3 ? 'broken-body' : id),
    'correlation-id-shared-by-malformed-bodies': (id, { code }) => (code === ABOUT.malformed ? 'malformed-body' : id),
    'correlation-id-shared-by-requestor-ids': (id, { code }) => (code === ABOUT.path ? 'requestor-id' : id),
    'correlation-id-shared-by-unknown-orders': (id, { code }) => (code === ABOUT.order ? 'unknown-order' : id),
    'correlation-id-shared-by-addresses': (id, { code }) => (code === ABOUT.address ? 'address' : id),
    'correlation-id-shared-by-failures': (id, { status }) => (status === 500 ? 'failure' : id),
    'correlation-id-shared-by-401s-of-balances': (id, { status }, operation) =>
      status === 401 && operation?.startsWith('balance') ? 'balance' : id,
    'correlation-id-shared-by-unknown-balances': (id, refusal) =>
      isAbout(refusal, 'balanceName') && refusal.message.startsWith('There is no') ? 'unknown-balance' : id,
    'correlation-id-shared-by-broken-captures': (id, { code }, operation) =>
      code === -3 && operation === 'capture' ? 'broken-capture' : id,
    'correlation-id-shared-by-errors-about-a-cres': (id, _refusal, operation) =>
      operation === 'threeDSCRes' ? 'cres' : id,
    'correlation-id-shared-by-refused-transfers': (id, { code }) => (isOfTransfer(code) ? 'transfer' : id),
    'error-correlation-id-shared': () => '00000000-0000-4000-8000-000000000000',
    'error-correlation-id-as-object': (id) => ({ id }),
  },
});

const badRequestHasBody = decision({
  rule: 'GW-ERR-11',
  honest: (reply: GatewayReply): GatewayReply => reply,
  lies: {
    '400-without-body': (reply) => (reply.status === 400 ? { status: 400, body: undefined } : reply),
    '400-for-broken-bodies-without-body': (reply) =>
      (reply.body as Body)['errorCode'] === -3 ? { status: 400, body: undefined } : reply,
    '400-body-as-text': (reply) => (reply.status === 400 ? inWords(reply) : reply),
  },
});

const unauthorizedHasBody = decision({
  rule: 'GW-ERR-13',
  honest: (reply: GatewayReply): GatewayReply => reply,
  lies: {
    '401-without-body': (reply) => (reply.status === 401 ? { status: 401, body: undefined } : reply),
    '401-body-as-text': (reply) => (reply.status === 401 ? inWords(reply) : reply),
  },
});

const failureHasBody = decision({
  rule: 'GW-ERR-14',
  honest: (reply: GatewayReply): GatewayReply => reply,
  lies: {
    '500-without-body': (reply) => (reply.status === 500 ? { status: 500, body: undefined } : reply),
    '500-body-as-text': (reply) => (reply.status === 500 ? inWords(reply) : reply),
    '500-body-as-list': (reply) => (reply.status === 500 ? { ...reply, body: [reply.body] } : reply),
  },
});

const mediaType = decision({
  rule: 'GW-ERR-12',
  honest: (_status: number, _code: number, _operation: GatewayOperationId | undefined) =>
    'application/json; charset=utf-8',
  lies: {
    'charset-missing-on-broken-bodies': (_status, code) =>
      code === -3 ? 'application/json' : 'application/json; charset=utf-8',
    'malformed-body-answered-in-plain-text': (_status, code) =>
      code === ABOUT.malformed ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'charset-missing-on-requestor-ids': (_status, code) =>
      code === ABOUT.path ? 'application/json' : 'application/json; charset=utf-8',
    'charset-missing-on-unknown-orders': (_status, code) =>
      code === ABOUT.order ? 'application/json' : 'application/json; charset=utf-8',
    'charset-missing-on-401s-about-a-pares': (status, _code, operation) =>
      status === 401 && operation === 'threeDSPaRes' ? 'application/json' : 'application/json; charset=utf-8',
    'charset-missing-on-addresses': (_status, code) =>
      code === ABOUT.address ? 'application/json' : 'application/json; charset=utf-8',
    'error-charset-missing': () => 'application/json',
    'error-charset-latin': () => 'application/json; charset=iso-8859-1',
    '500-charset-missing': (status) => (status === 500 ? 'application/json' : 'application/json; charset=utf-8'),
    'charset-missing-on-transfer-errors': (_status, code) =>
      isOfTransfer(code) ? 'application/json' : 'application/json; charset=utf-8',
    '401-charset-missing': (status) => (status === 401 ? 'application/json' : 'application/json; charset=utf-8'),
  },
});

const bodyErrorsAre400 = decision({
  rule: 'GW-GEN-03',
  honest: (refusal: GatewayRefusal, _operation: GatewayOperationId | undefined) => refusal.status,
  lies: {
    'malformed-body-answered-415': (refusal) => (refusal.code === ABOUT.malformed ? 415 : refusal.status),
    'reversal-of-anothers-order-answered-404': (refusal, operation) =>
      refusal.code === ABOUT.order && operation === 'reversal' ? 404 : refusal.status,
    'cres-for-anothers-order-answered-404': (refusal, operation) =>
      refusal.code === ABOUT.order && operation === 'threeDSCRes' ? 404 : refusal.status,
    'pares-of-an-unknown-order-answered-404': (refusal, operation) =>
      refusal.code === ABOUT.order && operation === 'threeDSPaRes' ? 404 : refusal.status,
    'method-of-an-unknown-order-answered-404': (refusal, operation) =>
      refusal.code === ABOUT.order && operation === 'threeDSMethod' ? 404 : refusal.status,
    'unknown-balance-answered-404': (refusal) =>
      isAbout(refusal, 'balanceName') && refusal.message.startsWith('There is no') ? 404 : refusal.status,
    'issuers-answer-of-nobody-answered-403': (refusal) =>
      isAbout(refusal, 'cres') || isAbout(refusal, 'paRes') ? 403 : refusal.status,
    'unknown-balance-of-a-manager-answered-404': (refusal, operation) =>
      isAbout(refusal, 'balanceName') && operation === 'balanceByManager' ? 404 : refusal.status,
    'malformed-payment-answered-422': (refusal, operation) =>
      refusal.code === ABOUT.malformed && operation === 'sale' ? 422 : refusal.status,
    'method-reported-again-answered-409': (refusal, operation) =>
      operation === 'threeDSMethod' && refusal.code !== ABOUT.malformed && refusal.status === 400
        ? 409
        : refusal.status,
    'failure-inside-answered-503': (refusal) => (refusal.status === 500 ? 503 : refusal.status),
    'broken-body-answered-422': (refusal) => (refusal.code === -3 ? 422 : refusal.status),
    'unknown-order-answered-404': (refusal) => (refusal.code === -27 ? 404 : refusal.status),
  },
});

/** An error on the wire: number, text, correlation id, and what some errors add. */
export function buildErrorResponse(
  activeLies: ActiveLies,
  refusal: GatewayRefusal,
  correlationId: string | number,
  operation?: GatewayOperationId,
): GatewayReply {
  const status = bodyErrorsAre400(activeLies, refusal, operation);
  const body = threeFields(
    activeLies,
    {
      errorCode: codeIsNumber(activeLies, refusal.code),
      errorMessage: messageIsText(activeLies, refusal.message),
      errorCorrelationId: correlationIsFresh(activeLies, correlationId, refusal, operation),
      ...refusal.more,
    },
    status,
    operation,
  );
  const reply = { status, body, type: mediaType(activeLies, status, refusal.code, operation) };
  return failureHasBody(activeLies, unauthorizedHasBody(activeLies, badRequestHasBody(activeLies, reply)));
}

/** The media type as promised, the body a JSON text instead of an object. */
function inWords(reply: GatewayReply): GatewayReply {
  return { ...reply, body: JSON.stringify((reply.body as Body)['errorMessage']) };
}
