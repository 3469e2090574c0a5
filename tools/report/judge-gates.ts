import type { RunGates, RunLine, Verdict } from '#evidence';
import { isJudged } from './judged-verdicts.ts';
import { formatCount } from './page/html.ts';
import type { GateResult, RuleResult } from './types.ts';
import { verdictWord } from './verdict-words.ts';

/** Reasons for which nobody counts a rule as missing: it was not asked for, or cannot be tested at all. */
const APART: readonly string[] = ['unselected', 'untestable'];

/** Whether a run was asked about a rule, and could have said something. */
export function isSelected({ reason }: Pick<RuleResult, 'reason'>): boolean {
  return !APART.includes(reason?.code ?? '');
}

/** Ids that a gate names. */
const NAMED = 6;

/**
 * Holds what a run was asked to reach at least against what it came to. A gate that stays closed does not say that a promise is broken:
 * it says that too little was judged to call the service kept.
 */
export function judgeGates({ gates = {} }: RunLine, all: readonly RuleResult[]): GateResult[] {
  const rules = all.filter(isSelected);
  return [
    ...requireJudged(gates, all),
    ...limitVerdict('max-skipped', gates.maxSkipped, 'skipped', rules),
    ...limitVerdict('max-not-seen', gates.maxNotSeen, 'unseen', rules),
    ...allowVerdicts(gates, rules),
  ];
}

function requireJudged({ require: required }: RunGates, all: readonly RuleResult[]): GateResult[] {
  if (required === undefined) return [];
  const open = required.filter((id) => !all.some((rule) => rule.id === id && isJudged(rule.verdict)));
  return [
    {
      gate: 'require',
      passed: open.length === 0,
      text: `${required.length - open.length} of ${formatCount(required.length, 'required rule')} judged${listed(open)}`,
    },
  ];
}

function limitVerdict(
  gate: GateResult['gate'],
  most: number | undefined,
  verdict: Verdict,
  rules: readonly RuleResult[],
): GateResult[] {
  if (most === undefined) return [];
  const ids = rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);
  const text = `${formatCount(ids.length, 'rule')} ${verdictWord(verdict)}, at most ${most} allowed`;
  return [{ gate, passed: ids.length <= most, text: `${text}${ids.length > most ? listed(ids) : ''}` }];
}

function allowVerdicts({ onlyVerdicts: allowed }: RunGates, rules: readonly RuleResult[]): GateResult[] {
  if (allowed === undefined) return [];
  const others = rules.filter(({ verdict }) => !allowed.includes(verdict));
  const text = `only ${allowed.map(verdictWord).join(', ')} allowed; ${formatCount(others.length, 'rule')} came out otherwise`;
  return [{ gate: 'only-verdicts', passed: others.length === 0, text: `${text}${listed(others.map(({ id }) => id))}` }];
}

function listed(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  return `: ${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''}`;
}
