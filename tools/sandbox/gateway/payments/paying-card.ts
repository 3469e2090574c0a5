import { createHmac } from 'node:crypto';
import { type ActiveLies, decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { isSecondsAgo } from '../../real-time.ts';
import { isLike } from '../../sql-pattern.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayWorld } from '../gateway-world.ts';
import { openOrder } from '../orders/open-order.ts';
import type { RememberedCard } from '../orders/order.ts';
import type { RegisteredCard } from '../orders/order-book.ts';
import { GatewayRefusal, refuseParameter } from '../wire/gateway-refusal.ts';
import { isJsonObject, type JsonObject, readFieldText, requireText } from '../wire/request-fields.ts';
import { findSandboxCard, type IssuerBehaviour } from './sandbox-cards.ts';

const SCHEMES: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'VISA'],
  [/^(5[1-5]|2[2-7])/, 'MASTERCARD'],
  [/^(50|6)/, 'MAESTRO'],
];

/** Names that the sandbox gives to the kinds of payment which the document leaves unnamed. */
const OTHER_METHODS = new Set(['APPLE_PAY', 'GOOGLE_PAY', 'OPEN_BANKING', 'QR_CODE', 'BLIK']);

const cardMethodIsTaken = decision({
  rule: 'GW-SAL-03',
  honest: (_call: GatewayCall) => true,
  lies: { 'sale-refuses-method-card': (call) => call.operation !== 'sale' },
});

const verificationTakesCard = decision({
  rule: 'GW-VER-08',
  honest: (_call: GatewayCall) => true,
  lies: { 'verification-refuses-method-card': (call) => call.operation !== 'accountVerification' },
});

const registeredCardPays = decision({
  rule: 'GW-REC-01',
  honest: (_one: RegisteredCard, _days: number, _call: GatewayCall) => true,
  lies: {
    'registered-card-refused': () => false,
    'registered-card-of-a-hundred-orders-ago-refused': ({ from }, _days, { gatewayState }) =>
      !gatewayState.orders.isLongAgo(from),
    'registered-card-pays-once': ({ isUsed }) => isUsed !== true,
    'registered-card-forgotten-after-seconds': ({ atReally }) => !isSecondsAgo(atReally),
    'registered-card-forgotten-after-two-weeks': (_one, days) => days < 14,
    'registered-card-refused-for-another-requestor': (_one, _days, call) => !isForSecond(call),
    'registered-card-refused-in-several-currencies': (_one, _days, call) => !isForMulticurrency(call),
    'registered-card-of-an-authorization-refused': ({ from }) => from.kind !== 'AUTH',
    'registered-card-of-a-verification-refused': ({ from }) => from.kind !== 'ACCOUNT_VERIFICATION',
    'registered-card-of-a-refunded-sale-refused': ({ from }) =>
      !from.transactions.some(({ reversalType }) => reversalType === 'REFUND'),
    'registered-card-of-a-voided-authorization-refused': ({ from }) =>
      !from.transactions.some(({ reversalType }) => reversalType === 'VOID'),
    'registered-card-of-a-form-refused': ({ from }) => from.form === undefined,
    'registered-card-after-3-d-secure-refused': ({ card }) => card.behaviour.step === undefined,
  },
});

const registeredCardIsScoped = decision({
  rule: 'GW-REC-02',
  honest: ({ requestor: owner }: RegisteredCard, { requestor }: GatewayCall) => owner === requestor,
  lies: {
    'registered-card-pays-for-anyone': () => true,
    'registered-card-pays-for-anyone-after-a-refusal': ({ requestor: owner, isRefused }, { requestor }) =>
      owner === requestor || isRefused === true,
    'registered-card-pays-for-a-requestor-of-several-currencies': ({ requestor: owner }, call) =>
      owner === call.requestor || isForMulticurrency(call),
    'registered-card-verified-for-anyone': ({ requestor: owner }, { requestor, operation }) =>
      owner === requestor || operation === 'accountVerification',
    'registered-card-pays-for-anyone-once-used': ({ requestor: owner, isUsed }, { requestor }) =>
      owner === requestor || isUsed === true,
    'registered-card-of-another-pays-for-the-first': ({ requestor: owner }, { requestor, gatewayState }) =>
      owner === requestor || requestor === gatewayState.world.credentials.main.id,
  },
});

/** The card that was registered last under such an id. */
function cardWhoseId({ orders }: GatewayCall['gatewayState'], is: (id: string) => boolean): RegisteredCard | undefined {
  return [...orders.registered].findLast(([id]) => is(id))?.[1];
}

/** The card that its requestor registered last. */
function latestCard({ requestor, gatewayState }: GatewayCall): RegisteredCard | undefined {
  return [...gatewayState.orders.registered.values()].findLast((one) => one.requestor === requestor);
}

/** The card that a cardId stands for: honestly, the one that was registered by it. */
const cardOfId = decision({
  rule: 'GW-REC-02',
  honest: (found: RegisteredCard | undefined, _call: GatewayCall) => found,
  lies: {
    'unknown-card-id-pays-by-the-latest-card': (found, call) => found ?? latestCard(call),
    'card-id-cut-short-pays': (found, { body, gatewayState }) =>
      found ?? cardWhoseId(gatewayState, (id) => id.startsWith(String(body['cardId']))),
    'card-id-read-as-a-pattern-pays': (found, { body, gatewayState }) =>
      found ?? cardWhoseId(gatewayState, (id) => isLike(id, String(body['cardId']))),
    'unknown-card-id-authorizes-by-the-latest-card': (found, call) =>
      found ?? (call.operation === 'auth' ? latestCard(call) : undefined),
    'unknown-card-id-verified-as-the-latest-card': (found, call) =>
      found ?? (call.operation === 'accountVerification' ? latestCard(call) : undefined),
  },
});

/** Whether a payment by another's card is left undone once it is refused. */
const foreignCardDoesNothing = decision({
  rule: 'GW-REC-02',
  honest: (_call: GatewayCall) => true,
  lies: {
    'payment-by-the-card-of-another-refused-and-carried-out': ({ operation }) => operation !== 'sale',
    'authorization-by-the-card-of-another-refused-and-carried-out': ({ operation }) => operation !== 'auth',
  },
});

const refusedCardStatus = decision({
  rule: 'GW-GEN-03',
  honest: (_isKnown: boolean) => 400,
  lies: {
    'unknown-card-id-answered-404': (isKnown) => (isKnown ? 400 : 404),
    'foreign-card-id-answered-403': (isKnown) => (isKnown ? 403 : 400),
  },
});

/** What a card's score has to do with paying: nothing. */
const scoreIsAdvice = decision({
  rule: 'GW-HIS-09',
  honest: (behaviour: IssuerBehaviour, _wasScored: boolean, _call: GatewayCall): IssuerBehaviour => behaviour,
  lies: {
    'worst-score-declined': (one) => endsIn('DECLINED', one),
    'worst-score-declines-an-authorization': (one, _wasScored, { operation }) =>
      operation === 'auth' ? endsIn('DECLINED', one) : one,
    'worst-score-filtered': (one) => endsIn('FILTERED', one),
    'worst-score-declined-once-looked-up': (one, wasScored) => (wasScored ? endsIn('DECLINED', one) : one),
  },
});

/**
 * The card that a request pays with: sent or registered.
 * @returns the card to remember, or only a behaviour for methods without a card
 * @throws Refusal 400 when the method is unknown or its data is missing
 */
export function readPayingCard(call: GatewayCall): { card: RememberedCard | undefined; behaviour: IssuerBehaviour } {
  const { body, activeLies } = call;
  const method =
    body['paymentMethod'] ?? (body['cardId'] !== undefined && body['card'] === undefined ? 'CARD_ID' : 'CARD');
  if (method === 'CARD') {
    const named = body['paymentMethod'] !== undefined;
    if (named && !(cardMethodIsTaken(activeLies, call) && verificationTakesCard(activeLies, call)))
      throw refuseParameter('paymentMethod');
    if (!isJsonObject(body['card']))
      throw refuseParameter('card', 'cardId or card should be filled if paymentMethod = CARD');
    const card = readCardData(body['card'], call.gatewayState.world);
    const wasScored = call.gatewayState.scored.has(card.first + card.last);
    return { card, behaviour: scoreIsAdvice(activeLies, card.behaviour, wasScored, call) };
  }
  if (method === 'CARD_ID') {
    const found = cardOfId(activeLies, call.gatewayState.orders.registered.get(requireText(body, 'cardId')), call);
    const days = (call.gatewayState.world.clock.now() - (found?.at ?? 0)) / DAY;
    if (found === undefined || !registeredCardPays(activeLies, found, days, call))
      throw refuseCardId(activeLies, found !== undefined);
    if (!registeredCardIsScoped(activeLies, found, call)) {
      found.isRefused = true;
      if (!foreignCardDoesNothing(activeLies, call)) openOrder(call, 'SALE').state = 'APPROVED';
      throw refuseCardId(activeLies, true);
    }
    found.isUsed = true;
    // The customer is absent: no 3-D Secure.
    const { step: _, frictionless: __, ...behaviour } = found.card.behaviour;
    const card = { ...found.card, isRegistered: true } as const;
    return { card, behaviour: untilExpiry(behaviour, found.card, call.gatewayState.world) };
  }
  if (typeof method === 'string' && OTHER_METHODS.has(method))
    return { card: undefined, behaviour: { via: 'PROCESSING', ending: 'APPROVED', holdDays: 7 } };
  throw refuseParameter('paymentMethod');
}

function refuseCardId(activeLies: ActiveLies, isKnown: boolean): GatewayRefusal {
  const { code, message, more } = refuseParameter('cardId', 'cardId is not registered');
  return new GatewayRefusal(refusedCardStatus(activeLies, isKnown), code, message, more);
}

function endsIn(ending: IssuerBehaviour['ending'], behaviour: IssuerBehaviour): IssuerBehaviour {
  return behaviour.scoresWorst ? { ...behaviour, ending } : behaviour;
}

/**
 * Reads card data; number and code are not kept.
 * @throws Refusal 400 naming what is missing or malformed, and an expired card where the gateway takes none
 */
export function readCardData(data: JsonObject, world: GatewayWorld): RememberedCard {
  const { choices, credentials } = world;
  const number = requireText(data, 'cardNumber').replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number)) throw refuseParameter('cardNumber');
  const month = Number(readFieldText(data['expireMonth']));
  const year = readYear(readFieldText(data['expireYear']) ?? '', choices.shortYears === 'taken');
  if (!Number.isInteger(month) || month < 1 || month > 12) throw refuseParameter('expireMonth');
  const code = readFieldText(data['cvv2']);
  if (code !== undefined && !/^\d{3,4}$/.test(code)) throw refuseParameter('cvv2');
  const known = findSandboxCard(number, code);
  return {
    first: number.slice(0, 6),
    last: number.slice(-4),
    holder: readFieldText(data['cardPrintedName']),
    month,
    year,
    scheme: SCHEMES.find(([start]) => start.test(number))?.[1] ?? 'UNKNOWN',
    issuer: known?.listed === undefined || known.listed === 'FOUND' ? 'Sandbox Bank' : undefined,
    fingerprint: createHmac('sha256', credentials.main.token).update(number).digest('hex').slice(0, 32),
    behaviour: untilExpiry(known?.script ?? DECLINED, { month, year }, world),
  };
}

const DECLINED: IssuerBehaviour = { ending: 'DECLINED', holdDays: 7 };

/**
 * What an issuer does as long as the card is valid, and a decline that says so once it is not.
 * @throws Refusal 400 for an expired card where the gateway takes none
 */
function untilExpiry(
  behaviour: IssuerBehaviour,
  { month, year }: Pick<RememberedCard, 'month' | 'year'>,
  { clock, choices }: GatewayWorld,
): IssuerBehaviour {
  if (Date.UTC(year, month, 1) > clock.now()) return behaviour;
  const message = `The card expired in ${String(month).padStart(2, '0')}/${year}`;
  if (choices.expiredCard === 'refused') throw refuseParameter('expireYear', message);
  return { ...DECLINED, inactive: true, reason: { code: 154, message } };
}

function readYear(text: string, takesTwoDigits: boolean): number {
  if (/^\d\d$/.test(text)) {
    if (takesTwoDigits) return 2000 + Number(text);
    throw refuseParameter('expireYear', `expireYear should have four digits: 20${text}, not ${text}`);
  }
  const year = Number(text);
  if (!Number.isInteger(year) || year < 2000 || year > 2199) throw refuseParameter('expireYear');
  return year;
}
