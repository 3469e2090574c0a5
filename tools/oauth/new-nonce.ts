import { randomBytes } from 'node:crypto';

/** 128 random bits as 32 hexadecimal digits: unique per request (RFC 5849 section 3.3). */
export function newNonce(): string {
  return randomBytes(16).toString('hex');
}
