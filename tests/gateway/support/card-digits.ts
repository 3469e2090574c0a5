/** A text without what a card number may be grouped with in it. */
export function joinCardDigits(text: string): string {
  return text.replace(/(?<=\d)[ -](?=\d)/g, '');
}
