import { type KeyObject, sign } from 'node:crypto';
import { requireRsa } from './load-key.ts';

/**
 * Base64 of the RSASSA-PKCS1-v1_5 signature over the base string's bytes (RFC 5849 section 3.4.3, with SHA-256 for SHA-1).
 * @throws Trouble when the key is not a private RSA key
 */
export function signBaseString(baseString: string, key: KeyObject): string {
  requireRsa(key);
  return sign('sha256', Buffer.from(baseString, 'utf8'), key).toString('base64');
}
