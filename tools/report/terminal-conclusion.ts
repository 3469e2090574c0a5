import { loudestRules } from './loudest-rules.ts';
import { printable } from './printable.ts';
import type { RunResult } from './types.ts';

const SHOWN = 5;

/**
 * What the terminal says at the end of a run: the first findings, the counts and where the page is.
 * @param folder the run folder as the user should see it; by default the one below reports/
 */
export function renderConclusion(run: RunResult, folder = `reports/${run.id}`): string {
  const { rules, checks, exchanges } = run.counts;
  const found = loudestRules(run, ['fail', 'warn']);
  const lines = found.slice(0, SHOWN).flatMap((rule) => {
    const [first] = rule.failures;
    return [
      `${rule.verdict}  ${rule.id}  ${rule.text}`,
      ...(first?.expected === undefined ? [`      ${first?.message ?? ''}`] : [`      expected  ${first.expected}`]),
      ...(first?.actual === undefined
        ? []
        : [`      actual    ${first.actual.replaceAll('\n', `\n${' '.repeat(16)}`)}`]),
      ...(first?.exchanges[0] === undefined ? [] : [`      exchange  ${first.exchanges[0]}`]),
      '',
    ];
  });
  if (found.length > SHOWN) lines.push(`and ${found.length - SHOWN} more on the page`, '');
  for (const { id, reason } of run.rules.filter(({ verdict }) => verdict === 'broken').slice(0, SHOWN)) {
    lines.push(`broken  ${id}  ${reason?.code ?? ''}: ${reason?.text ?? ''}`);
  }
  for (const { rule, state } of run.waivers) {
    if (state === 'stale' || state === 'expired' || state === 'unknown rule') lines.push(`waiver  ${rule}  ${state}`);
  }
  if (!run.complete) lines.push(`incomplete: ${run.incompleteReason}`);
  lines.push(
    `${run.verdict}: ${rules.total} rules: ${rules.pass} pass, ${rules.fail} fail, ${rules.warn} warn, ${rules.waived} waived, ${rules.broken} broken, ${rules.skipped} skipped`,
    `${checks.total} checks: ${checks.pass} passed, ${checks.fail} failed, ${checks.broken} broken, ${checks.skipped} skipped; ${exchanges.total} exchanges`,
    `${folder}/index.html`,
  );
  return lines.map(printable).join('\n');
}
