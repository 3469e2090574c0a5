import { type ActiveLies, decision } from '../../decision.ts';
import { isLike } from '../../sql-pattern.ts';
import type { GatewayHost, GatewayOperationId } from '../gateway-reply.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';
import { keepsGuard, type OperationGuard } from './operation-guards.ts';
import { findTokenGrant, type TokenGrant } from './token-grants.ts';

/** Where a token is shown. */
export interface TokenUse {
  readonly operation: GatewayOperationId;
  /** Last path segment. */
  readonly subject: string;
  readonly host: GatewayHost;
  /** Path and query as sent. */
  readonly url: string;
  /** Every header but Authorization. */
  readonly besides: () => string;
}

const NO_HEADER = new GatewayRefusal(400, -6, 'No Authorization header');
const NOT_BEARER = new GatewayRefusal(400, -7, "Authorization header should start with 'Bearer '");
const NOT_FOUND = new GatewayRefusal(401, -7, 'Access token not found');

const headerIsNeeded = decision({
  rule: 'GW-ERR-02',
  honest: (_door: TokenUse): GatewayRefusal => NO_HEADER,
  lies: {
    'no-header-as-401': () => new GatewayRefusal(401, -6, NO_HEADER.message),
    'no-header-with-another-code': () => new GatewayRefusal(400, -60, NO_HEADER.message),
    'no-header-with-another-message': () => new GatewayRefusal(400, -6, 'Unauthorized'),
    'no-header-as-401-at-balances': (door) =>
      door.operation.startsWith('balance') ? new GatewayRefusal(401, -6, NO_HEADER.message) : NO_HEADER,
  },
});

const emptyHeaderIsNone = decision({
  rule: 'GW-ERR-03',
  honest: (): GatewayRefusal => NO_HEADER,
  lies: {
    'empty-header-as-wrong-scheme': () => NOT_BEARER,
    'empty-header-as-401': () => new GatewayRefusal(401, -6, NO_HEADER.message),
  },
});

const schemeIsBearer = decision({
  rule: 'GW-ERR-04',
  honest: (_door: TokenUse, _header: string): GatewayRefusal | undefined => NOT_BEARER,
  lies: {
    'any-scheme-accepted': () => undefined,
    'status-opened-by-a-signature': ({ operation }, header) =>
      operation === 'status' && /^OAuth .*oauth_signature=/.test(header) ? undefined : NOT_BEARER,
    'wrong-scheme-as-401': () => new GatewayRefusal(401, -7, NOT_BEARER.message),
    'wrong-scheme-with-another-message': () => new GatewayRefusal(400, -7, 'Bad scheme'),
    'wrong-scheme-as-401-at-rates': (door) =>
      door.operation === 'getExchangeRate' ? new GatewayRefusal(401, -7, NOT_BEARER.message) : NOT_BEARER,
  },
});

const bareTokenIsNone = decision({
  rule: 'GW-ERR-04',
  honest: (_header: string): string | undefined => undefined,
  lies: {
    'bare-token-accepted': (header) => (header.includes(' ') ? undefined : header),
    'token-of-other-schemes-accepted': (header) => /^(?:OAuth|Token|Digest) (.+)$/.exec(header)?.[1],
  },
});

const spaceFollowsBearer = decision({
  rule: 'GW-ERR-05',
  honest: (_header: string): GatewayRefusal | undefined => NOT_BEARER,
  lies: {
    'bearer-with-a-tab-accepted': (header) => (header.startsWith('Bearer\t') ? undefined : NOT_BEARER),
    'bearer-with-a-colon-as-401': (header) => (header.startsWith('Bearer:') ? NOT_FOUND : NOT_BEARER),
    'bearer-without-space-accepted': () => undefined,
    'bearer-without-space-as-401': () => NOT_FOUND,
  },
});

const sameNumberTwice = decision({
  rule: 'GW-ERR-06',
  honest: (refusal: GatewayRefusal): GatewayRefusal => refusal,
  lies: {
    'malformed-header-numbered-apart': (refusal) =>
      refusal.status === 400 && refusal.code === -7 ? new GatewayRefusal(400, -8, refusal.message) : refusal,
    'minus-seven-always-400': (refusal) =>
      refusal.code === -7 ? new GatewayRefusal(400, -7, refusal.message) : refusal,
  },
});

const unknownIsRefused = decision({
  rule: 'GW-BEA-04',
  honest: (): GatewayRefusal | undefined => NOT_FOUND,
  lies: {
    'unknown-token-accepted': () => undefined,
    'unknown-token-as-400': () => new GatewayRefusal(400, -7, NOT_FOUND.message),
    'unknown-token-with-another-code': () => new GatewayRefusal(401, -9, NOT_FOUND.message),
    'unknown-token-with-another-message': () => new GatewayRefusal(401, -7, 'Please log in'),
  },
});

const requestorIsChecked = decision({
  rule: 'GW-BEA-05',
  honest: (_door: TokenUse, _from: number, _issuedFor: string): boolean => true,
  lies: {
    'foreign-requestor-accepted': (door) => !/^\d+$/.test(door.subject),
    'requestor-id-read-in-32-bits': (door, from) => Number(door.subject) % 2 ** 32 !== from,
    'token-of-a-login-accepted-at-requestors': (door, from) => !/^\d+$/.test(door.subject) || !Number.isNaN(from),
    'token-of-a-manager-accepted-at-requestors': (door, _from, issuedFor) =>
      !/^\d+$/.test(door.subject) || !issuedFor.startsWith('manager'),
    'token-of-a-client-accepted-at-requestors': (door, _from, issuedFor) =>
      !/^\d+$/.test(door.subject) || !issuedFor.startsWith('client'),
    'token-of-the-requestor-before-accepted-at-sale': (door, from) =>
      door.operation !== 'sale' || Number(door.subject) !== from + 1,
    'token-of-a-later-requestor-accepted': (door, from) => Number(door.subject) !== from - 2,
    'token-of-the-first-requestor-accepted-at-the-third': (door, from) => Number(door.subject) !== from + 2,
    'token-of-the-third-requestor-accepted-at-the-second': (door, from) =>
      from !== 1003 || Number(door.subject) !== from - 1,
  },
});

const loginIsChecked = decision({
  rule: 'GW-BEA-06',
  honest: (_door: TokenUse, _from: string): boolean => true,
  lies: {
    'foreign-login-accepted-at-balances': (door) => !door.operation.startsWith('balance'),
    'token-of-a-requestor-accepted-at-balances': ({ operation }, from) =>
      !operation.startsWith('balance') || !/^\d+$/.test(from),
    'login-cut-short-accepted': ({ subject }, from) => !from.startsWith(subject),
    'login-read-as-a-pattern': ({ subject }, from) => !isLike(from, subject),
    'login-of-the-first-merchant-accepted-at-balances': (door, from) =>
      !door.operation.startsWith('balance') || from !== 'merchant-one' || door.subject !== 'merchant-two',
    'login-of-a-merchant-accepted-at-the-balances-of-a-manager': (door, from) =>
      door.operation !== 'balanceByManager' || !from.startsWith('merchant'),
    'login-of-the-first-merchant-accepted-at-one-balance': (door, from) =>
      door.operation !== 'balanceByMerchant' || from !== 'merchant-one' || door.subject !== 'merchant-two',
  },
});

const reportLoginIsChecked = decision({
  rule: 'GW-BEA-07',
  honest: (_door: TokenUse, _from: string): boolean => true,
  lies: {
    'foreign-login-accepted-at-reports': (door) => door.operation !== 'transactionReport',
    'login-of-the-first-merchant-accepted-at-reports': (door, from) =>
      door.operation !== 'transactionReport' || from !== 'merchant-one' || door.subject !== 'merchant-two',
  },
});

const hostIsChecked = decision({
  rule: 'GW-BEA-08',
  honest: (_door: TokenUse): boolean => true,
  lies: {
    'other-host-accepted': () => false,
    'token-for-the-second-host-accepted-at-the-first': ({ host }) => host !== 'main',
    'other-host-accepted-for-the-second-requestor': ({ subject }) => subject !== '1002',
    'other-host-accepted-for-the-second-merchant': ({ subject }) => subject !== 'merchant-two',
    'host-that-is-forwarded-counts': ({ besides }) => !besides().includes('x-forwarded-host'),
  },
});

const nobodysIdIsAnothers = decision({
  rule: 'GW-BEA-05',
  honest: (_isNobodys: boolean): GatewayRefusal => NOT_FOUND,
  lies: {
    'unknown-requestor-told': (isNobodys) =>
      isNobodys ? new GatewayRefusal(401, -7, 'Requestor not found') : NOT_FOUND,
    'unknown-requestor-as-500': (isNobodys) => (isNobodys ? new GatewayRefusal(500, -1, 'Internal error') : NOT_FOUND),
  },
});

const nobodysLoginIsAnothers = decision({
  rule: 'GW-BEA-06',
  honest: (_isNobodys: boolean): GatewayRefusal => NOT_FOUND,
  lies: {
    'unknown-login-told': (isNobodys) => (isNobodys ? new GatewayRefusal(401, -7, 'Merchant not found') : NOT_FOUND),
  },
});

const saysNotWhich = decision({
  rule: 'GW-BEA-09',
  honest: (_mismatch: 'host' | 'subject' | 'token'): string => NOT_FOUND.message,
  lies: {
    'mismatch-of-host-told': (mismatch) =>
      mismatch === 'host' ? `${NOT_FOUND.message} at this host` : NOT_FOUND.message,
    'mismatch-of-requestor-told': (mismatch) =>
      mismatch === 'subject' ? `${NOT_FOUND.message} for this requestor` : NOT_FOUND.message,
  },
});

/**
 * Lets a request with the right bearer token pass.
 * @throws Refusal 400 -6, 400 -7 or 401 -7 as documented
 */
export function checkBearerToken(
  activeLies: ActiveLies,
  header: string | undefined,
  door: TokenUse,
  grants: ReadonlyMap<string, TokenGrant>,
): void {
  const refusal = refusalOf(activeLies, header, door, grants);
  if (refusal !== undefined) throw sameNumberTwice(activeLies, refusal).because(refusal.reason);
}

function refusalOf(
  activeLies: ActiveLies,
  header: string | undefined,
  door: TokenUse,
  grants: ReadonlyMap<string, TokenGrant>,
): GatewayRefusal | undefined {
  const keeps = (guard: OperationGuard) => keepsGuard(activeLies, guard, door.operation);
  const isElsewhere = header === undefined && [...grants.keys()].some((token) => door.url.includes(token));
  if (isElsewhere && !keeps('place')) return undefined;
  const isBeside = header === undefined && [...grants.keys()].some((token) => door.besides().includes(token));
  if (isBeside && !keeps('besides')) return undefined;
  if (header === undefined) return keeps('header') ? headerIsNeeded(activeLies, door).because('no header') : undefined;
  if (header.trim() === '') return emptyHeaderIsNone(activeLies).because('empty header');
  const token = header.startsWith('Bearer ') ? header.slice(7) : bareTokenIsNone(activeLies, header);
  if (token === undefined) {
    if (/^Bearer/.test(header)) return spaceFollowsBearer(activeLies, header)?.because('no space');
    return keeps('scheme') ? schemeIsBearer(activeLies, door, header)?.because('other scheme') : undefined;
  }
  const grant = findTokenGrant(activeLies, token, grants);
  if (grant === undefined) {
    if (!keeps('token')) return undefined;
    const refusal = unknownIsRefused(activeLies);
    const told = refusal === NOT_FOUND ? notFound(activeLies, 'token', keeps('discretion')) : refusal;
    return told?.because('unknown token');
  }
  if (grant.host !== door.host && keeps('host') && hostIsChecked(activeLies, door))
    return notFound(activeLies, 'host', keeps('discretion')).because('other host');
  const isManaged = door.operation === 'balanceByManager' && grant.managed === door.subject;
  if (grant.subject !== door.subject && !isManaged) {
    const checked =
      keeps('subject') &&
      requestorIsChecked(activeLies, door, Number(grant.subject), grant.subject) &&
      loginIsChecked(activeLies, door, grant.subject) &&
      reportLoginIsChecked(activeLies, door, grant.subject);
    const isNobodys = [...grants.values()].every(({ subject }) => subject !== door.subject);
    if (checked) {
      const isRequestor = /^\d+$/.test(door.subject);
      const refusal = (isRequestor ? nobodysIdIsAnothers : nobodysLoginIsAnothers)(activeLies, isNobodys);
      const said = refusal === NOT_FOUND ? notFound(activeLies, 'subject', keeps('discretion')) : refusal;
      return said.because(isRequestor ? 'other requestor' : 'other login');
    }
  }
  return keeps('opening') ? undefined : NOT_FOUND;
}

function notFound(activeLies: ActiveLies, mismatch: 'host' | 'subject' | 'token', isDiscreet: boolean): GatewayRefusal {
  const message = isDiscreet ? saysNotWhich(activeLies, mismatch) : `${NOT_FOUND.message} (${mismatch})`;
  return message === NOT_FOUND.message ? NOT_FOUND : new GatewayRefusal(401, -7, message);
}
