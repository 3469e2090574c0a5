/** What becomes of a text that is taken for something else than a text; only lies do. */
export const MISWRITTEN: Readonly<Record<string, (text: string) => string>> = {
  'of-digits-without-its-zeros': (text) => text.replace(/^0+(?=\d+$)/, ''),
  'of-a-zero-forgotten': (text) => (text === '0' ? '' : text),
  'outside-latin-1-as-question-marks': (text) => text.replace(/[^ -\u00ff]/gu, '?'),
  'that-says-null-forgotten': (text) => (text === 'null' ? '' : text),
  // As a reader does that takes every text for a date which can be read as one.
  'that-looks-like-a-time-rewritten': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : text,
  'that-says-true-as-a-number': (text) => (text === 'true' ? '1' : text),
  'with-backslashes-before-apostrophes': (text) => text.replaceAll("'", "\\'"),
  'cut-at-a-line-break': (text) => text.split('\n')[0]!,
  'with-one-blank-for-several': (text) => text.replace(/ +/g, ' '),
  'without-backslashes': (text) => text.replaceAll('\\', ''),
  'without-what-looks-like-a-tag': (text) => text.replace(/<[^>]*>?/g, ''),
  'with-blanks-for-plus-signs': (text) => text.replaceAll('+', ' '),
  'decoded-as-an-address': (text) =>
    text.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
};
