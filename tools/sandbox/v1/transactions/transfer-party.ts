/** Payer or recipient as shown. */
export interface TransferParty {
  readonly name?: string | undefined;
  readonly iban?: string | undefined;
  readonly address?: string | undefined;
  readonly country_code?: string | undefined;
  readonly agency_id?: string | undefined;
  readonly agency_name?: string | undefined;
  readonly agency_address?: string | undefined;
  readonly ultimate?: { readonly name?: string | undefined } | undefined;
}

/** Whether a recipient, as it was sent, names its bank. */
export function namesBank(recipient: unknown): boolean {
  return Object(recipient).bank != null;
}
