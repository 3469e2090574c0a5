import { type Document, isMap } from 'yaml';
import { seededRandom, type VariationId } from '#sandbox';
import { NEED_OFFERS } from '#target';

/** Of so many variations one has a sparse target file. */
const EVERY = 3;

/** Share of the lines that may be left out that a sparse target file leaves out. */
const SHARE = 0.25;

/** Lines that nobody has to write, beside those that offer what some checks need; below `control` any. */
const SPARE = [
  'gateway.oauth.second',
  'gateway.wire.provider',
  ...['correlationId', 'history', 'transaction'].map((name) => `gateway.wire.read.${name}`),
  'gateway.form.cancel',
  'gateway.acs.cancel',
  ...['payer', 'samples', 'token', 'message'].map((name) => `v1.wire.${name}`),
  'v1.ibans.further',
];

/**
 * Lines that stay: without them there is no service, nothing that a check could begin with, or nothing but waiting, since every poll
 * would take real time.
 */
const KEPT = ['gateway.address', 'gateway.requestors.main', 'gateway.cards.approved', 'v1.account', 'control.advance'];

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
  return [...new Set([...offers, ...SPARE, ...actions])]
    .filter((line) => !KEPT.includes(line) && file.hasIn(line.split('.')))
    .sort()
    .reverse();
}
