import type { DifferenceCause } from './difference-causes.ts';
import { DEFAULT_PORTS } from './write-base-uri.ts';

interface Pieces {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
  readonly path: string | undefined;
  readonly rest: string | undefined;
}

const SHAPE = /^([^:/?#]+):\/\/([^/?#]*@)?(\[[^\]]*\]|[^/?#[\]]*?)(?::(\d*))?(\/[^?#]*)?([?#].*)?$/;

/**
 * How a base URI departs from ours, which is taken to be right: all departures, from left to right (RFC 5849 section 3.4.1.2).
 */
export function compareBaseUris(ours: string, theirs: string): [DifferenceCause, ...DifferenceCause[]] {
  const mine = cut(ours);
  const other = mine && cut(theirs);
  if (!mine || !other) return ['path-changed'];
  const bare = mine.host.slice(1, -1);
  // Without its brackets an IPv6 address runs together with a port, so it is looked for by value.
  const lost = mine.host.startsWith('[') && theirs.toLowerCase().includes(`//${bare}`);
  const whole = lost ? cut(theirs.toLowerCase().replace(bare, mine.host)) : other;
  const found: (DifferenceCause | undefined)[] = [
    compareSchemes(mine, other),
    other.user ? 'user-information-kept' : undefined,
    lost ? 'host-brackets-lost' : compareHosts(mine, other),
    comparePorts(mine, whole ?? other),
    comparePaths(mine.path ?? '', other.path, other.rest),
  ];
  const [first = 'path-changed', ...more] = found.filter((cause) => cause !== undefined);
  return [first, ...more];
}

function compareSchemes(mine: Pieces, other: Pieces): DifferenceCause | undefined {
  if (other.scheme === mine.scheme) return undefined;
  return other.scheme.toLowerCase() === mine.scheme ? 'scheme-in-capitals' : 'scheme-changed';
}

function compareHosts(mine: Pieces, other: Pieces): DifferenceCause | undefined {
  if (other.host === mine.host) return undefined;
  return other.host.toLowerCase() === mine.host ? 'host-in-capitals' : 'host-changed';
}

function comparePorts(mine: Pieces, other: Pieces): DifferenceCause | undefined {
  if (other.port === mine.port) return undefined;
  const kept = mine.port === undefined && Number(other.port) === DEFAULT_PORTS[other.scheme.toLowerCase()];
  return kept ? 'default-port-kept' : 'port-changed';
}

function comparePaths(mine: string, other: string | undefined, rest: string | undefined): DifferenceCause | undefined {
  if (rest) return 'query-in-base-uri';
  if (other === mine) return undefined;
  if (mine === '/' && other === undefined) return 'path-empty';
  const path = other ?? '';
  if (path.replace(/\/$/, '') === mine.replace(/\/$/, '')) return 'path-slash';
  return plain(path) === plain(mine) ? 'path-re-encoded' : 'path-changed';
}

function plain(path: string): string {
  try {
    return decodeURIComponent(path.replace(/%25(?=[0-9A-Fa-f]{2})/g, '%'));
  } catch {
    return path;
  }
}

function cut(uri: string): Pieces | undefined {
  const match = SHAPE.exec(uri);
  if (!match) return undefined;
  const [, scheme, user, host, port, path, rest] = match;
  return { scheme: scheme!, user, host: host!, port, path, rest };
}
