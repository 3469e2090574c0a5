import { changedOperations } from './impact.ts';
import { upgradeHeadline } from './page/head.ts';
import { LEVEL_MEANINGS, placeText, shownLevel } from './page/view.ts';
import type { JudgedChange, Upgrade } from './result.ts';

const SHOWN = 20;
const MOST = 200;

/** The answer as a comment of a pull request or a job summary: verdict, reasons, what needs work, everything else folded away. */
export function renderMarkdown(upgrade: Upgrade): string {
  const { specs, reasons, changes, counts, unexercised } = upgrade;
  const work = changes.filter((one) => ['breaking', 'unclear'].includes(one.level) && shownLevel(one) !== 'waived');
  const levels = Object.keys(LEVEL_MEANINGS) as (keyof typeof LEVEL_MEANINGS)[];
  return `${[
    `## ${plain(upgradeHeadline(upgrade))}`,
    specs
      .map(
        ({ api, from, to }) =>
          `${api}: ${code(from.file)} ${plain(from.version)} → ${code(to.file)} ${plain(to.version)}`,
      )
      .join('  \n'),
    reasons
      .slice(0, SHOWN)
      .map(
        ({ weight, text }) =>
          `- ${{ work: '**needs work**', unknown: '**cannot tell**', note: 'note' }[weight]}: ${plain(text)}`,
      )
      .join('\n'),
    ...(reasons.length > SHOWN ? [`and ${reasons.length - SHOWN} more reasons`] : []),
    ...(work.length === 0
      ? []
      : [table(['Change', 'Where', 'Rules', 'Checks', 'Exchanges', 'Fingerprint'], work.slice(0, MOST).map(row))]),
    ...work.slice(0, 5).flatMap(counterexample),
    levels.map((level) => `${counts[level]} ${LEVEL_MEANINGS[level].name}`).join(', '),
    ...(unexercised === undefined || unexercised.length === 0
      ? []
      : [`${unexercised.length} of ${counts.total} changed places were never met by a recorded exchange.`]),
    ...(changes.length === work.length ? [] : [folded('All changes', changes.slice(0, MOST))]),
  ].join('\n\n')}\n`;
}

function row(change: JudgedChange): string[] {
  const { impact } = change;
  const spot = change.new ?? change.old;
  return [
    plain(change.text),
    spot === undefined ? changedOperations(change).join(', ') : code(placeText(spot)),
    impact.rules
      .map(({ id }) => id)
      .slice(0, 4)
      .join(', ') || 'none',
    String(impact.checks.length),
    impact.exchanges === undefined
      ? 'no run'
      : `${impact.exchanges.length}${change.unfit?.length ? `, ${change.unfit.length} no longer fit` : ''}`,
    code(change.fingerprint),
  ];
}

function counterexample({ search }: JudgedChange): string[] {
  const found = search?.counterexample;
  if (found === undefined) return [];
  const fence = '`'.repeat(Math.max(3, ...[...found.body.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return [
    `A body of ${code(found.operation)} that shows it (${code(found.where)} ${plain(found.problem)}; seed ${found.seed}):\n\n${fence}json\n${found.body}\n${fence}`,
  ];
}

function folded(title: string, changes: readonly JudgedChange[]): string {
  const rows = changes.map((one) => [
    LEVEL_MEANINGS[shownLevel(one)].name,
    plain(one.text),
    changedOperations(one).join(', '),
  ]);
  return `<details><summary>${title}</summary>\n\n${table(['Level', 'What', 'Operations'], rows)}\n\n</details>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text that is not ours, so that nothing in it is taken for markup. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#]/g, (char) => `\\${char}`);
}

function code(text: string): string {
  return text.includes('`') ? plain(text) : `\`${text.replace(/\s+/g, ' ')}\``;
}
