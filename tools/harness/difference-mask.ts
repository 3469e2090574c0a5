import { MASK } from '#evidence';
import type { SigningDifference } from '#oauth';

const BARE = new Set(['bodyHash', 'signature']);
const NAMED = /(oauth_(?:body_hash|signature)(?:=|%3D|%253D)).*?(?=&|%26|%2526|\s|$)/gi;

/**
 * A difference that may be printed. The hash of a body with a card number in it, and a signature over that hash, would give the
 * number away to whoever tries them all.
 */
export function maskDifference(difference: SigningDifference): SigningDifference {
  const { step, expected, actual } = difference;
  const hide = (text: string) => (BARE.has(step) ? MASK : text.replace(NAMED, `$1${MASK}`));
  return { ...difference, expected: hide(expected), actual: actual && hide(actual) };
}
