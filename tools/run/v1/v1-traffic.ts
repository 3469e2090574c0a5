import { fillTemplate, type Target } from '#target';
import type { ForeignRequest } from '../foreign-request.ts';

/** Transfers from the account. */
export function v1Traffic({ v1 }: Target): readonly ForeignRequest[] {
  if (v1 === undefined) return [];
  const { address, account, token, wire, ibans } = v1;
  const values = { iban: ibans.valid };
  const body = {
    account_uuid: account,
    amount: 7,
    payer: fillTemplate(wire.payer, values),
    recipient: fillTemplate(wire.recipient, values),
    payment_details: wire.samples.payment_details[0],
  };
  return [{ url: `${address}/api/v1/transactions?account_uuid=${account}`, token, body }];
}
