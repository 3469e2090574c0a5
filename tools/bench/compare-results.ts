import type { BenchResult } from './bench-figure.ts';

/** A ratio or an exponent that two results both have. */
export interface BenchChange {
  readonly name: string;
  readonly was: number;
  readonly is: number;
  /** What it is now over what it was. */
  readonly factor: number;
  /** Whether it moved by more than turns on one machine do. */
  readonly isMarked: boolean;
}

const MARKED = 0.2;

/** What moved since another result, by what both measured: ratios, exponents and memory, never a time. */
export function compareResults(before: BenchResult, now: BenchResult): BenchChange[] {
  const old = new Map(telling(before).map(({ key, value }) => [key, value]));
  return telling(now).flatMap(({ key, name, value: is }) => {
    const was = old.get(key);
    if (was === undefined) return [];
    const factor = is / was;
    return [{ name, was, is, factor, isMarked: Math.abs(factor - 1) > MARKED }];
  });
}

function telling({ figures, growth }: BenchResult): { key: string; name: string; value: number }[] {
  return [
    ...figures.flatMap(({ id, title, ratios, unit, contestants }) => [
      ...ratios.map(({ to, value }) => ({
        key: `${id} ${to}`,
        name: `${title}: ${contestants[0]!.name} to ${to}`,
        value,
      })),
      ...(unit === 'MB' ? [{ key: id, name: `${title}, MB`, value: contestants[0]!.best }] : []),
    ]),
    ...growth.map(({ id, title, what, exponent }) => ({
      key: id,
      name: `${title}, by ${what}: exponent`,
      value: exponent,
    })),
  ];
}
