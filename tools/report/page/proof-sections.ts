import { stateOfProof, testableRules } from '../proof-file.ts';
import type { LieOutcome, Proof, ProofSummary } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { renderSection, renderTable, ruleLink } from './marks.ts';
import { type MatrixBlock, renderProofMatrix } from './proof-matrix.ts';

const SHOWN = 60;

/** What a proof is drawn from, on a page of a run or on its own. */
export interface ProofView {
  readonly proven: ProofSummary;
  readonly proofs: ReadonlyMap<string, Omit<Proof, 'lies'> & { readonly lies: readonly LieOutcome[] }>;
  readonly register: AuditView['journal']['run']['register'];
}

/** Why a finding about a client counts for something, and a rule that it kept. */
export const CLIENT_PROOF =
  'What judges a client is proven in the tests of the suite: for each of its rules that can be judged there is a scripted client that breaks this one and no other, and honest clients of two styles, which keep them all between them, break none.';

/** Draws on the page of a run whether the checks behind its verdicts are shown to be able to fail. */
export function renderProof({ run, journal: shelf }: AuditView): Html {
  if (run.subject === 'client')
    return renderSection(
      'proof',
      'Proof',
      CLIENT_PROOF,
      html`<p>These tests stand in <code>tools/judge</code> of the suite, version ${run.suite.version}${run.suite.commit !== undefined && html`, commit <code>${run.suite.commit}</code>`}. ${run.rules.some(({ side }) => side === undefined) && 'Promises of the service are judged here as far as one answer shows them kept; their checks and proofs are those of assay run.'}</p>`,
    );
  if (run.proof === undefined)
    return renderSection(
      'proof',
      'Proof',
      'No proof is at hand, so nothing on this page shows that its checks can fail.',
      html`<p><code class="copyable">npx assay prove</code> tells every lie of the embedded sandbox in turn; runs show it from then on, for every rule as long as nothing is changed that its proof rests on.</p>`,
    );
  const proofs = new Map(run.rules.flatMap((rule) => (rule.proof ? [[rule.id, rule.proof] as const] : [])));
  const ground = { proven: run.proof, proofs, register: shelf.run.register };
  return renderSection(
    'proof',
    'Proof',
    PROOF_LEAD,
    html`${renderProofNumbers(ground)}${renderProofGaps(ground)}${renderAreaMatrices(ground, false)}${renderCollateral(ground)}`,
  );
}

/** What a proof is, in a sentence or two. */
export const PROOF_LEAD =
  'A pass counts for something when its check is known to be able to fail. The embedded sandbox told each of these lies, one at a time, to checks of the rule that it breaks: first to one that caught it before, to the others where that one did not.';

/** Draws the numbers of a proof. */
export function renderProofNumbers({ proven }: ProofView): Html {
  const { rules, lies, checksPerRule, precision, finishedAt, suite, full } = proven;
  const rows: [string, Html | string, string][] = [
    [
      'Rules proven',
      html`<b>${rules.proven}</b> of ${rules.testable}`,
      'every lie about them was caught, each of their checks turned red at one',
    ],
    ['Proven before', html`<b>${rules.before}</b>`, 'something their proof rests on was changed since'],
    ['Lies caught', html`<b>${lies.caught}</b> of ${lies.told}`, `told, of ${lies.known} that the sandbox can tell`],
    ['Checks a rule', html`<b>${checksPerRule.toFixed(2)}</b>`, 'on average'],
    ['Diagnosis', html`<b>${(precision * 100).toFixed(1)} %</b>`, 'of the rules that turned red were the lied one'],
    ['Latest', html`<b>${finishedAt.slice(0, 10)}</b>`, 'day on which lies were told last'],
    [
      'Asked',
      html`<b>${full ? 'all checks' : 'own checks'}</b>`,
      full ? 'about every lie' : 'what else is red is known as far as they go',
    ],
  ];
  return html`<dl class="counts proven">${rows.map(([name, value, meaning]) => html`<div><dt>${name}</dt><dd>${value}</dd><dd>${meaning}</dd></div>`)}</dl>
<p class="fine">A proof is of a rule’s promise, its lies, its checks and all that these load; it counts as long as none of them changes. Held against the suite with SHA-256 <code class="hash">${suite}</code>.</p>`;
}

/** Draws what a proof leaves open: lies that were missed, checks that none turned red, rules about which no lie was told. */
export function renderProofGaps({ proofs, register }: ProofView): Html {
  const asked = testableRules(register.rules);
  const missed = asked.flatMap(({ id }) =>
    (proofs.get(id)?.lies ?? []).flatMap((lie) => (lie.caught ? [] : [{ id, name: lie.name }])),
  );
  const idle = asked.flatMap(({ id }) => (proofs.get(id)?.idle ?? []).map((check) => ({ id, check })));
  const untold = asked.filter(({ id }) => (proofs.get(id)?.lies.length ?? 0) === 0);
  const partly = asked.filter(({ id }) => (proofs.get(id)?.of ?? 0) > (proofs.get(id)?.lies.length ?? 0));
  const before = asked.filter(({ id }) => stateOfProof(proofs.get(id)) === 'proven before these changes');
  return html`${
    missed.length > 0 &&
    html`<h3>Missed</h3><ul class="alarms">${missed.map(({ id, name }) => html`<li>${ruleLink(id)} <code>${name}</code>: no check of the rule turned red.</li>`)}</ul>`
  }${
    idle.length > 0 &&
    html`<h3>Never red</h3><ul class="alarms">${idle.map(({ id, check }) => html`<li>${ruleLink(id)} ${check}: no lie about the rule turned it red.</li>`)}</ul>`
  }${
    untold.length > 0 &&
    html`<details><summary>About ${formatCount(untold.length, 'rule')} no lie was told</summary><p>${untold.map(({ id }) => html`${ruleLink(id)} `)}</p></details>`
  }${
    partly.length > 0 &&
    html`<details><summary>About ${formatCount(partly.length, 'rule')} not every lie was told</summary><p>${partly.map(({ id }) => html`${ruleLink(id)} `)}</p></details>`
  }${
    before.length > 0 &&
    html`<details><summary>${formatCount(before.length, 'rule')} proven before these changes</summary><p>${before.map(({ id }) => html`${ruleLink(id)} `)}</p></details>`
  }`;
}

/** Draws rules by lies, one block for each area. @param names whether each lie says its name when pointed at */
export function renderAreaMatrices({ proofs, register }: ProofView, names = true): Html {
  const asked = testableRules(register.rules);
  const blocks = register.areas.flatMap(({ id, title }): MatrixBlock[] => {
    const rules = asked.filter(({ area }) => area === id).map((rule) => ({ id: rule.id, proof: proofs.get(rule.id) }));
    return rules.some((rule) => rule.proof) ? [{ id, title, rules }] : [];
  });
  return renderProofMatrix(blocks, names);
}

/** Lists the other rules that lies turned red, and why that is right. */
export function renderCollateral({ proofs, proven }: ProofView): Html {
  const { beside, declared, undeclared } = proven.collateral;
  const total = beside + declared + undeclared;
  if (total === 0) return html`<p>No lie turned another rule red.</p>`;
  const rows = [...proofs].flatMap(([id, { lies }]) =>
    lies.flatMap(({ name, beside: both = [], apart = [] }) => [
      ...(both.length > 0 ? [{ id, name, red: both, why: 'one check claims both: one observation settles them' }] : []),
      ...[...new Set(apart.map(({ reason }) => reason))].map((why) => ({
        id,
        name,
        red: apart.filter(({ reason }) => reason === why).map(({ rule }) => rule),
        why,
      })),
    ]),
  );
  // What nothing accounts for first, what needs no word last.
  const order = (why: string | undefined) => (why === undefined ? 0 : why.startsWith('one check claims') ? 2 : 1);
  rows.sort((a, b) => order(a.why) - order(b.why));
  return html`<details${undeclared > 0 && html` open`}><summary>Collateral: ${formatCount(total, 'other red')}, ${beside} settled by the same observation, ${declared} declared, ${undeclared} unaccounted for</summary>${renderTable(
    'Collateral',
    ['Lie', 'About', 'Also red', 'Why'],
    rows
      .slice(0, SHOWN)
      .map(
        ({ id, name, red, why }) =>
          html`<tr><td><code>${name}</code></td><td>${ruleLink(id)}</td><td>${red.map((one) => html`${ruleLink(one)} `)}</td><td>${why ?? html`<strong>nothing accounts for it</strong>`}</td></tr>`,
      ),
  )}${rows.length > SHOWN && html`<p class="fine">and ${rows.length - SHOWN} more in <a href="proof.json">proof.json</a></p>`}</details>`;
}
