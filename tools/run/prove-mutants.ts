import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectContract } from '#contract';
import { type Line, readJournal } from '#evidence';
import { CACHE_FOLDER, REPORTS_FOLDER } from '#folders';
import type { ProofStep } from '#harness';
import { keepFile } from '#kept-files';
import {
  type ContractMutant,
  enumerateMutants,
  MetPlaces,
  type MutantResult,
  type MutantRound,
  mutantPattern,
  permissionFor,
  type RulesAbout,
  readPermittedMutants,
  readRound,
  rulesAbout,
  takeShare,
} from '#proof';
import { EMBEDDED_TARGET, parseTarget } from '#target';
import { playRehearsal, SERVER_CHECKS } from './play-checks.ts';
import { createRunLine } from './run-line.ts';
import { suiteHash } from './suite-hash.ts';

/** Which mutants are tried, and how. */
export interface MutantOptions {
  /** Operations; none: all. */
  readonly operations: readonly string[];
  /** Ids, `*` for any text and `{a,b}` for one of several; none: all. */
  readonly ids: readonly string[];
  /** A number of mutants, the same ones each time; absent: every one. */
  readonly sample: number | undefined;
  /** A share of the work, `1/4`. */
  readonly shard: string | undefined;
  /** Results that are known already, by id: they are not tried again. */
  readonly known: ReadonlyMap<string, MutantResult>;
  readonly seed: number;
  readonly workers: string | undefined;
  readonly argv: readonly string[];
  /** Whether nothing is said of the progress. */
  readonly quiet: boolean;
  /** Called after each round with what is known by then. */
  readonly keep: (results: readonly MutantResult[]) => void;
}

/** What became of the mutants that were asked for. */
export interface ProvenMutants {
  /** In the order of the contract. */
  readonly results: readonly MutantResult[];
  /** Ids of the mutants that all shares together try, in that order. */
  readonly whole: readonly string[];
}

/** What is known of a mutant so far. */
interface OpenMutant {
  readonly mutant: ContractMutant;
  readonly about: RulesAbout;
  /** Ids of the checks that met its place, those that tell most first. */
  readonly checks: readonly string[];
  /** Why no check can have seen it, should none have. */
  readonly lack: string;
  readonly seen: MutantRound;
  asked: number;
}

/** How many checks are run against a mutant, round by round, until one turns red; in the last one whatever is left, within reason. */
const ROUNDS = [1, 2, 5, 12, 60] as const;
/** What is left of a mutant's checks goes along with a round of so many, up to four times as many: another round is another start of the runner. */
const LARGE_ROUND = 12;
/** After so many rounds a mutant that the documents allow has been asked enough: it is tried for permissions that are too wide. */
const ROUNDS_OF_PERMITTED = 3;

/** Honest runs, by the hash of the suite. */
const CACHE = join(CACHE_FOLDER, 'places');

/**
 * Mutates what the sandbox sends, one change at a time, and runs the checks that met the changed place until one turns red. Each round
 * is one start of the runner, in which a worker tries every mutant on one sandbox.
 * @throws Trouble (incomplete) when a run was not finished; (usage) for a share that is none
 */
export async function proveMutants(options: MutantOptions): Promise<ProvenMutants> {
  const contract = projectContract();
  const permitted = readPermittedMutants();
  const whole = chosenMutants(enumerateMutants(contract), options);
  const asked = takeShare(whole, options.shard);
  const results = new Map(asked.flatMap(({ id }) => options.known.get(id) ?? []).map((one) => [one.id, one]));
  const inOrder = () => asked.flatMap(({ id }) => results.get(id) ?? []);
  const left = asked.filter(({ id }) => !results.has(id));
  if (left.length > 0) {
    const play = player(options);
    console.error(`assay: ${left.length} mutants; first the honest run that says which checks meet which place`);
    const honest = await honestLines(play);
    const places = new MetPlaces(honest);
    const files = new Map(honest.flatMap((line) => (line.kind === 'check' ? [[line.id, line.file] as const] : [])));
    const open = left.map((mutant): OpenMutant => {
      const about = rulesAbout(contract, mutant);
      const seen = { tried: [], rules: [], broken: 0 };
      return { mutant, about, checks: places.checksFor(mutant, about), lack: places.lackFor(mutant), seen, asked: 0 };
    });
    for (const [round, size] of ROUNDS.entries()) {
      const asked = open.filter(({ mutant: { id } }) => round < ROUNDS_OF_PERMITTED || !isPermitted(id));
      const steps = asked.flatMap((one) => nextStep(one, size));
      if (round > 0 && steps.length === 0) break;
      if (steps.length > 0) {
        console.error(`assay: round ${round + 1} of ${ROUNDS.length}: ${steps.length} mutants`);
        const said = readRound(await play(steps, files));
        for (const { mutant, seen } of open) addRound(seen, said.get(mutant.id));
      }
      for (const one of open) results.set(one.mutant.id, resultOf(one));
      options.keep(inOrder());
    }
  }
  return { results: inOrder(), whole: whole.map(({ id }) => id) };

  function isPermitted(id: string): boolean {
    return permissionFor(permitted, id)?.because !== undefined;
  }

  function resultOf({ mutant, about, seen, lack }: OpenMutant): MutantResult {
    const { id, operation, status, place, operator } = mutant;
    // A check in which the mutant changed nothing does not count as tried.
    const allowed = permissionFor(permitted, id);
    const rules = [...new Set(seen.rules)];
    const isKilled = rules.length > 0;
    const killed = rules.some((rule) => about.all.has(rule)) ? 'killed' : 'killed elsewhere';
    const spared = allowed?.because !== undefined ? 'permitted' : seen.tried.length === 0 ? 'not reached' : 'survived';
    return {
      id,
      operation,
      ...(status === undefined ? {} : { status }),
      place,
      operator,
      fate: isKilled ? killed : spared,
      rules,
      tried: seen.tried,
      broken: seen.broken,
      ...(allowed?.because === undefined ? {} : { because: allowed.because }),
      ...(allowed?.open === undefined || isKilled ? {} : { open: allowed.open }),
      ...(isKilled || spared !== 'not reached' ? {} : { lack }),
    };
  }
}

/** Those asked for, in the order of the contract; a sample is the first N by the hash of their ids: the same ones as long as they exist. */
function chosenMutants(
  all: readonly ContractMutant[],
  { operations, ids, sample }: MutantOptions,
): readonly ContractMutant[] {
  const patterns = ids.map(mutantPattern);
  const named = all.filter(
    ({ id, operation }) =>
      (operations.length === 0 || operations.includes(operation)) &&
      (patterns.length === 0 || patterns.some((pattern) => pattern.test(id))),
  );
  if (sample === undefined) return named;
  const key = ({ id }: ContractMutant) => createHash('sha256').update(id).digest('hex');
  const some = new Set(
    named
      .map((one) => ({ one, at: key(one) }))
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .slice(0, sample)
      .map(({ one }) => one),
  );
  return named.filter((one) => some.has(one));
}

/** The checks that are run next against a mutant; none when one turned red or all were asked. */
function nextStep(open: OpenMutant, size: number): ProofStep[] {
  const left = open.checks.length - open.asked;
  const isLast = size >= LARGE_ROUND && left <= size * 4;
  const checks = open.checks.slice(open.asked, open.asked + (isLast ? left : size));
  if (open.seen.rules.length > 0 || checks.length === 0) return [];
  open.asked += checks.length;
  return [{ name: open.mutant.id, checks, wire: open.mutant.wire }];
}

function addRound(seen: MutantRound, round: MutantRound | undefined): void {
  if (round === undefined) return;
  seen.tried.push(...round.tried);
  seen.rules.push(...round.rules);
  seen.broken += round.broken;
}

/**
 * What of an honest run says which checks meet which place: of the latest one when it is of this very suite, else of one that is made
 * for it. It is kept, since nothing but the suite decides it.
 */
async function honestLines(play: (steps: undefined) => Promise<Line[]>): Promise<Line[]> {
  const suite = suiteHash();
  const file = join(CACHE, `${suite}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Line[];
  } catch {
    const met = readLatestRun(suite) ?? (await play(undefined));
    const lines = met.filter(({ kind }) => kind === 'trace' || kind === 'check');
    keepFile(file, JSON.stringify(lines));
    return lines;
  }
}

/** The latest run, when it asked the honest embedded sandbox everything and is of this suite. */
function readLatestRun(suite: string): Line[] | undefined {
  try {
    const lines = readJournal(join(REPORTS_FOLDER, 'latest'));
    const [run, end] = [lines[0], lines.at(-1)];
    const isWhole = end?.kind === 'end' && end.status === 'complete';
    const isOfSuite = run?.kind === 'run' && run.suite.sha256 === suite && run.target.kind === 'embedded';
    return isWhole && isOfSuite && run.lie === undefined && run.selection === undefined ? lines : undefined;
  } catch {
    return undefined;
  }
}

/** Files of the checks that are asked in a round, as the runner is told of them: any others need not be collected. */
function filesOf(steps: readonly ProofStep[], files: ReadonlyMap<string, string>): readonly string[] {
  const named = steps.flatMap(({ checks = [] }) => checks.map((id) => files.get(id) ?? ''));
  return [...new Set(named.map((file) => file.replace(/\w+$/, '')))];
}

/** Plays the honest checks, recorded whole, or the steps of a round. */
function player({ seed, workers, argv, quiet }: MutantOptions) {
  const known = projectContract();
  const written = parseTarget(EMBEDDED_TARGET);
  const first = createRunLine({ known, written, id: 'mutants', seed, hosts: {}, selection: [], argv, lies: [] });
  return async (steps: readonly ProofStep[] | undefined, files?: ReadonlyMap<string, string>) => {
    const scratch = mkdtempSync(join(tmpdir(), 'assay-mutants-'));
    try {
      const plan = join(scratch, 'plan.json');
      if (steps !== undefined) writeFileSync(plan, JSON.stringify(steps));
      return await playRehearsal(first, steps === undefined ? 'the honest run' : 'a round of mutants', {
        target: EMBEDDED_TARGET,
        seed,
        workers,
        ids: [],
        files: (steps && files && filesOf(steps, files)) ?? SERVER_CHECKS,
        quiet,
        env: steps === undefined ? {} : { ASSAY_PROOF: plan, ASSAY_MUTANTS: '1' },
      });
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  };
}
