import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { decideMixUp } from '../../rush.ts';
import type { V1Call } from '../v1-call.ts';
import { answerBehind, decideSuccess, type V1Answer } from '../wire/answer-shape.ts';
import { UUID_PATTERN } from '../wire/request-form.ts';
import { refuseMissing } from '../wire/v1-refusal.ts';
import { presentTransaction, shownLater } from './account-book.ts';
import { type BookedTransaction, cutDetails, cutIdent, loseCent, loseNoughts } from './transaction.ts';
import { readQueriedAccount } from './transaction-list.ts';
import { shapeTransaction } from './transaction-shape.ts';

const accountNeeded = decision({
  rule: 'V1-TRR-01',
  honest: (_status: string | undefined) => true,
  lies: {
    'read-without-account-accepted': () => false,
    'read-of-a-completed-one-without-account-accepted': (status) => status !== 'completed',
  },
});

/** Whether a malformed uuid in the path is refused; `newest` is what a careless server might take it for. */
const malformed = decision({
  rule: 'V1-GEN-04',
  honest: (_newest: BookedTransaction | undefined): BookedTransaction | undefined => undefined,
  lies: { 'read-takes-any-transaction': (newest) => newest },
});

const chosen = decision({
  rule: 'V1-TRR-02',
  honest: (asked: BookedTransaction, _history: readonly BookedTransaction[], _wasRead: boolean) => asked,
  lies: {
    'read-again-gives-newest': (asked, history, wasRead) => (wasRead && history.at(-1)) || asked,
    'read-gives-newest': (asked, history) => history.at(-1) ?? asked,
    'read-in-second-account-gives-newest': (asked, history) =>
      asked.account.isFirst ? asked : (history.at(-1) ?? asked),
    'read-gives-oldest': (asked, history) => history[0] ?? asked,
  },
});

/** The uuid of the path, as it is looked for. */
const sought = decision({
  rule: 'V1-GEN-04',
  honest: (uuid: string) => uuid,
  lies: { 'read-takes-a-transaction-with-more-behind-its-uuid': (uuid) => uuid.slice(0, 36) },
});

/** What is read under an account that another one's transaction is asked for in. */
const misplaced = decision({
  rule: 'V1-TRR-02',
  honest: (_newest: () => BookedTransaction | undefined): BookedTransaction | undefined => undefined,
  lies: { 'read-under-another-account-gives-newest': (newest) => newest() },
});

/** What is read under a uuid that there is not. */
const almost = decision({
  rule: 'V1-TRR-02',
  honest: (_uuid: string, _history: readonly BookedTransaction[]): BookedTransaction | undefined => undefined,
  lies: {
    'read-of-none-in-second-account-gives-oldest': (_uuid, [oldest]) => (oldest?.account.isFirst ? undefined : oldest),
    'read-in-other-letters-gives-oldest': (uuid, [oldest]) => (uuid === uuid.toLowerCase() ? undefined : oldest),
    'read-told-by-all-but-the-last-digit': (uuid, history) =>
      history.find((one) => one.uuid.slice(0, -1) === uuid.toLowerCase().slice(0, -1)),
    'read-told-by-all-but-the-first-digit': (uuid, history) =>
      history.find((one) => one.uuid.slice(1) === uuid.toLowerCase().slice(1)),
  },
});

/** How many milliseconds a reading goes on in which others are given the newest. */
const mixesOthers = decideMixUp('V1-TRR-02', 'readings-at-once-give-newest');

/** What a transaction shows of what was sent when it is read. */
const repeated = decision({
  rule: 'V1-TRC-04',
  honest: (shown: BookedTransaction, _wasRead: boolean) => shown,
  lies: {
    'read-amount-of-tens-loses-its-noughts': loseNoughts,
    'read-details-of-none-said-in-words': (shown) => ({ ...shown, payment_details: shown.payment_details ?? 'null' }),
    'read-amount-loses-a-cent-to-a-float': loseCent,
    'read-amount-loses-a-cent-once-completed': (shown) => (shown.status === 'completed' ? loseCent(shown) : shown),
    'read-amount-loses-a-cent-once-rejected': (shown) => (shown.status === 'rejected' ? loseCent(shown) : shown),
    'read-details-cut-at-139-once-completed': (shown) => (shown.status === 'completed' ? cutDetails(shown) : shown),
    'read-ident-cut-at-34-in-second-account': (shown) => (shown.account.isFirst ? shown : cutIdent(shown)),
    'read-amount-loses-a-cent-under-a-request-id': (shown) => (shown.hasRequestId ? loseCent(shown) : shown),
    'read-again-without-cents': (shown, wasRead) =>
      wasRead ? { ...shown, amount: Math.max(1, Math.floor(shown.amount)) } : shown,
    'read-in-second-account-rounded': (shown) =>
      shown.account.isFirst ? shown : { ...shown, amount: Math.max(1, Math.round(shown.amount)) },
    'read-amount-above-a-thousand-rounded': (shown) => ({
      ...shown,
      amount: shown.amount > 1000 ? Math.round(shown.amount) : shown.amount,
    }),
    'read-amount-one-cent-more': (shown) => ({ ...shown, amount: Number((shown.amount + 0.01).toFixed(2)) }),
    'read-details-with-entities': (shown) => ({
      ...shown,
      payment_details: shown.payment_details?.replaceAll("'", '&#39;') ?? null,
    }),
    'read-code-cut-at-34': (shown) => ({ ...shown, payment_code: shown.payment_code?.slice(0, 34) ?? null }),
    'read-ident-cut-at-34': cutIdent,
    'read-details-cut-at-139': cutDetails,
    'read-details-in-lower-case': (shown) => ({
      ...shown,
      payment_details: shown.payment_details?.toLowerCase() ?? null,
    }),
    'read-details-cut-at-35': (shown) => ({ ...shown, payment_details: shown.payment_details?.slice(0, 35) ?? null }),
    'read-recipient-with-iban-of-payer': (shown) => ({
      ...shown,
      recipient: shown.recipient && { ...shown.recipient, iban: shown.payer?.iban },
    }),
    'read-code-lost-without-details': (shown) => ({
      ...shown,
      payment_code: shown.payment_details === null ? null : shown.payment_code,
    }),
    'read-ident-replaced': (shown) => ({ ...shown, end_to_end_ident: 'NOTPROVIDED' }),
  },
});

/** What of a transaction neither its way nor its state changes, when it is read. */
const lasting = decision({
  rule: 'V1-TRC-08',
  honest: (shown: BookedTransaction, _isFirst: boolean) => shown,
  lies: {
    'read-in-second-account-as-what-came-in': (shown, isFirst) =>
      isFirst ? shown : { ...shown, direction: 'CREDIT' as const },
  },
});

/** The status that a reading shows, whatever it was when the transaction was first read. */
const current = decision({
  rule: 'V1-TRN-04',
  honest: (status: string, _first: string) => status,
  lies: { 'status-for-ever-as-it-was-first-read': (_status, first) => first },
});

/** Whether a transaction is found, whatever its age in milliseconds and how many were made since. */
const stays = decision({
  rule: 'V1-TRC-05',
  honest: (_age: number, _status: string, _rails: string, _since: number) => true,
  lies: {
    'swift-transactions-not-readable-once-completed': (_age, status, rails) =>
      status !== 'completed' || rails !== 'SWIFT',
    'transactions-not-readable-on-their-third-day': (age) => Math.floor(age / DAY) !== 2,
    'transactions-not-readable-after-a-hundred-others': (_age, _status, _rails, since) => since <= 100,
    'rejected-transactions-not-readable': (_age, status) => status !== 'rejected',
  },
});

const answered = decideSuccess('V1-TRR-03', 200, {
  'read-answered-201': (body) => ({ status: 201, body }),
  'read-answered-206': (body) => ({ status: 206, body }),
  'read-without-body': () => ({ status: 200, labelledEmpty: true }),
});

/**
 * One transaction of one account.
 * @throws Refusal 404 when the account has no such transaction
 */
export function readTransaction(call: V1Call): V1Answer {
  const { world, v1State, query, path, wasRead } = call;
  const { activeLies } = world;
  const uuid = sought(activeLies, path['uuid']!);
  const meantOne = v1State.accountBook.all().find((one) => one.uuid === uuid);
  const account = readQueriedAccount(call, accountNeeded(activeLies, meantOne?.status), meantOne?.status);
  query.refuseComplaints();
  const owned = account();
  const taken = UUID_PATTERN.test(uuid) ? undefined : malformed(activeLies, v1State.accountBook.of(owned).at(-1));
  const isElsewhere = meantOne !== undefined && meantOne.account !== owned;
  const other = isElsewhere ? misplaced(activeLies, () => v1State.accountBook.of(owned).at(-1)) : undefined;
  const near = meantOne === undefined ? almost(activeLies, uuid, v1State.accountBook.of(owned)) : undefined;
  const found = taken ?? other ?? near ?? v1State.accountBook.find(uuid, owned);
  const since = v1State.accountBook.all().length - found.serial;
  if (!stays(activeLies, world.clock.now() - found.created, found.status, found.payment_type, since))
    throw refuseMissing('The transaction');
  found.firstRead ??= found.status;
  const status = current(activeLies, found.status, found.firstRead);
  const entry = shownLater(
    activeLies,
    { ...found, status },
    v1State.accountBook.all()[found.serial - 1],
    world.clock.now(),
  );
  const history = v1State.accountBook.of(owned);
  const { lasts, isAtOnce } = v1State.rush.begin(activeLies, 'reading', mixesOthers);
  const meant = isAtOnce ? (history.at(-1) ?? entry) : entry;
  const shown = presentTransaction(
    lasting(activeLies, repeated(activeLies, chosen(activeLies, meant, history, wasRead), wasRead), owned.isFirst),
  );
  return answerBehind(answered(activeLies, shapeTransaction(activeLies, shown, { place: 'read', index: 0 })), lasts);
}
