import { createHash } from 'node:crypto';
import { decision } from '../decision.ts';
import type { Call } from './call.ts';
import { type Behaviour, findCard } from './cards.ts';
import { isObject, type Json, needText, text } from './fields.ts';
import type { PaidWith } from './order.ts';
import { invalid } from './refusal.ts';

const SCHEMES: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'VISA'],
  [/^(5[1-5]|2[2-7])/, 'MASTERCARD'],
  [/^(50|6)/, 'MAESTRO'],
];

/** Names that the sandbox gives to the kinds of payment which the document leaves unnamed. */
const OTHER_METHODS = new Set(['APPLE_PAY', 'GOOGLE_PAY', 'OPEN_BANKING', 'QR_CODE', 'BLIK']);

const cardMethodIsTaken = decision({
  rule: 'GW-SAL-03',
  honest: (_call: Call) => true,
  lies: { 'sale-refuses-method-card': (call) => call.operation !== 'sale' },
});

const verificationTakesCard = decision({
  rule: 'GW-VER-08',
  honest: (_call: Call) => true,
  lies: { 'verification-refuses-method-card': (call) => call.operation !== 'accountVerification' },
});

const registeredCardPays = decision({
  rule: 'GW-REC-01',
  honest: () => true,
  lies: { 'registered-card-refused': () => false },
});

const registeredCardIsScoped = decision({
  rule: 'GW-REC-02',
  honest: (owner: number, requestor: number) => owner === requestor,
  lies: { 'registered-card-pays-for-anyone': () => true },
});

/**
 * The card that a request pays with: sent or registered.
 * @returns the card to remember, or only a behaviour for methods without a card
 * @throws Refusal 400 when the method is unknown or its data is missing
 */
export function payingCard(call: Call): { card: PaidWith | undefined; behaviour: Behaviour } {
  const { body, faults } = call;
  const method =
    body['paymentMethod'] ?? (body['cardId'] !== undefined && body['card'] === undefined ? 'CARD_ID' : 'CARD');
  if (method === 'CARD') {
    const named = body['paymentMethod'] !== undefined;
    if (named && !(cardMethodIsTaken(faults, call) && verificationTakesCard(faults, call)))
      throw invalid('paymentMethod');
    if (!isObject(body['card'])) throw invalid('card', 'cardId or card should be filled if paymentMethod = CARD');
    const card = readCard(body['card'], call.desk.world.clock.now());
    return { card, behaviour: card.behaviour };
  }
  if (method === 'CARD_ID') {
    const found = call.desk.orders.registered.get(needText(body, 'cardId'));
    if (found === undefined || !registeredCardPays(faults)) throw invalid('cardId', 'cardId is not registered');
    if (!registeredCardIsScoped(faults, found.requestor, call.requestor))
      throw invalid('cardId', 'cardId is not registered');
    // The customer is absent: no 3-D Secure.
    const { step: _, ...behaviour } = found.card.behaviour;
    return { card: found.card, behaviour };
  }
  if (typeof method === 'string' && OTHER_METHODS.has(method))
    return { card: undefined, behaviour: { via: 'PROCESSING', ending: 'APPROVED', holdDays: 7 } };
  throw invalid('paymentMethod');
}

/**
 * Reads card data; number and code are not kept.
 * @throws Refusal 400 naming what is missing or malformed
 */
export function readCard(data: Json, now: number): PaidWith {
  const number = needText(data, 'cardNumber').replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number)) throw invalid('cardNumber');
  const month = Number(text(data['expireMonth']));
  const year = Number(text(data['expireYear']));
  if (!Number.isInteger(month) || month < 1 || month > 12) throw invalid('expireMonth');
  if (!Number.isInteger(year) || year < 2000 || year > 2199) throw invalid('expireYear');
  const code = text(data['cvv2']);
  if (code !== undefined && !/^\d{3,4}$/.test(code)) throw invalid('cvv2');
  const known = findCard(number, code);
  const expired = Date.UTC(year, month, 1) <= now;
  const declined: Behaviour = { ending: 'DECLINED', holdDays: 7 };
  return {
    first: number.slice(0, 6),
    last: number.slice(-4),
    holder: text(data['cardPrintedName']),
    month,
    year,
    scheme: SCHEMES.find(([start]) => start.test(number))?.[1] ?? 'UNKNOWN',
    issuer: known?.listed === undefined || known.listed === 'FOUND' ? 'Sandbox Bank' : undefined,
    fingerprint: createHash('sha256').update(`card ${number}`).digest('hex').slice(0, 32),
    behaviour: known === undefined || expired ? declined : known.script,
  };
}
