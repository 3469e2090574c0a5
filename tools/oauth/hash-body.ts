import { hash } from 'node:crypto';
import { illFormedText } from './percent-encode.ts';

/**
 * Base64 of the SHA-256 of the body's bytes exactly as sent; no body counts as no bytes
 * (oauth-bodyhash draft 00 section 3.2, with the hash of the signature method; it extends RFC 5849 section 3.4.1.3.1,
 * which covers form bodies only).
 * @throws Trouble when a text body has no UTF-8 form
 */
export function hashBody(body: string | Uint8Array | undefined): string {
  if (typeof body === 'string' && /[\uD800-\uDFFF]/u.test(body)) throw illFormedText('The body');
  return hash('sha256', body ?? '', 'base64');
}
