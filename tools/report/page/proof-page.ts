import { summariseProof, testableRules } from '../proof-file.ts';
import type { ProofFile } from '../types.ts';
import { pageStyle } from './assets.ts';
import { formatCount, type Html, html } from './html.ts';
import { formatUtc, renderSection } from './marks.ts';
import { renderFrame } from './page-frame.ts';
import {
  PROOF_LEAD,
  type ProofView,
  renderAreaMatrices,
  renderCollateral,
  renderProofGaps,
  renderProofNumbers,
} from './proof-sections.ts';

const SECTIONS = [
  [
    'numbers',
    'Numbers',
    PROOF_LEAD,
    (ground: ProofView) => html`${renderProofNumbers(ground)}${renderProofGaps(ground)}`,
  ],
  [
    'matrix',
    'Rules by lies',
    'A row is a rule, a column a lie. A lie breaks one rule: marks off the staircase are other rules that turned red with it.',
    (ground: ProofView) => renderAreaMatrices(ground),
  ],
  ['collateral', 'Collateral', 'Other rules that lies turned red, and why that is right.', renderCollateral],
  ['lies', 'Lies', 'Every rule, the lies told about it, the checks that caught each and what they found.', lies],
] as const;

/**
 * Draws a proof on a page of its own: one file without a script, nothing loaded from anywhere.
 * @param register areas and rules that it speaks of
 */
export function renderProofPage(proofs: ProofFile, register: ProofView['register']): string {
  const ground: ProofView = {
    proven: summariseProof(proofs, register.rules),
    proofs: new Map(Object.entries(proofs.rules)),
    register,
  };
  const { rules, lies: told, finishedAt } = ground.proven;
  const whole = rules.proven === rules.testable && told.caught === told.told;
  const headline = `${rules.proven} of ${formatCount(rules.testable, 'rule')} proven, ${told.caught} of ${formatCount(told.told, 'lie')} caught`;
  const verdict = whole ? 'kept' : told.caught < told.told ? 'broken' : 'incomplete';
  return renderFrame({
    title: headline,
    style: pageStyle,
    skip: { to: 'numbers', text: 'Skip to the numbers' },
    head: html`<header class="masthead">
<p class="brand"><b>Assay</b> proof of its own checks</p>
<div class="verdict ${verdict}"><h1>${headline}</h1><p>${formatUtc(finishedAt)}. The embedded sandbox lied on purpose; this page says nothing about a real service.</p></div>
</header>`,
    sections: SECTIONS.map(([id, name, lead, draw]) => ({
      id,
      name,
      drawn: renderSection(id, name, lead, draw(ground)),
    })),
    footer: html`Drawn by Assay from <a href="proof.json">proof.json</a>.`,
  });
}

function lies({ proofs, register }: ProofView): Html {
  const asked = testableRules(register.rules);
  return html`${register.areas.map(({ id, title }) => {
    const rules = asked.filter(({ area }) => area === id);
    return (
      rules.length > 0 &&
      html`<section class="area" aria-labelledby="area-${id}"><h3 id="area-${id}">${title} <small>${id}, ${formatCount(rules.length, 'rule')}</small></h3>${rules.map(
        (rule) => {
          const own = proofs.get(rule.id)?.lies ?? [];
          return html`<details class="hole" id="${rule.id}"><summary><code class="id">${rule.id}</code><span class="promise">${rule.text}</span><span class="n">${own.length === 0 ? html`<span class="fine">no lie told</span>` : `${own.filter(({ caught }) => caught).length} of ${formatCount(own.length, 'lie')}`}</span></summary><div class="inside"><ul>${own.map(
            ({ name, caught, by, found }) =>
              html`<li><code>${name}</code> ${caught ? html`caught by ${by.map((check) => html`<code>${check}</code> `)}` : html`<strong>missed</strong>`}${found !== undefined && html`<br><span class="fine">${found}</span>`}</li>`,
          )}</ul></div></details>
`;
        },
      )}</section>`
    );
  })}`;
}
