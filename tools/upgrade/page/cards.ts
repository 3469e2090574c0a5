import { formatCount, type Html, html, renderSection } from '#report';
import { changedOperations, registeredId, usesOf } from '../impact.ts';
import type { JudgedChange, UpgradeFinding } from '../result.ts';
import type { FileSpot } from '../types.ts';
import { excerptLines } from './excerpt.ts';
import { changeLink, LEVEL_MEANINGS, levelMark, placeText, shownLevel, type UpgradeView, weightMark } from './view.ts';

const FEW = 6;
const WHOLE = '(?:property|parameter|header|body|media-type|status|operation|path|webhook|callback|rule|hole)';
const COMES = new RegExp(`${WHOLE}-added$`);
const GOES = new RegExp(`${WHOLE}-removed$`);
const RUNNING: Readonly<Record<string, string>> = { request: 'what you send', response: 'what you receive' };

/** Draws what stands in the way, the loudest first: each change with why, before and after, and all that hangs on it. */
export function renderWork(view: UpgradeView): Html {
  const { changes, findings } = view.upgrade;
  const cards = changes.filter((one) => ['breaking', 'unclear'].includes(one.level) && shownLevel(one) !== 'waived');
  // Clauses that wait for a decision have a walk of their own.
  const own = findings.filter(({ weight, kind }) => weight !== 'note' && kind !== 'open-clause');
  const open = findings.filter(({ kind }) => kind === 'open-clause').length;
  const walk =
    open > 0 &&
    html`<p>${formatCount(open, 'changed clause')} of the documents ${open === 1 ? 'waits' : 'wait'} for a decision: <a href="#clauses">walk through ${open === 1 ? 'it' : 'them'}</a>.</p>`;
  if (cards.length + own.length === 0)
    return renderSection('work', 'Needs work', open > 0 ? html`${walk}` : 'Nothing stands in the way.', html``);
  return renderSection(
    'work',
    'Needs work',
    'What to do or to waive before adopting. Each names the change, why it matters, and what hangs on it.',
    html`${walk}<ol class="findings">${own.map((one) => findingCard(view, one))}${cards.map((one) => card(view, one))}</ol>`,
  );
}

/** Draws what does not stand in the way and is still worth knowing. */
export function renderNotes(view: UpgradeView): Html {
  const { changes, findings } = view.upgrade;
  const cards = changes.filter(
    (one) => one.level === 'risky' || (shownLevel(one) === 'waived' && one.level !== 'safe'),
  );
  const own = findings.filter(({ weight }) => weight === 'note');
  if (cards.length + own.length === 0) return renderSection('notes', 'Worth knowing', 'Nothing was noted.', html``);
  return renderSection(
    'notes',
    'Worth knowing',
    'Nothing here decides by itself.',
    html`${cards.length > 0 && html`<ol class="findings" id="risky">${cards.map((one) => card(view, one))}</ol>`}${own.length > 0 && html`<ul class="findings">${own.map((one) => findingCard(view, one))}</ul>`}`,
  );
}

function findingCard({ upgrade }: UpgradeView, finding: UpgradeFinding): Html {
  const { kind, weight, text, advice, place, changes = [], exchanges = [] } = finding;
  // A reason leads to the first of its kind.
  const first = upgrade.findings.find((one) => one.kind === kind) === finding;
  return html`<li class="finding ${{ work: 'fail', unknown: 'broken', note: '' }[weight]}"${first && html` id="${kind}"`}>
<h3>${weightMark(weight)} <span class="promise">${text}</span></h3>
<p class="why">${advice}</p>
<dl class="facts">${place && html`<div><dt>Where</dt><dd><code>${placeText(place)}</code></dd></div>`}${changes.length > 0 && html`<div><dt>Changes</dt><dd>${some(changes.map(changeLink))}</dd></div>`}${exchanges.length > 0 && html`<div><dt>Exchanges</dt><dd>${some(exchanges.map((id) => html`<code>${id}</code>`))}</dd></div>`}</dl>
</li>
`;
}

function card(view: UpgradeView, change: JudgedChange): Html {
  const { impact, direction, search, waiver, announced, settled } = change;
  const operations = changedOperations(change);
  const statuses = [...new Set(usesOf(change).flatMap(({ status }) => status ?? []))];
  const counterexample = search?.counterexample;
  const level = shownLevel(change);
  return html`<li class="finding ${LEVEL_MEANINGS[level].kind}" id="${change.fingerprint}">
<h3>${levelMark(level)} <span class="promise">${change.text}</span></h3>
<p class="why">${change.why}${settled && html` ${settled}`}${waiver && html` <strong>Waived</strong> by ${waiver.owner} until ${waiver.until}${waiver.state === 'expired' && ', which is over'}: ${waiver.reason}`}</p>
<div class="sides">${side('Before', view, change, change.old, COMES.test(change.id))}${side('After', view, change, change.new, GOES.test(change.id))}</div>
<dl class="facts"><div><dt>Concerns</dt><dd>${registeredId(change) ? 'the register' : direction === undefined ? 'the description' : RUNNING[direction]}${statuses.length > 0 && html`, status ${statuses.join(', ')}`}${operations.length > 0 && html`: ${some(operations.map((id) => html`<code>${id}</code>`))}`}</dd></div>
<div><dt>Rules</dt><dd>${impact.rules.length === 0 ? 'no rule stands there' : some(impact.rules.map(({ id, text }) => html`<span title="${text}"><code>${id}</code></span>`))}</dd></div>
<div><dt>Checks</dt><dd>${impact.checks.length === 0 ? 'none' : checksOf(impact)}</dd></div>
${
  impact.exchanges &&
  html`<div><dt>Exchanges</dt><dd>${
    impact.exchanges.length === 0
      ? html`<strong>none</strong>: no recorded exchange met this place`
      : html`${formatCount(impact.exchanges.length, 'recorded exchange')}${impact.by === 'operation' && ' of the operation'}: ${some(
          impact.exchanges.map((id) => html`<code>${id}</code>`),
          3,
        )}`
  }</dd></div>`
}
${
  change.unfit &&
  change.unfit.length > 0 &&
  html`<div><dt>Replay</dt><dd><strong>${formatCount(change.unfit.length, `recorded ${direction === 'response' ? 'answer' : 'request'}`)}</strong> ${direction === 'response' ? 'would not fit any more' : 'would be refused'}: ${some(
    change.unfit.map((id) => html`<code>${id}</code>`),
    3,
  )}</dd></div>`
}
${announced && html`<div><dt>Changelog</dt><dd>${announced.length === 0 ? 'does not say so' : `line ${announced.join(', ')}`}</dd></div>`}
<div><dt>Kind</dt><dd><code>${change.id}</code>, fingerprint <code>${change.fingerprint}</code></dd></div></dl>
${counterexample && html`<details class="peek"><summary>A body that shows it: <code>${counterexample.where}</code> ${counterexample.problem}</summary><pre tabindex="0">${counterexample.body}</pre><p class="fine">${counterexample.operation}${counterexample.status && ` ${counterexample.status}`}; the smallest found; <code>--seed ${counterexample.seed}</code> finds it again${counterexample.path.length <= 40 && html`, path <code>${counterexample.path}</code>`}.</p></details>`}
</li>
`;
}

/** One side of a change; of what came or went the other side is only the place it came to or went from. */
function side(
  title: string,
  { sources }: UpgradeView,
  change: JudgedChange,
  spot: FileSpot | undefined,
  absent: boolean,
): Html {
  if (spot === undefined || absent)
    return html`<div><p class="title">${title} <small>not there${spot && html`: ${placeText(spot)}`}</small></p></div>`;
  const text = sources.get(spot.file);
  return html`<div><p class="title">${title} <small>${placeText(spot)}</small></p>${text !== undefined && html`<pre tabindex="0">${excerptLines(text, spot, namesIn(change))}</pre>`}</div>`;
}

/** What to look for in a long entry: the member, and the values that came or went. */
function namesIn({ id, subject, text }: JudgedChange): string[] {
  const values = /may (?:also|no longer) be (.*)\.$/.exec(text)?.[1]?.split(', ') ?? [];
  return [
    subject.slice(subject.lastIndexOf('/') + 1),
    ...values,
    ...(id.includes('nullable') ? ['null', 'nullable'] : []),
  ];
}

/** The first few of a list, and how many more there are. */
function some(list: readonly Html[], few = FEW): Html {
  return html`${list.slice(0, few).map((one, i) => html`${i > 0 && ', '}${one}`)}${list.length > few && ` and ${list.length - few} more`}`;
}

/** The checks a change touches, those first whose exchanges no longer fit. */
function checksOf({ checks }: JudgedChange['impact']): Html {
  const places = (list: typeof checks) =>
    some(
      [...new Set(list.map(({ place }) => place.replace(/^tests\//, '')))].map((place) => html`<code>${place}</code>`),
    );
  const met = checks.filter(({ unfit }) => unfit !== undefined);
  const others = checks.filter((one) => !met.includes(one));
  return html`${met.length > 0 && html`<strong>${formatCount(met.length, 'check')}</strong> sent or received what no longer fits: ${places(met)}`}${met.length > 0 && others.length > 0 && html`<br>`}${others.length > 0 && html`${met.length > 0 && 'also '}${places(others)}`}`;
}
