import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLieHeard, isTestable, projectContract } from '#contract';
import {
  countProof,
  type DeclaredCollateral,
  type HonestCheck,
  keepProof,
  type LieResult,
  listDishonest,
  listIdleClaims,
  matchDeclarations,
  type PickedLies,
  type ProofNumbers,
  type ProofResult,
  planPlays,
  readCollateral,
  readKeptProof,
  sealRules,
} from '#proof';
import type { VariationId } from '#sandbox';
import { EMBEDDED_TARGET, parseTarget } from '#target';
import { listProject } from './claiming-checks.ts';
import { LieTelling } from './lie-telling.ts';
import type { ListedCheck } from './listed-checks.ts';
import { demandOwnChecks, projectsOf } from './own-checks.ts';
import { createRunLine } from './run-line.ts';
import { suiteHash } from './suite-hash.ts';
import type { WaitingRunner } from './waiting-runner.ts';

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
    const isKept = variation === undefined;
    const telling = new LieTelling({
      lies,
      hearing: listHearing(full),
      full,
      first,
      target,
      workers,
      scratch,
      keep: isKept ? (results, honest) => keep(results, honest, new Date().toISOString()) : undefined,
    });
    if (full) {
      const every = [...known.rules.values()].filter(isTestable).map(({ id }) => id);
      await telling.tell(
        new Map(lies.map(({ name, rule }) => [name, new Set(telling.hearers(rule))])),
        every,
        seed,
        runner,
      );
    } else await tellFewest(telling, picked, seed, runner);
    const { results, honestChecks } = telling;
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

/** Tells lies to as few checks as earlier proofs let expect, and once more where it came otherwise. */
async function tellFewest(
  telling: LieTelling,
  { lies, rules, whole }: PickedLies,
  seed: number,
  runner: WaitingRunner | undefined,
): Promise<void> {
  // Planned for all shares together, so that no claim is left out between them.
  const plan = planPlays(whole.lies, { claiming: telling.hearers, kept: await readKeptProof() });
  await telling.tell(plan, rules, seed, runner);
  const { rest } = telling;
  if (rest.size === 0) return;
  const open = [...new Set(lies.filter(({ name }) => rest.has(name)).map(({ rule }) => rule))];
  console.error(
    `assay: ${rest.size} lies came otherwise than before; told to the other checks of ${open.length} rules`,
  );
  // What a check draws may miss what is told it: the second time it draws otherwise.
  await telling.tell(rest, open, seed + 1);
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
