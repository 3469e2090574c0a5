import { attackCards, attackCodes, attackDigests } from '#spellings';
import { type AttackTally, takeMemoryPeak } from './attack-tally.ts';

/**
 * Card numbers, codes and digests in every spelling and place of the corpus of the evidence.
 * @param every only every n-th case
 */
export function attackSpellings(every: number): AttackTally[] {
  const few = Math.max(1, Math.round(every / 10));
  const kinds = [
    ['spellings of cards the target names', () => attackCards(true, { every })],
    ['spellings of cards nobody named', () => attackCards(false, { every })],
    ['spellings of verification codes', () => attackCodes({ every: few })],
    ['spellings of digests', () => attackDigests({ every: few })],
  ] as const;
  return kinds.map(([kind, attack]) => {
    const began = performance.now();
    takeMemoryPeak();
    const before = process.memoryUsage().rss;
    const { tries, survivors, withheld } = attack();
    const megabytes = Math.max(0, Math.round((takeMemoryPeak() - before) / 1024 / 1024));
    // A line that had to be withheld ends a run: nothing leaked, and still it was not held off as it should be.
    const lost = withheld.map((name) => `${name}: its line was withheld`);
    return {
      kind,
      tries,
      survivors: [...survivors, ...lost],
      seconds: (performance.now() - began) / 1000,
      megabytes,
    };
  });
}
