import type { RequestTemplate } from '../types.ts';

/** Texts of a transfer whose length is limited. */
export type TransferText = 'payment_details' | 'payment_code' | 'end_to_end_ident';

/** A history that stays as it is. Days are `YYYY-MM-DD`. */
export interface KnownHistory {
  readonly account: string;
  readonly from: string;
  readonly to: string;
  /** Transactions from the first day to the last. */
  readonly count: number;
  /** Whether a list up to a day shows that day's transactions; absent: unknown. */
  readonly lastDay?: 'counts' | 'does not count';
}

/** What the documents do not show about the v1 wire. */
export interface TargetV1Wire {
  readonly payer: RequestTemplate;
  readonly recipient: RequestTemplate;
  /** Recipient of a SWIFT transfer. */
  readonly swift: RequestTemplate;
  /** Body of an upload that is in order. */
  readonly document: RequestTemplate;
  /** Characters that details and end-to-end identifiers may hold. */
  readonly characters: string;
  /** Texts that a transfer may carry, by field, the most usual first. */
  readonly samples: Readonly<Record<TransferText, readonly [string, ...string[]]>>;
  /** Where a delivery carries the token: `header:x-token` or `/token`; absent: anywhere in it. */
  readonly token?: string;
  /** Where a delivery says which message it is, the same in all attempts to deliver it. */
  readonly message?: string;
  /** Where a list answer tells how many entries and pages there are; what is learned from it is put on record, nothing is asserted. */
  readonly paging?: { readonly total?: string; readonly lastPage?: string };
}

/** What the suite knows about a v1 service beyond its document. */
export interface V1Target {
  readonly address: string;
  readonly token: string;
  readonly unprivileged?: string;
  /** Tokens of users that have no webhook configuration. */
  readonly newcomers: readonly string[];
  /** Token of the webhook configuration that was there before the run; needed to put it back. */
  readonly webhookToken?: string;
  readonly account: string;
  readonly secondAccount?: string;
  readonly customer?: string;
  readonly wire: TargetV1Wire;
  readonly history?: KnownHistory;
  readonly ibans: Readonly<Partial<Record<'valid' | 'unlisted' | 'broken', string>>> & {
    /** More of sound form. */
    readonly further: readonly string[];
  };
}
