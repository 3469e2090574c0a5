import { Trouble } from '#trouble';

/** The pieces of a URL, untouched. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly port: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
}

const SHAPE =
  /^(https?):\/\/(?:[^/?#]*@)?(\[[0-9A-Fa-f:.]+(?:%25[^\]]+)?\]|[^:/?#@[\]]+)(?::(\d*))?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/i;
const ILLEGAL = /[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]|%(?![0-9A-Fa-f]{2})/;

/**
 * Cuts an absolute http or https URL into pieces (RFC 3986 appendix B), without resolving or re-encoding anything: RFC 5849
 * section 3.4.1.2 speaks of the request as it goes out.
 * @throws Trouble for another kind of URL, and for characters that cannot go out as they are
 */
export function splitUrl(url: string): UrlParts {
  const illegal = ILLEGAL.exec(url);
  if (illegal) {
    throw new Trouble('usage', 'The URL to be signed cannot be sent as it is.', {
      reason: `character ${illegal.index + 1} is ${illegal[0] === '%' ? 'a broken escape' : 'not allowed in a URL'}`,
      fix: 'percent-encode it (in a host name: use the xn-- form)',
    });
  }
  const match = SHAPE.exec(url);
  if (!match || Number(match[3] ?? 0) > 65_535) {
    throw new Trouble('usage', 'The URL to be signed is not an absolute http or https URL.', {
      reason: match ? 'its port is above 65535' : 'scheme, host or port cannot be read',
      fix: 'write it in full, as in https://host.example/api/payments/transfer/1',
    });
  }
  const [, scheme, host, port, path, query] = match;
  return { scheme: scheme!, host: host!, port: port || undefined, path: path ?? '/', query };
}
