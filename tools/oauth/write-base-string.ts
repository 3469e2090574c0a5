import { Trouble } from '#trouble';
import { percentEncode } from './percent-encode.ts';

/**
 * The signature base string: method in capitals, encoded base URI, encoded parameter string, joined by `&`
 * (RFC 5849 section 3.4.1.1).
 * @throws Trouble when the method is not an HTTP token
 */
export function writeBaseString(method: string, baseUri: string, parameterString: string): string {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) {
    throw new Trouble('usage', 'The method to be signed is not an HTTP method.', { fix: 'use a method such as POST' });
  }
  return [method.toUpperCase(), baseUri, parameterString].map(percentEncode).join('&');
}
