import type { GatewayChoices } from './gateway-choices.ts';
import type { Entry, Order, Terms } from './gateway-orders.ts';
import { find, look, put } from './pointer.ts';

/** An amount in minor units, as a request writes it; undefined for none, NaN for what is no amount. */
export function minor(value: unknown, style: GatewayChoices['amount']): number | undefined {
  if (value === undefined) return undefined;
  const [unit, type] = style.split('-');
  if (typeof value !== type) return Number.NaN;
  return Math.round(Number(value) * (unit === 'decimal' ? 100 : 1));
}

function written(amount: number, style: GatewayChoices['amount']): unknown {
  const [unit, type] = style.split('-');
  if (type === 'number') return unit === 'decimal' ? amount / 100 : amount;
  return unit === 'decimal' ? (amount / 100).toFixed(2) : String(amount);
}

/** What a body has in the place of a template's placeholder; undefined where there is nothing. */
export function read(template: unknown, body: unknown, name: string): string | number | undefined {
  const place = find(template, name);
  if (place === undefined) return undefined;
  const value = look(body, place.at);
  return typeof value === 'string' ? place.form.exec(value)?.[1] : (value as number | undefined);
}

/** What a payment request says, read where the templates of the choices have it. */
export function paid(choices: GatewayChoices, body: Record<string, unknown>, requestor: number) {
  const { card: means, order, urls, besides, cards, journeys } = choices;
  const amount = minor(read({ order }, body, 'amount'), choices.amount) ?? Number.NaN;
  const [card, code] = ['cardNumber', 'cardCode'].map((name) => String(read(means, body, name) ?? ''));
  const cardId = body.paymentMethod === 'CARD_ID' ? read(journeys.registered, body, 'cardId') : undefined;
  const absent = ['order', 'browser', ...Object.keys(besides)].filter((name) => body[name] === undefined);
  const wrong = [...absent, ...(absent.includes('order') || !Number.isNaN(amount) ? [] : ['amount'])];
  const names = ['returnUrl', 'cancelUrl', 'cresUrl', 'callbackUrl'];
  const address = (name: string) => [name, read({ urls }, body, name)?.toString()] as const;
  const terms: Terms = {
    merchantId: String(body.orderMerchantId ?? read({ order }, body, 'orderMerchantId') ?? ''),
    ...{ requestor, amount, credit: card === cards.credit },
    currency: String(read({ order }, body, 'currency') ?? ''),
    urls: Object.fromEntries(names.map(address)),
  };
  const behaviour = behaviourOf(choices, cardId === undefined ? code! : '', amount);
  return { wrong, terms, behaviour, card: card!, cardId };
}

/** What a card does, by its code or by the amount. */
export function behaviourOf({ steers, behaviours }: GatewayChoices, code: string, amount: number): string {
  const said = steers === 'code' ? code : String(amount);
  return Object.entries(behaviours).find(([, one]) => one === said)?.[0] ?? 'approved';
}

/** Whether something may be a card number. */
export const isCard = (number: string): boolean => /^\d{12,19}$/.test(number);

/** The transactions of an order as the service shows them; undefined while there are none to show. */
export function entries(choices: GatewayChoices, { entries: all }: Order): readonly unknown[] | undefined {
  const listed = listedOf(choices, all);
  if (listed.length === 0) return undefined;
  return listed.map((one) => shown(choices, one));
}

/** Those that the service lists. */
export function listedOf(choices: GatewayChoices, all: readonly Entry[]): readonly Entry[] {
  return all.filter(
    ({ state }) =>
      state === 'approved' ||
      (state === 'refused' && choices.listsRefused) ||
      (state === 'pending' && choices.listsPending),
  );
}

/** What an entry says of its type. */
export function typeOf({ types }: GatewayChoices, { kind, refund }: Entry): string {
  const [first, other = first] = types[kind] ?? ['?'];
  return refund ? other : first;
}

function shown(choices: GatewayChoices, one: Entry): unknown {
  const { entry, states, negative, amountRead } = choices;
  let made: unknown = put({}, entry.type, typeOf(choices, one));
  made = put(made, entry.amount, written(one.kind === 'reversal' && negative ? -one.amount : one.amount, amountRead));
  return entry.state === undefined ? made : put(made, entry.state, states[one.state]);
}
