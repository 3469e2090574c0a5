/** What becomes of a text that is taken for something else than a text; only lies do. */
export const MISWRITTEN: Readonly<Record<string, (text: string) => string>> = {
  'of-digits-without-its-zeros': (text) => text.replace(/^0+(?=\d+$)/, ''),
  'that-says-null-forgotten': (text) => (text === 'null' ? '' : text),
  'without-backslashes': (text) => text.replaceAll('\\', ''),
  'without-what-looks-like-a-tag': (text) => text.replace(/<[^>]*>?/g, ''),
  'with-blanks-for-plus-signs': (text) => text.replaceAll('+', ' '),
  'decoded-as-an-address': (text) =>
    text.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
};
