import { factsIn } from './documents/wording.ts';
import { registeredId } from './impact.ts';
import type { SpecChange } from './types.ts';

/** Words of a sentence that tell what kind of change it speaks of, by what an id of such a change holds. */
const CLUES: readonly (readonly [kind: RegExp, words: RegExp])[] = [
  [
    /added|introduced/,
    /\b(?:new|add(?:s|ed|itional)?|introduc\w+|now (?:has|have|takes?|returns?|carries|carry)|also)\b/,
  ],
  [
    /removed|refused|dropped/,
    /\b(?:remov\w+|delet\w+|drop(?:s|ped)|gone|no longer|not any ?more|discontinued|withdrawn|without)\b/,
  ],
  [/required/, /\b(?:required|requires?|mandatory|must|needs?|needed)\b/],
  [/optional|became-optional/, /\b(?:optional|optionally|may be (?:omitted|left out)|no longer required)\b/],
  [/deprecated|removal-date|sunset/, /\b(?:deprecat\w+|sunset|end of life|will be removed|goes)\b/],
  [
    /length|minimum|maximum|items|properties-|multiple/,
    /\b(?:characters?|longer|shorter|long|short|limit\w*|max\w*|min\w*|at (?:most|least)|up to|larger|smaller|higher|lower|raised|reduced|increased|extended|decimals?)\b/,
  ],
  [
    /type|format|pattern|nullable|encoding/,
    /\b(?:type|format|pattern|number|integer|strings?|texts?|boolean|arrays?|lists?|null|nullable|empty|uuid|date)\b/,
  ],
  [
    /enum|value|open-/,
    /\b(?:values?|may (?:also )?be|can (?:also )?be|status(?:es)?|states?|kinds?|options?|one of)\b/,
  ],
  [/default/, /\bdefaults?\b/],
  [
    /operation|path|server|status|webhook|callback|media/,
    /\b(?:end ?points?|operations?|paths?|methods?|address|urls?|webhooks?|callbacks?|answers?|returns?|respon\w+)\b/,
  ],
  [/security|scope|scheme/, /\b(?:auth\w*|tokens?|scopes?|credentials?|keys?|secur\w+|sign\w*)\b/],
  [/renamed|moved/, /\b(?:renamed?|moved?|called|now under)\b/],
];
const EVERYDAY = new Set(
  'about after again all also and any are been before both but can cannot does each every for from has have into its may more most must new not now only other our out over shall should some such than that the their them then there these they this those through under until upon use used uses using was were what when where which while will with would you your'.split(
    ' ',
  ),
);

/** The words of a name, as a sentence may write them: `payment_details` and `paymentDetails` are payment details. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Whether a sentence says a name in plain words, one after the other, singular or plural. */
export function saysInWords(sentence: string, name: string): boolean {
  const words = wordsOfName(name);
  if (words.length === 0) return false;
  const form = words
    .map((word) => `${word.replace(/(?:ies|y)$/, '(?:ies|y)').replace(/s$/, 's?')}(?:e?s)?`)
    .join('[\\s-]+');
  return new RegExp(`(?<![\\w-])${form}(?![\\w-])`, 'i').test(sentence);
}

/** Whether a sentence speaks of this kind of change, or names a figure of it: what an everyday word needs beside it. */
export function hasClue(sentence: string, change: Pick<SpecChange, 'id' | 'text'>): boolean {
  const lower = sentence.toLowerCase();
  if (CLUES.some(([kind, words]) => kind.test(change.id) && words.test(lower))) return true;
  const figures = change.text.match(/\d[\d.,]*\d|\d/g) ?? [];
  return figures.some((figure) => new RegExp(`(?<![\\d.])${figure.replaceAll('.', '\\.')}(?![\\d.])`).test(sentence));
}

/** The words by which a sentence speaks of a changed rule: a fact of either text, and two words of what it is about; else none. */
export function wordsOfRule(sentence: string, change: SpecChange): string[] {
  if (registeredId(change) === undefined) return [];
  const facts = new Set(factsIn(change.text).filter((one) => /\d/.test(one)));
  const shared = factsIn(sentence).filter((one) => facts.has(one));
  const mine = new Set(content(change.text));
  const words = [...new Set(content(sentence))].filter((word) => mine.has(word));
  return shared.length > 0 && words.length > 1 ? [...new Set([...shared, ...words])] : [];
}

function content(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]{4,}/g) ?? [])
    .filter((word) => !EVERYDAY.has(word))
    .map((word) => word.replace(/s$/, ''));
}
