import { type ActiveLies, decision } from '../../decision.ts';
import { DAY, HOUR } from '../../durations.ts';
import { decideMixUp } from '../../rush.ts';
import type { UserAccount } from '../access/api-users.ts';
import { accountListed, pageListed } from '../access/lists-at-once.ts';
import { openAccount } from '../access/user-access.ts';
import type { V1Call } from '../v1-call.ts';
import { type AnswerBody, answerBehind, decideSuccess, type V1Answer } from '../wire/answer-shape.ts';
import { requiredField } from '../wire/field-limits.ts';
import { createPager, type ListPage } from '../wire/list-paging.ts';
import { type RequestForm, UUID_PATTERN } from '../wire/request-form.ts';
import { refuseMissing } from '../wire/v1-refusal.ts';
import { presentTransaction, shownLater } from './account-book.ts';
import { type BookedTransaction, cutDetails, cutIdent, loseCent, loseNoughts } from './transaction.ts';
import { shapeTransaction } from './transaction-shape.ts';

/** When the accounts were opened. */
const OPENED = Date.UTC(2024, 0, 1);

/** Lies about a parameter that must be there, on whatever page. */
const takenWithout = (what: string) => ({
  [`list-without-${what}-accepted`]: (_page: number) => false,
  [`list-without-${what}-accepted-on-later-pages`]: (page: number) => page <= 1,
});

/** Whether an end of the period must be there, for whichever account. */
const needed = (rule: string, what: string) =>
  decision({
    rule,
    honest: (_page: number, _isFirst: boolean) => true,
    lies: {
      ...takenWithout(what),
      [`list-of-second-account-without-${what}-accepted`]: (_page, isFirst) => isFirst,
    },
  });
const accountNeeded = decision({
  rule: 'V1-TRL-01',
  honest: (_page: number) => true,
  lies: takenWithout('account'),
});
const fromNeeded = needed('V1-TRL-02', 'date-from');
const toNeeded = needed('V1-TRL-04', 'date-to');

/** Whether a malformed uuid in the query is refused. */
const uuidsChecked = decision({
  rule: 'V1-GEN-04',
  honest: (_operation: string, _text: unknown) => true,
  lies: {
    'list-takes-any-account': (operation) => operation !== 'listTransactions',
    'read-takes-any-account': (operation) => operation !== 'readTransaction',
    'list-takes-an-account-with-more-behind-its-uuid': (operation, text) =>
      operation !== 'listTransactions' || !UUID_PATTERN.test(String(text).slice(0, 36)),
    'list-takes-an-empty-account': (operation, text) => operation !== 'listTransactions' || text !== '',
  },
});

const readDay = decision({
  rule: 'V1-TRL-06',
  honest: (text: string, _isFirst: boolean, _isPaged: boolean) => parseMoment(text),
  lies: {
    'plain-days-refused': (text) => (text.length === 10 ? undefined : parseMoment(text)),
    'plain-days-refused-where-a-page-is-named': (text, _isFirst, isPaged) =>
      text.length === 10 && isPaged ? undefined : parseMoment(text),
    'any-text-as-day-where-a-page-is-named': (text, _isFirst, isPaged) =>
      parseMoment(text) ?? (isPaged ? { start: 0, end: Number.POSITIVE_INFINITY } : undefined),
    'impossible-day-accepted-where-a-page-is-named': (text, _isFirst, isPaged) =>
      parseMoment(text) ?? (isPaged ? parseMoment(text.replace(/-\d\d$/, '-28')) : undefined),
    'any-text-as-day-in-second-account': (text, isFirst) =>
      parseMoment(text) ?? (isFirst ? undefined : { start: 0, end: Number.POSITIVE_INFINITY }),
    'empty-day-accepted': (text) => parseMoment(text || '2024-06-30'),
    'day-nought-accepted': (text) => parseMoment(text.replace(/-00$/, '-01')),
    'leap-day-of-a-common-year-accepted': (text) => parseMoment(text) ?? parseMoment(text.replace(/-02-29$/, '-02-28')),
    'last-of-31-days-of-a-shorter-month-accepted': (text) =>
      parseMoment(text) ?? parseMoment(text.replace(/-31$/, '-30')),
    'leap-day-refused': (text) => (/^\d{4}-02-29/.test(text) ? undefined : parseMoment(text)),
    'last-day-of-a-year-refused': (text) => (/^\d{4}-12-31/.test(text) ? undefined : parseMoment(text)),
    'any-text-as-day': (text) => parseMoment(text) ?? { start: 0, end: Number.POSITIVE_INFINITY },
    'impossible-day-accepted': (text) => parseMoment(text) ?? parseMoment(text.replace(/-\d\d$/, '-28')),
  },
});

/** A moment moved into the year of another; only lies go by it. */
function inYearOf(other: number, moment: number): number {
  const year = new Date(other).getUTCFullYear();
  return Number.isNaN(year) ? moment : new Date(moment).setUTCFullYear(year);
}

const inFrom = decision({
  rule: 'V1-TRL-03',
  honest: (created: number, from: number, _page: ListPage, _last: number) => created >= from,
  lies: {
    'date-from-overlooks-its-year': (created, from) => inYearOf(from, created) >= from,
    'date-from-ninety-days-before-the-last-at-most': (created, from, _page, last) =>
      created >= Math.max(from, last - 90 * DAY),
    'date-from-ignored-without-a-page-size': (created, from, { beside }) => !beside.sized || created >= from,
    'date-from-ignored-in-second-account': (created, from, { beside }) => !beside.isFirst || created >= from,
    'date-from-on-first-page-only-in-second-account': (created, from, { number, beside }) =>
      (number > 1 && !beside.isFirst) || created >= from,
    'date-from-ignored-upwards': (created, from, { beside }) => beside.upwards || created >= from,
    'date-from-ignored-beside-an-order': (created, from, { beside }) => beside.ordered || created >= from,
    'date-from-a-week-early': (created, from) => created >= from - 7 * DAY,
    'date-from-ignored': () => true,
    'date-from-on-first-two-pages-only': (created, from, { number }) => number > 2 || created >= from,
    'date-from-on-first-page-only': (created, from, { number }) => number > 1 || created >= from,
    'date-from-a-day-early': (created, from) => created >= from - DAY,
    'date-from-a-day-early-beside-an-order': (created, from, { beside }) =>
      created >= from - (beside.ordered ? DAY : 0),
    'date-from-leaves-its-day-out': (created, from) => created >= from + DAY,
  },
});

/** Whether a day may lie before those that are counted from 1970 on. */
const takesEarlyDays = requiredField('V1-TRL-06', 'period-from-before-1970-answered-500');

const inTo = decision({
  rule: 'V1-TRL-05',
  honest: (created: number, to: number, _from: number, _page: ListPage) => created < to,
  lies: {
    'date-to-overlooks-its-year': (created, to) => inYearOf(to - 1, created) < to,
    'date-to-ignored-without-a-page-size': (created, to, _from, { beside }) => !beside.sized || created < to,
    'date-to-ignored-in-second-account': (created, to, _from, { beside }) => !beside.isFirst || created < to,
    'date-to-on-first-page-only-in-second-account': (created, to, _from, { number, beside }) =>
      (number > 1 && !beside.isFirst) || created < to,
    'date-to-ignored-upwards': (created, to, _from, { beside }) => beside.upwards || created < to,
    'date-to-ninety-days-after-the-first-at-most': (created, to, from) => created < Math.min(to, from + 90 * DAY),
    'period-until-after-2038-empty': (created, to) => created < to && !(to > 2 ** 31 * 1000 && Number.isFinite(to)),
    'period-of-one-day-empty': (created, to, from) => created < to && to - from > DAY,
    'date-to-ignored-beside-an-order': (created, to, _from, { beside }) => beside.ordered || created < to,
    'date-to-a-week-late': (created, to) => created < to + 7 * DAY,
    'date-to-ignored': () => true,
    'date-to-on-first-two-pages-only': (created, to, _from, { number }) => number > 2 || created < to,
    'date-to-on-first-page-only': (created, to, _from, { number }) => number > 1 || created < to,
    'date-to-a-day-late': (created, to) => created < to + DAY,
    'date-to-a-day-late-beside-an-order': (created, to, _from, { beside }) => created < to + (beside.ordered ? DAY : 0),
    'date-to-leaves-its-day-out': (created, to) => created < to - DAY,
  },
});

/** The entries that the history of an account is drawn from. */
const scope = decision({
  rule: 'V1-TRL-07',
  honest: (own: readonly BookedTransaction[], _all: readonly BookedTransaction[], _page: ListPage) => own,
  lies: {
    'list-of-every-account-without-a-page-size': (own, all, { beside }) => (beside.sized ? own : all),
    'list-of-every-account-upwards': (own, all, { beside }) => (beside.upwards ? all : own),
    'list-with-swift-transfers-of-every-account': (own, all) =>
      all.filter((one) => own.includes(one) || one.payment_type === 'SWIFT'),
    'list-of-every-account': (_own, all) => all,
    'list-of-every-account-on-later-pages': (own, all, { number }) => (number > 1 ? all : own),
    'list-of-every-account-from-page-five-on': (own, all, { number }) => (number >= 5 ? all : own),
    'list-of-every-account-beside-an-order': (own, all, { beside }) => (beside.ordered ? all : own),
  },
});

/** What an entry shows of what was sent. */
const repeated = decision({
  rule: 'V1-TRC-04',
  honest: (entry: BookedTransaction) => entry,
  lies: {
    'list-amount-of-tens-loses-its-noughts': loseNoughts,
    'list-code-of-none-said-in-words': (entry) => ({ ...entry, payment_code: entry.payment_code ?? 'null' }),
    'list-amount-loses-a-cent-to-a-float': loseCent,
    'list-amount-loses-a-cent-once-completed': (entry) => (entry.status === 'completed' ? loseCent(entry) : entry),
    'list-amount-loses-a-cent-over-swift': (entry) => (entry.payment_type === 'SWIFT' ? loseCent(entry) : entry),
    'list-ident-cut-at-34-under-a-request-id': (entry) => (entry.hasRequestId ? cutIdent(entry) : entry),
    'list-in-second-account-without-ident': (entry) =>
      entry.account.isFirst ? entry : { ...entry, end_to_end_ident: 'NOTPROVIDED' },
    'list-details-with-entities': (entry) => ({
      ...entry,
      payment_details: entry.payment_details?.replaceAll("'", '&#39;') ?? null,
    }),
    'list-code-cut-at-34': (entry) => ({ ...entry, payment_code: entry.payment_code?.slice(0, 34) ?? null }),
    'list-ident-cut-at-34': cutIdent,
    'list-details-cut-at-139': cutDetails,
    'list-details-in-lower-case': (entry) => ({
      ...entry,
      payment_details: entry.payment_details?.toLowerCase() ?? null,
    }),
    'list-details-cut-at-35': (entry) => ({ ...entry, payment_details: entry.payment_details?.slice(0, 35) ?? null }),
    'list-recipient-with-iban-of-payer': (entry) => ({
      ...entry,
      recipient: entry.recipient && { ...entry.recipient, iban: entry.payer?.iban },
    }),
    'list-amount-rounded-to-tenths': (entry) => ({ ...entry, amount: Number(entry.amount.toFixed(1)) }),
    'list-amount-loses-its-thousands': (entry) => ({
      ...entry,
      amount: entry.amount > 1000 ? Number((entry.amount % 1000).toFixed(2)) : entry.amount,
    }),
    'list-amount-one-cent-more': (entry) => ({ ...entry, amount: Number((entry.amount + 0.01).toFixed(2)) }),
  },
});

/** What an entry shows as it is read. */
const alike = decision({
  rule: 'V1-TRN-32',
  honest: (entry: BookedTransaction, _first: BookedTransaction | undefined, _page: ListPage): BookedTransaction =>
    entry,
  lies: {
    'list-without-a-page-size-shows-what-goes-out-as-coming-in': (entry, _first, { beside }): BookedTransaction =>
      beside.sized ? entry : { ...entry, direction: 'CREDIT' },
    'list-shows-details-of-its-first-page-on-later-pages': (entry, first) => ({
      ...entry,
      payment_details: first?.payment_details ?? entry.payment_details,
    }),
    'list-shows-amounts-of-its-first-page-on-later-pages': (entry, first) => ({
      ...entry,
      amount: first?.amount ?? entry.amount,
    }),
    'list-upwards-shows-rejected-as-completed': (entry, _first, { beside }) =>
      beside.upwards && entry.status === 'rejected' ? { ...entry, status: 'completed' } : entry,
    'list-upwards-shows-creation-an-hour-later': (entry, _first, { beside }) =>
      beside.upwards ? { ...entry, created: entry.created + HOUR } : entry,
    'list-shows-rejected-as-completed': (entry) =>
      entry.status === 'rejected' ? { ...entry, status: 'completed' } : entry,
    'list-shows-sepa-for-swift': (entry) => ({ ...entry, payment_type: 'SEPA' }),
    'list-status-stays-pending': (entry) => ({ ...entry, status: 'pending' }),
    'list-of-second-account-shows-what-goes-out-as-coming-in': (entry): BookedTransaction =>
      entry.account.isFirst ? entry : { ...entry, direction: 'CREDIT' },
  },
});

/** The states in which transactions were first listed; only a lie takes note of them. */
const firstListed = new WeakMap<BookedTransaction, string>();

/** The status that a list shows, whatever it was when the transaction was first listed. */
const currentStatus = decision({
  rule: 'V1-TRN-04',
  honest: (entry: BookedTransaction, _booked: BookedTransaction, _now: number): BookedTransaction => entry,
  lies: {
    'list-shows-as-pending-what-is-older-than-a-day': (entry, _booked, now) =>
      now - entry.created > DAY ? { ...entry, status: 'pending' } : entry,
    'status-for-ever-as-it-was-first-listed': (entry, booked) => {
      const status = firstListed.get(booked) ?? entry.status;
      firstListed.set(booked, status);
      return { ...entry, status };
    },
  },
});

/** Whether an entry is listed, whatever becomes of it. */
const stays = decision({
  rule: 'V1-TRC-05',
  honest: (_entry: BookedTransaction, _now: number, _isUpwards: boolean, _page: number) => true,
  lies: {
    'transactions-of-yesterday-not-on-later-pages': ({ created }, now, _isUpwards, page) =>
      page <= 1 || now - created < DAY,
    'completed-transactions-not-listed-upwards': ({ status }, _now, isUpwards) => !isUpwards || status !== 'completed',
    'completed-transactions-not-listed': ({ status }) => status !== 'completed',
    'completed-transactions-of-second-account-not-listed': ({ status, account }) =>
      status !== 'completed' || account.isFirst,
    'swift-transactions-not-listed-once-completed': ({ status, payment_type }) =>
      status !== 'completed' || payment_type !== 'SWIFT',
    'transactions-of-second-account-not-listed-on-their-third-day': ({ created, account }, now) =>
      account.isFirst || Math.floor((now - created) / DAY) !== 2,
    'transactions-not-listed-on-their-third-day': ({ created }, now) => Math.floor((now - created) / DAY) !== 2,
  },
});

/** How often an entry is listed. */
const copies = decision({
  rule: 'V1-TRN-02',
  honest: (_entry: BookedTransaction, _isUpwards: boolean) => 1,
  lies: {
    'completed-transactions-listed-twice': ({ status }) => (status === 'completed' ? 2 : 1),
    'rejected-transactions-listed-twice': ({ status }) => (status === 'rejected' ? 2 : 1),
    'transactions-over-swift-listed-twice': ({ payment_type }) => (payment_type === 'SWIFT' ? 2 : 1),
    'transactions-of-second-account-listed-twice': ({ account }) => (account.isFirst ? 1 : 2),
    'transactions-with-a-code-listed-twice': ({ payment_code }) => (payment_code === null ? 1 : 2),
    'transactions-with-a-bank-listed-twice': ({ recipient }) => (recipient?.agency_id === undefined ? 1 : 2),
    'transactions-under-a-request-id-listed-twice': ({ hasRequestId }) => (hasRequestId ? 2 : 1),
    'transactions-listed-twice-upwards': (_entry, isUpwards) => (isUpwards ? 2 : 1),
  },
});

const named = decision({
  rule: 'V1-TRL-07',
  honest: (account: UserAccount, _others: readonly UserAccount[], _entries: number, _page: number) => account.uuid,
  lies: {
    'list-names-another-account-on-later-pages': (account, others, _entries, page) =>
      (page > 1 ? others.find((other) => other !== account)?.uuid : undefined) ?? account.uuid,
    'empty-list-names-another-account': (account, others, entries) =>
      (entries === 0 ? others.find((other) => other !== account)?.uuid : undefined) ?? account.uuid,
    'list-names-another-account': (account, others) => others.find((other) => other !== account)?.uuid ?? account.uuid,
  },
});

const listed = decideSuccess('V1-TRL-08', 200, {
  'list-without-account': (body) => ({ status: 200, body: { transactions: (body as AnswerBody)['transactions'] } }),
  'list-without-transactions': (body) => ({ status: 200, body: { account: (body as AnswerBody)['account'] } }),
  'list-as-bare-array': (body) => ({ status: 200, body: (body as AnswerBody)['transactions'] }),
  'list-transactions-as-map': (body) => ({
    status: 200,
    body: { ...(body as AnswerBody), transactions: { ...((body as AnswerBody)['transactions'] as unknown[]) } },
  }),
  'list-answered-206': (body) => ({ status: 206, body }),
  'list-without-transactions-answered-404': (body) => {
    if (((body as AnswerBody)['transactions'] as unknown[]).length === 0) throw refuseMissing('The transaction');
    return { status: 200, body };
  },
});

/** Whether a list tells of the account, whatever its page. */
const tellsAccount = decision({
  rule: 'V1-TRL-08',
  honest: (_page: number) => true,
  lies: { 'list-without-account-on-later-pages': (page) => page <= 1 },
});

/** The page in its order, whatever the account. */
const turned = decision({
  rule: 'V1-PAG-09',
  honest: (page: BookedTransaction[], _isFirst: boolean) => page,
  lies: { 'transactions-of-second-account-upwards': (page, isFirst) => (isFirst ? page : page.reverse()) },
});

/** What of a page is shown where the list goes upwards. */
const upwards = decision({
  rule: 'V1-PAG-05',
  honest: (page: BookedTransaction[], _isUpwards: boolean, _number: number) => page,
  lies: {
    'transactions-upwards-lack-the-first-of-later-pages': (page, isUpwards, number) =>
      isUpwards && number > 1 ? page.slice(1) : page,
  },
});

const pages = createPager<BookedTransaction>({
  name: 'transactions',
  fields: {
    amount: (one, other) => one.amount - other.amount,
    operation_date: (one, other) => Math.floor(one.created / DAY) - Math.floor(other.created / DAY),
  },
  instead: 'amount',
  lastChange: (one, other) => (one.changed ?? one.created) - (other.changed ?? other.created),
});

/** The span of a day or moment in milliseconds: a plain day lasts until the next begins. */
function parseMoment(text: string): { start: number; end: number } | undefined {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined;
  if (text === day) return { start: midnight, end: midnight + DAY };
  if (!/^.{10}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.test(text)) return undefined;
  const start = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : `${text}Z`);
  return Number.isNaN(start) ? undefined : { start, end: start + 1 };
}

/**
 * The account named in the query, which has to be one of the caller's.
 * @param status of the transaction that is asked for, if one is; only a lie looks at it
 */
export function readQueriedAccount(call: V1Call, required: boolean, status?: string): () => UserAccount {
  const { operation, user, v1State, world, wasRead, query } = call;
  const checked = uuidsChecked(world.activeLies, operation, query.get('account_uuid'));
  const text = checked ? query.uuid('account_uuid', { required }) : query.text('account_uuid', { required });
  return () =>
    text === undefined || !UUID_PATTERN.test(text)
      ? [...user.accounts.values()][0]!
      : openAccount(world.activeLies, operation, user, v1State.users, text, Number(query.get('page') ?? 1), {
          wasRead,
          asks: (name) => query.get(name) !== undefined,
          status,
        });
}

function day(
  activeLies: ActiveLies,
  query: RequestForm,
  { name, ...asked }: { name: string; required: boolean; isFirst: boolean; isPaged: boolean },
) {
  const text = query.text(name, asked);
  const span = text === undefined ? undefined : readDay(activeLies, text, asked.isFirst, asked.isPaged);
  if (text !== undefined && span === undefined) query.complain(name, `The ${name} field must be a valid date.`);
  return span;
}

/** How many milliseconds a list goes on in which others are of its period. */
const lendsItsPeriod = decideMixUp('V1-TRL-03', 'periods-of-lists-at-once-mixed');

/** One page of the history of an account. Range and order go by the creation of the record. */
export function listTransactions(call: V1Call): V1Answer {
  const { world, v1State, query, user } = call;
  const { activeLies } = world;
  const isFirst = user.accounts.get(String(query.get('account_uuid')))?.isFirst ?? true;
  const asked = pages.read(activeLies, query, world.choices, isFirst);
  const { page, lasts: turns } = pageListed(activeLies, v1State.rush, 'transactions', asked);
  const account = readQueriedAccount(call, accountNeeded(activeLies, page.number));
  const beside = { isFirst, isPaged: page.beside.paged };
  const fromRequired = fromNeeded(activeLies, page.number, isFirst);
  const from = day(activeLies, query, { name: 'date_from', required: fromRequired, ...beside })?.start ?? 0;
  const { periodEnd, futureDays, earlyDays } = world.choices;
  if (earlyDays === 'refused' && from !== 0 && from < OPENED)
    query.complain('date_from', 'The account was not there yet.');
  const toRequired = toNeeded(activeLies, page.number, isFirst);
  const last = day(activeLies, query, { name: 'date_to', required: toRequired, ...beside });
  // Where the last day does not count, the present one can be asked for by the next.
  const latest = world.clock.now() + (periodEnd === 'included' ? 0 : DAY);
  if (futureDays === 'refused' && last !== undefined && last.start > latest)
    query.complain('date_to', 'The date_to field must not lie in the future.');
  const to = (periodEnd === 'included' ? last?.end : last?.start) ?? Number.POSITIVE_INFINITY;
  if (from < 0 && !takesEarlyDays(activeLies)) throw new Error('the day lies before all others');
  query.refuseComplaints();
  const period = v1State.rush.lend(activeLies, 'period of a list', lendsItsPeriod, { begin: from, end: to });
  const { begin, end } = period.value;
  const { value: owned, lasts } = accountListed(activeLies, v1State.rush, 'transactions', account());
  const { accountBook } = v1State;
  const isUpwards = page.beside.upwards;
  const all = scope(activeLies, accountBook.of(owned), accountBook.all(), page);
  const shownOnce = all.filter(
    (entry) =>
      inFrom(activeLies, entry.created, begin, page, Math.min(end, world.clock.now())) &&
      inTo(activeLies, entry.created, end, begin, page) &&
      stays(activeLies, entry, world.clock.now(), isUpwards, page.number),
  );
  const history = shownOnce.flatMap((entry) =>
    Array<BookedTransaction>(copies(activeLies, entry, isUpwards)).fill(entry),
  );
  const shown = (entry: BookedTransaction) =>
    shownLater(activeLies, entry, accountBook.all()[entry.serial - 1], world.clock.now());
  const wanted = upwards(activeLies, pages.cut(activeLies, history, page, world.choices), isUpwards, page.number);
  const cut = turned(activeLies, wanted, isFirst);
  const first = page.number > 1 ? history.at(-1) : undefined;
  const transactions = cut.map((transaction, index) =>
    shapeTransaction(
      activeLies,
      presentTransaction(
        alike(
          activeLies,
          currentStatus(activeLies, repeated(activeLies, shown(transaction)), transaction, world.clock.now()),
          first,
          page,
        ),
      ),
      {
        place: 'list',
        index,
      },
    ),
  );
  const body: AnswerBody = {
    account: { uuid: named(activeLies, owned, [...user.accounts.values()], history.length, page.number) },
    transactions,
  };
  if (!tellsAccount(activeLies, page.number)) delete body['account'];
  return answerBehind(listed(activeLies, body), Math.max(lasts, turns, period.lasts));
}
