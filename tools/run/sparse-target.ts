import { type Document, isMap } from 'yaml';
import { seededRandom, type VariationId } from '#sandbox';
import { NEED_OFFERS } from '#target';
import { SPARE_LINES } from './services.ts';

/** Of so many variations one has a sparse target file. */
const EVERY = 3;

/** Share of the lines that may be left out that a sparse target file leaves out. */
const SHARE = 0.25;

/** Without it there would be nothing but waiting, since every poll would take real time. */
const LEVER = 'control.advance';

/**
 * Leaves lines out of the target file of every third variation: another one is seldom as complete as that of a sandbox whose authors wrote
 * it. What is left out is drawn by seed and number.
 * @returns the lines that were left out
 */
export function leaveOutLines(file: Document, { seed, number }: VariationId): string[] {
  if (number % EVERY !== 0) return [];
  const draw = seededRandom(`${seed} ${number} lines`);
  const spare = listSpareLines(file).filter(() => draw() < SHARE);
  for (const line of spare) file.deleteIn(line.split('.'));
  return spare.filter((line) => !spare.some((one) => line.startsWith(`${one}.`)));
}

/** The lines that may be left out, each before those that it is below. */
function listSpareLines(file: Document): string[] {
  const offers = Object.values(NEED_OFFERS)
    .flatMap(({ lines }) => lines)
    .filter((line) => /^\w+(?:\.\w+)+$/.test(line));
  const control = file.get('control');
  const actions = isMap(control) ? control.items.map(({ key }) => `control.${String(key)}`) : [];
  const known = [...offers, ...SPARE_LINES.flatMap(({ spare }) => spare), ...actions];
  const kept = [LEVER, ...SPARE_LINES.flatMap((lines) => lines.kept)];
  return [...new Set(known)]
    .filter((line) => !kept.includes(line) && file.hasIn(line.split('.')))
    .sort()
    .reverse();
}
