import { percentEncode } from './percent-encode.ts';
import type { ParameterPair } from './types.ts';

/**
 * Encodes names and values, sorts by encoded name and then by encoded value, and joins with `=` and `&`; duplicates stay
 * (RFC 5849 section 3.4.1.3.2).
 * @throws Trouble when a name or value has no UTF-8 form
 */
export function writeParameterString(pairs: readonly ParameterPair[]): string {
  return pairs
    .map(([name, value]): ParameterPair => [percentEncode(name), percentEncode(value)])
    .sort(byNameThenValue)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Byte order of encoded pairs. Not that of the joined text, in which `=` would be compared with the rest of a longer name. */
export function byNameThenValue([name, value]: ParameterPair, [otherName, otherValue]: ParameterPair): number {
  if (name !== otherName) return name < otherName ? -1 : 1;
  return value < otherValue ? -1 : value > otherValue ? 1 : 0;
}
