import { formatCount, type Html, html, renderSection, renderTable, verdictWord } from '#report';
import type { ClauseChange, ClauseRule, ClauseSide } from '../documents/documents.ts';
import type { TextPiece } from '../documents/wording.ts';
import { changesOfRules, linkChanges, type UpgradeView, weightMark } from './view.ts';

const MOST = 400;
const FATES = { gone: 'is gone', changed: 'changed', new: 'is new', moved: 'moved' } as const;
const NATURES = { facts: 'states other facts', words: 'other words, the same facts' } as const;

/** Draws what became of the clauses: those that wait for a decision one by one with both wordings, the others below. */
export function renderClauseWalk(view: UpgradeView): Html {
  const { documents: compared, today } = view.upgrade;
  if (compared === undefined)
    return renderSection('clauses', 'Documents', 'No documents were given: add --documents OLD NEW.', html``);
  const open = compared.changes.filter(({ weight }) => weight === 'unknown');
  const decided = compared.changes.filter(({ decision }) => decision !== undefined);
  const rest = compared.changes.filter((one) => !open.includes(one) && !decided.includes(one));
  const of = (fate: ClauseChange['fate']) => compared.changes.filter((one) => one.fate === fate).length;
  return renderSection(
    'clauses',
    'Documents',
    html`${compared.old} clauses before, ${compared.new} after: ${of('changed')} changed, ${of('gone')} gone, ${of('new')} new, ${of('moved')} moved. ${open.length === 0 ? 'None waits for a decision.' : html`<strong>${formatCount(open.length, 'clause')}</strong> ${open.length === 1 ? 'waits' : 'wait'} for a decision; figures, names, negations and duties that differ are marked loudest. Answer each in a file of decisions: <a href="#entries">entries to fill in</a> stand below.`}`,
    html`${open.length > 0 && html`<ol class="findings walk">${open.map((one, i) => clauseCard(view, one, { open, i }))}</ol>${entries(open, today)}`}${decided.length > 0 && html`<h3>Decided</h3><ol class="findings walk">${decided.map((one) => clauseCard(view, one))}</ol>`}${
      rest.length > 0 &&
      renderTable(
        'Clauses under no rule that binds',
        ['Fate', 'Section', 'Line', 'Before', 'After', 'Claimed by'],
        rest.slice(0, MOST).map((one) => {
          const lines = [one.old?.line, one.new?.line].map((line) => line ?? '–').join(' → ');
          const claims = [...one.rules.map(({ id }) => id), ...one.holes].join(', ');
          return html`<tr><td>${FATES[one.fate]}</td><td>${one.document}: ${one.section || 'preface'}</td><td>${lines}</td><td>${one.old && pieces(one.old.text, 'del')}</td><td>${one.new && pieces(one.new.text, 'ins')}</td><td>${claims || 'no rule, no hole'}</td></tr>`;
        }),
      )
    }`,
  );
}

function clauseCard(
  view: UpgradeView,
  change: ClauseChange,
  walk?: { open: readonly ClauseChange[]; i: number },
): Html {
  const {
    clause,
    document,
    section: heading,
    fate,
    nature,
    old,
    new: now,
    rules,
    holes,
    weight,
    why,
    decision,
  } = change;
  const other = (step: number, words: string) => {
    const to = walk?.open[walk.i + step];
    return to && html` <a href="#${to.clause}">${words}</a>`;
  };
  return html`<li class="finding ${weight === 'unknown' ? 'broken' : 'waived'}" id="${clause}">
<h3>${decision === undefined ? weightMark(weight) : html`<span class="mark waived"><i aria-hidden="true">~</i>decided</span>`} <span class="promise">${document}: ${heading || 'preface'} ${nature === undefined ? html`<em>${FATES[fate]}</em>` : html`<em class="${nature === 'facts' && 'other-facts'}">${NATURES[nature]}</em>`}</span></h3>
<p class="why">${walk && html`<b>${walk.i + 1} of ${walk.open.length}</b>${other(-1, 'previous')}${other(1, 'next')}. `}${decision === undefined ? why : html`Decided by ${decision.owner} on ${decision.date}: ${decision.decided}`}</p>
<div class="sides">${clauseSide('Before', old, 'del')}${clauseSide('After', now, 'ins')}</div>
${
  rules.length > 0 &&
  renderTable(
    `What comes from clause ${clause}`,
    ['Rule', 'Promises', 'Checks', 'Last verdict', ...(view.upgrade.changes.length > 0 ? ['Changes'] : [])],
    rules.map((rule) => ruleRow(view, rule)),
  )
}
<dl class="facts">${rules.length === 0 && html`<div><dt>Rules</dt><dd>none comes from it</dd></div>`}${holes.length > 0 && html`<div><dt>Holes</dt><dd>${holes.join(', ')}</dd></div>`}<div><dt>Clause</dt><dd><code>${clause}</code></dd></div></dl>
</li>
`;
}

function clauseSide(title: string, side: ClauseSide | undefined, tag: 'ins' | 'del'): Html {
  if (side === undefined) return html`<div><p class="title">${title} <small>not there</small></p></div>`;
  return html`<div><p class="title">${title} <small>line ${side.line}</small></p><blockquote>${pieces(side.text, tag)}</blockquote></div>`;
}

function pieces(text: readonly TextPiece[], tag: 'ins' | 'del'): Html {
  return html`${text.map((one) => {
    if (one.mark === undefined) return one.text;
    const loud = one.mark === 'fact' && html` class="fact"`;
    return tag === 'ins' ? html`<ins${loud}>${one.text}</ins>` : html`<del${loud}>${one.text}</del>`;
  })}`;
}

function ruleRow(view: UpgradeView, { id, level, text, checks, verdict }: ClauseRule): Html {
  const places = checks.slice(0, 4).map((place) => html`<div><code>${place.replace(/^tests\//, '')}</code></div>`);
  return html`<tr><th scope="row"><code>${id}</code> ${level}</th><td>${text}</td><td>${places.length === 0 ? 'none' : places}${checks.length > 4 && html`<div>and ${checks.length - 4} more</div>`}</td><td>${verdict === undefined ? 'no run given' : verdictWord(verdict)}</td>${view.upgrade.changes.length > 0 && html`<td>${linkChanges(changesOfRules(view).get(id) ?? [])}</td>`}</tr>`;
}

/** What a person writes to answer, ready to be filled in. */
function entries(open: readonly ClauseChange[], today: string): Html {
  const text = open
    .map(({ clause, begins }) => `# ${begins} …\n- clause: ${clause}\n  decided: \n  owner: \n  date: ${today}\n`)
    .join('');
  return html`<details class="peek" id="entries"><summary>Entries to fill in, for tests/document-decisions.yaml</summary><pre tabindex="0">${text}</pre></details>`;
}
