import { decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import type { GatewayState } from '../gateway-state.ts';
import { openOrder } from '../orders/open-order.ts';
import { findSandboxCard, type SandboxCard } from '../payments/sandbox-cards.ts';
import { refuseParameter } from '../wire/gateway-refusal.ts';
import { writeCorrelationId } from '../wire/identifiers.ts';
import { requireText } from '../wire/request-fields.ts';

type Body = Record<string, unknown>;
const says = (body: Body, _card: SandboxCard | undefined): Body => body;
const drop = (name: string) => (body: Body) => {
  const { [name]: _, ...rest } = body;
  return rest;
};
const put = (name: string, value: unknown) => (body: Body) => (name in body ? { ...body, [name]: value } : body);
const copy = (from: string, name: string) => (body: Body) => put(name, body[from])(body);

/** What the last lookup came to; only lies go by it. */
const results = new WeakMap<GatewayState, string>();

const listedIsFound = decision({
  rule: 'GW-INF-02',
  honest: (result: string, _before: string | undefined) => result,
  lies: {
    'listed-card-not-found': (result) => (result === 'FOUND' ? 'NOT_FOUND_01' : result),
    'listed-card-not-found-after-another': (result, before = result) =>
      before.startsWith('NOT_FOUND') && result === 'FOUND' ? before : result,
  },
});

const unlistedIsNotFound = decision({
  rule: 'GW-INF-03',
  honest: (result: string, _before: string | undefined) => result,
  lies: {
    'unlisted-card-found': () => 'FOUND',
    'unlisted-card-found-after-another': (result, before) => (before === 'FOUND' ? before : result),
    'second-kind-of-unlisted-card-found': (result) => (result === 'NOT_FOUND_02' ? 'FOUND' : result),
  },
});

/** How many milliseconds a lookup goes on in which others find its card. */
const mixesOthers = decideMixUp('GW-INF-03', 'unlisted-card-looked-up-at-once-with-another-found');

const resultIsNamed = decision({
  rule: 'GW-INF-06',
  honest: says,
  lies: {
    'lookup-without-result': drop('result'),
    'lookup-result-not-listed': (body) => ({ ...body, result: body['result'] === 'FOUND' ? 'OK' : 'NOT_FOUND' }),
    'lookup-result-as-flag': (body) => ({ ...body, result: body['result'] === 'FOUND' }),
  },
});

const issuerName = decision({
  rule: 'GW-INF-07',
  honest: says,
  lies: {
    'issuer-name-as-object': put('cardIssuerName', { name: 'Sandbox Bank' }),
    'issuer-name-as-number': put('cardIssuerName', 17),
    'issuer-name-is-its-country': copy('cardIssuerCountryCode', 'cardIssuerName'),
    'issuer-name-is-the-currency': copy('cardCurrencyCode', 'cardIssuerName'),
    'issuer-name-empty': put('cardIssuerName', ''),
  },
});

const issuerCountry = decision({
  rule: 'GW-INF-08',
  honest: says,
  lies: {
    'issuer-country-as-name': put('cardIssuerCountryCode', 'Germany'),
    'issuer-country-is-the-currency': copy('cardCurrencyCode', 'cardIssuerCountryCode'),
    'issuer-country-of-one-letter': put('cardIssuerCountryCode', 'D'),
  },
});

const cardCurrency = decision({
  rule: 'GW-INF-09',
  honest: says,
  lies: {
    'card-currency-as-sign': put('cardCurrencyCode', '€'),
    'card-currency-as-name': put('cardCurrencyCode', 'Euro'),
  },
});

const foundHasAll = decision({
  rule: 'GW-INF-10',
  honest: says,
  lies: {
    'found-without-issuer-name': drop('cardIssuerName'),
    'found-without-issuer-country': drop('cardIssuerCountryCode'),
    'found-without-currency': drop('cardCurrencyCode'),
    'credit-card-found-without-currency': (body, card) =>
      card?.name === 'credit' ? drop('cardCurrencyCode')(body) : body,
  },
});

const clientIdIsText = decision({
  rule: 'GW-INF-05',
  honest: (_client: string) => true,
  lies: { 'client-id-must-be-a-number': (client) => /^\d+$/.test(client) },
});

const leavesNoOrder = decision({
  rule: 'GW-INF-04',
  honest: (_result: string) => true,
  lies: {
    'card-info-leaves-an-order': () => false,
    'card-info-of-an-unknown-issuer-leaves-an-order': (result) => result === 'FOUND',
  },
});

/** An order of the main requestor that the lookup leaves, under the lie that it does. */
function leaveOrder(call: GatewayCall): unknown {
  const { orders, world } = call.gatewayState;
  const body = { ...call.body, order: { orderAmount: '1' } };
  return orders.correlate(world, openOrder({ ...call, requestor: world.credentials.main.id, body }, 'AUTH'), {
    in: call.operation,
  });
}

/** get-card-info: who issued a card; nothing else happens. */
export function answerCardInfo(call: GatewayCall): GatewayReply {
  const { activeLies, body, subject } = call;
  if (!clientIdIsText(activeLies, subject)) throw refuseParameter('clientId', `Cannot parse client id: ${subject}`);
  const number = requireText(body, 'cardNumber').replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number)) throw refuseParameter('cardNumber');
  return call.gatewayState.rush.answer(activeLies, 'card lookup', [mixesOthers], (isAtOnce) =>
    lookUp(call, number, isAtOnce),
  );
}

function lookUp(call: GatewayCall, number: string, isAtOnce: boolean): GatewayReply {
  const { activeLies } = call;
  const known = isAtOnce ? undefined : findSandboxCard(number);
  const unknown = isAtOnce || /^[2345]/.test(number) ? 'FOUND' : 'NOT_FOUND_01';
  const listed = known === undefined ? unknown : (known.listed ?? 'FOUND');
  const { world } = call.gatewayState;
  const before = results.get(call.gatewayState);
  const result = unlistedIsNotFound(activeLies, listedIsFound(activeLies, listed, before), before);
  results.set(call.gatewayState, listed);
  let answer: Body = { result };
  if (result === 'FOUND')
    answer = { result, cardIssuerName: 'Sandbox Bank', cardIssuerCountryCode: 'DE', cardCurrencyCode: 'EUR' };
  for (const step of [resultIsNamed, issuerName, issuerCountry, cardCurrency, foundHasAll])
    answer = step(activeLies, answer, known);
  const correlationId = leavesNoOrder(activeLies, result)
    ? writeCorrelationId(world.choices, world.uuid())
    : leaveOrder(call);
  return { status: 200, body: { ...answer, correlationId } };
}
