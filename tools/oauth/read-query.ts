import { percentDecode } from './percent-encode.ts';
import { splitUrl } from './split-url.ts';
import type { ParameterPair } from './types.ts';

/**
 * The parameters in a URL's query, decoded, in the order as sent, duplicates kept (RFC 5849 section 3.4.1.3.1).
 * @throws Trouble when the URL or an escape in it is broken
 */
export function readQueryParameters(url: string): ParameterPair[] {
  return readFormParameters(splitUrl(url).query ?? '');
}

/**
 * The parameters in a form-encoded text, decoded: a plus sign is a space, a missing `=` an empty value
 * (RFC 5849 section 3.4.1.3.1, by way of HTML 4.01 section 17.13.4.1).
 * @throws Trouble when an escape is broken
 */
export function readFormParameters(text: string): ParameterPair[] {
  return text
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const cut = piece.indexOf('=');
      return cut < 0 ? [decode(piece), ''] : [decode(piece.slice(0, cut)), decode(piece.slice(cut + 1))];
    });
}

function decode(text: string): string {
  return percentDecode(text.replaceAll('+', ' '));
}
