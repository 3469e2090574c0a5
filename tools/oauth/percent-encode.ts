import { Trouble } from '#trouble';

const UNRESERVED = /^[A-Za-z0-9._~-]*$/;
const MARKS = /[!'()*]/g;

/**
 * Writes every byte of the UTF-8 form as `%XX` in capitals, unless it is unreserved (RFC 5849 section 3.6, RFC 3986 section 2.3).
 * @throws Trouble when the text holds half a surrogate pair, which has no UTF-8 form
 */
export function percentEncode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  try {
    // encodeURIComponent leaves five characters alone that RFC 3986 reserves.
    return encodeURIComponent(text).replace(MARKS, escaped);
  } catch (cause) {
    if (cause instanceof URIError) throw illFormedText('A text to be encoded');
    throw cause;
  }
}

/**
 * Undoes {@link percentEncode}; a plus sign stays a plus sign (RFC 3986 section 2.1).
 * @throws Trouble for a broken escape, or escapes that are not UTF-8 (RFC 5849 section 3.6 knows no other text)
 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw new Trouble('usage', 'A percent-encoded text cannot be decoded.', {
      reason: /%(?![0-9A-Fa-f]{2})/.test(text)
        ? 'a percent sign is not followed by two hexadecimal digits'
        : 'the encoded bytes are not UTF-8',
      fix: 'percent-encode the UTF-8 bytes, and a literal percent sign as %25',
    });
  }
}

/** The complaint about text that has no UTF-8 form. */
export function illFormedText(what: string): Trouble {
  return new Trouble('usage', `${what} is not well-formed Unicode.`, {
    reason: 'half a surrogate pair has no UTF-8 form',
    fix: 'mend the text where it was cut or decoded',
  });
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
