import { splitUrl } from './split-url.ts';

/** The port that a scheme implies and a base URI leaves out (RFC 5849 section 3.4.1.2). */
export const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * The base string URI: scheme and host in lower case, the port unless it is the scheme's own, the path as sent; no user
 * information, query or fragment (RFC 5849 section 3.4.1.2).
 * @throws Trouble when the URL cannot be sent as it is
 */
export function writeBaseUri(url: string): string {
  const { scheme, host, port, path } = splitUrl(url);
  const lower = scheme.toLowerCase();
  const shown = port === undefined || Number(port) === DEFAULT_PORTS[lower] ? '' : `:${Number(port)}`;
  return `${lower}://${host.toLowerCase()}${shown}${path}`;
}
