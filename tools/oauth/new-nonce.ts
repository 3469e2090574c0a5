import { randomUUID } from 'node:crypto';

/** A random UUID: 122 random bits, unique per request (RFC 5849 section 3.3), and only unreserved characters. */
export function newNonce(): string {
  return randomUUID();
}
