import { answerTimings } from '../answer-shapes.ts';
import type { AuditView } from './audit-view.ts';
import { renderTimingPlot } from './compare-page.ts';
import { formatCount, type Html, html } from './html.ts';
import { renderSection, renderTable } from './marks.ts';

/** Draws how long each operation took to answer, with the run before behind it. */
export function renderAnswerTimes({ journal, previous }: AuditView): Html {
  const timings = Object.entries(answerTimings(journal.exchanges));
  if (timings.length === 0) return renderSection('timing', 'Answer times', 'No operation was answered.', html``);
  const before = previous?.timing ?? {};
  return renderSection(
    'timing',
    'Answer times',
    `The bar holds nine of ten answers, the line is the median${previous === undefined ? '' : '; above it, paler, the run before, on the same scale'}. Nothing is promised about time.`,
    renderTable(
      'Answer times',
      ['Operation', 'Times', 'Median', 'Nine of ten within', 'Answers'],
      timings.map(
        ([operation, now]) =>
          html`<tr><td><code>${operation}</code></td><td>${renderTimingPlot(now, before[operation])}</td><td>${Math.round(now.median)} ms</td><td>${Math.round(now.p90)} ms</td><td>${formatCount(now.count, 'answer')}</td></tr>`,
      ),
    ),
  );
}
