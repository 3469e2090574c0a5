import type { V1Credentials } from '../credentials.ts';
import type { TransferParty } from '../transactions/transfer-party.ts';

/** An account that transfers leave from. */
export interface UserAccount {
  readonly uuid: string;
  /** Whether it is the first of its owner; some lies are about the others alone. */
  readonly isFirst: boolean;
  readonly currency: string;
  /** The holder as payer of a transfer. */
  readonly party: TransferParty;
}

/** Someone who holds an API token, with what belongs to them. */
export interface ApiUser {
  readonly name: string;
  readonly token: string;
  readonly accounts: ReadonlyMap<string, UserAccount>;
  readonly customers: ReadonlySet<string>;
}

/** The API users: the first owns the customer and both accounts, the second nothing; the third may use the accounts as well. */
export function seedUsers(v1: V1Credentials): readonly [ApiUser, ApiUser, ApiUser] {
  const account = (uuid: string, name: string, iban: string, agency: TransferParty): [string, UserAccount] => [
    uuid.toLowerCase(),
    {
      uuid,
      isFirst: uuid === v1.account,
      currency: 'EUR',
      party: { name, iban, address: '1 Example Street', country_code: iban.slice(0, 2), ...agency },
    },
  ];
  const first = { agency_id: 'INGBNL2AXXX', agency_name: 'ING Bank', agency_address: '2 Example Street' };
  const second = { agency_id: 'COBADEFFXXX', agency_name: 'Commerzbank', agency_address: '3 Example Street' };
  const accounts = new Map([
    account(v1.account, 'First Account Holder', 'NL20INGB0001234567', first),
    account(v1.secondAccount, 'Second Account Holder', 'DE89370400440532013000', second),
  ]);
  return [
    {
      name: 'main',
      token: v1.token,
      accounts,
      customers: new Set([v1.customer.toLowerCase()]),
    },
    { name: 'unprivileged', token: v1.unprivileged, accounts: new Map(), customers: new Set() },
    { name: 'newcomer', token: v1.newcomer, accounts, customers: new Set() },
  ];
}
