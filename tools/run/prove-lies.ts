import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTestable, projectContract } from '#contract';
import {
  countProof,
  type DeclaredCollateral,
  type HonestCheck,
  judgeLies,
  keepProof,
  matchDeclarations,
  type PickedLies,
  type ProofNumbers,
  type ProofResult,
  readCollateral,
} from '#proof';
import type { VariationId } from '#sandbox';
import { EMBEDDED_TARGET, parseTarget } from '#target';
import { demandOwnChecks } from './own-checks.ts';
import { playRehearsal } from './play-checks.ts';
import { createRunLine } from './run-line.ts';
import { suiteHash } from './suite-hash.ts';
import type { WaitingRunner } from './waiting-runner.ts';

/** So many lies are told by one worker, unless asked otherwise: another would load itself for as long as it then had work. */
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
 * Tells every picked lie in turn, plays the checks of its rule against it, and keeps what came of it unless a variation told it.
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
    const lines = await playRehearsal(first, 'the proof', {
      target,
      seed,
      workers: workers ?? (lies.length <= FEW_LIES ? '1' : undefined),
      ids: full ? every : rules,
      runner,
      env: { ASSAY_PROOF: plan, ...(full ? { ASSAY_FULL: '1' } : {}) },
    });
    const honestChecks = lines.filter((line) => line.kind === 'check').filter(({ lie }) => lie === undefined);
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
    const { finishedAt } = proof;
    if (variation === undefined)
      await keepProof({ results, honestChecks, declared, finishedAt, full }, suiteHash(), html);
    return { proof, numbers: countProof(proof, honestChecks), unused: full && complete ? unused : [], honestChecks };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The rules that the sandbox did not keep when it told no lie. */
export function listDishonest(checks: readonly HonestCheck[]): string[] {
  const red = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'broken');
  return [...new Set(red.flatMap(({ rules }) => rules))].sort();
}
