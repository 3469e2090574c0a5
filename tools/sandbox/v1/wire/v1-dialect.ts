import { HOUR } from '../../durations.ts';
import { applyJsonStyle } from '../../json-style.ts';
import type { V1Choices } from '../choices.ts';
import type { AnswerBody, V1Answer } from './answer-shape.ts';
import { type RequestForm, UUID_PATTERN } from './request-form.ts';
import { refuseBusiness, V1Refusal } from './v1-refusal.ts';

/** Media types of an answer with a body, and of one without. */
export interface AnswerMediaTypes {
  readonly json: string;
  readonly empty: string | undefined;
}

/** What of a request may name something by its uuid. */
interface NamingRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: RequestForm;
  body(): RequestForm;
}

/** How a variation of the v1 service speaks, where the document does not say. */
export interface V1Dialect {
  readonly media: AnswerMediaTypes;
  readonly headers: Readonly<Record<string, string>>;
  /** An answer as it goes out. */
  writeAnswer(operation: string | undefined, answer: V1Answer): V1Answer;
  /** What a message tells, as it goes out. */
  writeMessage(data: unknown): unknown;
  refusal(refusal: V1Refusal): V1Refusal;
  /** The call with its uuids as they are understood. */
  understandUuids<Call extends NamingRequest>(call: Call): Call;
  /** @throws Refusal for a malformed uuid in path or query, where that has an answer of its own */
  refuseMalformedUuid(
    operation: { readonly id: string },
    path: Readonly<Record<string, string>>,
    query: { get(name: string): unknown },
  ): void;
}

const MEDIA: Readonly<Record<V1Choices['mediaType'], string>> = {
  'with charset': 'application/json; charset=utf-8',
  'without charset': 'application/json',
  'in capitals': 'Application/JSON ; charset=utf-8',
  quoted: 'application/json;charset="UTF-8"',
};
const EMPTY = { none: undefined, html: 'text/html; charset=UTF-8', json: 'application/json' } as const;

/** The map from fields to messages has members of its own making. */
const CLOSED: ReadonlySet<string> = new Set(['errors']);

const FEW = [
  'uuid',
  'parent_transaction_uuid',
  'status',
  'amount',
  'payment_type',
  'payment_details',
  'operation_date',
];
const OTHERS = ['created_at', 'payer', 'recipient', 'parent_transaction_uuid', 'operation_date_unix', 'currency'];
const SHOWN: Readonly<Record<V1Choices['transactionMembers'], (name: string) => boolean>> = {
  all: () => true,
  few: (name) => FEW.includes(name),
  others: (name) => !OTHERS.includes(name),
  'uuid alone': (name) => name === 'uuid',
  'all but uuid': (name) => name !== 'uuid',
};
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payment_type: { SEPA: 'SEPA_INSTANT', SWIFT: 'INTERNATIONAL' },
  transaction_type: { payment: 'outgoing' },
  payment_urgency: { NORMAL: 'URGENT' },
  direction: { DEBIT: 'OUT', CREDIT: 'CREDIT' },
  verification_of_payee: { MATCH: 'CLOSE_MATCH' },
};
const STATUSES: Readonly<Record<string, string>> = { pending: 'in_progress', completed: 'done', rejected: 'returned' };

/** Currencies by number, as ISO 4217 has them, too. */
const NUMBERS: Readonly<Record<string, string>> = { EUR: '978', USD: '840', GBP: '826' };

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const MOMENTS: Readonly<Record<V1Choices['moments'], (milliseconds: number) => string>> = {
  milliseconds: iso,
  seconds: (milliseconds) => `${iso(milliseconds).slice(0, 19)}Z`,
  east: (milliseconds) => `${iso(milliseconds + 2 * HOUR).slice(0, 19)}+02:00`,
  'without zone': (milliseconds) => iso(milliseconds).slice(0, 19),
  west: (milliseconds) => `${iso(milliseconds - 5 * HOUR).slice(0, 19)}.123456-05:00`,
};

/** The dialect that goes with a v1 service's choices; `fixed` are uuids that do not change: they stand in the target file. */
export function createV1Dialect(choices: V1Choices, fixed: ReadonlySet<string>): V1Dialect {
  const upper = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(upper);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === 'uuid' && typeof inner === 'string' && !fixed.has(inner) ? inner.toUpperCase() : upper(inner),
      ]),
    );
  };
  const written = (body: unknown) => applyJsonStyle(choices.uuids === 'upper' ? upper(body) : body, choices, CLOSED);
  return {
    media: { json: MEDIA[choices.mediaType], empty: EMPTY[choices.emptyMediaType] },
    headers: {
      ...(choices.extraHeaders === 'some' ? { 'cache-control': 'no-cache, private', vary: 'Accept' } : {}),
      ...(choices.connection === 'closed' ? { connection: 'close' } : {}),
    },
    writeAnswer(operation, answer) {
      if (answer.body === undefined) return answer;
      const body = answer.status < 400 ? shown(choices, operation, answer.body) : answer.body;
      return { ...answer, body: written(body) };
    },
    writeMessage: (data) => written(isBody(data) && 'payment_type' in data ? transaction(choices, data) : data),
    refusal: (refusal) => reworded(choices, elsewhere(choices, refusal)),
    understandUuids: (call) => (choices.joinedUuids === 'refused' ? call : withHyphens(call)),
    refuseMalformedUuid(operation, path, query) {
      if (choices.malformedUuid === 'usual') return;
      const account = query.get('account_uuid');
      const named = [...Object.values(path), ...(typeof account === 'string' ? [account] : [])];
      if (named.every((uuid) => UUID_PATTERN.test(uuid))) return;
      const { malformedUuid: status } = choices;
      if (status === 422) throw new V1Refusal(422, 'VALIDATION_ERROR', { [wrongName(path)]: ['This is no uuid.'] });
      throw new V1Refusal(status, status === 400 ? 'INTERNAL_SERVER_ERROR' : 'NOT_FOUND', [
        `${operation.id}: no uuid.`,
      ]);
    },
  };
}

function withHyphens<Call extends NamingRequest>(call: Call): Call {
  const account = (form: RequestForm) => {
    const sent = form.get('account_uuid');
    return typeof sent === 'string' ? form.with('account_uuid', hyphenate(sent)) : form;
  };
  const path = Object.entries(call.path).map(([name, uuid]) => [name, hyphenate(uuid)]);
  return { ...call, path: Object.fromEntries(path), query: account(call.query), body: () => account(call.body()) };
}

function hyphenate(text: string): string {
  return text.replace(/^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/, '$1-$2-$3-$4-$5');
}

function wrongName(path: Readonly<Record<string, string>>): string {
  return Object.entries(path).find(([, uuid]) => !UUID_PATTERN.test(uuid))?.[0] ?? 'account_uuid';
}

function isBody(value: unknown): value is AnswerBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(choices: V1Choices, operation: string | undefined, body: unknown): unknown {
  switch (operation) {
    case 'createTransaction':
      return isBody(body) ? created(choices, transaction(choices, body)) : body;
    case 'readTransaction':
      return isBody(body) ? transaction(choices, body) : body;
    case 'listTransactions':
      return isBody(body) && Array.isArray(body['transactions'])
        ? listed(choices, body, body['transactions'] as unknown[])
        : body;
    case 'listDocuments':
      return Array.isArray(body) ? body.map((one) => document(choices, one)) : body;
    case 'readDocument':
      return document(choices, body);
    case 'getAuth':
      return isBody(body) ? user(choices, body) : body;
    default:
      return isBody(body) ? withoutNulls(choices, body) : body;
  }
}

function listed(choices: V1Choices, body: AnswerBody, transactions: readonly unknown[]): AnswerBody {
  const page = { ...body, transactions: transactions.map((one) => (isBody(one) ? transaction(choices, one) : one)) };
  if (choices.listMetadata === 'none') return page;
  if (choices.listMetadata === 'beside') return { has_more: null, count: String(transactions.length), ...page };
  return { ...page, pagination: { on_this_page: transactions.length }, links: { next: null } };
}

function transaction(choices: V1Choices, body: AnswerBody): AnswerBody {
  const made: AnswerBody = { ...body };
  if (typeof made['operation_date_time'] === 'string') {
    const words = MOMENTS[choices.moments](Date.parse(made['operation_date_time']));
    made['operation_date_time'] = words;
    made['operation_date'] = words.slice(0, 10);
  }
  if (choices.amountSign !== 'positive' && made['direction'] === 'DEBIT') made['amount'] = -Number(made['amount']);
  if (choices.currencies === 'numeric') made['currency'] = NUMBERS[String(made['currency'])] ?? made['currency'];
  if (choices.enumerations === 'other')
    for (const [name, words] of Object.entries(WORDS)) made[name] = words[String(made[name])] ?? made[name];
  if (choices.statuses === 'other') made['status'] = STATUSES[String(made['status'])] ?? made['status'];
  const isShown = SHOWN[choices.transactionMembers];
  const kept = Object.entries(made).filter(([name]) => isShown(name));
  return withoutNulls(choices, Object.fromEntries(kept));
}

/** A transaction as the answer to its creation shows it. */
function created({ creationShows }: V1Choices, body: AnswerBody): AnswerBody {
  if (creationShows === 'as much as a reader') return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => ['uuid', 'status'].includes(name)));
}

function document(choices: V1Choices, body: unknown): unknown {
  if (!isBody(body)) return body;
  const made: AnswerBody = { ...body };
  if (typeof made['created_at'] === 'string') {
    // What a service sorts by is what it shows: one that keeps whole seconds has no milliseconds to tell.
    const kept = choices.sortedBy === 'milliseconds' ? 1 : 1000;
    const created = Date.parse(made['created_at']);
    made['created_at'] = MOMENTS[choices.moments](created - (created % kept));
  }
  if (choices.statuses === 'other') made['status'] = STATUSES[String(made['status'])] ?? made['status'];
  return withoutNulls(choices, made);
}

function user({ user: form }: V1Choices, body: AnswerBody): unknown {
  if (form === 'usual') return body;
  return form === 'list'
    ? ['api-user', body['name'], 7]
    : { data: { user: { login: body['name'], rights: ['read'] } } };
}

function withoutNulls({ nulls }: V1Choices, body: AnswerBody): AnswerBody {
  return nulls === 'shown' ? body : Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** An account that nobody has may be told from somebody else's, or not. */
function elsewhere(choices: V1Choices, refusal: V1Refusal): V1Refusal {
  const { unknownAccount } = choices;
  if (refusal.what !== 'The account' || unknownAccount === 404) return refusal;
  return unknownAccount === 403
    ? new V1Refusal(403, 'NO_PERMISSION', ['This account is not yours.'])
    : refuseBusiness(choices, 'account_uuid', 'UNKNOWN_ACCOUNT', 'This account is not known.');
}

/** Texts of an error are free, but for the one that the rate limit says. */
function reworded({ wording }: V1Choices, refusal: V1Refusal): V1Refusal {
  if (wording === 'usual' || refusal.status === 429) return refusal;
  const said = (texts: readonly string[]) => (wording === 'none' ? [] : [...texts, 'See the manual.']);
  const { status, message, details } = refusal;
  if (Array.isArray(details)) return new V1Refusal(status, message, said(details as readonly string[]));
  const fields = Object.entries(details as Readonly<Record<string, string[]>>).map(([name, texts]) => [
    name,
    said(texts),
  ]);
  return new V1Refusal(status, message, Object.fromEntries(fields));
}
