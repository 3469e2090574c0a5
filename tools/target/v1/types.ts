import type { RequestTemplate } from '../types.ts';

/** What the documents do not show about the v1 wire. */
export interface TargetV1Wire {
  readonly payer: RequestTemplate;
  readonly recipient: RequestTemplate;
  /** Recipient of a SWIFT transfer. */
  readonly swift: RequestTemplate;
  /** Body of an upload that is in order. */
  readonly document: RequestTemplate;
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
  /** Token of a user that has no webhook configuration. */
  readonly newcomer?: string;
  /** Token of the webhook configuration that was there before the run; needed to put it back. */
  readonly webhookToken?: string;
  readonly account: string;
  readonly secondAccount?: string;
  readonly customer?: string;
  readonly wire: TargetV1Wire;
  readonly ibans: Readonly<Partial<Record<'valid' | 'unlisted' | 'broken', string>>>;
}
