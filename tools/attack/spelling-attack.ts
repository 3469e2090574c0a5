import { attackCards, attackCodes, attackDigests } from '#spellings';
import type { AttackTally } from './attack-tally.ts';

/**
 * Card numbers, codes and digests in every spelling and place of the corpus of the evidence. Backwards, the digits of a card nobody named
 * are left alone on purpose: too many of them are times and order numbers.
 * @param every only every n-th case
 */
export function attackSpellings(every: number): AttackTally[] {
  const kinds = [
    ['cards the target names', () => attackCards(true, { every })],
    ['cards nobody named', () => attackCards(false, { every })],
    ['verification codes', () => attackCodes({ every: Math.max(1, Math.round(every / 10)) })],
    ['digests', () => attackDigests({ every: Math.max(1, Math.round(every / 10)) })],
  ] as const;
  return kinds.map(([kind, attack]) => {
    const began = performance.now();
    const before = process.memoryUsage().rss;
    const { tries, survivors } = attack();
    const megabytes = Math.round((process.memoryUsage().rss - before) / 1024 / 1024);
    const left = survivors.filter((name) => !/^reversed.*(?:12|13|19) digits$/.test(name));
    return { kind, tries, survivors: left, seconds: (performance.now() - began) / 1000, megabytes };
  });
}
