import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLieHeard, isTestable, projectContract } from '#contract';
import type { CheckLine, Line } from '#evidence';
import {
  countProof,
  type DeclaredCollateral,
  type HonestCheck,
  judgeLies,
  keepProof,
  type LieResult,
  listDishonest,
  matchDeclarations,
  type PickedLies,
  type ProofNumbers,
  type ProofResult,
  readCollateral,
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
 * Tells every picked lie in turn, plays the checks of its rule against it, and keeps what came of it unless a variation told it: as it goes
 * along, so that of a long proof that is interrupted only what was not told yet has to be.
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
  const every = [...known.rules.values()].filter(isTestable).map(({ id }) => id);
  demandOwnChecks(rules);
  const declared = readCollateral(known);
  const scratch = mkdtempSync(join(tmpdir(), 'assay-proof-'));
  try {
    const plan = join(scratch, 'plan.json');
    writeFileSync(plan, JSON.stringify(lies));
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
    const asked = askedChecks(full);
    let kept = 0;
    const keepTold = (lines: readonly Line[]) => {
      const told = toldLies(lies, lines, asked);
      if (told.length > kept) keep(judgeLies(told, lines), honestOf(lines), new Date().toISOString());
      kept = told.length;
    };
    const isKept = variation === undefined;
    const lines = await playRehearsal(first, 'the proof', {
      target,
      seed,
      workers: workers ?? (lies.length <= FEW_LIES ? '1' : undefined),
      ids: full ? every : rules,
      runner,
      env: { ASSAY_PROOF: plan, ...(full ? { ASSAY_FULL: '1' } : {}) },
      ...(isKept && lies.length > FEW_LIES
        ? { follow: keepTold, fix: 'npx assay prove --changed tells the rest: what was told is kept' }
        : {}),
    });
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
      dishonest: listDishonest(honestChecks),
    };
    if (isKept) keep(results, honestChecks, proof.finishedAt);
    return { proof, numbers: countProof(proof, honestChecks), unused: full && complete ? unused : [], honestChecks };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The checks of a journal that were run without a lie. */
function honestOf(lines: readonly Line[]): CheckLine[] {
  return lines.filter((line) => line.kind === 'check').filter(({ lie }) => lie === undefined);
}

/** The checks that a lie about a rule is told to, listed once for each rule. */
function askedChecks(full: boolean): (rule: string) => readonly ListedCheck[] {
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
