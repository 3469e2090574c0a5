/**
 * Figures in letters, from g for 0 to p for 9; letters of hex stay as they are, so what differed still differs. Figures in a row may be a
 * card number, or be taken for one: evidence would show a mask in their place, and an artifact that holds them would be withheld.
 */
export function inLetters(figures: string): string {
  return figures.replace(/\d/g, (figure) => 'ghijklmnop'[Number(figure)]!);
}
