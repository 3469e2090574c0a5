import { createHash } from 'node:crypto';

const LETTERS = 'bcdfghjklmnpqrstvwxz';

/**
 * Twelve letters that stand for a value and stay as long as it does.
 * Letters only: digits might pass for a card number, and consonants only: nobody reads a word into them.
 * @param text of the value, the same for equal values
 */
export function fingerprintText(text: string): string {
  let number = createHash('sha256').update(text, 'utf8').digest().readBigUInt64BE();
  let letters = '';
  for (let i = 0; i < 12; i += 1) {
    letters += LETTERS[Number(number % 20n)];
    number /= 20n;
  }
  return letters;
}

/** Whether a text is such a fingerprint. */
export function isFingerprint(text: string): boolean {
  return new RegExp(`^[${LETTERS}]{12}$`).test(text);
}
