/** Letters that words are made of, by their code below 128. */
export type Letters = Uint8Array;

export const HEX_LETTERS = lettersIn(/[0-9A-Fa-f]/);
export const BASE64_LETTERS = lettersIn(/[A-Za-z0-9+/_-]/);

function lettersIn(pattern: RegExp): Letters {
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

/** Where a text has so many letters in a row, or more: from and to. It looks at few of the other characters. */
export function* findLetterRuns(
  text: string,
  letters: Letters,
  least: number,
): Generator<readonly [from: number, to: number]> {
  const isLetter = (at: number) => {
    const code = text.charCodeAt(at);
    return code < 128 && letters[code] === 1;
  };
  for (let at = 0; at + least <= text.length; ) {
    // Backwards: behind the last character that is no letter, a word begins at the earliest.
    let from = at + least - 1;
    while (from >= at && isLetter(from)) from -= 1;
    if (from >= at) {
      at = from + 1;
      continue;
    }
    let to = at + least;
    while (to < text.length && isLetter(to)) to += 1;
    yield [at, to];
    at = to + 1;
  }
}
