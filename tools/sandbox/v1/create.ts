import { decision, type Faults } from '../decision.ts';
import { openAccount } from './access.ts';
import type { Call } from './call.ts';
import { readDraft } from './draft.ts';
import { type Form, UUID } from './form.ts';
import { needed } from './limit.ts';
import { Refusal } from './refusal.ts';
import { type Answer, type Body, success } from './shape.ts';
import { type Draft, type Keeping, present, type Transaction } from './transaction.ts';
import { transactionShape } from './transaction-shape.ts';

const queryAccountNeeded = needed('V1-TRC-01', 'create-without-query-account-accepted');
const bodyAccountNeeded = needed('V1-TRC-09', 'create-without-body-account-accepted');

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

/** When a processed request is remembered: the second with the same X-Request-ID must find the first. */
const remembering = decision({
  rule: 'V1-TRC-03',
  honest: (note: () => void) => note(),
  lies: {
    'repeat-processed-again': () => {},
    'repeat-at-once-processed-again': (note) => void setTimeout(note, 100).unref(),
  },
});

const repeating = decision({
  rule: 'V1-TRC-03',
  honest: (_repeats: number) => false,
  lies: { 'second-repeat-processed-again': (repeats) => repeats >= 2 },
});

const echo = decision({
  rule: 'V1-TRC-04',
  honest: (draft: Draft) => draft,
  lies: {
    'created-amount-rounded': (draft) => ({ ...draft, amount: Math.max(1, Math.round(draft.amount)) }),
    'created-amount-one-cent-less': (draft) => ({ ...draft, amount: Number((draft.amount - 0.01).toFixed(2)) }),
    'created-details-without-accents': (draft) => ({
      ...draft,
      payment_details: draft.payment_details?.replace(/[^ -~]/gu, '?') ?? null,
    }),
    'created-details-cut-at-35': (draft) => ({
      ...draft,
      payment_details: draft.payment_details?.slice(0, 35) ?? null,
    }),
    'created-code-in-capitals': (draft) => ({ ...draft, payment_code: draft.payment_code?.toUpperCase() ?? null }),
    'created-ident-replaced': (draft) => ({ ...draft, end_to_end_ident: 'NOTPROVIDED' }),
    'created-recipient-with-iban-of-payer': (draft) => ({
      ...draft,
      recipient: draft.recipient && { ...draft.recipient, iban: draft.payer?.iban },
    }),
  },
});

/** Where an accepted transfer can be found afterwards. */
const kept = decision({
  rule: 'V1-TRC-05',
  honest: (): Keeping => ({ readable: true, listed: true }),
  lies: {
    'created-transaction-not-readable': () => ({ readable: false, listed: true }),
    'created-transaction-not-listed': () => ({ readable: true, listed: false }),
  },
});

/** What a refusal tells beside the error itself. */
export const aside = decision({
  rule: 'V1-TRC-07',
  honest: (): Body => ({}),
  lies: {
    'refusal-carries-payment-state': () => ({ payment_status: 'rejected' }),
    'refusal-carries-transaction': () => ({ transaction: { status: 'failed' } }),
  },
});

const created = success('V1-TRC-08', 201, {
  'created-answered-200': (body) => ({ status: 200, body }),
  'created-answered-202': (body) => ({ status: 202, body }),
  'created-without-body': () => ({ status: 201, hollow: true }),
});

/** The requests that were processed, by caller and X-Request-ID. */
export type Requests = Map<string, { readonly transaction: Transaction; repeats: number }>;

function readAccount(faults: Faults, form: Form, place: 'query' | 'body', required: boolean): string | undefined {
  const checked = uuidsChecked(faults, place);
  const text = checked ? form.uuid('account_uuid', { required }) : form.text('account_uuid', { required });
  return text !== undefined && !UUID.test(text) ? undefined : text;
}

function readRequestId(faults: Faults, call: Call): string | undefined {
  const id = call.header('x-request-id');
  if (id === undefined && requestIdNeeded(faults))
    throw invalid('X-Request-ID', 'The X-Request-ID header is required.');
  if (id !== undefined && !UUID.test(id)) throw invalid('X-Request-ID', 'The X-Request-ID header must be a uuid.');
  return id?.toLowerCase();
}

function invalid(field: string, message: string): Refusal {
  return new Refusal(422, 'VALIDATION_ERROR', { [field]: [message] });
}

/**
 * Starts a transfer, unless the same X-Request-ID has started one: then the answer is that one again.
 * @throws Refusal 422, 403 or 404
 */
export function createTransaction(call: Call): Answer {
  const { world, memory, user, query } = call;
  const { faults } = world;
  const requestId = readRequestId(faults, call);
  const key = requestId && `${user.name} ${requestId}`;
  const earlier = key === undefined ? undefined : memory.requests.get(key);
  if (earlier !== undefined) {
    earlier.repeats += 1;
    const { repeatedRequest } = world.choices.v1;
    if (!repeating(faults, earlier.repeats)) {
      if (repeatedRequest === 409) throw new Refusal(409, 'CONFLICT', ['This request was processed before.']);
      if (repeatedRequest === 422) throw invalid('X-Request-ID', 'This request was processed before.');
      return answer(faults, earlier.transaction);
    }
  }
  const from = readAccount(faults, query, 'query', queryAccountNeeded(faults));
  query.settle();
  const account =
    from === undefined
      ? [...user.accounts.values()][0]!
      : openAccount(faults, call.operation, user, memory.users, from);
  const body = call.body();
  const named = readAccount(faults, body, 'body', bodyAccountNeeded(faults));
  if (named !== undefined && named.toLowerCase() !== account.uuid.toLowerCase())
    body.complain('account_uuid', 'The account_uuid field must be the account of the query.');
  const draft = readDraft(faults, body, account);
  body.settle();

  const transaction = memory.ledger.enter(account, echo(faults, draft), kept(faults));
  if (key !== undefined) remembering(faults, () => memory.requests.set(key, { transaction, repeats: 0 }));
  memory.courier.announce(user, 'created', transaction);
  settleLater(call, transaction);
  return answer(faults, transaction);
}

/** A status after pending may come by itself. */
function settleLater({ world, memory, user }: Call, transaction: Transaction): void {
  const { settlesAfter } = world.choices.v1;
  if (settlesAfter === 'never') return;
  world.clock.after(settlesAfter, () => {
    if (transaction.status !== 'pending') return;
    transaction.status = 'completed';
    memory.courier.announce(user, 'changed', transaction);
  });
}

function answer(faults: Faults, transaction: Transaction): Answer {
  return created(faults, transactionShape(faults, present(transaction), { place: 'create', index: 0 }));
}
