import { readFileSync } from 'node:fs';
import { escapeHtmlText, Html, type HtmlPart, html, pageStyle, renderFrame, renderSection, renderTable } from '#report';
import type { BenchFigure, BenchResult, GrowthFigure } from './bench-figure.ts';
import type { BenchChange } from './compare-results.ts';
import { formatFigure } from './format-figure.ts';
import { drawBars, drawGrowth } from './plots.ts';

const style = `${pageStyle}\n${readFileSync(new URL('./bench-page.css', import.meta.url), 'utf8')}`;

/**
 * Draws what the bench found on a page of its own: goals, every figure with its contestants as bars, growth on scales by tens, and what
 * changed since the committed result.
 * @param changes none where there is no result to compare with
 */
export function renderBenchPage(result: BenchResult, changes: readonly BenchChange[]): string {
  const all = goalsOf(result);
  const missed = all.filter(({ isReached }) => !isReached);
  const { node, cores, processor } = result.machine;
  const headline = result.isTrial
    ? `A trial of ${result.figures.length + result.growth.length} measurements`
    : `${all.length - missed.length} of ${all.length} goals reached`;
  const kind = result.isTrial || missed.length > 0 ? 'incomplete' : 'kept';
  return renderFrame({
    title: `Bench: ${headline}`,
    style,
    skip: { to: 'goals', text: 'Skip to the goals' },
    head: html`<header class="masthead">
<p class="brand"><b>Assay</b> bench</p>
<div class="verdict ${kind}"><h1>${headline}</h1><p>Measured ${result.measuredAt.slice(0, 16).replace('T', ' ')} UTC on ${cores} cores (${processor}), Node ${node}. Contestants took turns, so that their ratios tell more than times do.</p></div>
</header>`,
    sections: (
      [
        [
          'goals',
          'Goals',
          missed.length === 0 ? 'All are reached.' : `${missed.length} missed; they stand first.`,
          goalTable(all),
        ],
        [
          'figures',
          'Figures',
          'Bars are the middle turn, the line across is the best one. Ratios are those of the best turns.',
          figureList(result.figures),
        ],
        [
          'growth',
          'Growth',
          'Both scales go by tens; the dashed line is growth as large as that of the work.',
          growthList(result.growth),
        ],
        [
          'since',
          'Since the committed result',
          changes.length === 0
            ? 'There is none to compare with, or nothing of it was measured.'
            : 'Ratios and exponents; what moved by more than a fifth is marked.',
          changeTable(changes),
        ],
      ] as const
    ).map(([id, name, lead, content]) => ({ id, name, drawn: renderSection(id, name, lead, content) })),
    footer: html`Drawn by Assay from <a href="bench.json">bench.json</a>.`,
  });
}

/** A goal, and what it is about. */
export interface ShownGoal {
  readonly title: string;
  readonly text: string;
  readonly value: number;
  readonly isReached: boolean;
}

/** Every goal of a result, missed ones first. */
export function goalsOf({ figures, growth }: BenchResult): ShownGoal[] {
  const all = [...figures, ...growth].flatMap(({ title, goals }) => goals.map((goal) => ({ title, ...goal })));
  return all.sort((a, b) => Number(a.isReached) - Number(b.isReached));
}

function goalTable(goals: readonly ShownGoal[]): Html {
  return renderTable(
    'Goals',
    ['What', 'Goal', 'Is', 'Reached'],
    goals.map(
      ({ title, text, value, isReached }) =>
        html`<tr><th scope="row">${title}</th><td>${text}</td><td class="n">${formatFigure(value)}</td><td><strong class="${isReached ? 'reached' : 'missed'}">${isReached ? 'yes' : 'no'}</strong></td></tr>`,
    ),
  );
}

function figureList(figures: readonly BenchFigure[]): Html {
  return html`${figures.map(
    (figure) => html`<h3 id="f-${figure.id}">${figure.title}</h3>
<figure class="scroll" tabindex="0" role="region" aria-label="${figure.title}">${drawBars(figure)}</figure>
${figure.ratios.length > 0 && html`<p>${figure.contestants[0]!.name}: ${joined(figure.ratios.map(({ to, value }) => html`<b>${formatFigure(value)}</b> of ${to}`))}.</p>`}
${figure.missing !== undefined && html`<p class="fine">Not measured: ${figure.missing.join('; ')}.</p>`}
`,
  )}`;
}

function joined(parts: readonly Html[]): HtmlPart {
  return parts.map((part, i) => (i === 0 ? part : new Html(`${escapeHtmlText(', ')}${part.text}`)));
}

function growthList(growth: readonly GrowthFigure[]): Html {
  return html`<div class="plots">${growth.map(
    (one) => html`<div><h3 id="g-${one.id}">${one.title}</h3>
<figure class="scroll" tabindex="0" role="region" aria-label="${one.title}, by ${one.what}">${drawGrowth(one)}</figure>
<p>Exponent of the last tenfold step <b>${one.exponent.toFixed(2)}</b>, fitted over all ${one.fitted.toFixed(2)}.</p></div>`,
  )}</div>`;
}

function changeTable(changes: readonly BenchChange[]): Html {
  if (changes.length === 0) return html``;
  return renderTable(
    'Since the committed result',
    ['What', 'Was', 'Is', 'By'],
    changes.map(({ name, was, is, factor, isMarked }) => {
      const by = `${factor >= 1 ? '+' : '−'}${Math.abs((factor - 1) * 100).toFixed(0)} %`;
      return html`<tr><th scope="row">${name}</th><td class="n">${formatFigure(was)}</td><td class="n">${formatFigure(is)}</td><td class="n">${isMarked ? html`<strong>${by}</strong>` : by}</td></tr>`;
    }),
  );
}
