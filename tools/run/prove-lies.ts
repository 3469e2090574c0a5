import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLieHeard, isTestable, projectContract } from '#contract';
import { type CheckLine, checkId, type Line } from '#evidence';
import {
  countProof,
  type DeclaredCollateral,
  type HonestCheck,
  joinHonest,
  judgeLies,
  type KnownLie,
  keepProof,
  type LieResult,
  listDishonest,
  listIdleClaims,
  matchDeclarations,
  type PickedLies,
  type PlannedPlays,
  type ProofNumbers,
  type ProofResult,
  planPlays,
  planRest,
  readCollateral,
  readKeptProof,
  sealRules,
  toldLies,
} from '#proof';
import type { VariationId } from '#sandbox';
import { EMBEDDED_TARGET, parseTarget } from '#target';
import { listProject } from './claiming-checks.ts';
import type { ListedCheck } from './listed-checks.ts';
import { demandOwnChecks, projectsOf } from './own-checks.ts';
import { playRehearsal } from './play-checks.ts';
import { createRunLine } from './run-line.ts';
import { suiteHash } from './suite-hash.ts';
import type { WaitingRunner } from './waiting-runner.ts';

/**
 * So many lies are told by one worker, unless asked otherwise: another would load itself for as long as it then had work. Nor is anything
 * kept of them before the end.
 */
const FEW_LIES = 12;

/** How lies are proved. */
export interface ProofOptions {
  readonly picked: PickedLies;
  readonly seed: number;
  /** Whether every check of the service is run against each lie. */
  readonly full: boolean;
  readonly workers: string | undefined;
  readonly argv: readonly string[];
  /** Another file for the page. */
  readonly html: string | undefined;
  /** The variation of the sandbox that tells them; absent: the plain one, of which alone what comes is kept. */
  readonly variation?: VariationId | undefined;
  /** The runner's process where it was started while what to prove was still to be read. */
  readonly runner?: WaitingRunner | undefined;
}

/** What a proof came to. */
export interface ProvenLies {
  readonly proof: ProofResult;
  readonly numbers: ProofNumbers;
  /** Declared collateral that was not seen; known when everything was told and looked at. */
  readonly unused: readonly DeclaredCollateral[];
  /** The checks that were run without a lie. */
  readonly honestChecks: readonly HonestCheck[];
}

/**
 * Tells every picked lie in turn, plays checks of its rule against it, and keeps what came of it unless a variation told it: as it goes
 * along, so that of a long proof that is interrupted only the rules that were not done yet have to be proved.
 * @throws Trouble (incomplete) when not every check was run
 */
export async function proveLies({
  picked,
  seed,
  full,
  workers,
  argv,
  html,
  variation,
  runner,
}: ProofOptions): Promise<ProvenLies> {
  const known = projectContract();
  const { lies, rules, complete } = picked;
  demandOwnChecks(rules);
  const declared = readCollateral(known);
  const scratch = mkdtempSync(join(tmpdir(), 'assay-proof-'));
  try {
    const target = variation === undefined ? EMBEDDED_TARGET : join(scratch, 'target.yaml');
    if (variation !== undefined)
      writeFileSync(target, (await import('./prove-variations.ts')).variationTarget(variation));
    const written = parseTarget(target);
    const first = createRunLine({ known, written, id: 'proof', seed, hosts: {}, selection: [], argv, lies: [] });
    console.error(`assay: ${lies.length} lies about ${rules.length} rules; each check once without a lie as well`);
    // Of the suite as it is now: what is edited meanwhile is not what is proved.
    const ground = { suite: suiteHash(), seals: await sealRules(known) };
    const keep = (results: readonly LieResult[], honestChecks: readonly HonestCheck[], finishedAt: string) =>
      keepProof({ results, honestChecks, declared, finishedAt, full, ...ground }, html);
    const hearing = listHearing(full);
    const claiming = (rule: string) => hearing(rule).map(idOf);
    const isKept = variation === undefined;
    const planFile = join(scratch, 'plan.json');
    const told = new Map<string, Set<string>>();
    let lines: Line[] = [];
    let kept = 0;
    const follow = (more: readonly Line[]) => {
      const all = [...lines, ...more];
      const honest = honestOf(all);
      const heard = toldLies(lies, all, ({ name, rule }) =>
        hearing(rule).filter((one) => told.get(name)?.has(idOf(one))),
      );
      const results = judgeLies(heard, all);
      const rest = planRest(lies, told, results, honest, claiming);
      const open = new Set(lies.filter((lie) => !heard.includes(lie) || rest.has(lie.name)).map(({ rule }) => rule));
      const done = results.filter(({ rule }) => !open.has(rule));
      if (done.length > kept) keep(done, honest, new Date().toISOString());
      kept = done.length;
    };
    const play = async (plan: PlannedPlays, ids: readonly string[], drawn: number, waiting?: WaitingRunner) => {
      for (const [name, checks] of plan) told.set(name, new Set([...(told.get(name) ?? []), ...checks]));
      const steps = lies.filter(({ name }) => plan.has(name));
      // To all checks of a service each is told without a list of them.
      const step = (lie: KnownLie) => (full ? lie : { ...lie, checks: [...plan.get(lie.name)!] });
      writeFileSync(planFile, JSON.stringify(steps.map(step)));
      const more = await playRehearsal(first, 'the proof', {
        target,
        seed: drawn,
        workers: workers ?? (steps.length <= FEW_LIES ? '1' : undefined),
        ids,
        runner: waiting,
        env: { ASSAY_PROOF: planFile, ...(full ? { ASSAY_FULL: '1' } : {}) },
        ...(isKept && lies.length > FEW_LIES
          ? { follow, fix: 'npx assay prove --changed tells the rest: what was told is kept' }
          : {}),
      });
      lines = [...lines, ...more];
    };
    const every = [...known.rules.values()].filter(isTestable).map(({ id }) => id);
    const planned = full
      ? new Map(lies.map(({ name, rule }) => [name, new Set(claiming(rule))]))
      : // Of all shares together, so that no claim is left out between them.
        planPlays(picked.whole.lies, { claiming, kept: await readKeptProof() });
    await play(planned, full ? every : rules, seed, runner);
    const rest = planRest(lies, told, judgeLies(lies, lines), honestOf(lines), claiming);
    if (rest.size > 0) {
      const open = [...new Set(lies.filter(({ name }) => rest.has(name)).map(({ rule }) => rule))];
      console.error(
        `assay: ${rest.size} lies came otherwise than before; told to the other checks of ${open.length} rules`,
      );
      // What a check draws may miss what is told it: the second time it draws otherwise.
      await play(rest, open, seed + 1);
    }
    const honestChecks = honestOf(lines);
    const results = judgeLies(lies, lines);
    const { undeclared, unused } = matchDeclarations(results, declared);
    const proof: ProofResult = {
      format: 'assay.proof/1',
      finishedAt: new Date().toISOString(),
      specs: known.specs.map(({ api, sha256 }) => ({ api, sha256 })),
      full,
      rules,
      lies: results,
      undeclared,
      // What a variation does not have no check of it can miss.
      idle: isKept ? listIdleClaims(lies, results, honestChecks) : [],
      dishonest: listDishonest(honestChecks),
    };
    if (isKept) keep(results, honestChecks, proof.finishedAt);
    return { proof, numbers: countProof(proof, honestChecks), unused: full && complete ? unused : [], honestChecks };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The checks of a journal that were run without a lie, each once. */
function honestOf(lines: readonly Line[]): CheckLine[] {
  return joinHonest(lines.filter((line) => line.kind === 'check').filter(({ lie }) => lie === undefined));
}

function idOf({ file, title }: Pick<ListedCheck, 'file' | 'title'>): string {
  return checkId(file, title);
}

/** The checks that can hear a lie about a rule, listed once for each rule. */
function listHearing(full: boolean): (rule: string) => readonly ListedCheck[] {
  const listed = new Map<string, readonly ListedCheck[]>();
  return (rule) => {
    let all = listed.get(rule);
    if (all === undefined) {
      all = projectsOf([rule])
        .flatMap(listProject)
        .filter(({ rules }) => isLieHeard(rule, rules, full));
      listed.set(rule, all);
    }
    return all;
  };
}
