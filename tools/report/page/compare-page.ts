import type { AnswerTiming } from '../answer-shapes.ts';
import { type Baseline, isUnselected } from '../baseline.ts';
import { summariseComparison } from '../compare-runs.ts';
import type { ObservedChange, RunComparison } from '../types.ts';
import { verdictWord } from '../verdict-words.ts';
import { pageStyle } from './assets.ts';
import { formatCount, type Html, html } from './html.ts';
import { formatUtc, renderSection, renderTable, VERDICT_MEANINGS } from './marks.ts';
import { renderFrame } from './page-frame.ts';

/** Two runs and what changed from the first to the second. */
interface ComparedRuns {
  readonly a: Baseline;
  readonly b: Baseline;
  readonly found: RunComparison;
  /** What each rule promises. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Draws two runs side by side on a page of its own: verdicts, shapes of answers as a difference, holes and timing. */
export function renderComparePage(of: ComparedRuns): string {
  const { a, b, found } = of;
  const worse = found.verdicts.filter((one) => one.worse);
  const better = found.verdicts.filter((one) => !one.worse);
  const sections = [
    { id: 'runs', name: 'Both runs', drawn: bothRuns(of) },
    { id: 'worse', name: 'Worse', drawn: verdicts(of, 'worse', 'Got worse', worse) },
    { id: 'better', name: 'Better or new', drawn: verdicts(of, 'better', 'Got better, or new', better) },
    { id: 'shapes', name: 'Shapes of answers', drawn: shapes(of) },
    { id: 'drift', name: 'Drift', drawn: drift(found.drift) },
    { id: 'timing', name: 'Timing', drawn: timing(of) },
  ];
  const judged = Object.keys(a.rules).filter((id) => isAsked(a.rules[id]) && isAsked(b.rules[id])).length;
  const all = new Set([...Object.keys(a.rules), ...Object.keys(b.rules)]).size;
  const verdict = worse.length > 0 ? 'broken' : judged === 0 ? 'incomplete' : 'kept';
  const headline =
    worse.length > 0
      ? `${formatCount(worse.length, 'verdict')} got worse`
      : judged === 0
        ? 'No rule was asked for in both runs'
        : found.verdicts.length > 0
          ? 'No verdict got worse'
          : 'No verdict changed';
  const scope =
    judged < all &&
    html`<p class="unreal" role="note"><b>${judged} of ${formatCount(all, 'rule')} are compared.</b> Of the others one of the runs was told to leave them out, or does not know them.</p>`;
  return renderFrame({
    title: `${headline}: ${a.id} to ${b.id}`,
    style: pageStyle,
    skip: { to: 'worse', text: 'Skip to what got worse' },
    head: html`<header class="masthead"><p class="brand"><b>Assay</b> comparison of two runs</p><div class="verdict ${verdict}"><h1>${headline}</h1><p>${summariseComparison(found)}</p></div>${!found.sameSpecs && html`<p class="unreal" role="note"><b>The contract changed in between.</b> A verdict may differ because the promise does.</p>`}${scope}</header>`,
    sections,
    footer: html`Drawn by <code>assay compare</code> from two run folders alone.`,
  });
}

/** Whether a run was to judge a rule. */
function isAsked(verdict: string | undefined): boolean {
  return verdict !== undefined && !isUnselected(verdict);
}

function bothRuns({ a, b }: ComparedRuns): Html {
  const rows: [string, (run: Baseline) => string | number][] = [
    ['Started', ({ startedAt }) => formatUtc(startedAt)],
    ['Target', ({ target }) => `${target.name} (${target.kind})`],
    ['Suite', ({ suite }) => `${suite.version}${suite.commit === undefined ? '' : ` at ${suite.commit.slice(0, 8)}`}`],
    [
      'Contract',
      ({ specs }) => specs.map(({ api, version, sha256 }) => `${api} ${version} ${sha256.slice(0, 8)}`).join(', '),
    ],
    ['Verdict', ({ verdict }) => verdict],
    ...VERDICT_MEANINGS.map(([kind]): [string, (run: Baseline) => number] => [
      verdictWord(kind),
      ({ counts }) => counts[kind],
    ]),
  ];
  return renderSection(
    'runs',
    'Both runs',
    'The earlier one on the left.',
    renderTable(
      'Both runs',
      ['What', a.id, b.id],
      rows.map(([name, read]) => {
        const [one, other] = [read(a), read(b)];
        return html`<tr><th scope="row">${name}</th><td>${one}</td><td>${one === other ? other : html`<strong>${other}</strong>`}</td></tr>`;
      }),
    ),
  );
}

function verdicts({ texts }: ComparedRuns, id: string, title: string, rows: RunComparison['verdicts']): Html {
  if (rows.length === 0) return renderSection(id, title, 'None.', html``);
  return renderSection(
    id,
    title,
    formatCount(rows.length, 'rule'),
    renderTable(
      title,
      ['Rule', 'Promise', 'Was', 'Is'],
      rows.map(
        ({ rule, from, to }) =>
          html`<tr><td><code class="id">${rule}</code></td><td>${texts.get(rule) ?? 'not in the register of today'}</td><td>${verdictWord(from)}</td><td><strong>${verdictWord(to)}</strong></td></tr>`,
      ),
    ),
  );
}

/** Members and types of answers that both runs saw, as a difference: what went, what came, and what stayed between. */
function shapes({ a, b, found }: ComparedRuns): Html {
  if (found.shapes.length === 0)
    return renderSection(
      'shapes',
      'Shapes of answers',
      'The answers that both runs saw have the same members and types.',
      html``,
    );
  return renderSection(
    'shapes',
    'Shapes of answers',
    `${formatCount(found.shapes.length, 'answer')} with other members or types, by operation and status.`,
    html`${found.shapes.map(({ where, appeared, vanished }) => {
      const lines = [...new Set([...(a.shapes[where] ?? []), ...(b.shapes[where] ?? [])])].sort();
      return html`<details class="shape" open><summary><code class="id">${where}</code> <span class="fine">${appeared.length} new, ${vanished.length} gone</span></summary><pre tabindex="0">${lines.map((line) => shapeLine(line, appeared, vanished))}</pre></details>
`;
    })}`,
  );
}

function shapeLine(line: string, appeared: readonly string[], vanished: readonly string[]): Html {
  if (appeared.includes(line)) return html`<ins>+ ${line}\n</ins>`;
  if (vanished.includes(line)) return html`<del>- ${line}\n</del>`;
  return html`  ${line}\n`;
}

function drift(list: readonly ObservedChange[]): Html {
  if (list.length === 0)
    return renderSection('drift', 'Drift', 'Where the documents are silent, both runs saw the same.', html``);
  return renderSection(
    'drift',
    'Drift',
    'Where the documents are silent the runs saw different things. No promise is broken by it.',
    html`${list.map(
      ({
        where,
        appeared,
        vanished,
      }) => html`<details class="shape"><summary><code class="id">${where}</code> <span class="fine">${appeared.length} new, ${vanished.length} gone</span></summary><pre tabindex="0">${[...vanished, ...appeared].map((line) => shapeLine(line, appeared, vanished))}</pre></details>
`,
    )}`,
  );
}

/** How long answers took, operation by operation, both runs on one scale: what changed by half or more first. */
function timing({ a, b, found }: ComparedRuns): Html {
  const changed = new Map(found.timing.map(({ operation, slower }) => [operation, slower ? 'slower' : 'faster']));
  const rows = Object.keys(b.timing)
    .filter((operation) => a.timing[operation] !== undefined)
    .sort((one, other) => Number(changed.has(other)) - Number(changed.has(one)) || (one < other ? -1 : 1));
  if (rows.length === 0) return renderSection('timing', 'Timing', 'No operation was called in both runs.', html``);
  return renderSection(
    'timing',
    'Timing',
    'Median as a line, nine of ten answers within the bar; the earlier run above. One scale for each operation.',
    renderTable(
      'Timing',
      ['Operation', 'Both runs', 'Median, was', 'is', 'Now'],
      rows.map((operation) => {
        const [was, is] = [a.timing[operation]!, b.timing[operation]!];
        return html`<tr><td><code>${operation}</code></td><td>${renderTimingPlot(is, was)}</td><td>${Math.round(was.median)} ms</td><td>${Math.round(is.median)} ms</td><td>${changed.get(operation)}</td></tr>`;
      }),
    ),
  );
}

const WIDTH = 180;

/** Draws how long answers took as a bar to the ninth decile with a line at the median, those of an earlier run behind. */
export function renderTimingPlot(now: AnswerTiming, before?: AnswerTiming): Html {
  const most = Math.max(1, now.p90, before?.p90 ?? 0);
  const x = (milliseconds: number) => ((milliseconds / most) * WIDTH).toFixed(1);
  const one = ({ median, p90 }: AnswerTiming, kind: string, y: number) =>
    html`<rect class="${kind}" x="0" y="${y}" width="${x(p90)}" height="7"/><rect class="median" x="${x(Math.max(0, median - most / WIDTH))}" y="${y - 1}" width="2" height="9"/>`;
  const label = `${Math.round(now.median)} ms, nine of ten within ${Math.round(now.p90)} ms${before ? `; before ${Math.round(before.median)} ms, nine of ten within ${Math.round(before.p90)} ms` : ''}`;
  return html`<svg class="timing" viewBox="0 0 ${WIDTH} 22" width="${WIDTH}" height="22" role="img" aria-label="${label}"><title>${label}</title>${before && one(before, 'before', 2)}${one(now, 'now', 12)}</svg>`;
}
