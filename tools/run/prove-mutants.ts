import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectContract } from '#contract';
import type { ProofStep } from '#harness';
import {
  type ContractMutant,
  enumerateMutants,
  MetPlaces,
  type MutantResult,
  permissionFor,
  readPermittedMutants,
  readRound,
  rulesAbout,
} from '#proof';
import { EMBEDDED_TARGET, parseTarget } from '#target';
import { playRehearsal, SERVER_CHECKS } from './play-checks.ts';
import { createRunLine } from './run-line.ts';

/** Which mutants are tried, and how. */
export interface MutantOptions {
  /** Operations; none: all. */
  readonly operations: readonly string[];
  /** A number of mutants, spread evenly over all; absent: every one. */
  readonly sample: number | undefined;
  /** A share of the work, from 1: `[1, 4]`. */
  readonly shard: readonly [number, number] | undefined;
  /** Results that are known already, by id: they are not tried again. */
  readonly known: ReadonlyMap<string, MutantResult>;
  readonly seed: number;
  readonly workers: string | undefined;
  readonly argv: readonly string[];
  /** Called after each round with what is known by then. */
  readonly keep: (results: readonly MutantResult[]) => void;
}

/** Checks that are run against a mutant, round by round, until one turns red. */
const ROUNDS = [1, 3, 12] as const;

/**
 * Mutates what the sandbox sends, one change at a time, and runs the checks that met the changed place until one turns red.
 * @returns the results of all mutants that were asked for, in the order of the contract
 * @throws Trouble (incomplete) when a run was not finished
 */
export async function proveMutants(options: MutantOptions): Promise<MutantResult[]> {
  const contract = projectContract();
  const permitted = readPermittedMutants();
  const asked = chosen(enumerateMutants(contract), options);
  const results = new Map<string, MutantResult>();
  for (const { id } of asked) {
    const before = options.known.get(id);
    if (before !== undefined) results.set(id, before);
  }
  const open = asked.filter(({ id }) => !results.has(id));
  if (open.length > 0) {
    const play = player(options);
    console.error(`assay: ${open.length} mutants; first the honest run that says which checks meet which place`);
    const places = new MetPlaces(await play(undefined));
    const about = new Map(open.map((mutant) => [mutant.id, rulesAbout(contract, mutant)]));
    const queue = new Map(open.map((mutant) => [mutant.id, places.checksFor(mutant, about.get(mutant.id)!)]));
    const state = new Map(open.map(({ id }) => [id, { tried: [] as string[], rules: [] as string[], broken: 0 }]));
    for (const [round, size] of ROUNDS.entries()) {
      const steps = open.flatMap((mutant): ProofStep[] => {
        const { tried, rules } = state.get(mutant.id)!;
        const checks = queue.get(mutant.id)!.slice(tried.length, tried.length + size);
        if (rules.length > 0 || checks.length === 0) return [];
        tried.push(...checks);
        return [{ name: mutant.id, checks, wire: mutant.wire }];
      });
      if (steps.length === 0) break;
      console.error(`assay: round ${round + 1} of ${ROUNDS.length}: ${steps.length} mutants`);
      for (const [id, { rules, broken }] of readRound(await play(steps))) {
        const one = state.get(id)!;
        one.rules.push(...rules);
        one.broken += broken;
      }
      for (const mutant of open) results.set(mutant.id, resultOf(mutant, state.get(mutant.id)!, about.get(mutant.id)!));
      options.keep(inOrder());
    }
  }
  return inOrder();

  function resultOf(
    mutant: ContractMutant,
    { tried, rules, broken }: { tried: readonly string[]; rules: readonly string[]; broken: number },
    about: ReadonlySet<string>,
  ): MutantResult {
    const { id, operation, status, place, operator } = mutant;
    const allowed = rules.length === 0 ? permissionFor(permitted, id) : undefined;
    const fate =
      rules.length > 0
        ? rules.some((rule) => about.has(rule))
          ? 'killed'
          : 'killed elsewhere'
        : allowed !== undefined
          ? 'permitted'
          : tried.length === 0
            ? 'not reached'
            : 'survived';
    return {
      id,
      operation,
      ...(status === undefined ? {} : { status }),
      place,
      operator,
      fate,
      rules: [...new Set(rules)],
      tried,
      broken,
      ...(allowed === undefined ? {} : { because: allowed.because }),
    };
  }

  function inOrder(): MutantResult[] {
    return asked.flatMap(({ id }) => results.get(id) ?? []);
  }
}

function chosen(all: readonly ContractMutant[], { operations, sample, shard }: MutantOptions): ContractMutant[] {
  const named = operations.length === 0 ? all : all.filter(({ operation }) => operations.includes(operation));
  const every = sample === undefined ? 1 : Math.max(1, named.length / sample);
  const some = named.filter((_, i) => Math.floor(i / every) !== Math.floor((i - 1) / every));
  return shard === undefined ? [...some] : some.filter((_, i) => i % shard[1] === shard[0] - 1);
}

/** Plays the honest checks, recorded whole, or the steps of a round. */
function player({ seed, workers, argv }: MutantOptions) {
  const contract = projectContract();
  const written = parseTarget(EMBEDDED_TARGET);
  const first = createRunLine({
    known: contract,
    written,
    id: 'mutants',
    seed,
    hosts: {},
    selection: [],
    argv,
    lies: [],
  });
  return async (steps: readonly ProofStep[] | undefined) => {
    const scratch = mkdtempSync(join(tmpdir(), 'assay-mutants-'));
    try {
      const plan = join(scratch, 'plan.json');
      if (steps !== undefined) writeFileSync(plan, JSON.stringify(steps));
      return await playRehearsal(first, steps === undefined ? 'the honest run' : 'a round of mutants', {
        target: EMBEDDED_TARGET,
        seed,
        workers,
        ids: [],
        files: SERVER_CHECKS,
        env: steps === undefined ? {} : { ASSAY_PROOF: plan, ASSAY_MUTANTS: '1' },
      });
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  };
}
