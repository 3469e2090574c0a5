import type { Cause } from './causes.ts';
import { DEFAULT_PORTS } from './write-base-uri.ts';

const SHAPE = /^([^:/?#]+):\/\/([^/?#]*@)?(\[[^\]]*\]|[^/?#[\]]*?)(?::(\d*))?(\/[^?#]*)?([?#].*)?$/;
/** Without its brackets, an IPv6 address and a port run together. */
const BARE_ADDRESS = /^[^:/?#]+:\/\/[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?=\/|$)/;

/** How a base URI departs from ours, which is taken to be right: the first departure counts, from left to right (RFC 5849 section 3.4.1.2). */
export function compareBaseUris(ours: string, theirs: string): Cause {
  const mine = cut(ours);
  const other = cut(theirs);
  if (!mine || !other) return 'path-changed';
  if (BARE_ADDRESS.test(theirs) && mine.host.startsWith('[')) return 'host-brackets-lost';
  if (other.scheme.toLowerCase() !== mine.scheme) return 'scheme-changed';
  if (other.scheme !== mine.scheme) return 'scheme-in-capitals';
  if (other.user) return 'user-information-kept';
  if (other.host.toLowerCase() !== mine.host) return 'host-changed';
  if (other.host !== mine.host) return 'host-in-capitals';
  if (other.port !== mine.port) {
    const kept = mine.port === undefined && Number(other.port) === DEFAULT_PORTS[mine.scheme];
    return kept ? 'default-port-kept' : 'port-changed';
  }
  return comparePaths(mine.path ?? '', other.path, other.rest);
}

function comparePaths(mine: string, other: string | undefined, rest: string | undefined): Cause {
  if (mine === '/' && other === undefined && !rest) return 'path-empty';
  if (rest && (other ?? '/') === mine) return 'query-in-base-uri';
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

function cut(uri: string) {
  const match = SHAPE.exec(uri);
  if (!match) return undefined;
  const [, scheme, user, host, port, path, rest] = match;
  return { scheme: scheme!, user, host: host!, port, path, rest };
}
