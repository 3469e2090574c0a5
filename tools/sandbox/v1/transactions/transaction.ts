import type { UserAccount } from '../access/api-users.ts';
import type { TransferParty } from './transfer-party.ts';

/** What is known of a transaction when it is entered. */
export interface TransferDraft {
  /** Uuid of the transaction that this one is booked for. */
  readonly parent?: string;
  readonly amount: number;
  readonly payment_type: string;
  readonly payment_details: string | null;
  readonly payment_code: string | null;
  readonly end_to_end_ident: string | null;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly transaction_type: string;
  readonly status: string;
  readonly payer: TransferParty | undefined;
  readonly recipient: TransferParty | undefined;
  /** Whether it was asked for under a request id; only lies look at it. */
  readonly hasRequestId?: true;
}

/** The same with an amount that came to its cents through a float, and was cut; only lies tell of it. */
export function loseCent<Told extends TransferDraft>(told: Told): Told {
  return { ...told, amount: Math.floor(told.amount * 100) / 100 };
}

/** The same with details one character short of what fits; only lies tell of it. */
export function cutDetails<Told extends TransferDraft>(told: Told): Told {
  return { ...told, payment_details: told.payment_details?.slice(0, 139) ?? null };
}

/** The same with an amount whose noughts were taken for those behind a point; only lies tell of it. */
export function loseNoughts<Told extends TransferDraft>(told: Told): Told {
  return { ...told, amount: Number(String(told.amount).replace(/^(\d+?)0+$/, '$1')) };
}

/** The same of the identifier that travels from end to end. */
export function cutIdent<Told extends TransferDraft>(told: Told): Told {
  return { ...told, end_to_end_ident: told.end_to_end_ident?.slice(0, 34) ?? null };
}

/** A transaction in the books. */
export interface BookedTransaction extends TransferDraft {
  readonly uuid: string;
  readonly serial: number;
  readonly account: UserAccount;
  /** Milliseconds since the epoch. */
  readonly created: number;
  status: string;
  /** The status that it was first read in; absent: it was never read. */
  firstRead?: string;
  /** When its status last changed; absent: never. */
  changed?: number;
}
