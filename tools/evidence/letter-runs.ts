/** Letters that words are made of: 1 at the code of each. */
export type Letters = Uint8Array;

export const DIGITS = lettersIn(/[0-9]/);
export const HEX_LETTERS = lettersIn(/[0-9A-Fa-f]/);
export const BASE64_LETTERS = lettersIn(/[A-Za-z0-9+/_-]/);

function lettersIn(pattern: RegExp): Letters {
  const letters = new Uint8Array(1 << 16);
  for (let code = 0; code < 128; code += 1) if (pattern.test(String.fromCharCode(code))) letters[code] = 1;
  return letters;
}

/** Where a text has so many letters in a row, or more: from and to. It looks at few of the other characters. */
export function findLetterRuns(text: string, letters: Letters, least: number): (readonly [from: number, to: number])[] {
  const runs: (readonly [number, number])[] = [];
  for (let at = 0; at + least <= text.length; ) {
    // Backwards: behind the last character that is no letter, a word begins at the earliest.
    let from = at + least - 1;
    while (from >= at && letters[text.charCodeAt(from)] === 1) from -= 1;
    if (from >= at) {
      at = from + 1;
      continue;
    }
    let to = at + least;
    while (to < text.length && letters[text.charCodeAt(to)] === 1) to += 1;
    runs.push([at, to]);
    at = to + 1;
  }
  return runs;
}
