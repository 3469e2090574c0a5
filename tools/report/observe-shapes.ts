import type { ExchangeLine, Line } from '#evidence';

/** How long answers took, in milliseconds. */
export interface Timing {
  readonly count: number;
  readonly median: number;
  readonly p90: number;
}

const answers = (lines: readonly Line[]) =>
  lines.filter(
    (line): line is ExchangeLine =>
      line.kind === 'exchange' &&
      line.direction === 'out' &&
      line.operation !== undefined &&
      line.response !== undefined,
  );

/** Members and JSON types of every answer, `/transactions/*` + `/amount string`, by operation and status, all sorted. */
export function shapesOf(lines: readonly Line[]): Record<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { operation, response } of answers(lines)) {
    const key = `${operation} ${response!.status}`;
    const set = found.get(key) ?? new Set<string>();
    found.set(key, set);
    try {
      if (response!.body !== undefined && !response!.cut) walk(JSON.parse(response!.body), '', set);
    } catch {
      set.add('no JSON');
    }
  }
  return Object.fromEntries(
    [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, set]) => [key, [...set].sort()]),
  );
}

/** Median and ninth decile of how long answers took, by operation. */
export function timingOf(lines: readonly Line[]): Record<string, Timing> {
  const found = new Map<string, number[]>();
  for (const { operation, duration } of answers(lines))
    found.set(operation!, [...(found.get(operation!) ?? []), duration]);
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

function walk(value: unknown, pointer: string, found: Set<string>): void {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  found.add(`${pointer || '/'} ${type}`);
  if (Array.isArray(value)) for (const one of value) walk(one, `${pointer}/*`, found);
  else if (type === 'object')
    for (const [key, one] of Object.entries(value as object)) walk(one, `${pointer}/${key}`, found);
}
