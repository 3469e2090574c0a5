/** Whether a text shows a card number, its digits grouped or not. */
export function showsCard(text: string, number: string): boolean {
  return text.replace(/(?<=\d)[ -](?=\d)/g, '').includes(number);
}
