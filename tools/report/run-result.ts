import { type Line, type RunLine, VERDICTS, type Verdict } from '#evidence';
import { attributeFailures, type RuleAttributions } from './attribution.ts';
import { indexJournal, type JournalIndex } from './journal-index.ts';
import { judgeGates } from './judge-gates.ts';
import { judgeRule, judgeWaivers } from './judge-rule.ts';
import { countJudged } from './judged-verdicts.ts';
import { listPictures } from './kept-pictures.ts';
import { collectHoles, collectTransitions, countCoverage } from './observations.ts';
import { summariseProof } from './proof-file.ts';
import { countEverything, reconcileCounts } from './reconcile-counts.ts';
import type { CheckResult, Proof, ProofFile, ProvenRule, RuleResult, RunResult } from './types.ts';

/** What the journal cannot know. */
export interface ResultOptions {
  /** The day by which waivers are judged, YYYY-MM-DD; by default the day the run ended, or began when it never ended. */
  readonly today?: string;
  /** What every lie came to; left out when it was laid beside a run of another suite than the one that judged. */
  readonly proofs?: ProofFile;
}

/**
 * Makes the whole result of a run from its journal: one verdict for every rule of the register, and all that the page shows.
 * @throws Trouble (incomplete) when the journal has no run line
 */
export function judgeJournal(lines: Iterable<Line>, options: ResultOptions = {}): RunResult {
  return judgeIndexedRun(indexJournal(lines), options);
}

/** As {@link judgeJournal}, for a journal that is sorted already. */
export function judgeIndexedRun(shelf: JournalIndex, { today: day, proofs }: ResultOptions): RunResult {
  const { run, end } = shelf;
  const today = day ?? (end?.finishedAt ?? run.startedAt).slice(0, 10);
  const proof = (run.suite.sha256 ?? proofs?.suite) === proofs?.suite ? proofs : undefined;
  const charges = attributeFailures(shelf);
  const incomplete = incompleteness(shelf) ?? partOf(run);
  const at = { run, complete: incomplete === undefined, today, isMet: shelf.isMet };
  const live = run.register.rules.filter(({ retired }) => retired === undefined);
  const rules = live.map((rule): RuleResult => {
    const claiming = charges.votes.get(rule.id) ?? [];
    const failures = charges.findings.get(rule.id) ?? [];
    const behind = claiming.flatMap(({ check }) => (shelf.byCheck.get(check.id) ?? []).map(({ id }) => id));
    const told = proof?.rules[rule.id];
    const { id, api, area, side, level, text, consequence, source, operation } = rule;
    return {
      id,
      api,
      area,
      level,
      text,
      ...(side !== undefined && { side }),
      ...(consequence !== undefined && { consequence }),
      source,
      ...(operation !== undefined && { operation }),
      ...judgeRule(rule, charges, at),
      checks: [...new Set(claiming.map(({ check }) => check.id))],
      exchanges: [...new Set([...behind, ...failures.flatMap(({ exchanges }) => exchanges)])],
      failures,
      ...(told && { proof: shownProof(told) }),
    };
  });
  const verdicts = new Map(rules.map(({ id, verdict }) => [id, verdict]));
  const retired = run.register.rules.flatMap(({ id, text, retired: why }) =>
    why === undefined ? [] : [{ id, text, retired: why }],
  );
  const seen = collectHoles(shelf);
  const counts = countEverything(shelf, rules, retired.length, seen.filter(({ learned }) => learned.length > 0).length);
  const judged = countJudged({ counts }) > 0;
  const gates = judgeGates(run, rules);
  const closed = gates.filter(({ passed }) => !passed);
  const reason =
    incomplete ??
    (judged ? undefined : 'No rule was judged.') ??
    (closed.length === 0
      ? undefined
      : closed.map(({ gate, text }) => `The gate ${gate} is closed: ${text}.`).join(' '));
  const pictures = listPictures(shelf.pictures);
  const { id, startedAt, subject, target, suite, runtime, specs, seed, argv, selection, resumed, lie } = run;
  return {
    format: 'assay.run/1',
    id,
    verdict: counts.rules.fail > 0 ? 'broken' : reason !== undefined || counts.rules.broken > 0 ? 'incomplete' : 'kept',
    complete: reason === undefined,
    ...(reason !== undefined && { incompleteReason: reason }),
    startedAt,
    ...(end && { finishedAt: end.finishedAt }),
    ...(subject !== undefined && { subject }),
    target,
    suite,
    runtime,
    specs,
    seed,
    argv,
    ...(selection !== undefined && { selection }),
    ...(resumed !== undefined && { resumed }),
    ...(lie !== undefined && { lie }),
    counts,
    sums: reconcileCounts(shelf, counts),
    rules,
    retired,
    checks: checkResults(shelf, charges, verdicts),
    areas: run.register.areas,
    coverage: countCoverage(shelf),
    transitions: collectTransitions(shelf),
    ...(run.register.states && { states: run.register.states }),
    holes: seen,
    readings: run.register.readings,
    ...(run.register.clauses && { clauses: run.register.clauses }),
    waivers: judgeWaivers(run.waivers, verdicts, today),
    ...(gates.length > 0 && { gates }),
    ...(shelf.encounters.length > 0 && { encounters: shelf.encounters.map(({ kind: _, ...one }) => one) }),
    ...(shelf.sessions.length > 0 && { sessions: shelf.sessions.map(({ kind: _, ...one }) => one) }),
    ...(pictures.length > 0 && { pictures }),
    effects: shelf.effects.map(({ kind: _, ...effect }) => effect),
    budgets: shelf.budgets,
    ...(proof && { proof: summariseProof(proof, run.register.rules) }),
    oddities: oddities(shelf, charges, verdicts),
  };
}

/** What of a rule's proof the result of a run repeats. */
function shownProof({ seal: _, finishedAt: __, full: ___, lies, ...rest }: ProvenRule): Proof {
  return { ...rest, lies: lies.map(({ found: ____, ...lie }) => lie) };
}

/** A part of a run judges what it played, and says nothing of the whole. */
function partOf({ shard }: RunLine): string | undefined {
  return shard && `This is shard ${shard.index} of ${shard.of}; assay merge makes one run of all.`;
}

/** Why the journal cannot be the whole run, or undefined when it is. */
function incompleteness({ end, checks, exchanges, byCheck }: JournalIndex): string | undefined {
  if (end === undefined) return 'The journal has no end line: the run was killed or is still going.';
  if (end.status === 'interrupted') return `The run was interrupted${end.reason ? `: ${end.reason}` : '.'}`;
  if (checks.length < end.counts.checks)
    return `The journal holds ${checks.length} of the ${end.counts.checks} checks that ended.`;
  if (exchanges.length < end.counts.exchanges)
    return `The journal holds ${exchanges.length} of the ${end.counts.exchanges} exchanges that were made.`;
  const reported = new Map<string, number>();
  for (const { id, exchanges: count } of checks) reported.set(id, (reported.get(id) ?? 0) + count);
  const short = [...reported].find(([id, count]) => (byCheck.get(id)?.length ?? 0) < count);
  return (
    short &&
    `The journal holds ${byCheck.get(short[0])?.length ?? 0} of the ${short[1]} exchanges of check ${short[0]}.`
  );
}

function checkResults(
  shelf: JournalIndex,
  charges: RuleAttributions,
  verdicts: ReadonlyMap<string, Verdict>,
): CheckResult[] {
  return shelf.checks.map(({ kind: _, exchanges: __, lie: ___, ...check }, position) => {
    const heard = [...charges.byCheck[position]!].map((rule) => verdicts.get(rule) ?? 'fail');
    const loudest = heard.reduce<Verdict>(
      (most, one) => (VERDICTS.indexOf(one) > VERDICTS.indexOf(most) ? one : most),
      'pass',
    );
    const verdict = check.outcome === 'skipped' || check.outcome === 'broken' ? check.outcome : loudest;
    return { ...check, verdict, exchanges: (shelf.byCheck.get(check.id) ?? []).map(({ id }) => id) };
  });
}

function oddities(shelf: JournalIndex, charges: RuleAttributions, verdicts: ReadonlyMap<string, Verdict>): string[] {
  const stray = [...new Set([...charges.votes.keys(), ...charges.findings.keys()])]
    .filter((rule) => !verdicts.has(rule))
    .sort();
  const holesKnown = new Set(shelf.run.register.holes.map(({ id }) => id));
  const strayHoles = [...new Set(shelf.learned.map(({ hole }) => hole))].filter((hole) => !holesKnown.has(hole)).sort();
  return [
    ...stray.map((rule) => `A check or exchange names ${rule}, which is retired or not in the register.`),
    ...strayHoles.map((hole) => `Something was learned in ${hole}, which is not in the register.`),
  ];
}
