import type { ExchangeLine, Line } from '#evidence';

/** What a service said in headers about an operation that is going: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
export interface AnnouncedRetirement {
  readonly operation: string;
  readonly header: 'Deprecation' | 'Sunset';
  readonly value: string;
  /** ISO 8601; absent when the value is malformed. */
  readonly date?: string;
  readonly problem?: string;
  readonly times: number;
  /** The first exchange that shows it. */
  readonly exchange: string;
}

const DATE = /^@(-?\d{1,15})(?:\s*;.*)?$/;
/** IMF-fixdate, the one form to be sent (RFC 9110 section 5.6.7). */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads both headers of every recorded answer; each value of an operation is told once. */
export function readRetirements(lines: readonly Line[]): AnnouncedRetirement[] {
  const found = new Map<string, AnnouncedRetirement & { times: number }>();
  for (const line of lines) {
    if (line.kind !== 'exchange' || line.direction !== 'out') continue;
    const dates = new Map<string, string | undefined>();
    for (const header of ['Deprecation', 'Sunset'] as const) {
      const value = headerOf(line, header);
      if (value === undefined) continue;
      const date = header === 'Deprecation' ? structured(value) : httpDate(value);
      dates.set(header, date);
      const operation = line.operation ?? `${line.request.method} ${line.request.url.replace(/[?#].*$/s, '')}`;
      const key = `${operation} ${header} ${value}`;
      const known = found.get(key);
      if (known) known.times += 1;
      else {
        const problem = problemOf(header, date, dates.get('Deprecation'));
        found.set(key, {
          operation,
          header,
          value,
          ...(date === undefined ? {} : { date }),
          ...(problem === undefined ? {} : { problem }),
          times: 1,
          exchange: line.id,
        });
      }
    }
  }
  return [...found.values()];
}

function problemOf(header: string, date: string | undefined, deprecated: string | undefined): string | undefined {
  if (date === undefined)
    return header === 'Deprecation'
      ? 'the value is no date of structured fields, such as @1688169599 (RFC 9745 section 2)'
      : 'the value is no HTTP date (RFC 8594 section 3)';
  if (header === 'Sunset' && deprecated !== undefined && date < deprecated)
    return 'the sunset lies before the deprecation (RFC 9745 section 4)';
  return undefined;
}

function headerOf({ response }: ExchangeLine, name: string): string | undefined {
  return response?.headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1].trim();
}

function structured(value: string): string | undefined {
  const seconds = DATE.exec(value)?.[1];
  const date = new Date(Number(seconds) * 1000);
  return seconds === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function httpDate(value: string): string | undefined {
  const date = new Date(value);
  return HTTP_DATE.test(value) && !Number.isNaN(date.getTime()) ? date.toISOString() : undefined;
}
