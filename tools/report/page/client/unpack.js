/**
 * @import { ExchangeLine } from '#evidence'
 * @import { ExchangePack } from '../pack-exchanges.ts'
 */

/**
 * Numbers of packs that a check's exchanges are in, of the letters they are written in.
 * @param {string} names letters from g for 0 to p for 9, with blanks between
 * @returns {number[]}
 */
export function readPackNames(names) {
  return names
    .split(' ')
    .map((name) => Number(name.replace(/[g-p]/g, (letter) => String('ghijklmnop'.indexOf(letter)))));
}

/**
 * Puts packed exchanges together again, the same as they were packed but for the cut of long bodies.
 * @param {ExchangePack} pack
 * @returns {Omit<ExchangeLine, 'kind'>[]}
 */
export function unpack({ rows, texts, columns }) {
  const values = columns.map((all) => all.map((column) => column.split('\n')));
  const next = texts.map(() => 0);
  /** @param {number} number */
  const restore = (number) => {
    const row = next[number] ?? 0;
    next[number] = row + 1;
    let column = 0;
    return (texts[number] ?? '').replaceAll('\u0001', () => values[number]?.[column++]?.[row] ?? '');
  };
  return rows.map(([number, ...bodies]) => {
    const one = JSON.parse(restore(number));
    for (const side of [one.request, one.response]) {
      if (side?.body !== undefined) side.body = restore(bodies.shift() ?? -1);
    }
    return { violations: [], ...one, check: one.id.slice(0, one.id.lastIndexOf('.')) };
  });
}
