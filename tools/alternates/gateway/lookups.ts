import { withValueAt } from '#json-pointer';
import type { AlternateDefects } from '../defects.ts';

import type { GatewayAlternateChoices } from './choices.ts';

type Body = Readonly<Record<string, unknown>>;

/** What is wrong with a body: the names of members; none when it is in order. */
export type WrongMembers = readonly string[];

const filled = (value: unknown) => typeof value === 'string' && value !== '';

/** Issuer of a card. */
export function lookUpCardInfo(
  { cards, notFound }: GatewayAlternateChoices,
  { cardNumber }: Body,
): WrongMembers | object {
  if (!filled(cardNumber)) return ['cardNumber'];
  if (cardNumber === cards.unlisted || cardNumber === cards.unlisted2) return { result: notFound };
  const issuer = { cardIssuerName: 'Some Bank', cardIssuerCountryCode: 'NL', cardCurrencyCode: 'EUR' };
  return { result: 'FOUND', ...issuer };
}

/** History of a card; only the approved one has any. */
export function lookUpCardHistory(
  choices: GatewayAlternateChoices,
  body: Body,
  defects: AlternateDefects,
): WrongMembers | object {
  // A target file may have month and year written as numbers.
  const wrong = ['expireMonth', 'expireYear', 'orderMerchantId'].filter((name) => !filled(String(body[name] ?? '')));
  const { cardHistorySourceType: by, cardNumber, cardFirstDigits: first, cardLastDigits: last } = body;
  if (by === 'FULL_CARD_NUMBER' && !filled(cardNumber)) wrong.push('cardNumber');
  else if (by === 'FIRST_6_LAST_4') {
    if (!/^\d{6}$/.test(String(first))) wrong.push('cardFirstDigits');
    if (!/^\d{4}$/.test(String(last))) wrong.push('cardLastDigits');
  } else if (by !== 'FULL_CARD_NUMBER') wrong.push('cardHistorySourceType');
  if (wrong.length > 0) return wrong;
  const number = choices.cards.approved;
  const known =
    by === 'FULL_CARD_NUMBER' ? cardNumber === number : `${first}${last}` === number.slice(0, 6) + number.slice(-4);
  const values: Record<string, unknown> = {
    Found: known ? choices.yes : choices.no,
    Days: known ? 30 : 0,
    Score: defects.has('score above one') ? 1.5 : choices.score,
    Several: choices.no,
  };
  const deposits = choices.history.depositsScore?.replace(/\/[^/]*$/, '') ?? '';
  let answer: unknown = withValueAt({}, `${deposits}/depositsHighRoller`, false);
  for (const [name, at] of Object.entries(choices.history))
    answer = withValueAt(answer, at, values[name.replace(/^(deposits|withdrawals)/, '')]);
  return answer as object;
}

/** A provider's rate. */
export function lookUpExchangeRate({ rates }: GatewayAlternateChoices, body: Body): WrongMembers | object {
  const currency = (name: string) => /^[A-Z]{3}$/.test(String(body[name] ?? ''));
  const wrong = [
    ...(filled(body.exchangeProvider) ? [] : ['exchangeProvider']),
    ...['exchangeCurrencyCodeFrom', 'exchangeCurrencyCodeTo'].filter((name) => !currency(name)),
  ];
  return wrong.length > 0 ? wrong : { exchangeLowRate: rates[0], exchangeHighRate: rates[1] };
}

/** One balance in its merchant's view. */
export function lookUpBalance(
  choices: GatewayAlternateChoices,
  name: string,
  turnover: number,
  defects: AlternateDefects = new Set(),
): object {
  const first = choices.balances[0] === name;
  const real = first ? 1_000_000 + Math.round(turnover * 0.97) : 5000;
  const [short, reserve, processing] = first ? [1250, Math.round(real * 0.05), 300] : [0, 0, 0];
  const buffer = choices.bufferCounts ? bufferHold(choices, name) : 0;
  const live = real - short - reserve - processing - buffer + (defects.has('live too high') ? 1 : 0);
  const { figures } = choices;
  return {
    balanceName: name,
    balanceCurrency: 'EUR',
    realBalance: figures(real),
    liveBalance: figures(live),
    totalShortTermHold: figures(short),
    totalRollingReserve: figures(reserve),
    totalProcessingAmount: figures(processing),
  };
}

/** The same in a manager's view. */
export function lookUpManagerBalance(
  choices: GatewayAlternateChoices,
  name: string,
  turnover: number,
  login: string,
): object {
  const shown = lookUpBalance(choices, name, turnover) as Record<string, unknown>;
  return {
    amount: shown.realBalance,
    onlineBalanceLiveAmount: shown.liveBalance,
    totalShortTermHoldAmount: shown.totalShortTermHold,
    totalRollingReserveAmount: shown.totalRollingReserve,
    amountBufferHold: choices.figures(bufferHold(choices, name)),
    merchantLogin: login,
    externalMerchantId: 'ext-1',
  };
}

const bufferHold = ({ balances }: GatewayAlternateChoices, name: string) => (balances[0] === name ? 777 : 0);
