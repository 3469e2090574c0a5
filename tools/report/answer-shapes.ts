import type { ExchangeLine } from '#evidence';
import type { ExchangeHead } from './journal-index.ts';

/** How long answers took, in milliseconds. */
export interface AnswerTiming {
  readonly count: number;
  readonly median: number;
  readonly p90: number;
}

const NO_JSON = 'no JSON';

/** Collects members and JSON types of every answer, by operation and status. */
export class AnswerShapes {
  readonly #found = new Map<string, Shape>();

  see({ direction, operation, response }: ExchangeLine): void {
    if (direction !== 'out' || operation === undefined || response === undefined) return;
    const key = `${operation} ${response.status}`;
    const shape = this.#found.get(key) ?? new Shape();
    this.#found.set(key, shape);
    try {
      if (response.body !== undefined && !response.cut) shape.see(JSON.parse(response.body));
    } catch {
      shape.types.add(NO_JSON);
    }
  }

  /** A line for every type in every place, `/transactions/*` + `/amount string`, all sorted. */
  list(): Record<string, string[]> {
    return Object.fromEntries(
      [...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, shape]) => [key, shape.lines().sort()]),
    );
  }
}

/** Median and ninth decile of how long answers took, by operation. */
export function answerTimings(exchanges: readonly ExchangeHead[]): Record<string, AnswerTiming> {
  const found = new Map<string, number[]>();
  for (const { direction, operation, duration, status } of exchanges) {
    if (direction !== 'out' || operation === undefined || status === undefined) continue;
    const times = found.get(operation);
    if (times) times.push(duration);
    else found.set(operation, [duration]);
  }
  return Object.fromEntries(
    [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([operation, times]) => {
        times.sort((a, b) => a - b);
        const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
        return [operation, { count: times.length, median: at(0.5), p90: at(0.9) }];
      }),
  );
}

/** What was seen in one place of an answer: its types, and what lies below it. */
class Shape {
  readonly types = new Set<string>();
  readonly #members = new Map<string, Shape>();

  see(value: unknown): void {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    this.types.add(type);
    if (Array.isArray(value)) for (const one of value) this.#below('*').see(one);
    else if (type === 'object')
      for (const key of Object.keys(value as object)) this.#below(key).see((value as Record<string, unknown>)[key]);
  }

  /** A line for every type in every place. */
  lines(pointer = ''): string[] {
    const own = [...this.types].map((type) => (type === NO_JSON ? type : `${pointer || '/'} ${type}`));
    return [...own, ...[...this.#members].flatMap(([key, member]) => member.lines(`${pointer}/${key}`))];
  }

  #below(key: string): Shape {
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const made = new Shape();
    this.#members.set(key, made);
    return made;
  }
}
