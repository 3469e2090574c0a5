/** How many letters in a row may hold a card number in base64 or hex. */
export const LEAST_PACKED = 16;

const LETTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Where a text has {@link LEAST_PACKED} or more letters of base64 in a row: from and to. It looks at few of the other characters. */
export function* findPackedWords(text: string): Generator<readonly [from: number, to: number]> {
  const isLetter = (at: number) => {
    const code = text.charCodeAt(at);
    return code < 128 && LETTERS[code] === 1;
  };
  for (let at = 0; at + LEAST_PACKED <= text.length; ) {
    // Backwards: behind the last character that is no letter, a word begins at the earliest.
    let from = at + LEAST_PACKED - 1;
    while (from >= at && isLetter(from)) from -= 1;
    if (from >= at) {
      at = from + 1;
      continue;
    }
    let to = at + LEAST_PACKED;
    while (to < text.length && isLetter(to)) to += 1;
    yield [at, to];
    at = to + 1;
  }
}
