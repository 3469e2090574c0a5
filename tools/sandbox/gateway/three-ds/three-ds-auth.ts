import { type ActiveLies, decision } from '../../decision.ts';
import type { GatewayChoices } from '../choices.ts';
import { isForSecond } from '../credentials.ts';
import type { AuthenticationStep, GatewayOrder } from '../orders/order.ts';
import { serverTransactionIdOf } from './authentication-step.ts';

type Body = Record<string, unknown>;
const says = (body: Body, _order: GatewayOrder): Body => body;
const without = (step: string, name: string) => (body: Body) => {
  if (body['threeDSAuthStep'] === step) delete body[name];
  return body;
};
const relative = (step: string, name: string) => (body: Body) =>
  body['threeDSAuthStep'] === step ? { ...body, [name]: new URL(String(body[name])).pathname } : body;

const methodHasItsFields = decision({
  rule: 'GW-TDS-16',
  honest: says,
  lies: {
    'method-url-missing': without('THREEDS_METHOD', 'threeDSMethodUrl'),
    'method-url-relative': relative('THREEDS_METHOD', 'threeDSMethodUrl'),
    'method-transaction-id-shared-by-orders': (body) =>
      body['threeDSMethodTransactionId'] ? { ...body, threeDSMethodTransactionId: 'method-1' } : body,
    'method-transaction-id-missing': without('THREEDS_METHOD', 'threeDSMethodTransactionId'),
    'method-transaction-id-for-another-requestor-missing': (body, order) =>
      isForSecond(order) ? without('THREEDS_METHOD', 'threeDSMethodTransactionId')(body) : body,
    'method-transaction-id-of-an-authorization-missing': (body, { kind }) =>
      kind === 'AUTH' ? without('THREEDS_METHOD', 'threeDSMethodTransactionId')(body) : body,
  },
});

const challengeHasItsFields = decision({
  rule: 'GW-TDS-18',
  honest: says,
  lies: {
    'creq-missing': without('CREQ', 'creq'),
    'challenge-acs-url-missing': without('CREQ', 'acsUrl'),
    'challenge-acs-url-for-another-requestor-missing': (body, order) =>
      isForSecond(order) ? without('CREQ', 'acsUrl')(body) : body,
    'challenge-acs-url-of-an-authorization-missing': (body, { kind }) =>
      kind === 'AUTH' ? without('CREQ', 'acsUrl')(body) : body,
    'challenge-acs-url-of-a-verification-missing': (body, { kind }) =>
      kind === 'ACCOUNT_VERIFICATION' ? without('CREQ', 'acsUrl')(body) : body,
    'challenge-acs-url-relative': relative('CREQ', 'acsUrl'),
  },
});

const creqIsBase64url = decision({
  rule: 'GW-TDS-17',
  honest: says,
  lies: {
    // The leading bytes make sure that both alphabets and the padding differ.
    'creq-in-plain-base64': (body) =>
      body['creq']
        ? { ...body, creq: Buffer.from(`>>>???~${decoded(body['creq'])}==`).toString('base64') + '=' }
        : body,
    'creq-for-another-requestor-as-plain-json': (body, order) =>
      body['creq'] && isForSecond(order) ? { ...body, creq: decoded(body['creq']) } : body,
    'creq-of-an-authorization-as-plain-json': (body, { kind }) =>
      body['creq'] && kind === 'AUTH' ? { ...body, creq: decoded(body['creq']) } : body,
    'creq-of-a-verification-as-plain-json': (body, { kind }) =>
      body['creq'] && kind === 'ACCOUNT_VERIFICATION' ? { ...body, creq: decoded(body['creq']) } : body,
    'creq-as-plain-json': (body) => (body['creq'] ? { ...body, creq: decoded(body['creq']) } : body),
  },
});

const pareqHasItsFields = decision({
  rule: 'GW-TDS-19',
  honest: says,
  lies: {
    'pareq-missing': without('PAREQ', 'paReq'),
    'pareq-acs-url-missing': without('PAREQ', 'acsUrl'),
    'pareq-acs-url-for-another-requestor-missing': (body, order) =>
      isForSecond(order) ? without('PAREQ', 'acsUrl')(body) : body,
    'pareq-acs-url-of-an-authorization-missing': (body, { kind }) =>
      kind === 'AUTH' ? without('PAREQ', 'acsUrl')(body) : body,
    'pareq-acs-url-of-a-verification-missing': (body, { kind }) =>
      kind === 'ACCOUNT_VERIFICATION' ? without('PAREQ', 'acsUrl')(body) : body,
    'pareq-acs-url-relative': relative('PAREQ', 'acsUrl'),
  },
});

const isAnObject = decision({
  rule: 'GW-TDS-15',
  honest: (body: Body): unknown => body,
  lies: {
    'three-ds-as-text': (body) => JSON.stringify(body),
    'three-ds-as-array': (body) => [body],
  },
});

/** threeDSAuth of an order that waits in a 3-D Secure step. */
export function buildThreeDSAuth(
  activeLies: ActiveLies,
  order: GatewayOrder,
  step: AuthenticationStep,
  { serverTransactionId }: Pick<GatewayChoices, 'serverTransactionId'>,
): unknown {
  const acs = `${order.origin}/acs`;
  let body: Body;
  if (step.name === 'THREEDS_METHOD')
    body = {
      threeDSAuthStep: step.name,
      threeDSMethodUrl: `${acs}/method/${step.token}`,
      threeDSMethodTransactionId: step.token,
      ...(serverTransactionId === 'one of its own' ? { serverTransaction: { id: serverTransactionIdOf(step) } } : {}),
    };
  else if (step.name === 'CREQ') body = { threeDSAuthStep: step.name, creq: step.message, acsUrl: `${acs}/challenge` };
  else body = { threeDSAuthStep: step.name, paReq: step.message, acsUrl: `${acs}/pareq` };
  if (activeLies.size === 0) return body;
  for (const has of [methodHasItsFields, challengeHasItsFields, creqIsBase64url, pareqHasItsFields])
    body = has(activeLies, body, order);
  return isAnObject(activeLies, body);
}

function decoded(value: unknown): string {
  return Buffer.from(String(value), 'base64url').toString();
}
