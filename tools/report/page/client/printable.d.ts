/** Shows every character that would not be seen, or would move others, as its escape. */
export function printable(text: string): string;
