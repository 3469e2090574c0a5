import type { IncomingHttpHeaders } from 'node:http';
import { type ActiveLies, decision } from '../../decision.ts';
import { isLike } from '../../sql-pattern.ts';
import type { GatewayChoices } from '../choices.ts';
import type { GatewayCredentials } from '../credentials.ts';
import type { GatewayHost } from '../gateway-reply.ts';

/** What a token was issued for. */
export interface TokenGrant {
  readonly subject: string;
  /** A merchant whose balances it opens to a manager as well. */
  readonly managed?: string;
  readonly host: GatewayHost;
}

const tokenIsOpaque = decision({
  rule: 'GW-BEA-02',
  honest: (token: string): string => token,
  lies: { 'access-token-is-a-jwt': asJwt },
});

/** The gateway's credentials as the console hands them out; tokens are opaque. */
export function showGatewayCredentials(activeLies: ActiveLies, credentials: GatewayCredentials): GatewayCredentials {
  if (activeLies.size === 0) return credentials;
  const token = <T extends { readonly token: string }>(one: T): T => ({
    ...one,
    token: tokenIsOpaque(activeLies, one.token),
  });
  return {
    main: token(credentials.main),
    second: token(credentials.second),
    multicurrency: token(credentials.multicurrency),
    allowlisted: token(credentials.allowlisted),
    elsewhere: token(credentials.elsewhere),
    merchant: token(credentials.merchant),
    secondMerchant: token(credentials.secondMerchant),
    manager: token(credentials.manager),
    client: token(credentials.client),
    // Kept as it is: its keys are made when first asked for.
    oauth: credentials.oauth,
  };
}

/** What the token of an Authorization header was issued for; undefined of an unknown one. */
export function findGrant(
  { authorization = '' }: IncomingHttpHeaders,
  grants: ReadonlyMap<string, TokenGrant>,
): TokenGrant | undefined {
  return grants.get(authorization.replace('Bearer ', ''));
}

/** Every token with what it was issued for. */
export function listTokenGrants(
  gateway: GatewayCredentials,
  { managerLogin }: Pick<GatewayChoices, 'managerLogin'>,
): ReadonlyMap<string, TokenGrant> {
  const grants = new Map<string, TokenGrant>();
  const issue = (token: string, subject: string, host: GatewayHost = 'main') => {
    grants.set(token, { subject, host });
  };
  for (const one of [gateway.main, gateway.second, gateway.multicurrency, gateway.allowlisted])
    issue(one.token, String(one.id));
  issue(gateway.elsewhere.token, String(gateway.elsewhere.id), 'elsewhere');
  for (const one of [gateway.merchant, gateway.secondMerchant, gateway.manager]) issue(one.token, one.login);
  if (managerLogin === 'of the merchant')
    grants.set(gateway.manager.token, {
      subject: gateway.manager.login,
      host: 'main',
      managed: gateway.merchant.login,
    });
  issue(gateway.client.token, gateway.client.id);
  return grants;
}

const tokenIsWhole = decision({
  rule: 'GW-BEA-04',
  honest: (_token: string, _known: string, _subject: string) => false,
  lies: {
    'token-cut-short-accepted': (token, known) => known.startsWith(token),
    'token-with-more-behind-accepted': (token, known) => token.startsWith(known),
    'token-read-as-a-pattern': (token, known) => isLike(known, token),
    'token-in-other-case-accepted': (token, known) => token.toLowerCase() === known.toLowerCase(),
    'token-of-a-login-in-other-case-accepted': (token, known, subject) =>
      !/^\d+$/.test(subject) && token.toLowerCase() === known.toLowerCase(),
    'token-of-a-login-with-more-behind-accepted': (token, known, subject) =>
      !/^\d+$/.test(subject) && token.startsWith(known),
  },
});

/** What a token opens. */
export function findTokenGrant(
  activeLies: ActiveLies,
  token: string,
  grants: ReadonlyMap<string, TokenGrant>,
): TokenGrant | undefined {
  const near =
    activeLies.size === 0
      ? undefined
      : [...grants].find(([known, { subject }]) => tokenIsWhole(activeLies, token, known, subject));
  return (
    grants.get(token) ??
    near?.[1] ??
    (tokenIsOpaque(activeLies, token) === token ? undefined : grants.get(fromJwt(token)))
  );
}

function asJwt(token: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'requestor' })}.${Buffer.from(token).toString('base64url')}`;
}

function fromJwt(token: string): string {
  return Buffer.from(token.split('.')[2] ?? '', 'base64url').toString();
}
