/** Whether a text shows a card number, or all of it but its last four digits, as it is or in base64 or hex, its digits grouped or not. */
export function showsCard(text: string, number: string): boolean {
  const texts = [text, ...decodeRuns(text, /[\w+/-]{16,}/g, 'base64'), ...decodeRuns(text, /[\da-f]{24,}/gi, 'hex')];
  return texts.some((one) => one.replace(/(?<=\d)[ -](?=\d)/g, '').includes(number.slice(0, -4)));
}

/** What runs of an encoding stand for, read from each of their first letters: what stands before a value may look like a part of it. */
function decodeRuns(text: string, runs: RegExp, encoding: 'base64' | 'hex'): string[] {
  return (text.match(runs) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), encoding).toString('latin1')),
  );
}
