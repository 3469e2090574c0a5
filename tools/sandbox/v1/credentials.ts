import type { CredentialSource } from '../credential-source.ts';

/** What a client of the v1 service needs to know. */
export interface V1Credentials {
  readonly token: string;
  /** Valid, without rights on the account and customer below. */
  readonly unprivileged: string;
  /** Valid; its user owns nothing, not even a webhook configuration. */
  readonly newcomer: string;
  readonly account: string;
  readonly secondAccount: string;
  readonly customer: string;
}

/** The credentials of a v1 service. */
export function issueV1Credentials({ draw, uuid }: CredentialSource): V1Credentials {
  return {
    token: `vt_${draw('v1').slice(0, 40)}`,
    unprivileged: `vt_${draw('v1 unprivileged').slice(0, 40)}`,
    newcomer: `vt_${draw('v1 newcomer').slice(0, 40)}`,
    account: uuid('account'),
    secondAccount: uuid('second account'),
    customer: uuid('customer'),
  };
}
