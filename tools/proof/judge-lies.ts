import type { CheckLine, Line } from '#evidence';
import type { Lie } from '#sandbox';
import type { HonestCheck, LieResult, ProofNumbers, ProofResult } from './types.ts';

/**
 * What the checks said to each lie.
 * @param lies those that were told
 * @param lines journal of the proof: check lines that name the lie they were run against
 */
export function judgeLies(lies: readonly Lie[], lines: readonly Line[]): LieResult[] {
  const byLie = new Map<string, CheckLine[]>();
  for (const line of lines) {
    if (line.kind !== 'check' || line.lie === undefined) continue;
    byLie.set(line.lie, [...(byLie.get(line.lie) ?? []), line]);
  }
  return lies.map(({ name, rule }) => {
    const checks = byLie.get(name) ?? [];
    const own = checks.filter(({ rules }) => rules.includes(rule));
    const red = own.filter((check) => reds(check).includes(rule));
    const found = red[0]?.failures.find((one) => one.rule === undefined || one.rule === rule)?.message;
    return {
      name,
      rule,
      by: red.map(({ id }) => id),
      ...(found === undefined ? {} : { found }),
      collateral: others(checks, rule),
      apart: others(
        checks.filter(({ rules }) => !rules.includes(rule)),
        rule,
      ),
      quiet: own
        .filter((check) => !red.includes(check))
        .map(({ id, outcome, reason }) => ({ check: id, outcome, ...(reason ? { reason: reason.text } : {}) })),
    };
  });
}

/**
 * The lies about which every check in question was heard, of rules whose checks were all run without a lie as well, and stayed green: of
 * a proof that did not come to its end, this much is proven or refuted.
 * @param lies those that are to be told
 * @param lines journal so far
 * @param asked the checks that a lie is told to, whether a rule of theirs is lied about or not
 */
export function toldLies<Told extends Lie>(
  lies: readonly Told[],
  lines: readonly Line[],
  asked: (lie: Told) => readonly Pick<CheckLine, 'file' | 'title' | 'rules'>[],
): Told[] {
  const nameOf = ({ file, title }: Pick<CheckLine, 'file' | 'title'>, lie = '') => [file, title, lie].join('\n');
  const ended = lines.filter((line) => line.kind === 'check').filter(({ reason }) => reason?.code !== 'interrupted');
  const heard = new Set(ended.map((check) => nameOf(check, check.lie)));
  const dishonest = new Set(listDishonest(ended.filter(({ lie }) => lie === undefined)));
  return lies.filter(
    (lie) =>
      !dishonest.has(lie.rule) &&
      asked(lie).every(
        (check) => heard.has(nameOf(check, lie.name)) && (!check.rules.includes(lie.rule) || heard.has(nameOf(check))),
      ),
  );
}

/** Checks that were run without a lie, each once: red in one of its runs is red. */
export function joinHonest<Check extends HonestCheck>(checks: readonly Check[]): Check[] {
  const joined = new Map<string, Check>();
  for (const check of checks)
    if (!joined.has(check.id) || check.outcome === 'fail' || check.outcome === 'broken') joined.set(check.id, check);
  return [...joined.values()];
}

/** The rules that the sandbox did not keep when it told no lie. */
export function listDishonest(checks: readonly Pick<HonestCheck, 'rules' | 'outcome'>[]): string[] {
  const red = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'broken');
  return [...new Set(red.flatMap(({ rules }) => rules))].sort();
}

/** The rules beside one that checks turned red, in order. */
function others(checks: readonly CheckLine[], rule: string): string[] {
  return [...new Set(checks.flatMap(reds))].filter((id) => id !== rule).sort();
}

/** The rules that a check turned red. */
function reds(check: CheckLine): string[] {
  if (check.outcome !== 'fail') return [];
  return [...new Set(check.failures.flatMap((one) => (one.rule === undefined ? check.rules : [one.rule])))];
}

/** Rules in question without any lie, in order. */
export function rulesWithoutLie(proof: ProofResult): string[] {
  const told = new Set(proof.lies.map(({ rule }) => rule));
  return proof.rules.filter((id) => !told.has(id));
}

/** Whether every lie was caught, and every check in question is shown to be able to fail, for the right reason. */
export function proofHolds(proof: ProofResult): boolean {
  return (
    proof.lies.every(({ by }) => by.length > 0) &&
    [rulesWithoutLie(proof), proof.dishonest, proof.undeclared, proof.idle].every(({ length }) => length === 0)
  );
}

/** The proof in numbers. @param checks of the honest run */
export function countProof(proof: ProofResult, checks: readonly Pick<CheckLine, 'rules'>[]): ProofNumbers {
  const caught = proof.lies.filter(({ by }) => by.length > 0);
  const missed = new Set([...proof.lies.filter(({ by }) => by.length === 0), ...proof.idle].map(({ rule }) => rule));
  const lied = new Set(proof.lies.map(({ rule }) => rule));
  const claims = proof.rules.map((id) => checks.filter(({ rules }) => rules.includes(id)).length);
  const red = caught.reduce((sum, { collateral }) => sum + 1 + collateral.length, 0);
  return {
    rules: proof.rules.length,
    proven: proof.rules.filter((id) => lied.has(id) && !missed.has(id)).length,
    lies: proof.lies.length,
    caught: caught.length,
    checksPerRule: claims.reduce((sum, n) => sum + n, 0) / Math.max(1, claims.length),
    precision: red === 0 ? 1 : caught.length / red,
  };
}
