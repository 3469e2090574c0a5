import { type ActiveLies, decision } from '../../decision.ts';
import { DAY, HOUR } from '../../durations.ts';
import type { UserAccount } from '../access/api-users.ts';
import type { V1World } from '../v1-world.ts';
import type { AnswerBody } from '../wire/answer-shape.ts';
import { drawIdentifier } from '../wire/identifiers.ts';
import { refuseMissing } from '../wire/v1-refusal.ts';
import type { BookedTransaction, TransferDraft } from './transaction.ts';

const fresh = decision({
  rule: 'V1-TRN-02',
  honest: (drawn: string, _last: string | undefined, _serial: number) => drawn,
  lies: {
    'transaction-uuid-used-twice': (drawn, last) => last ?? drawn,
    'one-transaction-uuid-in-nine-used-twice': (drawn, last, serial) => (serial % 9 === 8 ? (last ?? drawn) : drawn),
  },
});

/** Where an entry can be found: by its uuid, in the history of its account. */
export interface EntryVisibility {
  readonly readable: boolean;
  readonly listed: boolean;
}

/** Every transaction of every account, in the order of entry. */
export class AccountBook {
  readonly #world: V1World;
  #entries: BookedTransaction[] = [];
  #byUuid = new Map<string, BookedTransaction>();
  #byAccount = new Map<UserAccount, BookedTransaction[]>();

  constructor(world: V1World) {
    this.#world = world;
  }

  /** Enters a transaction at a moment, now unless told otherwise. */
  enter(
    account: UserAccount,
    draft: TransferDraft,
    keeping: EntryVisibility = { readable: true, listed: true },
    created = this.#world.clock.now(),
  ): BookedTransaction {
    const drawn = drawIdentifier(this.#world, 'transaction');
    const uuid = fresh(this.#world.activeLies, drawn, this.#entries.at(-1)?.uuid, this.#entries.length);
    const transaction: BookedTransaction = { ...draft, uuid, serial: this.#entries.length, account, created };
    this.#entries.push(transaction);
    if (keeping.readable) this.#byUuid.set(uuid, transaction);
    if (!keeping.listed) return transaction;
    const history = this.#byAccount.get(account);
    if (history === undefined) this.#byAccount.set(account, [transaction]);
    else history.push(transaction);
    return transaction;
  }

  /** Every transaction there is. */
  all(): readonly BookedTransaction[] {
    return this.#entries;
  }

  /** The transactions of one account. */
  of(account: UserAccount): readonly BookedTransaction[] {
    return this.#byAccount.get(account) ?? [];
  }

  /** @throws Refusal 404 when there is no such transaction, or not in this account */
  find(uuid: string, account?: UserAccount): BookedTransaction {
    const found = this.#byUuid.get(uuid.toLowerCase());
    if (found === undefined || (account !== undefined && found.account !== account))
      throw refuseMissing('The transaction');
    return found;
  }

  /** Forgets everything. */
  reset(): void {
    this.#entries = [];
    this.#byUuid.clear();
    this.#byAccount.clear();
  }
}

/** What is shown of a transaction after the answer to its creation; `before` is the one entered before it. */
const shownAfterwards = decision({
  rule: 'V1-TRC-04',
  honest: (entry: BookedTransaction, _before: BookedTransaction | undefined, _now: number) => entry,
  lies: {
    'ident-not-shown-after-a-day': (entry, _before, now) =>
      now - entry.created > DAY ? { ...entry, end_to_end_ident: null } : entry,
    'ident-not-shown-once-completed': (entry) =>
      entry.status === 'completed' ? { ...entry, end_to_end_ident: null } : entry,
    'ident-of-second-account-not-shown-once-completed': (entry) =>
      entry.status === 'completed' && !entry.account.isFirst ? { ...entry, end_to_end_ident: null } : entry,
    'amount-of-nothing-shown-once-rejected': (entry) => (entry.status === 'rejected' ? { ...entry, amount: 0 } : entry),
    'recipient-shown-later-as-the-one-before': (entry, before) => ({
      ...entry,
      recipient: entry.recipient && { ...entry.recipient, name: before?.recipient?.name ?? entry.recipient.name },
    }),
    'recipient-with-iban-of-payer-once-completed': (entry) =>
      entry.status === 'completed' && entry.direction === 'DEBIT'
        ? { ...entry, recipient: entry.recipient && { ...entry.recipient, iban: entry.payer?.iban } }
        : entry,
    'completed-swift-transactions-show-a-fee-more': (entry) =>
      entry.status === 'completed' && entry.payment_type === 'SWIFT'
        ? { ...entry, amount: Number((entry.amount + 5).toFixed(2)) }
        : entry,
    'completed-transactions-show-a-fee-less': (entry) =>
      entry.status === 'completed' ? { ...entry, amount: Number((entry.amount - 0.01).toFixed(2)) } : entry,
  },
});

/** Where the processing of a transaction stands, as it is shown. */
const shownStatus = decision({
  rule: 'V1-TRN-04',
  honest: (entry: BookedTransaction, _now: number) => entry,
  lies: {
    'transactions-pending-for-ever': (entry) => ({ ...entry, status: 'pending' }),
    'swift-transactions-pending-for-ever': (entry) =>
      entry.payment_type === 'SWIFT' ? { ...entry, status: 'pending' } : entry,
    'transactions-of-second-account-pending-for-ever': (entry) =>
      entry.account.isFirst ? entry : { ...entry, status: 'pending' },
    'transactions-pending-again-after-a-day': (entry, now) =>
      now - entry.created > DAY ? { ...entry, status: 'pending' } : entry,
  },
});

/** The rails of a transaction, as they are shown. */
const shownRails = decision({
  rule: 'V1-TRC-22',
  honest: (entry: BookedTransaction) => entry,
  lies: {
    'swift-shown-as-sepa-once-completed': (entry) =>
      entry.status === 'completed' ? { ...entry, payment_type: 'SEPA' } : entry,
  },
});

/** What of a transaction neither its way nor its age changes, as it is shown. */
const shownCreation = decision({
  rule: 'V1-TRC-08',
  honest: (entry: BookedTransaction, _now: number) => entry,
  lies: {
    'creation-shown-an-hour-later-after-a-day': (entry, now) =>
      now - entry.created > DAY ? { ...entry, created: entry.created + HOUR } : entry,
    'direction-turned-round-once-rejected': (entry): BookedTransaction =>
      entry.status === 'rejected' ? { ...entry, direction: 'CREDIT' } : entry,
    'creation-shown-a-second-later-once-completed': (entry) =>
      entry.status === 'completed' ? { ...entry, created: entry.created + 1000 } : entry,
  },
});

/** What is shown of a transaction from its creation on; `before` is the one entered before it. */
export function shownLater(
  activeLies: ActiveLies,
  entry: BookedTransaction,
  before: BookedTransaction | undefined,
  now: number,
): BookedTransaction {
  const current = shownRails(activeLies, shownStatus(activeLies, entry, now));
  return shownCreation(activeLies, shownAfterwards(activeLies, current, before, now), now);
}

/** A transaction as it is shown. */
export function presentTransaction(transaction: BookedTransaction): AnswerBody {
  const { uuid, status, created, amount, account, payer, recipient } = transaction;
  const moment = new Date(created).toISOString();
  return {
    uuid,
    parent_transaction_uuid: transaction.parent ?? null,
    status,
    operation_date: moment.slice(0, 10),
    operation_date_time: moment,
    operation_date_unix: Math.floor(created / 1000),
    amount,
    currency: account.currency,
    payment_type: transaction.payment_type,
    transaction_type: transaction.transaction_type,
    payment_urgency: 'NORMAL',
    payment_details: transaction.payment_details,
    payment_code: transaction.payment_code,
    end_to_end_ident: transaction.end_to_end_ident,
    direction: transaction.direction,
    document_number: null,
    created_at: Math.floor(created / 1000),
    payer,
    recipient,
    verification_of_payee: 'MATCH',
  };
}
