import type { PastRun } from '../run-history.ts';
import type { RunResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { formatUtc, renderSection, renderTable } from './marks.ts';

const STEP = 80;
const LEFT = 104;
const LANE = 44;
const GAP = 26;
/** Columns of the table; the drawing has all. */
const COLUMNS = 12;

const LANES = [
  ['pass', 'pass', (counts: PastRun['counts']) => counts.pass],
  ['fail', 'fail, warn', (counts: PastRun['counts']) => counts.fail + counts.warn + counts.waived],
  ['skipped', 'skipped, broken', (counts: PastRun['counts']) => counts.skipped + counts.broken],
] as const;

/** Draws the counts of several runs over time and the rules that did not always have the same verdict; nothing without a history. */
export function renderTrend({ run, history }: AuditView): Html | undefined {
  if (history === undefined || history.runs.length === 0) return undefined;
  return renderRunTrend([...history.runs, own(run)], run.id, 'this run');
}

/**
 * Draws the trend over runs, of which one is underlined.
 * @param name what that one is called
 * @param page where it stands, when that is not this page
 */
export function renderRunTrend(of: readonly PastRun[], id: string, name: string, page = ''): Html {
  const runs = [...of].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const flips = flipping(runs);
  return renderSection(
    'trend',
    'Trend',
    `${formatCount(runs.length, 'run')}, from ${formatUtc(runs[0]!.startedAt)} to ${formatUtc(runs.at(-1)!.startedAt)}. Each lane has a scale of its own; ${name} is underlined.`,
    html`<figure class="scroll" tabindex="0" role="region" aria-label="Counts over time">${drawing(runs, id)}</figure>
${flips.length === 0 ? html`<p>Every rule had the same verdict in all of them.</p>` : flipTable(flips, runs, page)}
<details><summary>As a table: ${formatCount(runs.length, 'run')}</summary>${renderTable(
      'Runs',
      ['Run', 'Started', 'Verdict', 'Pass', 'Fail', 'Warn', 'Not seen', 'Waived', 'Undecided', 'Skipped'],
      runs.map(
        ({ id, startedAt, verdict, counts }) =>
          html`<tr><td><code>${id}</code></td><td>${formatUtc(startedAt)}</td><td>${verdict}</td>${(['pass', 'fail', 'warn', 'unseen', 'waived', 'broken', 'skipped'] as const).map((name) => html`<td>${counts[name] ?? 0}</td>`)}</tr>`,
      ),
    )}</details>`,
  );
}

function own(run: RunResult): PastRun {
  const rules = Object.fromEntries(run.rules.map(({ id, verdict }) => [id, verdict]));
  return { id: run.id, startedAt: run.startedAt, verdict: run.verdict, counts: run.counts.rules, rules };
}

/** Rules with more than one verdict over the runs; a rule that a run left out on request, or did not know, is no flip. */
function flipping(runs: readonly PastRun[]): { rule: string; verdicts: readonly string[] }[] {
  const ids = [...new Set(runs.flatMap(({ rules }) => Object.keys(rules)))].sort();
  return ids.flatMap((rule) => {
    const verdicts = runs.map(({ rules }) => (rules[rule] ?? 'not there').split(':')[0]!);
    const said = new Set(verdicts.filter((verdict) => verdict !== 'not there' && verdict !== 'skipped'));
    return said.size > 1 ? [{ rule, verdicts }] : [];
  });
}

function flipTable(flips: ReturnType<typeof flipping>, runs: readonly PastRun[], page: string): Html {
  const shown = runs.slice(-COLUMNS);
  return html`<h3>Rules that flip <small>${formatCount(flips.length, 'rule')}</small></h3>${renderTable(
    'Rules that flip',
    ['Rule', ...shown.map(({ startedAt }) => short(startedAt))],
    flips.map(
      ({ rule, verdicts }) =>
        html`<tr><td><a class="id" href="${page}#${rule}">${rule}</a></td>${verdicts.slice(-COLUMNS).map((verdict) => html`<td>${verdict === 'pass' ? verdict : html`<strong>${verdict}</strong>`}</td>`)}</tr>`,
    ),
  )}`;
}

function drawing(runs: readonly PastRun[], id: string): Html {
  const width = LEFT + runs.length * STEP;
  const height = LANES.length * (LANE + GAP) + 22;
  return html`<svg class="trend" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Pass, fail and skipped rules of ${formatCount(runs.length, 'run')}; the table below says the same">
${LANES.map(([kind, name, count], lane) => {
  const floor = (lane + 1) * (LANE + GAP) - 6;
  const most = Math.max(1, ...runs.map(({ counts }) => count(counts)));
  return html`<text x="0" y="${floor - 2}">${name}</text><path class="rows" d="M${LEFT} ${floor + 0.5}H${width}"/>${runs.map(
    ({ counts }, i) => {
      const tall = (count(counts) / most) * LANE;
      const x = LEFT + i * STEP + 12;
      return html`<rect class="${kind}" x="${x}" y="${(floor - tall).toFixed(1)}" width="${STEP - 24}" height="${tall.toFixed(1)}"/><text x="${x + (STEP - 24) / 2}" y="${(floor - tall - 5).toFixed(1)}" text-anchor="middle">${count(counts)}</text>`;
    },
  )}`;
})}
${runs.map((past, i) => html`<text class="${past.id === id && 'own'}" x="${LEFT + i * STEP + STEP / 2}" y="${height - 6}" text-anchor="middle">${short(past.startedAt)}</text>`)}</svg>`;
}

/** Day and hour of a run, for a narrow column. */
function short(iso: string): string {
  return `${iso.slice(5, 10)} ${iso.slice(11, 16)}`;
}
