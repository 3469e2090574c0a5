/** Stand where marks of a code span, or of emphasis, were taken out. */
const CODE = '\ue000';
const STRONG = '\ue001';
const MARKS = new RegExp(`[${CODE}${STRONG}]`, 'g');
const SENTENCE = new RegExp(
  `(?<=[.!?][${CODE}${STRONG}]?)(?<!\\b(?:i\\.e|e\\.g|etc)\\.)\\s+(?=[A-Z"*${CODE}${STRONG}])`,
);

/** A run of asterisks that may begin or end emphasis, and how many of its asterisks are not yet paired. */
interface Run {
  readonly at: number;
  readonly length: number;
  left: number;
}

/**
 * Finds what only formats a text: the marks of code spans and of paired emphasis (CommonMark 0.31 sections 6.1 and 6.2). An asterisk
 * without its partner, one in a code span and one behind a backslash belong to what is said.
 * @returns the text with a sign of its own for each of these marks
 */
export function signMarks(text: string): string {
  const spans = codeSpans(text);
  const signs = new Map<number, string>();
  for (const { from, to, ticks } of spans)
    for (let i = 0; i < ticks; i += 1) signs.set(from + i, i === 0 ? CODE : '').set(to - 1 - i, i === 0 ? CODE : '');
  const inCode = (index: number) => spans.some(({ from, to }) => index >= from && index < to);
  for (const index of pairedEmphasis(text, inCode)) signs.set(index, STRONG);
  return Array.from({ length: text.length }, (_, i) => signs.get(i) ?? text[i]).join('');
}

/** A text of {@link signMarks} without the signs. */
export function withoutSigns(signed: string): string {
  return signed.replace(MARKS, '');
}

/** What a text of {@link signMarks} says in code spans, each once, in reading order. */
export function codeIn(signed: string): string[] {
  const spans = signed.matchAll(new RegExp(`${CODE}([^${CODE}]*)${CODE}`, 'g'));
  return [...new Set([...spans].map(([, code]) => code!.trim()))];
}

/** Splits a text of {@link signMarks} into its sentences; emphasis may span several of them. */
export function sentencesIn(signed: string): string[] {
  return signed.split(SENTENCE).filter((sentence) => withoutSigns(sentence).trim() !== '');
}

function codeSpans(text: string): { from: number; to: number; ticks: number }[] {
  return [...text.matchAll(/(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g)].map((span) => ({
    from: span.index,
    to: span.index + span[0].length,
    ticks: span[1]!.length,
  }));
}

/** Indexes of the asterisks that begin or end emphasis. */
function pairedEmphasis(text: string, inCode: (index: number) => boolean): Set<number> {
  const drop = new Set<number>();
  const open: Run[] = [];
  for (const { 0: stars, index } of text.matchAll(/(?<!\\)\*+/g)) {
    if (inCode(index)) continue;
    const [before, after] = [text[index - 1] ?? ' ', text[index + stars.length] ?? ' '];
    const run: Run = { at: index, length: stars.length, left: stars.length };
    if (flanks(after, before))
      for (let opener = open.at(-1); opener && run.left > 0; opener = open.at(-1)) {
        const paired = Math.min(opener.left, run.left);
        for (let i = 0; i < paired; i += 1) {
          drop.add(opener.at + opener.left - 1 - i);
          drop.add(run.at + run.length - run.left + i);
        }
        opener.left -= paired;
        run.left -= paired;
        if (opener.left === 0) open.pop();
      }
    if (run.left > 0 && flanks(before, after)) open.push(run);
  }
  return drop;
}

/** Whether asterisks between these two may begin emphasis, `inner` being what would be emphasized. */
function flanks(outer: string, inner: string): boolean {
  const isPunctuation = (char: string) => /[\p{P}\p{S}]/u.test(char);
  return !/\s/.test(inner) && (!isPunctuation(inner) || /\s/.test(outer) || isPunctuation(outer));
}
