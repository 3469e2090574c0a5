import { provenBy, testable } from '../proof.ts';
import type { Proofs } from '../types.ts';
import { style } from './assets.ts';
import { frame } from './frame.ts';
import { type Html, html, plural } from './html.ts';
import { section, utc } from './marks.ts';
import { collateral, type Ground, gaps, LEAD, matrix, numbers } from './proof.ts';

const SECTIONS = [
  ['numbers', 'Numbers', LEAD, (ground: Ground) => html`${numbers(ground)}${gaps(ground)}`],
  [
    'matrix',
    'Rules by lies',
    'A row is a rule, a column a lie. A lie breaks one rule: marks off the staircase are other rules that turned red with it.',
    (ground: Ground) => matrix(ground),
  ],
  ['collateral', 'Collateral', 'Other rules that lies turned red, and why that is right.', collateral],
  ['lies', 'Lies', 'Every rule, the lies told about it, the checks that caught each and what they found.', lies],
] as const;

/**
 * Draws a proof on a page of its own: one file without a script, nothing loaded from anywhere.
 * @param register areas and rules that it speaks of
 */
export function proofPage(proofs: Proofs, register: Ground['register']): string {
  const ground: Ground = {
    proven: provenBy(proofs, register.rules),
    proofs: new Map(Object.entries(proofs.rules)),
    register,
  };
  const { rules, lies: told, finishedAt } = ground.proven;
  const whole = rules.proven === rules.testable && told.caught === told.told;
  const headline = `${rules.proven} of ${plural(rules.testable, 'rule')} proven, ${told.caught} of ${plural(told.told, 'lie')} caught`;
  const verdict = whole ? 'kept' : told.caught < told.told ? 'broken' : 'incomplete';
  return frame({
    title: headline,
    style,
    skip: { to: 'numbers', text: 'Skip to the numbers' },
    head: html`<header class="masthead">
<p class="brand"><b>Assay</b> proof of its own checks</p>
<div class="verdict ${verdict}"><h1>${headline}</h1><p>${utc(finishedAt)}. The embedded sandbox lied on purpose; this page says nothing about a real service.</p></div>
</header>`,
    sections: SECTIONS.map(([id, name, lead, draw]) => ({ id, name, drawn: section(id, name, lead, draw(ground)) })),
    footer: html`Drawn by Assay from <a href="proof.json">proof.json</a>.`,
  });
}

function lies({ proofs, register }: Ground): Html {
  const asked = testable(register.rules);
  return html`${register.areas.map(({ id, title }) => {
    const rules = asked.filter(({ area }) => area === id);
    return (
      rules.length > 0 &&
      html`<section class="area" aria-labelledby="area-${id}"><h3 id="area-${id}">${title} <small>${id}, ${plural(rules.length, 'rule')}</small></h3>${rules.map(
        (rule) => {
          const own = proofs.get(rule.id)?.lies ?? [];
          return html`<details class="hole" id="${rule.id}"><summary><code class="id">${rule.id}</code><span class="promise">${rule.text}</span><span class="n">${own.length === 0 ? html`<span class="fine">no lie told</span>` : `${own.filter(({ caught }) => caught).length} of ${plural(own.length, 'lie')}`}</span></summary><div class="inside"><ul>${own.map(
            ({ name, caught, by, found }) =>
              html`<li><code>${name}</code> ${caught ? html`caught by ${by.map((check) => html`<code>${check}</code> `)}` : html`<strong>missed</strong>`}${found !== undefined && html`<br><span class="fine">${found}</span>`}</li>`,
          )}</ul></div></details>
`;
        },
      )}</section>`
    );
  })}`;
}
