import { valueAt, withValueAt } from '#json-pointer';
import { findPlaceholder } from '../find-placeholder.ts';
import type { GatewayAlternateChoices } from './choices.ts';
import type { AlternateOrder, AlternatePaymentTerms, AlternateTransaction } from './orders.ts';

/** An amount in minor units, as a request writes it; undefined for none, NaN for what is no amount. */
export function readMinorAmount(value: unknown, style: GatewayAlternateChoices['amount']): number | undefined {
  if (value === undefined) return undefined;
  const [unit, type] = style.split('-');
  if (typeof value !== type) return Number.NaN;
  return Math.round(Number(value) * (unit === 'decimal' ? 100 : 1));
}

function written(amount: number, style: GatewayAlternateChoices['amount']): unknown {
  const [unit, type] = style.split('-');
  if (type === 'number') return unit === 'decimal' ? amount / 100 : amount;
  return unit === 'decimal' ? (amount / 100).toFixed(2) : String(amount);
}

/** What a body has in the place of a template's placeholder; undefined where there is nothing. */
export function readPlaceholder(template: unknown, body: unknown, name: string): string | number | undefined {
  const place = findPlaceholder(template, name);
  if (place === undefined) return undefined;
  const value = valueAt(body, place.at);
  return typeof value === 'string' ? place.form.exec(value)?.[1] : (value as number | undefined);
}

/** What a payment request says, read where the templates of the choices have it. */
export function readPaymentRequest(choices: GatewayAlternateChoices, body: Record<string, unknown>, requestor: number) {
  const { card: means, order, urls, extraMembers: besides, cards, journeys } = choices;
  const amount = readMinorAmount(readPlaceholder({ order }, body, 'amount'), choices.amount) ?? Number.NaN;
  const [card, code] = ['cardNumber', 'cardCode'].map((name) => String(readPlaceholder(means, body, name) ?? ''));
  const cardId = body.paymentMethod === 'CARD_ID' ? readPlaceholder(journeys.registered, body, 'cardId') : undefined;
  const absent = ['order', 'browser', ...Object.keys(besides)].filter((name) => body[name] === undefined);
  const wrong = [...absent, ...(absent.includes('order') || !Number.isNaN(amount) ? [] : ['amount'])];
  const names = ['returnUrl', 'cancelUrl', 'cresUrl', 'callbackUrl'];
  const address = (name: string) => [name, readPlaceholder({ urls }, body, name)?.toString()] as const;
  const terms: AlternatePaymentTerms = {
    merchantId: String(body.orderMerchantId ?? readPlaceholder({ order }, body, 'orderMerchantId') ?? ''),
    ...{ requestor, amount, credit: card === cards.credit },
    currency: String(readPlaceholder({ order }, body, 'currency') ?? ''),
    urls: Object.fromEntries(names.map(address)),
  };
  const behaviour = chooseCardBehaviour(choices, cardId === undefined ? code! : '', amount);
  return { wrong, terms, behaviour, card: card!, cardId };
}

/** What a card does, by its code or by the amount. */
export function chooseCardBehaviour(
  { steers, behaviours }: GatewayAlternateChoices,
  code: string,
  amount: number,
): string {
  const said = steers === 'code' ? code : String(amount);
  return Object.entries(behaviours).find(([, one]) => one === said)?.[0] ?? 'approved';
}

/** Whether something may be a card number. */
export const hasCardNumberForm = (number: string): boolean => /^\d{12,19}$/.test(number);

/** The transactions of an order as the service shows them; undefined while there are none to show. */
export function showTransactions(
  choices: GatewayAlternateChoices,
  { entries: all }: AlternateOrder,
): readonly unknown[] | undefined {
  const listed = listedTransactions(choices, all);
  if (listed.length === 0) return undefined;
  return listed.map((one) => shown(choices, one));
}

/** Those that the service lists. */
export function listedTransactions(
  choices: GatewayAlternateChoices,
  all: readonly AlternateTransaction[],
): readonly AlternateTransaction[] {
  return all.filter(
    ({ state }) =>
      state === 'approved' ||
      (state === 'refused' && choices.listsRefused) ||
      (state === 'pending' && choices.listsPending),
  );
}

/** What an entry says of its type. */
export function transactionTypeOf({ types }: GatewayAlternateChoices, { kind, refund }: AlternateTransaction): string {
  const [first, other = first] = types[kind] ?? ['?'];
  return refund ? other : first;
}

function shown(choices: GatewayAlternateChoices, one: AlternateTransaction): unknown {
  const { entry, states, negative, amountRead } = choices;
  let made: unknown = withValueAt({}, entry.type, transactionTypeOf(choices, one));
  made = withValueAt(
    made,
    entry.amount,
    written(one.kind === 'reversal' && negative ? -one.amount : one.amount, amountRead),
  );
  return entry.state === undefined ? made : withValueAt(made, entry.state, states[one.state]);
}
