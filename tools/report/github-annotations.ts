import { countJudged } from './judged-verdicts.ts';
import { loudestRules } from './loudest-rules.ts';
import { printable } from './printable.ts';
import type { RuleResult, RunResult } from './types.ts';
import { verdictWord } from './verdict-words.ts';

/** Annotations that GitHub shows of one step. */
const SHOWN = 10;

/**
 * Workflow commands that make GitHub annotate a run: an error for each broken promise, a warning for each broken should, expired waiver
 * and undecided rule. What a service sent can neither begin a command nor end one.
 */
export function renderGithubAnnotations(run: RunResult): string {
  const rules = loudestRules(run, ['fail', 'warn', 'broken']).slice(0, SHOWN).map(annotateRule);
  const waivers = run.waivers
    .filter(({ state }) => state === 'expired' || state === 'stale')
    .map(({ rule, state, owner }) => command('warning', `waiver of ${rule}`, `${state}; its owner is ${owner}`));
  const gates = (run.gates ?? [])
    .filter(({ passed }) => !passed)
    .map(({ gate, text }) => command('error', `gate ${gate}`, text));
  return [...gates, ...rules, ...waivers].join('\n');
}

/** What later steps of a workflow read: one `name=value` a line. */
export function renderGithubOutputs(run: RunResult, folder: string): string {
  const { pass, fail, warn, skipped, total, unseen } = run.counts.rules;
  const values = {
    verdict: run.verdict,
    judged: countJudged(run),
    rules: total,
    passed: pass,
    failed: fail,
    warned: warn,
    skipped,
    'not-seen': unseen,
    report: `${folder}/index.html`,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function annotateRule({ id, verdict, text, failures: [first], reason }: RuleResult): string {
  const found = first?.sentence ?? first?.message ?? reason?.text ?? '';
  return command(verdict === 'fail' ? 'error' : 'warning', `${id} ${verdictWord(verdict)}`, `${text} ${found}`);
}

function command(kind: 'error' | 'warning', title: string, text: string): string {
  const escaped = (value: string) => printable(value).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
  return `::${kind} title=${escaped(title).replace(/:/g, '%3A').replace(/,/g, '%2C')}::${escaped(text)}`;
}
