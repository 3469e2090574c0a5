import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { type ActiveLies, decision } from '../../decision.ts';
import type { GatewayChoices } from '../choices.ts';
import type { GatewayOperationId } from '../gateway-reply.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';
import { keepsGuard } from './operation-guards.ts';

/** Ranges from which no client on the internet can come; documentation ranges count as public here. */
const NOT_PUBLIC = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
  'unspecified',
  'broadcast',
  'multicast',
]);

/** What an address that is not looked at is taken for: the one on the allowlist. */
const ALLOWED = '203.0.113.7';

interface Facts {
  /** Entries of X-Forwarded-For that are addresses, in their order. */
  readonly forwarded: readonly string[];
  /** X-Forwarded-For as it came. */
  readonly sent: string;
  readonly realIp: string | undefined;
  /** What other headers call the client; no document speaks of them. */
  readonly others: readonly string[];
  readonly socket: string;
}

const isPublic = (address: string) => !NOT_PUBLIC.has(ipaddr.process(address).range());
const firstPublic = (forwarded: readonly string[]) => forwarded.find(isPublic);

const firstPublicCounts = decision({
  rule: 'GW-ADR-03',
  honest: (forwarded: readonly string[], _operation: GatewayOperationId) => firstPublic(forwarded),
  lies: {
    'last-public-entry-counts': (forwarded) => forwarded.findLast(isPublic),
    'public-entry-of-version-six-passed-over': (forwarded) =>
      forwarded.find((one) => isPublic(one) && !one.includes(':')),
    'last-public-entry-counts-at-payments': (forwarded, operation) =>
      operation === 'sale' || operation === 'auth' ? forwarded.findLast(isPublic) : firstPublic(forwarded),
    'last-public-entry-counts-beside-an-allowed-one-at-captures': (forwarded, operation) =>
      operation === 'capture' && forwarded[0] === ALLOWED ? forwarded.findLast(isPublic) : firstPublic(forwarded),
  },
});

const privateIsPassedOver = decision({
  rule: 'GW-ADR-04',
  honest: (_facts: Facts, _operation: GatewayOperationId): string | undefined => undefined,
  lies: {
    'private-entry-counts': ({ forwarded }) => forwarded[0],
    'private-entry-counts-at-payments': ({ forwarded }, operation) =>
      operation === 'sale' || operation === 'auth' ? forwarded[0] : undefined,
    'private-entry-counts-at-refunds': ({ forwarded }, operation) =>
      operation === 'reversal' ? forwarded[0] : undefined,
    'only-one-private-entry-passed-over-at-captures': ({ forwarded }, operation) =>
      operation === 'capture' && !isPublic(forwarded[0] ?? '8.8.8.8') ? forwarded[1] : undefined,
    'last-public-entry-counts-behind-a-private-one-at-refunds': ({ forwarded }, operation) =>
      operation === 'reversal' && !isPublic(forwarded[0] ?? '8.8.8.8') ? forwarded.findLast(isPublic) : undefined,
    'entry-behind-a-private-one-not-looked-at-at-captures': ({ forwarded }, operation) =>
      operation === 'capture' && !isPublic(forwarded[0] ?? '8.8.8.8') ? ALLOWED : undefined,
    'upper-half-of-a-private-range-counts': ({ forwarded }) =>
      forwarded.find((one) => isPublic(one) || /^172\.(?:1[7-9]|2\d|3[01])\./.test(one)),
    'only-entries-behind-a-blank-told-apart': ({ sent }) =>
      sent.includes(',') && !/,\s/.test(sent) ? ALLOWED : undefined,
    'public-entry-that-begins-with-ten-passed-over': ({ forwarded }) =>
      forwarded.find((one) => isPublic(one) && !one.startsWith('10')),
    'public-entry-that-begins-like-a-private-range-passed-over': ({ forwarded }) =>
      forwarded.find((one) => isPublic(one) && !/^172\.(?:1[6-9]|2|3[01])/.test(one)),
    'loopback-entry-counts': ({ forwarded }) => forwarded.find((one) => isPublic(one) || one === '127.0.0.1'),
    'public-neighbour-of-a-private-range-passed-over': ({ forwarded }) =>
      forwarded.find((one) => isPublic(one) && !/^(?:172|192)\./.test(one)),
    'only-one-private-entry-passed-over': ({ forwarded }) =>
      isPublic(forwarded[0] ?? '8.8.8.8') ? undefined : forwarded[1],
  },
});

const realIpIsNext = decision({
  rule: 'GW-ADR-05',
  honest: (facts: Facts, _operation: GatewayOperationId) => facts.realIp,
  lies: {
    'real-ip-ignored': () => undefined,
    'real-ip-ignored-at-payments': (facts, operation) =>
      operation === 'sale' || operation === 'auth' ? undefined : facts.realIp,
    'real-ip-ignored-at-captures': (facts, operation) => (operation === 'capture' ? undefined : facts.realIp),
    'real-ip-not-looked-at-at-refunds': (facts, operation) =>
      operation === 'reversal' && facts.forwarded.length === 0 ? ALLOWED : facts.realIp,
  },
});

const forwardedGoesFirst = decision({
  rule: 'GW-ADR-06',
  honest: (_facts: Facts, _operation: GatewayOperationId): string | undefined => undefined,
  lies: {
    'real-ip-goes-first': (facts) => facts.realIp,
    'real-ip-goes-first-at-refunds': (facts, operation) => (operation === 'reversal' ? facts.realIp : undefined),
    'real-ip-goes-before-an-allowed-entry-at-captures': (facts, operation) =>
      operation === 'capture' && firstPublic(facts.forwarded) === ALLOWED ? facts.realIp : undefined,
  },
});

const othersAreIgnored = decision({
  rule: 'GW-ADR-02',
  honest: (_facts: Facts): string | undefined => undefined,
  lies: { 'another-header-names-the-client': ({ others }) => others[0] },
});

/** Headers by which intermediaries of other makes tell of a client. */
const OTHER_HEADERS = ['x-client-ip', 'true-client-ip', 'cf-connecting-ip'];

/** Address of whoever calls the front end, where there is one. */
const PEER = '192.0.2.44';

/** The client's address: first public entry of X-Forwarded-For, else X-Real-IP, else the socket's. */
export function resolveClientAddress(
  activeLies: ActiveLies,
  headers: IncomingHttpHeaders,
  socket: string | undefined,
  operation: GatewayOperationId,
  { frontEnd, realIpBesidePrivate }: Pick<GatewayChoices, 'frontEnd' | 'realIpBesidePrivate'>,
): string {
  const sent = list(headers['x-forwarded-for']);
  const realIp = list(headers['x-real-ip'])[0];
  const forwarded = { none: sent, 'appends its peer': [...sent, PEER], 'replaces the addresses': [PEER] }[frontEnd];
  const isNext = forwarded.length === 0 || realIpBesidePrivate === 'counts';
  const facts: Facts = {
    forwarded,
    sent: String(headers['x-forwarded-for'] ?? ''),
    realIp: isNext ? realIp : undefined,
    others: OTHER_HEADERS.flatMap((name) => list(headers[name])),
    socket: socket ?? '',
  };
  return (
    othersAreIgnored(activeLies, facts) ??
    forwardedGoesFirst(activeLies, facts, operation) ??
    privateIsPassedOver(activeLies, facts, operation) ??
    firstPublicCounts(activeLies, facts.forwarded, operation) ??
    realIpIsNext(activeLies, facts, operation) ??
    facts.socket
  );
}

const allowedIsTaken = decision({
  rule: 'GW-ADR-01',
  honest: (_operation: GatewayOperationId) => true,
  lies: {
    'allowed-address-refused': () => false,
    'allowed-address-refused-at-refunds': (operation) => operation !== 'reversal',
    'allowed-address-refused-at-a-rate': (operation) => operation !== 'getExchangeRate',
  },
});

const othersAreRefused = decision({
  rule: 'GW-ADR-02',
  honest: (address: string): GatewayRefusal | undefined =>
    new GatewayRefusal(401, -20, `Bad client ip address: ${address}`),
  lies: {
    'any-address-accepted': () => undefined,
    'bad-address-as-400': (address) => new GatewayRefusal(400, -20, `Bad client ip address: ${address}`),
    'bad-address-with-another-code': (address) => new GatewayRefusal(401, -21, `Bad client ip address: ${address}`),
    'bad-address-with-another-message': () => new GatewayRefusal(401, -20, 'Forbidden'),
  },
});

/**
 * Lets only the allowed address pass.
 * @throws Refusal 401 -20 for any other
 */
export function checkAllowedAddress(
  activeLies: ActiveLies,
  address: string,
  allowed: string,
  operation: GatewayOperationId,
): void {
  if (address !== allowed && !keepsGuard(activeLies, 'address', operation)) return;
  const refusal =
    address === allowed
      ? allowedIsTaken(activeLies, operation)
        ? undefined
        : new GatewayRefusal(401, -20, `Bad client ip address: ${address}`)
      : othersAreRefused(activeLies, address);
  if (refusal !== undefined) throw refusal.because('other address');
}

function list(header: string | string[] | undefined): string[] {
  return (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => ipaddr.isValid(entry) && !/^\d+$/.test(entry))
    .map((entry) => ipaddr.process(entry).toString());
}
