import { decision } from '../decision.ts';
import { type Balance, liveOf } from './balances.ts';
import type { Call, Reply } from './call.ts';
import { needText } from './fields.ts';
import { major } from './money.ts';
import { invalid } from './refusal.ts';

type Body = Record<string, unknown>;
const says = (body: Body): Body => body;
const drop = (name: string) => (body: Body) => {
  const { [name]: _, ...rest } = body;
  return rest;
};
const put = (name: string, value: unknown) => (body: Body) => ({ ...body, [name]: value });
const add = (name: string, sum: number) => (body: Body) => ({ ...body, [name]: Number(body[name]) + sum });

const rightOne = decision({
  rule: 'GW-BAL-02',
  honest: (wanted: Balance, _all: readonly Balance[]) => wanted,
  lies: {
    'first-balance-whatever-the-name': (_wanted, all) => all[0]!,
    'second-balance-never-shown': (wanted, all) => (wanted === all[1] ? all[0]! : wanted),
  },
});

const live = decision({
  rule: 'GW-BAL-03',
  honest: liveOf,
  lies: {
    'live-forgets-processing': (one) => liveOf(one) + one.processing,
    'live-forgets-rolling-reserve': (one) => liveOf(one) + one.rolling,
    'live-forgets-short-term-hold': (one) => liveOf(one) + one.shortTerm,
    'live-equals-real': (one) => one.real,
  },
});

const readingIsFree = decision({
  rule: 'GW-BAL-04',
  honest: (_call: Call) => 0,
  lies: {
    'reading-a-balance-costs-a-fee': (call) => (call.operation === 'balanceByMerchant' ? 1 : 0),
    'reading-all-balances-costs-a-fee': (call) => (call.operation === 'balanceByMerchantAll' ? 1 : 0),
    'reading-as-manager-costs-a-fee': (call) => (call.operation === 'balanceByManager' ? 1 : 0),
  },
});

const needsNoBody = decision({
  rule: 'GW-BAL-07',
  honest: (_call: Call) => true,
  lies: { 'all-balances-need-a-body': (call) => call.raw.length > 0 },
});

const loginIsText = decision({
  rule: 'GW-BAL-09',
  honest: (_login: string, _operation: Call['operation']) => true,
  lies: {
    'login-must-be-a-number-at-one-balance': (login, operation) =>
      operation !== 'balanceByMerchant' || /^\d+$/.test(login),
    'login-must-be-a-number-at-all-balances': (login, operation) =>
      operation !== 'balanceByMerchantAll' || /^\d+$/.test(login),
    'login-must-be-a-number-for-managers': (login, operation) =>
      operation !== 'balanceByManager' || /^\d+$/.test(login),
  },
});

const field = (rule: string, lies: Record<string, (body: Body) => Body>) => decision({ rule, honest: says, lies });

const merchantFields = [
  field('GW-BAL-10', {
    'balance-name-as-number': put('balanceName', 1),
    'balance-name-as-object': put('balanceName', {}),
  }),
  field('GW-BAL-11', {
    'balance-currency-as-number': put('balanceCurrency', 978),
    'balance-currency-as-list': put('balanceCurrency', ['EUR']),
  }),
  field('GW-BAL-12', { 'real-balance-in-words': put('realBalance', 'plenty') }),
  field('GW-BAL-13', { 'live-balance-in-words': put('liveBalance', 'enough') }),
  field('GW-BAL-14', { 'short-term-hold-in-words': put('totalShortTermHold', 'some') }),
  field('GW-BAL-15', { 'rolling-reserve-in-words': put('totalRollingReserve', 'some') }),
  field('GW-BAL-16', { 'processing-amount-in-words': put('totalProcessingAmount', 'none') }),
  field('GW-BAL-17', {
    'balance-without-name': drop('balanceName'),
    'balance-without-processing-amount': drop('totalProcessingAmount'),
    'balance-without-rolling-reserve': drop('totalRollingReserve'),
  }),
];

const managerFields = [
  field('GW-BAL-20', {
    'manager-amount-differs': add('amount', 1),
    'manager-amount-in-words': put('amount', 'plenty'),
  }),
  field('GW-BAL-21', { 'manager-live-amount-differs': add('onlineBalanceLiveAmount', 0.01) }),
  field('GW-BAL-22', { 'manager-short-term-hold-differs': add('totalShortTermHoldAmount', 1) }),
  field('GW-BAL-23', { 'manager-rolling-reserve-differs': add('totalRollingReserveAmount', 1) }),
  field('GW-BAL-24', {
    'buffer-hold-in-words': put('amountBufferHold', 'some'),
    'buffer-hold-as-object': put('amountBufferHold', {}),
  }),
  field('GW-BAL-25', { 'manager-merchant-login-differs': put('merchantLogin', 'merchant-zero') }),
  field('GW-BAL-26', { 'external-merchant-id-as-flag': put('externalMerchantId', true) }),
  field('GW-BAL-27', {
    'manager-without-buffer-hold': drop('amountBufferHold'),
    'manager-without-live-amount': drop('onlineBalanceLiveAmount'),
    'manager-without-merchant-login': drop('merchantLogin'),
  }),
];

const oneField = decision({
  rule: 'GW-BAL-18',
  honest: (entries: unknown[]): unknown => ({ merchantBalances: entries }),
  lies: {
    'merchant-balances-missing': () => ({}),
    'merchant-balances-under-another-name': (entries) => ({ balances: entries }),
    'merchant-balances-as-object': (entries) => ({ merchantBalances: { ...entries } }),
    'field-beside-merchant-balances': (entries) => ({ merchantBalances: entries, total: entries.length }),
  },
});

const entriesAreAlike = decision({
  rule: 'GW-BAL-19',
  honest: (entry: unknown, _one: Balance): unknown => entry,
  lies: {
    'entry-with-names-of-the-manager': (_entry, one) => managerView(one),
    'entry-as-text': (entry) => JSON.stringify(entry),
  },
});

/** balance/by-merchant: one balance by its name. */
export function balanceByMerchant(call: Call): Reply {
  const one = named(call, [call.subject]);
  return { status: 200, body: merchantAnswer(call, one) };
}

/** balance/by-merchant-all: every balance of the login in the path; a body is not looked at. */
export function balanceByMerchantAll(call: Call): Reply {
  allowed(call);
  if (!needsNoBody(call.faults, call)) throw invalid('balanceName', 'The request has no body');
  const all = call.desk.balances.of(call.subject);
  const entries = all.map((one) => entriesAreAlike(call.faults, merchantAnswer(call, one), one));
  charge(call, all[0]);
  return { status: 200, body: oneField(call.faults, entries) };
}

/** balance/by-manager: the same figures under the manager's names; a manager sees the balances of every merchant. */
export function balanceByManager(call: Call): Reply {
  const { merchant, secondMerchant, manager } = call.desk.world.credentials.gateway;
  const one = named(call, call.subject === manager.login ? [merchant.login, secondMerchant.login] : [call.subject]);
  let body: Body = managerView(one, live(call.faults, one));
  for (const decided of managerFields) body = decided(call.faults, body);
  return { status: 200, body };
}

function allowed(call: Call): void {
  if (!loginIsText(call.faults, call.subject, call.operation))
    throw invalid('username', `Cannot parse login: ${call.subject}`);
}

function named(call: Call, merchants: readonly string[]): Balance {
  allowed(call);
  const { balances } = call.desk;
  const found = balances.find(merchants, needText(call.body, 'balanceName'));
  if (found === undefined) throw invalid('balanceName', 'There is no balance of this name');
  charge(call, found);
  return rightOne(call.faults, found, balances.of(found.merchant));
}

function charge(call: Call, one: Balance | undefined): void {
  const fee = readingIsFree(call.faults, call);
  if (one !== undefined && fee > 0) call.desk.balances.debit(one.merchant, one.currency, fee);
}

function merchantAnswer(call: Call, one: Balance): Body {
  let body: Body = {
    balanceName: one.name,
    balanceCurrency: one.currency,
    realBalance: major(one.real, one.currency),
    liveBalance: major(live(call.faults, one), one.currency),
    totalShortTermHold: major(one.shortTerm, one.currency),
    totalRollingReserve: major(one.rolling, one.currency),
    totalProcessingAmount: major(one.processing, one.currency),
  };
  if (call.faults.size > 0) for (const decided of merchantFields) body = decided(call.faults, body);
  return body;
}

function managerView(one: Balance, liveAmount = liveOf(one)): Body {
  return {
    merchantLogin: one.merchant,
    externalMerchantId: `ext-${one.merchant}`,
    balanceName: one.name,
    balanceCurrency: one.currency,
    amount: major(one.real, one.currency),
    onlineBalanceLiveAmount: major(liveAmount, one.currency),
    totalShortTermHoldAmount: major(one.shortTerm, one.currency),
    totalRollingReserveAmount: major(one.rolling, one.currency),
    amountBufferHold: major(one.buffer, one.currency),
  };
}
