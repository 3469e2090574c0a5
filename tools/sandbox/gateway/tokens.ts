import type { Credentials } from '../credentials.ts';
import { decision, type Faults } from '../decision.ts';
import type { Host } from './call.ts';

/** What a token was issued for. */
export interface Grant {
  readonly subject: string;
  readonly host: Host;
}

const tokenIsOpaque = decision({
  rule: 'GW-BEA-02',
  honest: (token: string): string => token,
  lies: { 'access-token-is-a-jwt': asJwt },
});

/** The gateway's credentials as the console hands them out; tokens are opaque. */
export function issuedCredentials(faults: Faults, credentials: Credentials): Credentials {
  if (faults.size === 0) return credentials;
  const { gateway } = credentials;
  const token = <T extends { readonly token: string }>(one: T): T => ({
    ...one,
    token: tokenIsOpaque(faults, one.token),
  });
  return {
    ...credentials,
    gateway: {
      main: token(gateway.main),
      second: token(gateway.second),
      multicurrency: token(gateway.multicurrency),
      allowlisted: token(gateway.allowlisted),
      elsewhere: token(gateway.elsewhere),
      merchant: token(gateway.merchant),
      secondMerchant: token(gateway.secondMerchant),
      manager: token(gateway.manager),
      client: token(gateway.client),
      // Kept as it is: its keys are made when first asked for.
      oauth: gateway.oauth,
    },
  };
}

/** Every token with what it was issued for. */
export function grantsOf({ gateway }: Credentials): ReadonlyMap<string, Grant> {
  const grants = new Map<string, Grant>();
  const issue = (token: string, subject: string, host: Host = 'main') => {
    grants.set(token, { subject, host });
  };
  for (const one of [gateway.main, gateway.second, gateway.multicurrency, gateway.allowlisted])
    issue(one.token, String(one.id));
  issue(gateway.elsewhere.token, String(gateway.elsewhere.id), 'elsewhere');
  for (const one of [gateway.merchant, gateway.secondMerchant, gateway.manager]) issue(one.token, one.login);
  issue(gateway.client.token, gateway.client.id);
  return grants;
}

/** What a token opens. */
export function grantFor(faults: Faults, token: string, grants: ReadonlyMap<string, Grant>): Grant | undefined {
  return grants.get(token) ?? (tokenIsOpaque(faults, token) === token ? undefined : grants.get(fromJwt(token)));
}

function asJwt(token: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'requestor' })}.${Buffer.from(token).toString('base64url')}`;
}

function fromJwt(token: string): string {
  return Buffer.from(token.split('.')[2] ?? '', 'base64url').toString();
}
