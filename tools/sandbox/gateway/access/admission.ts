import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayRoute } from '../routes.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';
import { checkBearerToken } from './bearer-token.ts';
import { checkAllowedAddress, resolveClientAddress } from './client-address.ts';
import { verifySignedRequest } from './oauth-verification.ts';
import { isLetInAgain } from './refused-again.ts';
import { listRegisteredSigners } from './registered-signers.ts';
import { findGrant, type TokenGrant } from './token-grants.ts';

const transferHasAllowlist = decision({
  rule: 'OA-ERR-08',
  honest: () => true,
  lies: { 'allowlist-ignored-at-transfer': () => false },
});

/** Whether a requestor's access token opens its transfers; honestly, a signature does. */
const tokenOpensTransfer = decision({
  rule: 'OA-ERR-02',
  honest: (_isItsToken: boolean) => false,
  lies: { 'transfer-opened-by-a-bearer-token': (isItsToken) => isItsToken },
});

/** Headers that tell where a transfer comes from. */
const transferComesFrom = decision({
  rule: 'OA-ERR-08',
  honest: (headers: IncomingHttpHeaders, _allowed: string) => headers,
  lies: {
    'last-public-entry-counts-at-transfer': (headers) => ({
      ...headers,
      'x-forwarded-for': entries(headers).reverse().join(','),
    }),
    'private-entry-opens-transfer': (headers, allowed) =>
      /^(?:10|172|192)\./.test(entries(headers)[0] ?? '') ? { 'x-forwarded-for': allowed } : headers,
    'allowed-entry-among-three-opens-transfer': (headers, allowed) =>
      entries(headers).length > 2 && entries(headers).includes(allowed) ? { 'x-forwarded-for': allowed } : headers,
    'real-ip-not-looked-at-at-transfer': (headers, allowed) =>
      headers['x-forwarded-for'] === undefined ? { 'x-forwarded-for': allowed } : headers,
  },
});

/** Whether a nonce of its own is enough for a transfer that was signed in the same second as another. */
const nonceTellsApart = decision({
  rule: 'OA-SIG-08',
  honest: (_timestamp: string, _seen: ReadonlySet<string>) => true,
  lies: { 'second-transfer-of-a-second-refused': (timestamp, seen) => !seen.has(timestamp) },
});

const tokenLasts = decision({
  rule: 'GW-BEA-03',
  honest: (_days: number, _subject: string, _operation: string) => true,
  lies: {
    'access-token-lasts-a-month': (days) => days < 30,
    'access-token-of-a-login-lasts-a-month': (days, subject) => days < 30 || /^\d+$/.test(subject),
    'access-token-lasts-a-month-at-captures': (days, _subject, operation) => days < 30 || operation !== 'capture',
    'access-token-lasts-a-month-at-lookups': (days, _subject, operation) => days < 30 || !operation.startsWith('get'),
    'access-token-of-the-second-requestor-lasts-a-month': (days, subject) => days < 30 || subject !== '1002',
  },
});

/** Whether a key goes on signing; its days are those that the sandbox has run. */
const signingKeyLasts = decision({
  rule: 'OA-SIG-01',
  honest: (_days: number) => true,
  lies: { 'signing-key-lasts-a-month': (days) => days < 30 },
});

const proxiesChangeNothing = decision({
  rule: 'GW-BEA-01',
  honest: (_headers: GatewayCall['headers']) => true,
  lies: {
    'request-through-a-proxy-refused': ({ via }) => via === undefined,
    'forwarded-request-refused-without-allowlist': (headers) => headers['x-forwarded-for'] === undefined,
  },
});

/** Whether a request is looked at by itself, whatever was refused before it. */
const refusalsPass = decision({
  rule: 'GW-BEA-01',
  honest: (_refused: ReadonlySet<string>, _request: string, _header: string) => true,
  lies: {
    'refusal-kept-for-the-request-that-comes-again': (refused, request) => !refused.has(request),
    'token-kept-out-that-was-refused-elsewhere': (refused, _request, header) => !refused.has(header),
  },
});

/**
 * Lets a request pass that is authorized for what it asks, from an allowed address.
 * @throws Refusal 400 or 401 as documented
 */
export function admitRequest(
  call: GatewayCall,
  request: FastifyRequest,
  route: GatewayRoute,
  grants: ReadonlyMap<string, TokenGrant>,
): void {
  try {
    authorizeRequest(call, request, route, grants);
  } catch (problem) {
    if (!(problem instanceof GatewayRefusal && isLetInAgain(call, problem))) throw problem;
  }
}

function authorizeRequest(
  call: GatewayCall,
  request: FastifyRequest,
  route: GatewayRoute,
  grants: ReadonlyMap<string, TokenGrant>,
): void {
  const { activeLies, gatewayState, subject, host } = call;
  const { allowlisted } = gatewayState.world.credentials;
  const isItsToken = findGrant(call.headers, grants)?.subject === subject;
  if (route.operation === 'transfer' && tokenOpensTransfer(activeLies, isItsToken)) return;
  if (route.operation === 'transfer') {
    verifySignedRequest(
      activeLies,
      {
        method: call.method,
        origin: rawOrigin(call),
        url: call.url,
        body: call.raw,
        header: call.headers.authorization,
      },
      {
        subject,
        host,
        signers: listRegisteredSigners(gatewayState.world.credentials),
        before: gatewayState.signedBefore,
        hasAllowlist: subject === String(allowlisted.id),
      },
    );
    const [, timestamp = ''] = /oauth_timestamp="(\d+)"/.exec(call.headers.authorization ?? '') ?? [];
    if (!nonceTellsApart(activeLies, timestamp, gatewayState.signedAt))
      throw new GatewayRefusal(401, -15, 'oauth_timestamp was used before');
    gatewayState.signedAt.add(timestamp);
    if (!signingKeyLasts(activeLies, gatewayState.age() / DAY))
      throw new GatewayRefusal(401, -12, 'Unknown consumer key');
  } else {
    const { authorization = '' } = call.headers;
    const asked = `${call.url} ${call.raw}`;
    if (!refusalsPass(activeLies, gatewayState.refused, asked, authorization))
      throw new GatewayRefusal(401, -7, 'Access token not found');
    try {
      checkBearerToken(
        activeLies,
        call.headers.authorization,
        { operation: route.operation, subject, host, url: call.url, besides: () => writeBesides(call) },
        grants,
      );
    } catch (refusal) {
      if (activeLies.size > 0) gatewayState.refused.add(asked).add(authorization);
      throw refusal;
    }
  }
  if (!tokenLasts(activeLies, gatewayState.age() / DAY, subject, call.operation))
    throw new GatewayRefusal(401, -7, 'Access token not found');
  if (call.requestor !== allowlisted.id) {
    if (!proxiesChangeNothing(activeLies, call.headers))
      throw new GatewayRefusal(401, -20, 'Bad client ip address: proxy');
    return;
  }
  if (route.operation === 'transfer' && !transferHasAllowlist(activeLies)) return;
  const address = resolveClientAddress(
    activeLies,
    route.operation === 'transfer' ? transferComesFrom(activeLies, call.headers, allowlisted.allowed) : call.headers,
    request.socket.remoteAddress,
    route.operation,
    gatewayState.world.choices,
  );
  checkAllowedAddress(activeLies, address, allowlisted.allowed, route.operation);
}

function entries(headers: IncomingHttpHeaders): string[] {
  return String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((one) => one.trim());
}

/** Every header but the one that a token belongs in. */
function writeBesides({ headers: { authorization: _, ...headers } }: GatewayCall): string {
  return Object.entries(headers).flat().join(' ');
}

/** Scheme and authority with the case of the Host header kept, for the signature's own rules to treat. */
function rawOrigin(call: GatewayCall): string {
  const host = call.headers.host;
  const [scheme, called] = call.origin.split('://');
  return host?.toLowerCase() === called ? `${scheme}://${host}` : call.origin;
}
