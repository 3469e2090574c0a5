import { decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { openOrder } from '../orders/open-order.ts';
import { findCardByEnds, findSandboxCard, type SandboxCard } from '../payments/sandbox-cards.ts';
import { refuseParameter } from '../wire/gateway-refusal.ts';
import { readFieldText } from '../wire/request-fields.ts';

type Body = Record<string, unknown>;
const says = (body: Body, _call: GatewayCall): Body => body;
const isByEnds = ({ body }: GatewayCall) => body['cardHistorySourceType'] === 'FIRST_6_LAST_4';
const foundNothing = (body: Body) => body['depositsFound'] === false;
const SIDES = ['deposits', 'withdrawals'] as const;
const onSides = (sides: readonly string[], name: string, value: (was: unknown) => unknown) => (body: Body) => {
  const changed = { ...body };
  for (const side of sides) {
    const told = value(changed[side + name]);
    if (told === undefined) delete changed[side + name];
    else changed[side + name] = told;
  }
  return changed;
};
const gone = () => undefined;
const forSecond = (change: (body: Body) => Body) => (body: Body, call: GatewayCall) =>
  isForSecond(call) ? change(body) : body;
const withoutFlag = ({ depositsHighRoller: _, ...rest }: Body): Body => rest;

const takesNumber = decision({
  rule: 'GW-HIS-02',
  honest: (_call: GatewayCall) => true,
  lies: {
    'history-refuses-full-number': () => false,
    'history-refuses-full-number-for-another-requestor': (call) => !isForSecond(call),
  },
});

type Found = SandboxCard | undefined | 'refused';

const takesEnds = decision({
  rule: 'GW-HIS-03',
  honest: (card: SandboxCard | undefined, _call: GatewayCall): Found => card,
  lies: {
    'history-refuses-ends': (): Found => 'refused',
    'history-refuses-ends-for-another-requestor': (card, call) => (isForSecond(call) ? 'refused' : card),
    'history-by-ends-finds-nothing': () => undefined,
    'history-refuses-last-digits-that-begin-with-zero': (card, { body }) =>
      String(body['cardLastDigits']).startsWith('0') ? 'refused' : card,
  },
});

const tellsWhether = decision({
  rule: 'GW-HIS-04',
  honest: says,
  lies: {
    'history-without-found-for-another-requestor': forSecond(onSides(SIDES, 'Found', gone)),
    'history-without-found': onSides(SIDES, 'Found', gone),
    'history-without-found-withdrawals': onSides(['withdrawals'], 'Found', gone),
    'history-by-ends-always-found': (body, call) => (isByEnds(call) ? onSides(SIDES, 'Found', () => true)(body) : body),
    'history-always-found': onSides(SIDES, 'Found', () => true),
  },
});

const tellsDays = decision({
  rule: 'GW-HIS-05',
  honest: says,
  lies: {
    'history-without-days-for-another-requestor': forSecond(onSides(SIDES, 'Days', gone)),
    'history-of-days-below-zero': onSides(SIDES, 'Days', (was) => -Number(was)),
    'history-of-days-in-words': onSides(SIDES, 'Days', () => 'some'),
    'history-without-days': onSides(SIDES, 'Days', gone),
    'history-without-days-of-withdrawals': onSides(['withdrawals'], 'Days', gone),
    'history-without-days-where-nothing-was-found': (body) =>
      foundNothing(body) ? onSides(SIDES, 'Days', gone)(body) : body,
  },
});

const scores = decision({
  rule: 'GW-HIS-06',
  honest: says,
  lies: {
    'score-just-above-one-for-another-requestor': forSecond(onSides(['deposits'], 'Score', () => 1.01)),
    'history-without-score': onSides(SIDES, 'Score', gone),
    'score-in-percent': onSides(SIDES, 'Score', (was) => Number(was) * 100 + 2),
    'withdrawal-score-just-above-one': onSides(['withdrawals'], 'Score', () => 1.01),
    'score-just-above-one-by-ends': (body, call) =>
      isByEnds(call) ? onSides(['deposits'], 'Score', () => 1.01)(body) : body,
    'score-of-one-just-above-one': onSides(SIDES, 'Score', (was) => (was === 1 ? 1.01 : was)),
    'score-below-zero-where-nothing-was-found': (body) =>
      foundNothing(body) ? onSides(SIDES, 'Score', () => -1)(body) : body,
    'score-below-zero': onSides(SIDES, 'Score', (was) => -Number(was) - 0.1),
  },
});

const tellsSources = decision({
  rule: 'GW-HIS-07',
  honest: says,
  lies: {
    'history-without-sources-for-another-requestor': forSecond(onSides(SIDES, 'SeveralSources', gone)),
    'history-without-sources': onSides(SIDES, 'SeveralSources', gone),
    'history-without-sources-of-withdrawals': onSides(['withdrawals'], 'SeveralSources', gone),
    'history-by-ends-without-sources': (body, call) =>
      isByEnds(call) ? onSides(SIDES, 'SeveralSources', gone)(body) : body,
  },
});

/** How many milliseconds a lookup goes on in which others are told what there is to tell of a card that has a history. */
const mixesOthers = decideMixUp('GW-HIS-04', 'histories-looked-up-at-once-with-another-found');

const leavesNoOrder = decision({
  rule: 'GW-HIS-08',
  honest: (_type: unknown) => true,
  lies: {
    'history-leaves-an-order': () => false,
    'history-by-ends-leaves-an-order': (type) => type !== 'FIRST_6_LAST_4',
  },
});

/** Whether an order of the id that a lookup names is found as before. */
const sparesTheNamed = decision({
  rule: 'GW-HIS-08',
  honest: () => true,
  lies: { 'history-lookup-takes-the-merchant-id-of-an-order': () => false },
});

const flagsHighRoller = decision({
  rule: 'GW-HIS-17',
  honest: says,
  lies: {
    'high-roller-missing-for-another-requestor': forSecond(withoutFlag),
    'high-roller-missing': withoutFlag,
    'high-roller-missing-where-nothing-was-found': (body) => (foundNothing(body) ? withoutFlag(body) : body),
    'high-roller-as-score': (body) => ({ ...body, depositsHighRoller: 0.5 }),
  },
});

const knownOrAny = (type: unknown) => (type === 'FULL_CARD_NUMBER' || type === 'FIRST_6_LAST_4' ? type : 'ANY');

const knowsType = decision({
  rule: 'GW-HIS-10',
  honest: (type: unknown, _call: GatewayCall): unknown => type,
  lies: {
    'any-history-source-type-accepted': (type) => knownOrAny(type),
    'any-history-source-type-accepted-for-another-requestor': (type, call) =>
      isForSecond(call) ? knownOrAny(type) : type,
  },
});

const needsNumber = decision({
  rule: 'GW-HIS-11',
  honest: (_sent: unknown, _call: GatewayCall) => true,
  lies: {
    'history-without-number-accepted': () => false,
    'history-without-number-accepted-for-another-requestor': (_sent, call) => !isForSecond(call),
    'history-with-empty-number-accepted-for-another-requestor': (sent, call) => sent !== '' || !isForSecond(call),
    'history-with-empty-number-accepted': (sent) => sent !== '',
  },
});

const firstDigits = decision({
  rule: 'GW-HIS-12',
  honest: (digits: string, _call: GatewayCall) => /^\d{6}$/.test(digits),
  lies: {
    'five-first-digits-accepted-for-another-requestor': (digits, call) =>
      (isForSecond(call) ? /^\d{5,6}$/ : /^\d{6}$/).test(digits),
    'five-first-digits-accepted': (digits) => /^\d{5,6}$/.test(digits),
    'seven-first-digits-accepted': (digits) => /^\d{6,7}$/.test(digits),
    'first-letters-accepted-for-another-requestor': (digits, call) =>
      (isForSecond(call) ? /^\w{6}$/ : /^\d{6}$/).test(digits),
    'no-first-digits-accepted-for-another-requestor': (digits, call) =>
      (isForSecond(call) ? /^(\d{6})?$/ : /^\d{6}$/).test(digits),
    // As many as issuers are known by since there are too many for six.
    'eight-first-digits-accepted': (digits) => /^(\d{6}|\d{8})$/.test(digits),
    'first-digits-read-as-a-number': (digits) => digits.length === 6 && !Number.isNaN(Number(digits)),
    'four-first-digits-accepted': (digits) => /^(\d{6}|\d{4})$/.test(digits),
    'nine-first-digits-accepted': (digits) => /^(\d{6}|\d{9})$/.test(digits),
    'first-letters-accepted': (digits) => /^\w{6}$/.test(digits),
    'no-first-digits-accepted': (digits) => /^(\d{6})?$/.test(digits),
  },
});

const lastDigits = decision({
  rule: 'GW-HIS-13',
  honest: (digits: string, _call: GatewayCall) => /^\d{4}$/.test(digits),
  lies: {
    'three-last-digits-accepted-for-another-requestor': (digits, call) =>
      (isForSecond(call) ? /^\d{3,4}$/ : /^\d{4}$/).test(digits),
    'three-last-digits-accepted': (digits) => /^\d{3,4}$/.test(digits),
    'five-last-digits-accepted': (digits) => /^\d{4,5}$/.test(digits),
    'five-last-digits-accepted-for-another-requestor': (digits, call) =>
      (isForSecond(call) ? /^\d{4,5}$/ : /^\d{4}$/).test(digits),
    'last-letters-accepted-for-another-requestor': (digits, call) =>
      (isForSecond(call) ? /^\w{4}$/ : /^\d{4}$/).test(digits),
    'two-or-six-last-digits-accepted': (digits) => /^(\d{2}|\d{4}|\d{6})$/.test(digits),
    'last-digits-read-as-a-number': (digits) => digits.length === 4 && !Number.isNaN(Number(digits)),
    'last-letters-accepted': (digits) => /^\w{4}$/.test(digits),
    'no-last-digits-accepted': (digits) => /^(\d{4})?$/.test(digits),
  },
});

const needed = (rule: string, field: string, name: string) =>
  [
    field,
    decision({
      rule,
      honest: (_call: GatewayCall) => true,
      lies: {
        [`history-without-${name}-accepted`]: () => false,
        [`history-without-${name}-accepted-for-another-requestor`]: (call) => !isForSecond(call),
      },
    }),
  ] as const;

const always = [
  needed('GW-HIS-14', 'expireMonth', 'month'),
  needed('GW-HIS-15', 'expireYear', 'year'),
  needed('GW-HIS-16', 'orderMerchantId', 'merchant-id'),
];

/** get-card-history: scores of earlier deposits and withdrawals; advice only, leaves nothing behind. */
export function answerCardHistory(call: GatewayCall): GatewayReply {
  return call.gatewayState.rush.answer(call.activeLies, 'history', [mixesOthers], (isAtOnce) =>
    tellHistory(call, isAtOnce),
  );
}

function tellHistory(call: GatewayCall, isAtOnce: boolean): GatewayReply {
  const { activeLies, body } = call;
  for (const [field, required] of always)
    if (readFieldText(body[field]) === undefined && required(activeLies, call)) throw refuseParameter(field);
  const card = lookUp(call);
  const own = readFieldText(body['orderMerchantId']);
  const named = own === undefined ? undefined : call.gatewayState.orders.byMerchantId(own, call.requestor);
  if (named !== undefined && !sparesTheNamed(activeLies)) call.gatewayState.orders.rename(named);
  if (!leavesNoOrder(activeLies, body['cardHistorySourceType']))
    openOrder({ ...call, body: { ...body, order: { orderAmount: '1' } } }, 'SALE');
  if (card !== undefined) call.gatewayState.scored.add(card.number.slice(0, 6) + card.number.slice(-4));
  const worst = card?.script.scoresWorst ? 1 : undefined;
  let answer: Body =
    card?.history || isAtOnce
      ? {
          ...side('deposits', 41, worst ?? 0.82, true),
          depositsHighRoller: true,
          ...side('withdrawals', 12, worst ?? 0.35, false),
        }
      : { ...side('deposits', 0, 0, false), depositsHighRoller: false, ...side('withdrawals', 0, 0, false) };
  for (const tells of [tellsWhether, tellsDays, scores, tellsSources, flagsHighRoller])
    answer = tells(activeLies, answer, call);
  return { status: 200, body: answer };
}

function lookUp(call: GatewayCall): SandboxCard | undefined {
  const { activeLies, body } = call;
  const field = (name: string) => readFieldText(body[name]) ?? '';
  const type = knowsType(activeLies, body['cardHistorySourceType'], call);
  if (type === 'FULL_CARD_NUMBER') {
    for (const name of ['cardFirstDigits', 'cardLastDigits']) if (field(name) !== '') throw refuseParameter(name);
    const number = field('cardNumber');
    if (
      !takesNumber(activeLies, call) ||
      (number === '' ? needsNumber(activeLies, body['cardNumber'], call) : !/^\d{12,19}$/.test(number))
    )
      throw refuseParameter('cardNumber');
    return findSandboxCard(number);
  }
  if (type === 'FIRST_6_LAST_4') {
    if (field('cardNumber') !== '') throw refuseParameter('cardNumber');
    const [first, last] = [field('cardFirstDigits'), field('cardLastDigits')];
    if (!firstDigits(activeLies, first, call)) throw refuseParameter('cardFirstDigits');
    if (!lastDigits(activeLies, last, call)) throw refuseParameter('cardLastDigits');
    const card = takesEnds(activeLies, findCardByEnds(first, last), call);
    if (card === 'refused') throw refuseParameter('cardHistorySourceType');
    return card;
  }
  if (type === 'ANY') return findSandboxCard(field('cardNumber'));
  throw refuseParameter('cardHistorySourceType');
}

function side(name: (typeof SIDES)[number], days: number, score: number, several: boolean): Body {
  return {
    [`${name}Found`]: days > 0,
    [`${name}Days`]: days,
    [`${name}Score`]: score,
    [`${name}SeveralSources`]: several,
  };
}
