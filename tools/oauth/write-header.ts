import { percentEncode } from './percent-encode.ts';
import type { HeaderStyle, ParameterPair } from './types.ts';

const BASE64 = new Set(['oauth_body_hash', 'oauth_signature']);

/**
 * The Authorization header's value: `OAuth `, then `name="value"`, comma-separated (RFC 5849 section 3.5.1).
 * @param style `raw` leaves body hash and signature as plain base64; all else is encoded in either style
 * @throws Trouble when a name or value has no UTF-8 form
 */
export function writeHeader(pairs: readonly ParameterPair[], style: HeaderStyle = 'encoded'): string {
  const shown = pairs.map(([name, value]) => {
    const raw = style === 'raw' && BASE64.has(name) && /^[A-Za-z0-9+/=]*$/.test(value);
    return `${percentEncode(name)}="${raw ? value : percentEncode(value)}"`;
  });
  return `OAuth ${shown.join(', ')}`;
}
