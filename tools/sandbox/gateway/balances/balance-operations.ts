import { decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import { isLike } from '../../sql-pattern.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { majorAmount } from '../orders/money.ts';
import { refuseParameter } from '../wire/gateway-refusal.ts';
import { requireText } from '../wire/request-fields.ts';
import { computeLiveAmount, type MerchantBalance } from './balance-book.ts';

type Body = Record<string, unknown>;
const says = (body: Body): Body => body;
const drop = (name: string) => (body: Body) => {
  const { [name]: _, ...rest } = body;
  return rest;
};
const put = (name: string, value: unknown) => (body: Body) => ({ ...body, [name]: value });
const add = (name: string, sum: number) => (body: Body) => ({ ...body, [name]: Number(body[name]) + sum });

const isOfAnother = ({ merchant }: MerchantBalance) => merchant !== 'merchant-one';

const rightOne = decision({
  rule: 'GW-BAL-02',
  honest: (wanted: MerchantBalance, _all: readonly MerchantBalance[]) => wanted,
  lies: {
    'first-balance-whatever-the-name': (_wanted, all) => all[0]!,
    'second-balance-never-shown': (wanted, all) => (wanted === all[1] ? all[0]! : wanted),
    'first-balance-of-another-merchant-whatever-the-name': (wanted, all) => (isOfAnother(wanted) ? all[0]! : wanted),
  },
});

/** How many milliseconds a reading goes on in which others are shown the first balance. */
const mixesOthers = decideMixUp('GW-BAL-02', 'balances-read-at-once-mixed');

/** How many milliseconds a listing goes on in which others are listed the main merchant's balances. */
const mixesMerchants = decideMixUp('GW-BAL-06', 'balances-listed-at-once-those-of-one-merchant');

/** How many balances a manager has read; only a lie counts them. */
let readings = 0;

/** What is shown where no balance has the name. */
const unknownIsNone = decision({
  rule: 'GW-BAL-02',
  honest: (_all: readonly MerchantBalance[], _asked: string): MerchantBalance | undefined => undefined,
  lies: {
    'unknown-balance-answered-by-the-first': (all) => all[0],
    'balance-found-by-the-beginning-of-its-name': (all, asked) => all.find(({ name }) => name.startsWith(asked)),
    'balance-found-by-a-pattern': (all, asked) => all.find(({ name }) => isLike(name, asked)),
  },
});

/** What has come to the processing amount since the balance was opened. */
const underWay = ({ processing, opening }: MerchantBalance) => Math.max(0, processing - (opening?.processing ?? 0));

const live = decision({
  rule: 'GW-BAL-03',
  honest: computeLiveAmount,
  lies: {
    'live-forgets-processing': (one) => computeLiveAmount(one) + one.processing,
    'live-forgets-rolling-reserve': (one) => computeLiveAmount(one) + one.rolling,
    'live-forgets-short-term-hold': (one) => computeLiveAmount(one) + one.shortTerm,
    'live-equals-real': (one) => one.real,
    'live-of-another-merchant-equals-real': (one) => (isOfAnother(one) ? one.real : computeLiveAmount(one)),
    'live-forgets-what-is-under-way': (one) => computeLiveAmount(one) + underWay(one),
    'live-forgets-a-transfer-under-way': (one) => computeLiveAmount(one) + one.sending,
  },
});

/** An entry of the list of all balances, by what it shows as live. */
const listedLive = decision({
  rule: 'GW-BAL-03',
  honest: (entry: Body, _one: MerchantBalance): Body => entry,
  lies: {
    'listed-live-of-another-merchant-equals-real': (entry, one) =>
      isOfAnother(one) ? { ...entry, liveBalance: entry['realBalance'] } : entry,
  },
});

const readingIsFree = decision({
  rule: 'GW-BAL-04',
  honest: (_call: GatewayCall) => 0,
  lies: {
    'reading-a-balance-costs-a-fee': (call) => (call.operation === 'balanceByMerchant' ? 1 : 0),
    'reading-all-balances-costs-a-fee': (call) => (call.operation === 'balanceByMerchantAll' ? 1 : 0),
    'reading-as-manager-costs-a-fee': (call) => (call.operation === 'balanceByManager' ? 1 : 0),
  },
});

const needsNoBody = decision({
  rule: 'GW-BAL-07',
  honest: (_call: GatewayCall) => true,
  lies: { 'all-balances-need-a-body': (call) => call.raw.length > 0 },
});

const loginIsText = decision({
  rule: 'GW-BAL-09',
  honest: (_login: string, _operation: GatewayCall['operation']) => true,
  lies: {
    'login-must-be-a-number-at-one-balance': (login, operation) =>
      operation !== 'balanceByMerchant' || /^\d+$/.test(login),
    'login-must-be-a-number-at-all-balances': (login, operation) =>
      operation !== 'balanceByMerchantAll' || /^\d+$/.test(login),
    'login-must-be-a-number-for-managers': (login, operation) =>
      operation !== 'balanceByManager' || /^\d+$/.test(login),
  },
});

const ofSecond = (change: (body: Body) => Body) => (body: Body) =>
  body['balanceName'] === 'usd' ? change(body) : body;
const field = (rule: string, lies: Record<string, (body: Body) => Body>) => decision({ rule, honest: says, lies });

const merchantFields = [
  field('GW-BAL-10', {
    'balance-name-as-number': put('balanceName', 1),
    'balance-name-as-object': put('balanceName', {}),
    'balance-name-empty': put('balanceName', ''),
  }),
  field('GW-BAL-11', {
    'balance-currency-as-number': put('balanceCurrency', 978),
    'balance-currency-as-list': put('balanceCurrency', ['EUR']),
    'balance-currency-empty': put('balanceCurrency', ''),
  }),
  field('GW-BAL-12', { 'real-balance-in-words': put('realBalance', 'plenty') }),
  field('GW-BAL-13', { 'live-balance-in-words': put('liveBalance', 'enough') }),
  field('GW-BAL-14', { 'short-term-hold-in-words': put('totalShortTermHold', 'some') }),
  field('GW-BAL-15', { 'rolling-reserve-in-words': put('totalRollingReserve', 'some') }),
  field('GW-BAL-16', { 'processing-amount-in-words': put('totalProcessingAmount', 'none') }),
  field('GW-BAL-17', {
    'second-balance-without-processing-amount': ofSecond(drop('totalProcessingAmount')),
    'balance-without-name': drop('balanceName'),
    'balance-without-processing-amount': drop('totalProcessingAmount'),
    'balance-without-rolling-reserve': drop('totalRollingReserve'),
  }),
];

/** How an amount is written, by the language that the caller prefers. */
const writtenAs = decision({
  rule: 'GW-BAL-12',
  honest: (amount: unknown, _language: string | undefined) => amount,
  lies: {
    'real-balance-written-as-the-caller-writes': (amount, language) =>
      language?.startsWith('de') ? String(amount).replace('.', ',') : amount,
  },
});

const othersAreWhole = decision({
  rule: 'GW-BAL-17',
  honest: (body: Body, _one: MerchantBalance) => body,
  lies: {
    'balance-of-another-merchant-without-rolling-reserve': (body, one) =>
      isOfAnother(one) ? drop('totalRollingReserve')(body) : body,
  },
});

const managerFields = [
  field('GW-BAL-20', {
    'manager-amount-differs': add('amount', 1),
    'manager-amount-of-the-second-balance-differs': ofSecond(add('amount', 1)),
    'manager-amount-in-words': put('amount', 'plenty'),
  }),
  field('GW-BAL-21', {
    'manager-live-amount-differs': add('onlineBalanceLiveAmount', 0.01),
    'manager-live-amount-of-the-second-balance-differs': ofSecond(add('onlineBalanceLiveAmount', 0.01)),
  }),
  field('GW-BAL-22', {
    'manager-short-term-hold-differs': add('totalShortTermHoldAmount', 1),
    'manager-short-term-hold-of-the-second-balance-differs': ofSecond(add('totalShortTermHoldAmount', 1)),
  }),
  field('GW-BAL-23', {
    'manager-rolling-reserve-differs': add('totalRollingReserveAmount', 1),
    'manager-rolling-reserve-of-the-second-balance-differs': ofSecond(add('totalRollingReserveAmount', 1)),
  }),
  field('GW-BAL-24', {
    'buffer-hold-in-words': put('amountBufferHold', 'some'),
    'buffer-hold-of-the-second-balance-in-words': ofSecond(put('amountBufferHold', 'some')),
    'buffer-hold-as-object': put('amountBufferHold', {}),
  }),
  field('GW-BAL-25', {
    'manager-merchant-login-differs': put('merchantLogin', 'merchant-zero'),
    'manager-merchant-login-of-the-second-balance-differs': ofSecond(put('merchantLogin', 'merchant-zero')),
  }),
  field('GW-BAL-26', {
    'external-merchant-id-as-flag': put('externalMerchantId', true),
    'external-merchant-id-of-the-balance': (body) => ({
      ...body,
      externalMerchantId: `${body['externalMerchantId']}-${body['balanceName']}`,
    }),
    'external-merchant-id-drawn-anew': (body) => {
      readings += 1;
      return { ...body, externalMerchantId: `${body['externalMerchantId']}-${readings}` };
    },
  }),
  field('GW-BAL-27', {
    'manager-without-buffer-hold-of-the-second-balance': ofSecond(drop('amountBufferHold')),
    'manager-without-buffer-hold': drop('amountBufferHold'),
    'manager-without-live-amount': drop('onlineBalanceLiveAmount'),
    'manager-without-merchant-login': drop('merchantLogin'),
  }),
];

/** The live amount of a balance that a manager is shown. */
const managerLive = decision({
  rule: 'GW-BAL-21',
  honest: (amount: number, _one: MerchantBalance) => amount,
  lies: {
    'manager-live-amount-forgets-what-is-under-way': (amount, one) => amount + underWay(one),
    'manager-live-amount-forgets-a-transfer-under-way': (amount, one) => amount + one.sending,
  },
});

/** The amount of a balance that a manager is shown. */
const managerAmount = decision({
  rule: 'GW-BAL-20',
  honest: (one: MerchantBalance) => one.real,
  lies: { 'manager-amount-stale': (one) => one.opening?.real ?? one.real },
});

const oneField = decision({
  rule: 'GW-BAL-18',
  honest: (entries: unknown[], _login: string): unknown => ({ merchantBalances: entries }),
  lies: {
    'merchant-balances-missing': () => ({}),
    'merchant-balances-under-another-name': (entries) => ({ balances: entries }),
    'merchant-balances-as-object': (entries) => ({ merchantBalances: { ...entries } }),
    'balances-of-another-merchant-under-another-name': (entries, login) => ({
      [login === 'merchant-one' ? 'merchantBalances' : 'balances']: entries,
    }),
    'field-beside-merchant-balances': (entries) => ({ merchantBalances: entries, total: entries.length }),
  },
});

/** How the list of all balances of a login is answered. */
const listIsAnswered = decision({
  rule: 'GW-BAL-06',
  honest: (_login: string) => 200,
  lies: { 'all-balances-of-another-merchant-answered-202': (login) => (login === 'merchant-one' ? 200 : 202) },
});

/** Which balances of a merchant are listed. */
const eachIsListed = decision({
  rule: 'GW-BAL-06',
  honest: (all: readonly MerchantBalance[], _others: () => readonly MerchantBalance[]): readonly MerchantBalance[] =>
    all,
  lies: {
    'all-balances-shows-the-first-alone': (all) => all.slice(0, 1),
    'all-balances-shows-those-of-another-merchant-too': (all, others) => [...all, ...others()],
  },
});

const entriesAreAlike = decision({
  rule: 'GW-BAL-19',
  honest: (entry: unknown, _one: MerchantBalance): unknown => entry,
  lies: {
    'entry-with-names-of-the-manager': (_entry, one) => managerView(one),
    'entry-of-another-merchant-one-cent-off': (entry, one) =>
      isOfAnother(one) ? add('realBalance', 0.01)(entry as Body) : entry,
    'entry-as-text': (entry) => JSON.stringify(entry),
    'entry-one-cent-off': (entry) => add('realBalance', 0.01)(entry as Body),
    'entry-without-holds-taken-off': (entry) => ({ ...(entry as Body), liveBalance: (entry as Body)['realBalance'] }),
    'entry-as-it-was-at-first': (entry, one) => ({
      ...(entry as Body),
      realBalance: majorAmount(one.opening?.real ?? one.real, one.currency),
    }),
    'entry-without-what-is-under-way': put('totalProcessingAmount', '0.00') as (entry: unknown) => unknown,
    'entry-in-another-currency': put('balanceCurrency', 'GBP') as (entry: unknown) => unknown,
  },
});

/** balance/by-merchant: one balance by its name. */
export function answerMerchantBalance(call: GatewayCall): GatewayReply {
  const { balances, rush } = call.gatewayState;
  return rush.answer(call.activeLies, 'balance', [mixesOthers], (isAtOnce) => {
    const asked = named(call, [call.subject]);
    const one = isAtOnce ? balances.of(asked.merchant)[0]! : asked;
    letOthersSell(call, one, 'all the time');
    return { status: 200, body: merchantAnswer(call, one) };
  });
}

/** balance/by-merchant-all: every balance of the login in the path; a body is not looked at. */
export function answerMerchantBalances(call: GatewayCall): GatewayReply {
  allowed(call);
  if (!needsNoBody(call.activeLies, call)) throw refuseParameter('balanceName', 'The request has no body');
  const { balances, rush, world } = call.gatewayState;
  const { lasts, isAtOnce } = rush.begin(call.activeLies, 'all balances', mixesMerchants);
  const all = balances.of(isAtOnce ? world.credentials.merchant.login : call.subject);
  const { merchant, secondMerchant } = world.credentials;
  const other = call.subject === merchant.login ? secondMerchant.login : merchant.login;
  const entries = eachIsListed(call.activeLies, all, () => balances.of(other)).map((one) =>
    entriesAreAlike(call.activeLies, listedLive(call.activeLies, merchantAnswer(call, one), one), one),
  );
  charge(call, all[0]);
  const status = listIsAnswered(call.activeLies, call.subject);
  return { status, body: oneField(call.activeLies, entries, call.subject), after: lasts };
}

/** balance/by-manager: the same figures under the manager's names; a manager sees the balances of every merchant. */
export function answerManagerBalance(call: GatewayCall): GatewayReply {
  const { merchant, secondMerchant, manager } = call.gatewayState.world.credentials;
  const one = named(call, call.subject === manager.login ? [merchant.login, secondMerchant.login] : [call.subject]);
  letOthersSell(call, one, 'all the time');
  const shown = { ...one, real: managerAmount(call.activeLies, one) };
  let body: Body = managerView(shown, managerLive(call.activeLies, live(call.activeLies, one), one));
  for (const decided of managerFields) body = decided(call.activeLies, body);
  // Between this view and the next.
  letOthersSell(call, one, 'at times');
  return { status: 200, body };
}

/** How many seconds lie between two sales of others. */
const SALES_APART = { 'at times': 10, 'all the time': 1 } as const;

function letOthersSell(
  { gatewayState: { balances, world } }: GatewayCall,
  one: MerchantBalance,
  when: keyof typeof SALES_APART,
): void {
  if (world.choices.otherSales === when) balances.letOthersSell(one, SALES_APART[when]);
}

function allowed(call: GatewayCall): void {
  if (!loginIsText(call.activeLies, call.subject, call.operation))
    throw refuseParameter('username', `Cannot parse login: ${call.subject}`);
}

function named(call: GatewayCall, merchants: readonly string[]): MerchantBalance {
  allowed(call);
  const { balances } = call.gatewayState;
  const asked = requireText(call.body, 'balanceName');
  const found = balances.find(merchants, asked) ?? unknownIsNone(call.activeLies, balances.of(merchants[0]!), asked);
  if (found === undefined) throw refuseParameter('balanceName', 'There is no balance of this name');
  charge(call, found);
  return rightOne(call.activeLies, found, balances.of(found.merchant));
}

function charge(call: GatewayCall, one: MerchantBalance | undefined): void {
  const fee = readingIsFree(call.activeLies, call);
  if (one !== undefined && fee > 0) call.gatewayState.balances.debit(one.merchant, one.currency, fee);
}

function merchantAnswer(call: GatewayCall, one: MerchantBalance): Body {
  let body: Body = {
    balanceName: one.name,
    balanceCurrency: one.currency,
    realBalance: writtenAs(call.activeLies, majorAmount(one.real, one.currency), call.headers['accept-language']),
    liveBalance: majorAmount(live(call.activeLies, one), one.currency),
    totalShortTermHold: majorAmount(one.shortTerm, one.currency),
    totalRollingReserve: majorAmount(one.rolling, one.currency),
    totalProcessingAmount: majorAmount(one.processing, one.currency),
  };
  if (call.activeLies.size > 0) for (const decided of merchantFields) body = decided(call.activeLies, body);
  return othersAreWhole(call.activeLies, body, one);
}

function managerView(one: MerchantBalance, liveAmount = computeLiveAmount(one)): Body {
  return {
    merchantLogin: one.merchant,
    externalMerchantId: `ext-${one.merchant}`,
    balanceName: one.name,
    balanceCurrency: one.currency,
    amount: majorAmount(one.real, one.currency),
    onlineBalanceLiveAmount: majorAmount(liveAmount, one.currency),
    totalShortTermHoldAmount: majorAmount(one.shortTerm, one.currency),
    totalRollingReserveAmount: majorAmount(one.rolling, one.currency),
    amountBufferHold: majorAmount(one.buffer, one.currency),
  };
}
