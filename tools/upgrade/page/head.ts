import { formatCount, type Html, html } from '#report';
import type { Upgrade, UpgradeReason } from '../result.ts';
import { LEVEL_MEANINGS, levelMark, type UpgradeView, weightMark } from './view.ts';

/** Class and headline of each verdict. */
const VERDICTS: Readonly<Record<Upgrade['verdict'], { kind: string; advice: string }>> = {
  safe: { kind: 'kept', advice: 'Adopt it.' },
  'safe with notes': { kind: 'kept', advice: 'Adopt it, knowing what is noted.' },
  'needs work': { kind: 'broken', advice: 'Do not adopt it before what is listed first is done or waived.' },
  'cannot tell': { kind: 'incomplete', advice: 'Do not adopt it before somebody has looked at what is listed first.' },
};
const SHOWN = 7;

/** Draws the head of the page: the answer, its reasons, and the counts. */
export function renderUpgradeHead({ upgrade }: UpgradeView): Html {
  const { verdict, reasons, specs, counts } = upgrade;
  const { kind, advice } = VERDICTS[verdict];
  const levels = Object.keys(LEVEL_MEANINGS) as (keyof typeof LEVEL_MEANINGS)[];
  return html`<header class="masthead">
<p class="brand"><b>Assay</b> upgrade of ${specs.map(({ api, from, to }, i) => html`${i > 0 && ', '}<b>${api}</b> ${from.version || 'no version'} → ${to.version || 'no version'}`)}</p>
<div class="verdict ${kind}"><h1>${upgradeHeadline(upgrade)}</h1><p>${advice}</p></div>
<ol class="reasons" aria-label="Reasons of the verdict">${reasons.slice(0, SHOWN).map(row)}</ol>
${reasons.length > SHOWN && html`<details class="peek"><summary>and ${formatCount(reasons.length - SHOWN, 'more reason')}</summary><ol class="reasons">${reasons.slice(SHOWN).map(row)}</ol></details>`}
${counts.total > 0 && html`<dl class="counts" aria-label="Changes of the descriptions">${levels.map((level) => html`<div><dt>${levelMark(level)}</dt><dd><b>${counts[level]}</b></dd><dd>${LEVEL_MEANINGS[level].meaning}</dd></div>`)}</dl>`}
</header>
`;
}

/** The verdict with the number behind it, as the title says it too. */
export function upgradeHeadline({ verdict, changes, findings, reasons, counts, documents }: Upgrade): string {
  const name = verdict[0]!.toUpperCase() + verdict.slice(1);
  const standing = changes.filter(({ level, waiver }) => level === 'breaking' && waiver?.state !== 'in force').length;
  if (verdict === 'needs work')
    return standing > 0
      ? `${name}: ${formatCount(standing, 'breaking change')}`
      : `${name}: ${formatCount(reasons.filter(({ weight }) => weight === 'work').length, 'reason')}`;
  const open =
    changes.filter(({ level, waiver }) => level === 'unclear' && waiver?.state !== 'in force').length +
    findings.filter(({ weight }) => weight === 'unknown').length;
  if (verdict === 'cannot tell') return `${name}: ${formatCount(open, 'open question')}`;
  const clauses = documents?.changes.length ?? 0;
  if (counts.total + clauses === 0) return `${name}: nothing changed`;
  const changed = [
    counts.total > 0 ? `${formatCount(counts.total, 'change')}, none breaking` : '',
    clauses > 0 ? `${formatCount(clauses, 'clause')} of the documents, none open` : '',
  ];
  return `${name}: ${changed.filter(Boolean).join('; ')}`;
}

function row({ weight, text, about }: UpgradeReason): Html {
  return html`<li>${weightMark(weight)} <a href="#${about}">${text}</a></li>`;
}
