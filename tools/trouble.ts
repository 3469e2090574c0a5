/**
 * @module trouble
 * Our own failures, as opposed to broken promises of the API under test: what happened, where, why and what to do.
 * Gives one clear message and the documented exit code. Anyone may import it; it imports nothing.
 */

/** Documented exit codes of the program. */
export const EXIT_CODES = {
  kept: 0,
  broken: 1,
  usage: 2,
  incomplete: 3,
  unprovable: 4,
  unsafe: 5,
} as const;

/** One of the documented exit codes, by name. */
export type ExitName = keyof typeof EXIT_CODES;

/** Where a trouble sits: a file as the user named it, a line counted from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line?: number;
}

/** A failure that is ours or the user's to mend; printed as message, place, cause and fix, without a stack. */
export class Trouble extends Error {
  readonly outcome: ExitName;
  readonly place: FilePlace | undefined;
  readonly reason: string | undefined;
  readonly fix: string | undefined;

  /**
   * @param outcome which exit code the program ends with
   * @param message one sentence: what is wrong
   * @param detail place (file and line), reason (why) and fix (what to do about it)
   */
  constructor(outcome: ExitName, message: string, detail: { place?: FilePlace; reason?: string; fix?: string } = {}) {
    super(message);
    this.name = 'Trouble';
    this.outcome = outcome;
    this.place = detail.place;
    this.reason = detail.reason;
    this.fix = detail.fix;
  }

  /** The message as a user reads it, one fact a line. */
  override toString(): string {
    const at = this.place && `${this.place.file}${this.place.line ? `:${this.place.line}` : ''}`;
    return [
      `assay: ${at ? `${at}: ` : ''}${this.message}`,
      this.reason && `  cause: ${this.reason}`,
      this.fix && `  fix:   ${this.fix}`,
    ]
      .filter(Boolean)
      .join('\n');
  }
}

/**
 * The known word nearest to a mistyped one.
 * @returns the nearest of `known` within a third of its length in edits, else undefined
 */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least && distance <= Math.max(2, Math.ceil(candidate.length / 3))) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** "did you mean X?" or an empty string, ready to append to a fix. */
export function suggestWord(word: string, known: Iterable<string>): string {
  const near = nearestWord(word, known);
  return near === undefined ? '' : `did you mean ${near}?`;
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
