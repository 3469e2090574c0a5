import { type ActiveLies, decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import type { UserAccount } from '../access/api-users.ts';
import { openAccount } from '../access/user-access.ts';
import type { V1Call } from '../v1-call.ts';
import { type AnswerBody, answerBehind, decideSuccess, type V1Answer } from '../wire/answer-shape.ts';
import { MISWRITTEN } from '../wire/miswritten-texts.ts';
import { type RequestForm, UUID_PATTERN } from '../wire/request-form.ts';
import { refuseBusiness, V1Refusal } from '../wire/v1-refusal.ts';
import { type EntryVisibility, presentTransaction } from './account-book.ts';
import type { ProcessedRequests } from './processed-requests.ts';
import { isAnnouncedAllTheSame, isEnteredAllTheSame, isOverlooked, isRefusedThoughRight } from './refused-creations.ts';
import {
  type BookedTransaction,
  cutDetails,
  cutIdent,
  loseCent,
  loseNoughts,
  type TransferDraft,
} from './transaction.ts';
import { shapeTransaction } from './transaction-shape.ts';
import { readTransferDraft } from './transfer-draft.ts';
import { namesBank } from './transfer-party.ts';

/** Whether a transfer names the bank of its recipient. */
const hasBank = ({ recipient }: TransferDraft) => recipient?.agency_id !== undefined;

const queryAccountNeeded = decision({
  rule: 'V1-TRC-01',
  honest: (_body: () => RequestForm, _hasId: boolean, _second: string) => true,
  lies: {
    'create-without-query-account-accepted': () => false,
    'create-without-query-account-accepted-where-the-body-names-the-second': (body, _hasId, second) =>
      String(body().raw('account_uuid')).toLowerCase() !== second.toLowerCase(),
    'create-without-query-account-accepted-where-a-bank-is-named': (body) => !namesBank(body().raw('recipient')),
    'create-without-query-account-accepted-over-swift': (body) => body().raw('payment_type') !== 'swift',
    'create-without-query-account-accepted-beside-a-request-id': (_body, hasId) => !hasId,
  },
});

/** Whether a creation that is refused for want of an account in its query makes nothing. */
const isUndoneWithoutQuery = decision({
  rule: 'V1-TRC-01',
  honest: () => true,
  lies: { 'refused-creation-without-query-account-entered-all-the-same': () => false },
});
const bodyAccountNeeded = decision({
  rule: 'V1-TRC-09',
  honest: (_rails: unknown, _isNull: boolean) => true,
  lies: {
    'create-without-body-account-accepted': () => false,
    'create-with-body-account-null-accepted': (_rails, isNull) => !isNull,
    'create-without-body-account-accepted-over-swift': (rails) => rails !== 'swift',
  },
});

const requestIdNeeded = decision({
  rule: 'V1-TRC-02',
  honest: () => false,
  lies: { 'create-needs-request-id': () => true },
});

/** Whether a malformed uuid is refused where one is due. */
const uuidsChecked = decision({
  rule: 'V1-GEN-04',
  honest: (_place: 'query' | 'body') => true,
  lies: {
    'create-takes-any-query-account': (place) => place !== 'query',
    'create-takes-any-body-account': (place) => place !== 'body',
  },
});

const requestsTold = decision({
  rule: 'V1-TRC-26',
  honest: (id: string, _body: string, _isFirst: boolean) => id,
  lies: {
    'request-ids-of-second-account-all-alike': (id, _body, isFirst) => (isFirst ? id : ''),
    'request-ids-told-by-their-bodies': (_id, body) => body,
    'request-ids-all-alike': () => '',
    'request-ids-told-by-their-first-group': (id) => id.slice(0, 8),
    'request-ids-told-by-their-last-group': (id) => id.slice(-12),
    'request-ids-told-by-their-outer-groups': (id) => id.slice(0, 8) + id.slice(-12),
    'request-ids-told-without-last-digit': (id) => id.slice(0, -1),
  },
});

/** Whether a request goes by its id. */
const goesById = decision({
  rule: 'V1-TRC-03',
  honest: (_id: string) => true,
  lies: { 'repeat-under-an-id-in-capitals-processed-again': (id) => !/[A-Z]/.test(id) },
});

/** Whether a processed request is forgotten when its id comes again with a body that is refused. */
const isForgottenByRefusal = decision({
  rule: 'V1-TRC-03',
  honest: () => false,
  lies: { 'repeat-after-a-refused-one-processed-again': () => true },
});

/** Which uuids may name a request. */
const namesRequest = decision({
  rule: 'V1-TRC-26',
  honest: (_id: string) => true,
  lies: { 'request-ids-that-are-not-random-refused': (id) => /^.{14}4/.test(id) },
});

/** Whether a request that was refused for the rate may come again under its id. */
const mayComeAgain = decision({
  rule: 'V1-LIM-04',
  honest: () => true,
  lies: { 'v1-creation-refused-for-the-rate-taken-for-processed': () => false },
});

/** What a request is known by. */
const known = decision({
  rule: 'V1-TRC-03',
  honest: (id: string, _body: string, _from: string) => id,
  lies: {
    'repeat-in-another-order-processed-again': (id, body) => `${id} ${body}`,
    'repeat-from-another-address-processed-again': (id, _body, from) => `${id} ${from}`,
  },
});

/** Whether what was processed is still remembered after a request without an X-Request-ID. */
const remembersBeside = decision({
  rule: 'V1-TRC-03',
  honest: () => true,
  lies: { 'repeat-after-one-without-an-id-processed-again': () => false },
});

/** When a processed request is remembered: the second with the same X-Request-ID must find the first. */
const remembering = decision({
  rule: 'V1-TRC-03',
  honest: (note: () => void, _requests: ProcessedRequests, _draft: TransferDraft, _isFirst: boolean) => note(),
  lies: {
    'repeat-processed-again': () => {},
    'repeat-after-another-processed-again': (note, requests) => {
      requests.clear();
      note();
    },
    'repeat-after-another-over-swift-processed-again': (note, requests, { payment_type }) => {
      if (payment_type === 'SWIFT')
        for (const [key, { transaction }] of requests) if (transaction.payment_type === 'SWIFT') requests.delete(key);
      note();
    },
    'repeat-after-ten-others-processed-again': (note, requests) => {
      const [oldest] = requests.keys();
      if (requests.size >= 10 && oldest !== undefined) requests.delete(oldest);
      note();
    },
    'repeat-after-a-hundred-others-processed-again': (note, requests) => {
      const [oldest] = requests.keys();
      if (requests.size >= 100 && oldest !== undefined) requests.delete(oldest);
      note();
    },
    'repeat-over-swift-processed-again': (note, _requests, { payment_type }) => {
      if (payment_type !== 'SWIFT') note();
    },
    'repeat-with-a-code-processed-again': (note, _requests, { payment_code }) => {
      if (payment_code == null) note();
    },
    'repeat-with-a-code-alone-processed-again': (note, _requests, { payment_details }) => {
      if (payment_details !== null) note();
    },
    'repeat-with-a-bank-processed-again': (note, _requests, draft) => {
      if (!hasBank(draft)) note();
    },
    'repeat-in-second-account-processed-again': (note, _requests, _draft, isFirst) => {
      if (isFirst) note();
    },
    'repeat-at-once-processed-again': (note) => void setTimeout(note, 100).unref(),
  },
});

/** How many milliseconds a processed request is remembered late; it is answered later still. */
const rememberedLate = decision({
  rule: 'V1-TRC-03',
  honest: (_draft: TransferDraft, _isFirst: boolean) => 0,
  lies: {
    'repeat-at-once-over-swift-processed-again': ({ payment_type }) => (payment_type === 'SWIFT' ? 80 : 0),
    'repeat-at-once-in-second-account-processed-again': (_draft, isFirst) => (isFirst ? 0 : 80),
  },
});

/** Whether a creation that fails leaves nothing behind. */
export const failureLeavesNothing = decision({
  rule: 'V1-TRC-03',
  honest: () => true,
  lies: { 'repeat-after-a-failure-processed-again': () => false },
});

const repeating = decision({
  rule: 'V1-TRC-03',
  honest: (_repeats: number, _seconds: number, _status: string, _realSeconds: number) => false,
  lies: {
    'repeat-a-moment-later-processed-again': (_repeats, _seconds, _status, realSeconds) => realSeconds >= 2,
    'repeat-after-completion-processed-again': (_repeats, _seconds, status) => status === 'completed',
    'repeat-after-another-end-processed-again': (_repeats, _seconds, status) =>
      !['pending', 'completed'].includes(status),
    'second-repeat-processed-again': (repeats) => repeats >= 2,
    'repeat-after-a-minute-processed-again': (_repeats, seconds) => seconds >= 60,
    'repeat-after-six-hours-processed-again': (_repeats, seconds) => seconds >= 6 * 3600,
  },
});

/** Whether a transaction is announced once more when its request comes again. */
const announcedAgain = decision({
  rule: 'V1-TRC-03',
  honest: (_transaction: BookedTransaction) => false,
  lies: {
    'repeat-announced-again': () => true,
    'repeat-over-swift-announced-again': ({ payment_type }) => payment_type === 'SWIFT',
    'repeat-in-second-account-announced-again': ({ account }) => !account.isFirst,
    'repeat-after-completion-announced-again': ({ status }) => status === 'completed',
    'repeat-after-another-end-announced-again': ({ status }) => !['pending', 'completed'].includes(status),
  },
});

/** Whether a transaction that has ended begins again when its request comes again. */
const beginsAgain = decision({
  rule: 'V1-TRC-03',
  honest: (_status: string) => false,
  lies: {
    'repeat-makes-a-completed-transaction-pending-again': (status) => status === 'completed',
    'repeat-makes-a-rejected-transaction-pending-again': (status) => !['pending', 'completed'].includes(status),
  },
});

const echo = decision({
  rule: 'V1-TRC-04',
  honest: (draft: TransferDraft) => draft,
  lies: {
    'created-code-lost-over-swift': (draft) =>
      draft.payment_type === 'SWIFT' ? { ...draft, payment_code: null } : draft,
    'created-swift-recipient-with-iban-of-payer': (draft) =>
      draft.payment_type === 'SWIFT'
        ? { ...draft, recipient: draft.recipient && { ...draft.recipient, iban: draft.payer?.iban } }
        : draft,
    'created-amount-loses-its-thousands': (draft) => ({
      ...draft,
      amount: draft.amount > 1000 ? Number((draft.amount % 1000).toFixed(2)) : draft.amount,
    }),
    'created-amount-of-tens-loses-its-noughts': loseNoughts,
    'created-amount-of-cents-in-32-bits': (draft) => ({ ...draft, amount: (Math.round(draft.amount * 100) | 0) / 100 }),
    'created-details-that-look-like-a-time-rewritten': (draft) => ({
      ...draft,
      payment_details: draft.payment_details && MISWRITTEN['that-looks-like-a-time-rewritten']!(draft.payment_details),
    }),
    'created-amount-loses-a-cent-to-a-float': loseCent,
    'created-amount-loses-a-cent-where-a-bank-is-named': (draft) => (hasBank(draft) ? loseCent(draft) : draft),
    'created-details-cut-at-139-where-a-bank-is-named': (draft) => (hasBank(draft) ? cutDetails(draft) : draft),
    'created-amount-loses-a-cent-under-a-request-id': (draft) => (draft.hasRequestId ? loseCent(draft) : draft),
    'created-details-cut-at-139-under-a-request-id': (draft) => (draft.hasRequestId ? cutDetails(draft) : draft),
    'created-ident-cut-at-34-over-swift-under-a-request-id': (draft) =>
      draft.hasRequestId && draft.payment_type === 'SWIFT' ? cutIdent(draft) : draft,
    'created-recipient-with-iban-of-payer-under-a-request-id': (draft) =>
      draft.hasRequestId
        ? { ...draft, recipient: draft.recipient && { ...draft.recipient, iban: draft.payer?.iban } }
        : draft,
    'created-amount-loses-a-cent-over-swift': (draft) => (draft.payment_type === 'SWIFT' ? loseCent(draft) : draft),
    'created-amount-rounded': (draft) => ({ ...draft, amount: Math.max(1, Math.round(draft.amount)) }),
    'created-amount-one-cent-less': (draft) => ({ ...draft, amount: Number((draft.amount - 0.01).toFixed(2)) }),
    'created-details-of-digits-as-a-number': (draft) => ({
      ...draft,
      payment_details: draft.payment_details?.replace(/^0+(?=\d+$)/, '') ?? null,
    }),
    'created-details-cut-at-35': (draft) => ({
      ...draft,
      payment_details: draft.payment_details?.slice(0, 35) ?? null,
    }),
    'created-details-cut-at-139': cutDetails,
    'created-details-cut-at-139-over-swift': (draft) => (draft.payment_type === 'SWIFT' ? cutDetails(draft) : draft),
    'created-ident-cut-at-34': cutIdent,
    'created-code-in-capitals': (draft) => ({ ...draft, payment_code: draft.payment_code?.toUpperCase() ?? null }),
    'created-ident-replaced': (draft) => ({ ...draft, end_to_end_ident: 'NOTPROVIDED' }),
    'created-details-of-a-zero-lost': (draft) =>
      draft.payment_details === '0' ? { ...draft, payment_details: null } : draft,
    'created-details-that-say-null-lost': (draft) =>
      draft.payment_details === 'null' ? { ...draft, payment_details: null } : draft,
    'created-ident-of-a-zero-lost': (draft) =>
      draft.end_to_end_ident === '0' ? { ...draft, end_to_end_ident: null } : draft,
    'ultimate-parties-shown-the-other-way-round': (draft) => ({
      ...draft,
      payer: draft.payer && { ...draft.payer, ultimate: draft.recipient?.ultimate },
      recipient: draft.recipient && { ...draft.recipient, ultimate: draft.payer?.ultimate },
    }),
    'created-recipient-with-iban-of-payer': (draft) => ({
      ...draft,
      recipient: draft.recipient && { ...draft.recipient, iban: draft.payer?.iban },
    }),
  },
});

/** What of a transfer is kept in its account. */
const keptOf = decision({
  rule: 'V1-TRC-04',
  honest: (draft: TransferDraft, _isFirst: boolean) => draft,
  lies: {
    'created-in-second-account-without-code': (draft, isFirst) => (isFirst ? draft : { ...draft, payment_code: null }),
    'created-in-second-account-with-another-code': (draft, isFirst) =>
      isFirst || draft.payment_code === null ? draft : { ...draft, payment_code: 'OTHR' },
  },
});

/** Who and where the recipient is. */
const particulars = decision({
  rule: 'V1-TRC-04',
  honest: (draft: TransferDraft, _before: BookedTransaction | undefined) => draft,
  lies: {
    'recipient-of-a-known-name-with-the-iban-of-the-one-before': ({ recipient, ...draft }, before) => ({
      ...draft,
      recipient: recipient && {
        ...recipient,
        iban: (before?.recipient?.name === recipient.name ? before?.recipient?.iban : undefined) ?? recipient.iban,
      },
    }),
    'recipient-with-address-of-its-bank': ({ recipient, ...draft }) => ({
      ...draft,
      recipient: recipient && { ...recipient, address: recipient.agency_address ?? recipient.address },
    }),
    'payer-named-as-the-recipient': ({ payer, ...draft }) => ({
      ...draft,
      payer: payer && { ...payer, name: draft.recipient?.name ?? payer.name },
    }),
    'recipient-with-address-of-the-payer': ({ recipient, ...draft }) => ({
      ...draft,
      recipient: recipient && { ...recipient, address: draft.payer?.address ?? recipient.address },
    }),
    'recipient-named-as-its-bank': ({ recipient, ...draft }) => ({
      ...draft,
      recipient: recipient && { ...recipient, name: recipient.agency_name ?? recipient.name },
    }),
    'recipient-named-as-whom-it-stands-for': ({ recipient, ...draft }) => ({
      ...draft,
      recipient: recipient && { ...recipient, name: recipient.ultimate?.name ?? recipient.name },
    }),
  },
});

/** Whom the answer names as the recipient. */
const addressed = decision({
  rule: 'V1-TRC-04',
  honest: (made: BookedTransaction, _before: BookedTransaction | undefined) => made,
  lies: {
    'created-recipient-with-address-of-the-one-before': (made, before) => ({
      ...made,
      recipient: made.recipient && {
        ...made.recipient,
        address: before?.recipient?.address ?? made.recipient.address,
      },
    }),
    'created-recipient-named-as-the-one-before': (made, before) => ({
      ...made,
      recipient: made.recipient && { ...made.recipient, name: before?.recipient?.name ?? made.recipient.name },
    }),
  },
});

/** What is booked of a transfer that leaves something out, whatever the one before it held. */
const leftOut = decision({
  rule: 'V1-TRC-04',
  honest: (draft: TransferDraft, _before: BookedTransaction | undefined) => draft,
  lies: {
    'details-left-out-are-those-of-the-one-before': (draft, before) => ({
      ...draft,
      payment_details: draft.payment_details ?? before?.payment_details ?? null,
    }),
    'code-left-out-is-that-of-the-one-before': (draft, before) => ({
      ...draft,
      payment_code: draft.payment_code ?? before?.payment_code ?? null,
    }),
    'ultimate-recipient-left-out-is-that-of-the-one-before': ({ recipient, ...draft }, before) => ({
      ...draft,
      recipient: recipient && { ...recipient, ultimate: recipient.ultimate ?? before?.recipient?.ultimate },
    }),
    'ident-left-out-is-that-of-the-one-before': (draft, before) => ({
      ...draft,
      end_to_end_ident: draft.end_to_end_ident ?? before?.end_to_end_ident ?? null,
    }),
    'recipient-address-left-out-is-that-of-the-one-before': ({ recipient, ...draft }, before) => ({
      ...draft,
      recipient: recipient && { ...recipient, address: recipient.address ?? before?.recipient?.address },
    }),
    'ultimate-payer-left-out-is-that-of-the-one-before': (draft, before) => ({
      ...draft,
      payer: draft.payer && { ...draft.payer, ultimate: draft.payer.ultimate ?? before?.payer?.ultimate },
    }),
  },
});

/** What the books make of letters that the rails of a bank do not know, whatever the answer says. */
const bookedLetters = decision({
  rule: 'V1-TRC-25',
  honest: (draft: TransferDraft) => draft,
  lies: {
    'booked-details-without-accents': (draft) => ({
      ...draft,
      payment_details: draft.payment_details?.replace(/[^ -~]/gu, '?') ?? null,
    }),
  },
});

/** The rails that a transfer goes over, whatever its answer says. */
const railsKept = decision({
  rule: 'V1-TRC-22',
  honest: (asked: string, _isFirst: boolean) => asked,
  lies: {
    'swift-shown-and-booked-over-sepa': () => 'SEPA',
    'swift-in-second-account-goes-over-sepa': (asked, isFirst) => (isFirst ? asked : 'SEPA'),
  },
});

/** What becomes of letters that the rails of a bank do not know. */
const otherLetters = decision({
  rule: 'V1-TRC-25',
  honest: (draft: TransferDraft) => draft,
  lies: {
    'created-details-without-accents': (draft) => ({
      ...draft,
      payment_details: draft.payment_details?.replace(/[^ -~]/gu, '?') ?? null,
    }),
  },
});

/** Where an accepted transfer can be found afterwards. */
const kept = decision({
  rule: 'V1-TRC-05',
  honest: (_serial: number, _draft: TransferDraft, _isFirst: boolean, _askedType: unknown): EntryVisibility => ({
    readable: true,
    listed: true,
  }),
  lies: {
    'created-swift-transfers-not-listed': (_serial, draft) => ({
      readable: true,
      listed: draft.payment_type !== 'SWIFT',
    }),
    'created-with-sepa-by-name-not-listed': (_serial, _draft, _isFirst, askedType) => ({
      readable: true,
      listed: askedType !== 'sepa',
    }),
    'created-with-a-type-of-null-not-readable': (_serial, _draft, _isFirst, askedType) => ({
      readable: askedType !== null,
      listed: true,
    }),
    'created-above-a-thousand-not-listed': (_serial, { amount }) => ({ readable: true, listed: amount <= 1000 }),
    'created-above-a-thousand-not-readable': (_serial, { amount }) => ({ readable: amount <= 1000, listed: true }),
    'created-without-details-not-readable': (_serial, draft) => ({
      readable: draft.payment_details !== null,
      listed: true,
    }),
    'created-with-other-letters-not-listed': (_serial, draft) => ({
      readable: true,
      listed: /^[ -~]*$/.test(draft.payment_details ?? ''),
    }),
    'created-below-one-not-listed': (_serial, { amount }) => ({ readable: true, listed: amount >= 1 }),
    'created-below-one-not-readable': (_serial, { amount }) => ({ readable: amount >= 1, listed: true }),
    'created-with-a-bank-not-listed': (_serial, draft) => ({ readable: true, listed: !hasBank(draft) }),
    'created-with-a-bank-not-readable': (_serial, draft) => ({ readable: !hasBank(draft), listed: true }),
    'created-under-a-request-id-not-listed': (_serial, draft) => ({ readable: true, listed: !draft.hasRequestId }),
    'created-under-a-request-id-not-readable': (_serial, draft) => ({ readable: !draft.hasRequestId, listed: true }),
    'created-without-details-not-listed': (_serial, draft) => ({
      readable: true,
      listed: draft.payment_details !== null,
    }),
    'created-in-second-account-not-readable': (_serial, _draft, isFirst) => ({ readable: isFirst, listed: true }),
    'one-created-transaction-in-ten-not-listed': (serial) => ({ readable: true, listed: serial % 10 !== 3 }),
    'one-created-transaction-in-ten-not-readable': (serial) => ({ readable: serial % 10 !== 3, listed: true }),
    'created-transaction-not-readable': () => ({ readable: false, listed: true }),
    'created-transaction-not-listed': () => ({ readable: true, listed: false }),
  },
});

/** How many milliseconds a creation goes on in which others are not listed. */
const losesOthers = decideMixUp('V1-TRC-05', 'transfers-made-at-once-not-listed');

/** How many milliseconds a creation goes on in which others are entered with its amount. */
const lendsItsAmount = decideMixUp('V1-TRC-04', 'transfers-made-at-once-of-one-amount');

/** How many milliseconds a creation goes on in which others are entered with its details. */
const lendsItsDetails = decideMixUp('V1-TRC-04', 'transfers-made-at-once-with-the-same-details');

/** How many milliseconds a creation goes on in which others are entered with its end-to-end identifier. */
const lendsItsIdent = decideMixUp('V1-TRC-04', 'transfers-made-at-once-with-the-same-ident');

/** Whether a creation that names an account there is not makes nothing. */
const isUndoneWithoutAccount = decision({
  rule: 'V1-ERR-04',
  honest: () => true,
  lies: { 'transaction-entered-despite-404-of-its-account': () => false },
});

/** Whether a creation that names a malformed account makes nothing. */
const isUndoneWhereMalformed = decision({
  rule: 'V1-GEN-04',
  honest: () => true,
  lies: { 'refused-creation-of-a-malformed-account-entered-all-the-same': () => false },
});

/** How many milliseconds a creation goes on in which others are answered with its transaction. */
const standsForOthers = decideMixUp('V1-TRC-26', 'request-ids-that-come-at-once-alike');

/** How many milliseconds a creation goes on in which others that have no request id are answered with its transaction. */
const standsForNameless = decideMixUp('V1-TRN-02', 'transfers-at-once-without-a-request-id-taken-for-one');

/** How many milliseconds a creation goes on in which others are not announced. */
const drownsOthers = decideMixUp('V1-EVT-02', 'transactions-made-at-once-not-announced');

/** How many milliseconds a creation goes on in which others are booked in its account. */
const lendsItsAccount = decideMixUp('V1-TRL-07', 'transfers-made-at-once-booked-in-one-account');

/** Whose request an X-Request-ID stands for. */
const requestOwner = decision({
  rule: 'V1-AUT-04',
  honest: (user: string) => user,
  lies: { 'v1-repeat-by-another-user-answered-with-the-transaction': () => 'anybody' },
});

/** What a refusal tells beside the error itself. */
export const refusalExtras = decision({
  rule: 'V1-TRC-07',
  honest: (_status: number): AnswerBody => ({}),
  lies: {
    'refusal-for-lack-of-rights-carries-payment-state': (status) =>
      status === 403 ? { payment_status: 'rejected' } : {},
    'failure-behind-carries-payment-state': (status) => (status === 400 ? { payment_status: 'rejected' } : {}),
    'failure-carries-payment-state': (status) => (status === 500 ? { payment_status: 'rejected' } : {}),
    'refusal-carries-payment-state': () => ({ payment_status: 'rejected' }),
    'refusal-carries-transaction': () => ({ transaction: { status: 'failed' } }),
  },
});

const created = decideSuccess('V1-TRC-08', 201, {
  'created-answered-200': (body) => ({ status: 200, body }),
  'created-answered-202': (body) => ({ status: 202, body }),
  'created-without-body': () => ({ status: 201, labelledEmpty: true }),
  'created-a-second-later-than-it-is-read': (body) => {
    const { created_at: seconds } = Object(body) as { created_at?: number };
    return { status: 201, body: { ...Object(body), ...(seconds === undefined ? {} : { created_at: seconds + 1 }) } };
  },
});

function readAccount(
  activeLies: ActiveLies,
  form: RequestForm,
  place: 'query' | 'body',
  required: boolean,
): string | undefined {
  const checked = uuidsChecked(activeLies, place);
  const text = checked ? form.uuid('account_uuid', { required }) : form.text('account_uuid', { required });
  return text !== undefined && !UUID_PATTERN.test(text) ? undefined : text;
}

function readRequestId(activeLies: ActiveLies, call: V1Call): string | undefined {
  const id = call.header('x-request-id');
  if (id === undefined && requestIdNeeded(activeLies))
    throw invalid('X-Request-ID', 'The X-Request-ID header is required.');
  if (id !== undefined && !UUID_PATTERN.test(id))
    throw invalid('X-Request-ID', 'The X-Request-ID header must be a uuid.');
  if (id === undefined || !goesById(activeLies, id)) return undefined;
  if (!namesRequest(activeLies, id)) throw invalid('X-Request-ID', 'The X-Request-ID header must be a random uuid.');
  if (!mayComeAgain(activeLies) && call.v1State.asked.tooOften.has(id.toLowerCase())) throw processedBefore();
  if (call.v1State.asked.unknown.has(id.toLowerCase())) throw processedBefore();
  return id.toLowerCase();
}

/** What a request is remembered by. */
function requestKey(activeLies: ActiveLies, requestId: string, { user, body, world, from }: V1Call): string {
  const sent = JSON.stringify(body().all());
  const isFirst = !sent.includes(world.credentials.secondAccount);
  const told = known(activeLies, requestsTold(activeLies, requestId, sent, isFirst), sent, from);
  return `${requestOwner(activeLies, user.name)} ${told}`;
}

/** Refuses a body that is in no order, and forgets what was processed under its id before. Only a lie does. */
function refuseAndForget({ world, v1State, body }: V1Call, key: string, account: UserAccount): void {
  const form = body();
  readTransferDraft(world, form, account, 'SEPA');
  try {
    form.refuseComplaints();
  } catch (refusal) {
    v1State.requests.delete(key);
    throw refusal;
  }
}

/** Whether a creation that is refused for the account of its query is entered in the first one. Only a lie does. */
function isEnteredUnasked({ world: { activeLies }, v1State, query }: V1Call, from: string | undefined): boolean {
  if (from === undefined && !isUndoneWithoutQuery(activeLies)) return true;
  if (!isUndoneWithoutAccount(activeLies))
    return from !== undefined && !v1State.users.some(({ accounts }) => accounts.has(from.toLowerCase()));
  return from === undefined && !isUndoneWhereMalformed(activeLies) && query.get('account_uuid') !== undefined;
}

function processedBefore(): V1Refusal {
  return new V1Refusal(409, 'CONFLICT', ['This request was processed before.']);
}

function invalid(field: string, message: string): V1Refusal {
  return new V1Refusal(422, 'VALIDATION_ERROR', { [field]: [message] });
}

/**
 * Starts a transfer, unless the same X-Request-ID has started one: then the answer is that one again.
 * @throws Refusal 422, 403 or 404
 */
export function createTransaction(call: V1Call): V1Answer {
  const { world, v1State, user, query } = call;
  const { activeLies } = world;
  const requestId = readRequestId(activeLies, call);
  const key = requestId === undefined ? undefined : requestKey(activeLies, requestId, call);
  if (key === undefined && !remembersBeside(activeLies)) v1State.requests.clear();
  const earlier = key === undefined ? undefined : v1State.requests.get(key);
  if (earlier !== undefined) {
    if (isForgottenByRefusal(activeLies)) refuseAndForget(call, key!, earlier.transaction.account);
    earlier.repeats += 1;
    const { repeatedRequest } = world.choices;
    const { created, status } = earlier.transaction;
    if (beginsAgain(activeLies, status)) earlier.transaction.status = 'pending';
    const [seconds, realSeconds] = [
      (world.clock.now() - created) / 1000,
      (performance.now() - earlier.processedReally) / 1000,
    ];
    if (!repeating(activeLies, earlier.repeats, seconds, status, realSeconds)) {
      if (announcedAgain(activeLies, earlier.transaction))
        v1State.webhookSender.announce(user, 'created', earlier.transaction);
      if (repeatedRequest === 409) throw processedBefore();
      if (repeatedRequest === 422)
        throw refuseBusiness(world.choices, 'X-Request-ID', 'DUPLICATE_REQUEST', 'This request was processed before.');
      return answer(activeLies, earlier.transaction);
    }
  }
  const isQueryNeeded = queryAccountNeeded(
    activeLies,
    () => call.body(),
    requestId !== undefined,
    world.credentials.secondAccount,
  );
  const from = readAccount(activeLies, query, 'query', isQueryNeeded);
  if (isEnteredUnasked(call, from)) {
    const [first] = [...user.accounts.values()];
    const draft = readTransferDraft(world, call.body(), first!, 'SEPA');
    v1State.accountBook.enter(first!, { ...draft, payment_type: draft.payment_type || 'SEPA' });
  }
  query.refuseComplaints();
  const account =
    from === undefined
      ? (user.accounts.get(String(call.body().raw('account_uuid')).toLowerCase()) ?? [...user.accounts.values()][0]!)
      : openAccount(activeLies, call.operation, user, v1State.users, from, 1, {
          isSwift: () => call.body().raw('payment_type') === 'swift',
          hasId: requestId !== undefined,
        });
  const body = call.body();
  const isNull = body.raw('account_uuid') === null;
  const isNeeded = bodyAccountNeeded(activeLies, body.raw('payment_type'), isNull);
  const named = isNull && !isNeeded ? undefined : readAccount(activeLies, body, 'body', isNeeded);
  if (named !== undefined && named.toLowerCase() !== account.uuid.toLowerCase())
    body.complain('account_uuid', 'The account_uuid field must be the account of the query.');
  const before = v1State.accountBook.all().at(-1);
  const draft = {
    ...readTransferDraft(world, body, account, before?.payment_type ?? 'SEPA'),
    ...(requestId !== undefined && { hasRequestId: true as const }),
  };
  if (isRefusedThoughRight(activeLies, body.all(), requestId !== undefined))
    body.complain('request', 'The request cannot be processed.');
  if (isEnteredAllTheSame(activeLies, body.all()))
    v1State.accountBook.enter(account, { ...draft, payment_type: draft.payment_type || 'SEPA' });
  if (isAnnouncedAllTheSame(activeLies, body.all(), requestId !== undefined)) {
    const phantom = { ...draft, payment_type: draft.payment_type || 'SEPA' };
    const unseen = v1State.accountBook.enter(account, phantom, { readable: false, listed: false });
    v1State.webhookSender.announce(user, 'created', unseen);
  }
  const mixUps = [
    ...[losesOthers, standsForOthers, drownsOthers, lendsItsAmount, lendsItsAccount],
    ...[lendsItsDetails, lendsItsIdent],
  ];
  const nameless = v1State.rush.begin(
    activeLies,
    'nameless creation',
    ...(key === undefined ? [standsForNameless] : []),
  );
  if (nameless.isAtOnce && before !== undefined) return answerBehind(answer(activeLies, before), nameless.lasts);
  const { lasts, isAtOnce } = v1State.rush.begin(activeLies, 'creation', ...mixUps);
  if (isAtOnce && before !== undefined && standsForOthers(activeLies) > 0)
    return answerBehind(answer(activeLies, before), lasts);
  const { isFirst } = account;
  const askedType = body.raw('payment_type');
  if (!isOverlooked(activeLies, body.all(), isFirst, requestId !== undefined)) body.refuseComplaints();

  const amount = isAtOnce && lendsItsAmount(activeLies) > 0 ? (before?.amount ?? draft.amount) : draft.amount;
  const lent = isAtOnce && before !== undefined ? before : draft;
  const { payment_details } = lendsItsDetails(activeLies) > 0 ? lent : draft;
  const { end_to_end_ident } = lendsItsIdent(activeLies) > 0 ? lent : draft;
  const own = { ...draft, amount, payment_details, end_to_end_ident };
  const taken = keptOf(activeLies, particulars(activeLies, own, before), isFirst);
  const said = otherLetters(activeLies, echo(activeLies, leftOut(activeLies, taken, before)));
  const booked = bookedLetters(activeLies, said);
  const visibility = kept(activeLies, v1State.accountBook.all().length, draft, isFirst, askedType);
  const transaction = v1State.accountBook.enter(
    isAtOnce && lendsItsAccount(activeLies) > 0 ? (before?.account ?? account) : account,
    { ...booked, payment_type: railsKept(activeLies, draft.payment_type || 'SEPA', isFirst) },
    isAtOnce && losesOthers(activeLies) > 0 ? { ...visibility, listed: false } : visibility,
  );
  const note = (id: string) => {
    // A lie may come to it late, after everything was forgotten.
    if (v1State.accountBook.all()[transaction.serial] === transaction)
      v1State.requests.set(id, { transaction, repeats: 0, processedReally: performance.now() });
  };
  const late = rememberedLate(activeLies, draft, isFirst);
  if (key !== undefined && late > 0) setTimeout(note, late, key).unref();
  else if (key !== undefined) remembering(activeLies, () => note(key), v1State.requests, draft, isFirst);
  if (!isAtOnce || drownsOthers(activeLies) === 0)
    v1State.webhookSender.announce(user, 'created', transaction, { askedType });
  settleLater(call, transaction);
  bookFee(call, transaction);
  const shown = { ...transaction, payment_details: said.payment_details, payment_type: draft.payment_type };
  return answerBehind(answer(activeLies, addressed(activeLies, shown, before)), Math.max(late, lasts, nameless.lasts));
}

/** A fee may be booked a second after the transfer that it is for. */
function bookFee(
  { world, v1State }: V1Call,
  { uuid, serial, account, created, changed, firstRead, ...draft }: BookedTransaction,
): void {
  if (world.choices.fees === 'none') return;
  const fee: TransferDraft = { ...draft, amount: 0.5, transaction_type: 'fee', status: 'pending', parent: uuid };
  world.clock.after(1, () => void v1State.accountBook.enter(account, fee));
}

/** A status after pending may come by itself. */
function settleLater({ world, v1State, user }: V1Call, transaction: BookedTransaction): void {
  const { settlesAfter } = world.choices;
  if (settlesAfter === 'never') return;
  world.clock.after(settlesAfter, () => {
    if (transaction.status !== 'pending') return;
    transaction.status = 'completed';
    transaction.changed = world.clock.now();
    v1State.webhookSender.announce(user, 'changed', transaction);
  });
}

function answer(activeLies: ActiveLies, transaction: BookedTransaction): V1Answer {
  return created(
    activeLies,
    shapeTransaction(activeLies, presentTransaction(transaction), { place: 'create', index: 0 }),
  );
}
