import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findBrowser, provideBrowser } from '#browser';
import { type LoadedContract, projectContract, selectRules } from '#contract';
import { Journal, JournalFile, type Line, type Redacted, type RunGates, type RunLine, type RunShard } from '#evidence';
import type { RunResult, RunSigner } from '#report';
import { EMBEDDED_TARGET, parseTarget, resolveSigning, resolveTarget, type WrittenTarget } from '#target';
import { EXIT_CODES, suggestWord, Trouble } from '#trouble';
import { awaitFirstRecord } from './await-record.ts';
import { describeMarathon } from './describe-marathon.ts';
import { readEarlierCosts } from './earlier-costs.ts';
import { openRunFolder } from './open-run-folder.ts';
import { demandOwnChecks } from './own-checks.ts';
import { planRun } from './plan-run.ts';
import { playChecks } from './play-checks.ts';
import { reachTarget } from './reach-target.ts';
import { createRunLine, drawRunId } from './run-line.ts';
import { createRunRedactor } from './run-redactor.ts';
import type { WaitingRunner } from './waiting-runner.ts';
import { readWaivers } from './waiver-file.ts';
import type { WorkspaceProfile } from './workspace-profile.ts';

/** Checks at the same time when each has a sandbox of its own, as the runner's configuration has it. */
const EMBEDDED_WORKERS = 2;

/** What is run, and how. */
export interface RunOptions {
  /** Target file; absent: the embedded sandbox. */
  readonly target: string | undefined;
  /** Names of rules and areas; none: all. */
  readonly rules: readonly string[];
  /** Folder of an interrupted run to go on with; it says what is run, at which target and with which seed. */
  readonly resume: string | undefined;
  /** Run folder; absent: a new one below the reports of the workspace. */
  readonly out: string | undefined;
  readonly workspace: WorkspaceProfile;
  /** Lies that the embedded sandbox tells. */
  readonly lies: readonly string[];
  readonly seed: number;
  /** The part of the checks that is played here; absent: all. */
  readonly shard: RunShard | undefined;
  /** Number that the order of the checks is drawn from; absent: as written. */
  readonly shuffle: number | undefined;
  /** Cases that each property is tried on, over all runs with this seed; absent: as many as it says itself. */
  readonly runs?: number | undefined;
  /** Checks at the same time; absent: 2, or on a target of the user's own as many as its manners and its rate limit allow. */
  readonly workers: string | undefined;
  /** Whether a browser may be installed when the selection needs one and there is none. */
  readonly setup: boolean;
  /** Seconds that the checks may take; absent: as long as they do. */
  readonly within: number | undefined;
  /** What must have been judged for the run to count as kept; rule and area names of `require` as given. */
  readonly gates: RunGates;
  /** Whether findings are annotated, summary and outputs written as a step of a GitHub workflow does. */
  readonly annotate: boolean;
  /** The arguments as they were given, for the record. */
  readonly argv: readonly string[];
  /** The runner's process where it was started while what to run was still to be read. */
  readonly runner?: WaitingRunner | undefined;
}

/**
 * Runs the checks against a target and writes, closes and signs the run folder.
 * @returns the exit code of the verdict
 * @throws Trouble (usage) for a wrong target, rule, lie or waiver file; (incomplete) for a host that nobody answers at
 */
export async function runSuite(asked: RunOptions): Promise<number> {
  const interrupted =
    asked.resume === undefined ? undefined : (await import('./reopen-run.ts')).readInterrupted(asked.resume);
  const options = interrupted === undefined ? asked : { ...asked, ...readContinued(interrupted[0], asked.target) };
  const { lies, seed, shuffle, resume } = options;
  const known = projectContract();
  const written = parseTarget(resolve(options.target ?? EMBEDDED_TARGET));
  if (lies.length > 0) await checkLies(lies, written);
  const rules = selectRules(known, options.rules);
  demandOwnChecks(rules.map(({ id }) => id));
  const waivers = readWaivers(known, process.env.ASSAY_WAIVERS || options.workspace.waivers);
  const signer = namesSigner(written) ? (await import('./target-signer.ts')).signerForTarget(written) : undefined;
  const hosts = await reachTarget(written);
  const redactor = createRunRedactor(written);
  const id = drawRunId();
  const folder =
    resume === undefined ? openRunFolder(options.out ?? join(options.workspace.reports, id)) : resolve(resume);
  const begun = createRunLine({
    known,
    written,
    id,
    seed,
    hosts,
    selection: options.rules,
    argv: options.argv,
    lies,
    waivers,
    gates: requireKnown(options.gates, known),
    shard: options.shard,
  });
  const reopened = interrupted && (await import('./reopen-run.ts')).reopenRun(folder, interrupted, begun);
  const first = reopened?.first ?? begun;
  if (reopened === undefined) {
    const journal = new Journal(folder);
    journal.write(first as RunLine as Redacted<Line>);
    journal.close();
  }
  const asksBrowser = (rules.length === 0 ? [...known.rules.values()] : rules).some(({ needs }) =>
    needs.includes('browser'),
  );
  if (asksBrowser && options.setup) prepareBrowser(true);
  const { name, kind } = first.target;
  console.log(
    `assay: ${rules.length === 0 ? `${known.rules.size} rules` : `${rules.length} of ${known.rules.size} rules`} against ${name} (${kind}), seed ${seed}${shuffle === undefined ? '' : `, shuffled by ${shuffle}`}`,
  );
  if (reopened !== undefined) console.log(`assay: goes on after ${reopened.ended.length} checks that ended`);
  let ephemeral: Promise<RunSigner> | undefined;
  const state = first.target.kind === 'embedded' ? undefined : mkdtempSync(join(tmpdir(), 'assay-run-'));
  const target = state === undefined ? undefined : resolveTarget(written);
  // What reckons with somebody else's service is loaded for one only.
  const planning = target === undefined ? undefined : await import('./plan-turns.ts');
  const turns = target && (await planning?.planTurns(target, askedWorkers(options, rules.length)));
  if (turns !== undefined) console.log(`assay: ${planning?.describeTurns(turns)}`);
  if (state !== undefined && reopened !== undefined)
    await (await import('#client')).presetSpending(state, reopened.spent);
  const workers = turns?.workers ?? askedWorkers(options, rules.length);
  const plan = planRun({
    turns,
    workers: workers ?? EMBEDDED_WORKERS,
    money: target?.manners.money,
    costs: () => readEarlierCosts(options.workspace.reports, name),
    reopened,
    isShard: options.shard !== undefined,
    within: options.within,
  });
  await playChecks({
    folder,
    target: written.path,
    seed,
    shuffle,
    within: options.within,
    shard: options.shard,
    redactor,
    ids: rules.map(({ id }) => id),
    onStart: async (over) => {
      await awaitFirstRecord(folder, over);
      const [{ ephemeralSigner, makeRunKey }, { layCompanions }, { keepDraft }] = await Promise.all([
        import('#report'),
        import('./lay-companions.ts'),
        import('./draft-page.ts'),
      ]);
      if (signer === undefined) ephemeral = makeRunKey().then((pair) => ephemeralSigner(first.id, Date.now(), pair));
      await layCompanions(folder, first, options.workspace.baseline);
      if (asksBrowser && !options.setup) prepareBrowser(false);
      // Loaded while the checks are under way.
      await import('./finish-run.ts');
      keepDraft(folder, redactor, over);
    },
    workers: workers?.toString(),
    runner: options.runner,
    plan,
    env: {
      ASSAY_LIE: lies.join(','),
      ASSAY_PICTURES: '1',
      ...(options.runs === undefined ? {} : describeMarathon(options.runs, options)),
      // Each part has an embedded sandbox of its own; a target's own address is asked by all of them.
      ...(state === undefined ? {} : { ASSAY_STATE: state, ASSAY_SHARERS: String(options.shard?.of ?? 1) }),
      ...(turns === undefined ? {} : { ASSAY_TURNS: JSON.stringify(turns.turns) }),
    },
  });
  if (state !== undefined) await (await import('./take-back-leftovers.ts')).takeBackLeftovers(written, state);
  const [{ exitCode }, { finishRun }] = await Promise.all([import('#report'), import('./finish-run.ts')]);
  const result = await finishRun(folder, {
    first,
    redactor,
    signer: async () => signer ?? (await ephemeral!),
    authority: written.root.signing?.timestamp,
    isNamed: resume === undefined && options.out !== undefined,
  });
  if (options.annotate) await annotateStep(result, folder);
  return options.shard === undefined ? exitCode(result) : exitCodeOfPart(result, folder);
}

/** The number of workers that was asked for; the few checks of one rule are done before a second worker is ready. */
function askedWorkers({ workers }: RunOptions, rules: number): number | undefined {
  return workers === undefined ? (rules === 1 ? 1 : undefined) : Number(workers);
}

/** What a run that is taken up again goes on with. @param given target file that was named this time */
function readContinued(
  { target, selection, lie, seed, shard, gates = {} }: RunLine,
  given: string | undefined,
): Pick<RunOptions, 'target' | 'rules' | 'lies' | 'seed' | 'shard' | 'gates'> {
  return {
    target: given ?? (target.kind === 'embedded' ? undefined : target.file),
    rules: selection?.split(', ') ?? [],
    lies: lie?.split(', ') ?? [],
    seed,
    shard,
    gates,
  };
}

/** A part is content when it played all its checks and none of them is a finding: the merged run judges the whole. */
function exitCodeOfPart({ counts }: RunResult, folder: string): number {
  let end: Line | undefined;
  for (const line of new JournalFile(folder)) end = line;
  if (counts.rules.fail > 0) return EXIT_CODES.broken;
  return counts.rules.broken > 0 || end?.kind !== 'end' || end.status !== 'complete'
    ? EXIT_CODES.incomplete
    : EXIT_CODES.kept;
}

/** Annotations on the terminal; summary and outputs where the workflow reads them. */
async function annotateStep(result: RunResult, folder: string): Promise<void> {
  const { renderGithubAnnotations, renderGithubOutputs } = await import('#report');
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs } = process.env;
  console.log(renderGithubAnnotations(result));
  if (summary !== undefined) appendFileSync(summary, readFileSync(join(folder, 'summary.md')));
  if (outputs !== undefined) appendFileSync(outputs, renderGithubOutputs(result, folder));
}

/** Gates with areas taken apart into their rules. @throws Trouble (usage) for a name that is none */
function requireKnown(gates: RunGates, known: LoadedContract): RunGates {
  if (gates.require === undefined) return gates;
  return { ...gates, require: selectRules(known, gates.require).map(({ id }) => id) };
}

/** Looks for a browser, and installs one only when that was asked for. */
function prepareBrowser(setup: boolean): void {
  if (setup) provideBrowser((text) => console.log(`assay: ${text}`));
  else if (findBrowser() === undefined)
    console.log('assay: no browser found; checks that need one are skipped (npx assay doctor --fix installs one)');
}

/** Whether environment or target file name a key; reading it is for whoever has one. */
function namesSigner(written: WrittenTarget): boolean {
  const { ASSAY_SIGN_KEY: key, ASSAY_SIGN_CERT: certificate } = process.env;
  return Boolean(key || certificate) || resolveSigning(written) !== undefined;
}

async function checkLies(lies: readonly string[], written: WrittenTarget): Promise<void> {
  const { listKnownLies } = await import('#proof');
  const names = listKnownLies().map(({ name }) => name);
  for (const name of lies) {
    if (!names.includes(name))
      throw new Trouble('usage', `no lie is called ${name}`, {
        fix: suggestWord(name, names) || 'assay lies lists them',
      });
  }
  if (lies.length > 0 && written.root.kind !== 'embedded')
    throw new Trouble('usage', 'only the embedded sandbox can be lies to lie', { fix: 'leave --target or --lie out' });
}
