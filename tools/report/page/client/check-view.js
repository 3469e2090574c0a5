/**
 * @import { PageNode } from '../page-node.ts'
 * @import { QuietCheck } from '../checks.ts'
 */

/**
 * Draws a check that kept what it claims. Shared by the page generator and the page itself, so that a check looks the same whether it
 * was written out or unfolded.
 * @param {QuietCheck} check
 * @returns {PageNode}
 */
export function checkView({ anchor, id, title, line, rules, duration, count, packs, again }) {
  const exchanges = `${count.toLocaleString('en-US')} exchange${count === 1 ? '' : 's'}`;
  return [
    'details',
    { class: 'check', id: anchor, ...(packs === '' ? {} : { 'data-packs': packs, 'data-exchanges': String(count) }) },
    [
      'summary',
      {},
      ['code', { class: 'id' }, id],
      ['span', { class: 'promise' }, title],
      ['span', { class: 'mark sign pass' }, 'pass'],
      ['span', { class: 'n' }, exchanges],
      ['span', { class: 'n' }, `${duration} ms`],
    ],
    [
      'div',
      { class: 'inside' },
      [
        'p',
        {},
        'Claims ',
        ...(rules.length === 0
          ? ['no rule ']
          : rules.flatMap((rule) => /** @type {PageNode[]} */ ([['a', { class: 'id', href: `#${rule}` }, rule], ' ']))),
        ['span', { class: 'fine' }, `line ${line}`],
      ],
      [
        'div',
        { class: 'evidence' },
        again && count > 0 ? ['p', { class: 'fine' }, 'Exchanges stand with the first run of this check.'] : '',
      ],
    ],
  ];
}
