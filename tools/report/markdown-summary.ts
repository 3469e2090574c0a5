import { summariseComparison } from './compare-runs.ts';
import { countJudged } from './judged-verdicts.ts';
import { groupByCause, loudestRules } from './loudest-rules.ts';
import { printable } from './printable.ts';
import { countSkipReasons } from './skip-reasons.ts';
import type { RunResult } from './types.ts';
import { verdictWord } from './verdict-words.ts';

const SHOWN = 20;

/** Markdown for a job summary or a pull request: verdict, counts, findings. */
export function renderSummary(run: RunResult): string {
  const { rules, checks, exchanges } = run.counts;
  const loud = groupByCause(loudestRules(run));
  const unreal = run.target.kind === 'embedded' || run.target.kind === 'mock';
  return [
    `## Assay: ${run.verdict}`,
    '',
    `Target **${cell(run.target.name)}** (${run.target.kind})${run.lie === undefined ? '' : `, told the lie ${cell(run.lie)}`}, run ${cell(run.id)}, ${run.startedAt}.`,
    ...(unreal
      ? [
          '',
          `> The target is ${run.target.kind === 'mock' ? 'a mock' : 'the embedded sandbox'}: this says nothing about a real service.`,
        ]
      : []),
    ...(run.complete ? [] : ['', `> **Incomplete.** ${cell(run.incompleteReason!)}`]),
    '',
    '| Rules | pass | fail | warn | not seen | waived | undecided | skipped |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    `| ${rules.total} | ${rules.pass} | ${rules.fail} | ${rules.warn} | ${rules.unseen} | ${rules.waived} | ${rules.broken} | ${rules.skipped} |`,
    '',
    `${run.selection === undefined ? 'Everything was selected' : `Selected: ${cell(run.selection)}`}; ${countJudged(run)} of ${rules.total} rules were judged.${skippedLine(run)}`,
    ...(run.gates ?? []).map(
      ({ gate, passed, text }) => `- ${passed ? 'passed' : '**closed**'}: gate ${gate}, ${cell(text)}`,
    ),
    '',
    `${checks.total} checks: ${checks.pass} passed, ${checks.fail} failed, ${checks.broken} undecided, ${checks.skipped} skipped; ${exchanges.total} exchanges.`,
    ...(run.since === undefined ? [] : ['', `Since run ${cell(run.since.from)}: ${summariseComparison(run.since)}`]),
    ...(run.proof === undefined
      ? []
      : [
          '',
          `Proof: ${run.proof.rules.proven} of ${run.proof.rules.testable} rules proven${run.proof.rules.before > 0 ? `, ${run.proof.rules.before} before these changes` : ''}, ${run.proof.lies.caught} of ${run.proof.lies.told} lies caught.`,
        ]),
    ...(loud.length === 0
      ? []
      : [
          '',
          '| Verdict | Rule | Promise | What happened | Exchange |',
          '| --- | --- | --- | --- | --- |',
          ...loud.slice(0, SHOWN).map((group) => {
            const [{ verdict, text, failures, reason }] = group;
            const [first] = failures;
            const ids = group.map(({ id }) => id).join(', ');
            const happened = first?.sentence ?? first?.message ?? (reason ? `${reason.code}: ${reason.text}` : '');
            return `| ${[verdictWord(verdict), ids, text, happened, first?.exchanges[0] ?? ''].map(cell).join(' | ')} |`;
          }),
          ...(loud.length > SHOWN ? ['', `and ${loud.length - SHOWN} more on the page.`] : []),
        ]),
    '',
  ].join('\n');
}

/** Why rules were skipped, most first. */
function skippedLine(run: RunResult): string {
  const skipped = countSkipReasons(run).map(({ count, why }) => `${count} ${why}`);
  return skipped.length === 0 ? '' : ` Skipped: ${skipped.join('; ')}.`;
}

/** Text of a service can neither end a cell nor become markup, a link or a mention. */
function cell(text: string): string {
  const short = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return printable(short)
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]()#|!~@]/g, (char) => `&#${char.charCodeAt(0)};`);
}
