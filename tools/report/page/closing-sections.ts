import { isJudged } from '../judged-verdicts.ts';
import { stateOfProof } from '../proof-file.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { checkLink, renderSection, renderTable, ruleLink } from './marks.ts';

const CODES: Record<string, string> = {
  capability: 'the target does not offer what the check needs',
  credentials: 'no credentials for it in the target file',
  card: 'no card of that behaviour in the target file',
  browser: 'no browser was found',
  cost: 'it would cost more than the target file allows',
  untestable: 'nothing that a client, receiver or signer sees can show it',
  unselected: 'the run was limited to other rules',
  unchecked: 'no check judged it',
  service: 'the target does not have the service',
  partly: 'what was tried of it was kept, and not all of it could be tried',
};

/** Draws what was not judged, by reason. */
export function renderSkipped({ run }: AuditView): Html {
  const rules = run.rules.filter(({ verdict }) => verdict === 'skipped');
  const unseen = run.rules.filter(({ verdict }) => verdict === 'unseen');
  if (rules.length + unseen.length === 0)
    return renderSection('skipped', 'Not judged', 'Every rule in force was judged.', html``);
  return renderSection(
    'skipped',
    'Not judged',
    `${formatCount(rules.length, 'rule')} skipped, ${unseen.length} not seen: their checks ran, and what they speak of never came. Neither is counted as kept.`,
    html`${unseen.length > 0 && notSeen(unseen)}${Object.entries(run.counts.skipped).map(
      ([
        code,
        count,
      ]) => html`<details class="skip"><summary><code class="id">${code}</code><span class="promise">${CODES[code] ?? ''}</span><span class="n">${formatCount(count, 'rule')}</span></summary><div class="inside">${skippedFor(
        code,
        rules.filter(({ reason }) => reason?.code === code),
      )}</div></details>
`,
    )}`,
  );
}

/** Rules skipped for one reason; those that nobody asked for are left out for the very same one. */
function skippedFor(code: string, rules: AuditView['run']['rules']): Html {
  if (code === 'unselected') return html`<p>${rules.map(({ id }) => html`${ruleLink(id)} `)}</p>`;
  return renderTable(
    `Skipped: ${code}`,
    ['Rule', 'Reason'],
    rules.map(
      ({ id, text, reason }) =>
        html`<tr><td>${ruleLink(id)}</td><td>${text} <span class="fine">${reason?.text}</span></td></tr>`,
    ),
  );
}

function notSeen(rules: AuditView['run']['rules']): Html {
  return html`<details class="skip"><summary><code class="id">not seen</code><span class="promise">what it speaks of never came</span><span class="n">${formatCount(rules.length, 'rule')}</span></summary><div class="inside">${renderTable(
    'Not seen',
    ['Rule', 'Why'],
    rules.map(
      ({ id, text, reason }) =>
        html`<tr><td>${ruleLink(id)}</td><td>${text} <span class="fine">${reason?.text}</span></td></tr>`,
    ),
  )}</div></details>
`;
}

/** Draws what the run left behind at the target and how much of its rate limit it used. */
export function renderEffects({ run }: AuditView): Html {
  const { total, restored } = run.counts.effects;
  const left = run.effects.filter((effect) => !effect.restored);
  const kinds = [...new Set(run.effects.map(({ what }) => what))].sort();
  return renderSection(
    'effects',
    'Side effects and rate budget',
    html`The run created ${formatCount(total, 'thing')} at the target and took ${restored} back.`,
    html`${
      kinds.length > 0 &&
      renderTable(
        'Side effects',
        ['What', 'Created', 'Taken back', 'Left'],
        kinds.map((kind) => {
          const own = run.effects.filter(({ what }) => what === kind);
          const back = own.filter((effect) => effect.restored).length;
          return html`<tr><td>${kind}</td><td>${own.length}</td><td>${back}</td><td>${own.length - back}</td></tr>`;
        }),
      )
    }
${
  left.length > 0 &&
  html`<details><summary>What was left behind: ${left.length}</summary>${renderTable(
    'Left behind',
    ['What', 'Id', 'By'],
    left
      .slice(0, 200)
      .map(
        ({ what, id, check }) => html`<tr><td>${what}</td><td><code>${id}</code></td><td>${checkLink(check)}</td></tr>`,
      ),
  )}${left.length > 200 && html`<p class="fine">and ${left.length - 200} more in run.json</p>`}</details>`
}
${
  run.budgets.length > 0
    ? renderTable(
        'Rate budget',
        ['Service', 'Limit a minute', 'Least that remained', 'Answers that said so'],
        run.budgets.map(
          ({ api, limit, least, requests }) =>
            html`<tr><td>${api}</td><td>${limit}</td><td>${least}</td><td>${requests}</td></tr>`,
        ),
      )
    : html`<p class="fine">No answer announced a rate limit.</p>`
}`,
  );
}

/** Says what was taken out of the evidence before it was written. */
export function renderRedaction({ run }: AuditView): Html {
  return renderSection(
    'redaction',
    'What was redacted',
    `${formatCount(run.counts.redactions, 'value')} were replaced before anything was written.`,
    html`<ul><li>By name: authorization, tokens, passwords, verification codes (removed, never masked), signatures, CRes and PaRes, attachment content, and the names the target file adds.</li><li>By value: every secret of the target file, also escaped, percent-encoded, in hex and inside base64.</li><li>By pattern: card numbers anywhere and in any spelling keep their first six and last four digits at most; private keys, bearer and signed tokens go altogether. Where a body holds one, hashes over that body are taken out too.</li><li>In pictures: fields, images and every numeral, whatever it stands for, painted over before anything is written; of a page on which a card number can be read, or to which one was typed, there is none.</li><li>The final bytes of every file were looked through once more; a folder with a secret in it is not written.</li></ul>`,
  );
}

/** Says how everybody can check this page against its folder. */
export function renderVerification({ run }: AuditView): Html {
  return renderSection(
    'verify',
    'How to verify',
    'This page is drawn from the run folder alone; drawing it again gives the same bytes.',
    html`<ol><li><code class="copyable">npx assay report reports/${run.id}</code> writes the page again from <code>evidence.ndjson</code>; nothing may change.</li><li>Where the folder holds <code>SHA256SUMS</code>, <code class="copyable">sha256sum -c SHA256SUMS</code> inside it compares every file; <code>VERIFY.txt</code> says how to check the signature, and <code class="copyable">npx assay verify reports/${run.id}</code> does all of this by itself.</li><li>Compare the contract hashes above with <code>sha256sum ${run.specs.map(({ file }) => file).join(' ')}</code> in a clone of the suite${run.suite.commit !== undefined && html` at <code>${run.suite.commit}</code>`}.</li><li>Pick any rule, run its command again, and compare.</li></ol>`,
  );
}

/** Says what even a green page does not show. */
export function renderResidualRisk({ run }: AuditView): Html {
  const { rules, checks, holes } = run.counts;
  const judged = run.rules.filter(({ verdict }) => isJudged(verdict)).map(({ proof }) => stateOfProof(proof));
  const unproven = judged.filter((state) => state === 'not proven').length;
  const before = judged.filter((state) => state === 'proven before these changes').length;
  const unreached = run.coverage.reduce(
    (sum, { documented, seen }) => sum + documented.filter((status) => !seen[status]).length,
    0,
  );
  const points = [
    run.subject === 'client' &&
      html`<li>A client is known by what it sent. What it did with an answer inside, nothing here shows.</li>`,
    run.subject === undefined &&
      run.target.kind === 'embedded' &&
      html`<li>The service under test was the suite’s own reference. This run shows that the suite works; it shows nothing about a real service.</li>`,
    run.subject === undefined &&
      run.target.kind === 'mock' &&
      html`<li>The service under test was a mock. It shows nothing about the service that the mock stands for.</li>`,
    !run.complete && html`<li>The run is incomplete: what is missing may be broken.</li>`,
    rules.skipped > 0 && html`<li>${formatCount(rules.skipped, 'rule')} <a href="#skipped">were not judged</a>.</li>`,
    rules.unseen > 0 &&
      html`<li>For ${formatCount(rules.unseen, 'rule')} nothing came <a href="#skipped">that could be judged</a>.</li>`,
    rules.broken > 0 &&
      html`<li>${formatCount(rules.broken, 'rule')} are undecided, because our checks could not tell.</li>`,
    rules.waived > 0 &&
      html`<li>${formatCount(rules.waived, 'broken promise', 'broken promises')} <a href="#waivers">are accepted</a>, not mended.</li>`,
    run.subject === undefined &&
      unproven > 0 &&
      html`<li>For ${formatCount(unproven, 'judged rule')} no proof is at hand that a check of it can fail.</li>`,
    before > 0 &&
      html`<li>For ${formatCount(before, 'judged rule')} the proof is from before something that it rests on was changed.</li>`,
    unreached > 0 && html`<li>${formatCount(unreached, 'documented answer')} <a href="#coverage">never came</a>.</li>`,
    holes.total > 0 &&
      html`<li>${formatCount(holes.total, 'thing')} <a href="#holes">the documents do not show</a> may change without breaking a promise.</li>`,
    html`<li>${formatCount(checks.total, 'check')} are samples. A promise kept in every sample may still be broken in a case nobody tried.</li>`,
  ];
  return renderSection('risk', 'Residual risk', 'What this page cannot tell.', html`<ul>${points}</ul>`);
}

/** Shows the sums behind the counts and whether they come out. */
export function renderSums({ run }: AuditView): Html {
  const wrong = run.sums.filter(({ holds }) => !holds).length;
  return renderSection(
    'sums',
    'How the counts reconcile',
    wrong === 0 ? 'Every sum comes out.' : `${formatCount(wrong, 'sum')} of ${run.sums.length} do not come out.`,
    renderTable(
      'Sums',
      ['What', 'Parts', 'Total', 'Holds'],
      run.sums.map(
        ({ claim, parts, total, holds }) =>
          html`<tr><th scope="row">${claim}</th><td>${parts.map(({ label, count }, i) => html`${i > 0 && ' + '}<span class="part">${count.toLocaleString('en-US')} ${label}</span>`)}</td><td>${total.toLocaleString('en-US')}</td><td>${holds ? 'yes' : html`<strong>no</strong>`}</td></tr>`,
      ),
    ),
  );
}
