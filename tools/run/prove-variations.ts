import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { readSpending, type Spending } from '#client';
import { type Contract, isTestable, projectContract, selectRules } from '#contract';
import type { CheckLine, Line } from '#evidence';
import { REPORTS_FOLDER } from '#folders';
import { countSkipReasons, isJudged, judgeJournal } from '#report';
import { drawVariation, listDifferences, listLies, targetLines, VARIATION_DOZEN, type VariationId } from '#sandbox';
import { EMBEDDED_TARGET, parseTarget, resolveTarget } from '#target';
import { Trouble } from '#trouble';
import { readEarlierCosts } from './earlier-costs.ts';
import { type LiveSandbox, openLiveSandbox } from './live-sandbox.ts';
import { filesNaming } from './naming-files.ts';
import { planRun } from './plan-run.ts';
import { planTurns, type TurnPlan } from './plan-turns.ts';
import { type PlayRequest, playRehearsal, SERVER_CHECKS } from './play-checks.ts';
import { createRunLine } from './run-line.ts';
import { leaveOutLines } from './sparse-target.ts';

/** How much of the register a target let be judged, and at what cost. */
export interface RegisterReach extends Spending {
  /** Rules that any client could judge, those of them that were, and those that were tried in part. */
  readonly rules: number;
  readonly judged: number;
  readonly partly: number;
  /** Requests that were sent, and those of colleagues meanwhile. */
  readonly requests: number;
  readonly foreign: number;
}

/** What became of one variation. */
export interface VariationResult {
  /** `seed/number`, or `live/` and the longest delay. */
  readonly name: string;
  readonly seed: number;
  /** Of a drawn variation, counted from 1. */
  readonly number?: number;
  /** Free choices in which it differs from the plain sandbox, and lines that its target file lacks. */
  readonly varied: readonly string[];
  readonly passed: number;
  readonly failed: number;
  /** Failed checks whose rules are all `should`: a service is free to do otherwise, and a warning is no false alarm. */
  readonly warned: number;
  readonly broken: number;
  readonly skipped: number;
  readonly seconds: number;
  /** Checks that were skipped, with the reason of each. */
  readonly skips: readonly { readonly title: string; readonly reason: string }[];
  /** Checks that failed or broke, with the first reason of each. */
  readonly red: readonly { readonly title: string; readonly rules: readonly string[]; readonly reason: string }[];
  /** Of the live-like sandbox. */
  readonly reach?: RegisterReach;
}

/** Milliseconds that an answer of the live-like sandbox takes at most, unless told otherwise. */
const LONGEST = 400;

/** Where the file of a red variation is kept, so that it can be run again. */
const KEPT = join(REPORTS_FOLDER, 'variations');

/**
 * Reads a variation's name.
 * @param text `seed/number`, e.g. `7/3`
 * @throws Trouble (usage) for anything else
 */
export function readVariation(text: string): VariationId {
  const parts = /^(\d{1,10})\/([1-9]\d{0,5})$/.exec(text);
  if (parts === null) throw new Trouble('usage', `no variation is called ${text}`, { fix: 'seed/number, e.g. 7/3' });
  return { seed: Number(parts[1]), number: Number(parts[2]) };
}

/** The target file of a variation: the embedded one, with every line that the variation decides. */
export function variationTarget(id: VariationId): string {
  return variationFile(id).toString({ lineWidth: 0 });
}

function variationFile(id: VariationId) {
  const file = parseDocument(readFileSync(EMBEDDED_TARGET, 'utf8'));
  file.set('name', `embedded sandbox, variation ${id.seed}/${id.number}`);
  file.set('variation', file.createNode({ seed: id.seed, number: id.number }));
  for (const [path, value] of targetLines(drawVariation(id))) {
    if (value === undefined) file.deleteIn(path);
    else file.setIn(path, file.createNode(value));
  }
  return file;
}

/** What is held against variations, and how. */
export interface VariationOptions {
  /** How many variations, `seed/number` for one of them, or `live` or `live/MILLISECONDS` for the live-like sandbox, `live/MILLISECONDS/full` for one of which all is known. */
  readonly variations: string;
  readonly seed: number;
  /** Names of rules and areas; none: all. */
  readonly rules: readonly string[];
  /** Lies told all along: they have to turn their checks red here, too. */
  readonly lies: readonly string[];
  readonly workers: string | undefined;
  readonly argv: readonly string[];
  readonly quiet: boolean;
  /** Called with each result as it comes. */
  readonly report: (result: VariationResult) => void;
}

/**
 * Runs the suite against variations of the honest sandbox. Whatever turns red is a false alarm: each variation keeps the documents.
 * @throws Trouble (usage) for a wrong number, rule or lie; (incomplete) when not every check was run
 */
export async function proveVariations(
  options: VariationOptions,
): Promise<{ seed: number; results: VariationResult[] }> {
  const { variations: text } = options;
  for (const name of options.lies)
    if (!listLies().some((lie) => lie.name === name))
      throw new Trouble('usage', `no lie is called ${name}`, { fix: 'assay lies lists them' });
  const live = /^live(?:\/([1-9]\d{0,3}))?(\/full)?$/.exec(text);
  if (live !== null) {
    const result = await examineLive(Number(live[1] ?? LONGEST), live[2] === undefined ? 'minimal' : 'full', options);
    options.report(result);
    return { seed: options.seed, results: [result] };
  }
  const asked = text.includes('/') ? readVariation(text) : undefined;
  const count = asked === undefined ? Number(text) : 1;
  if (!Number.isInteger(count) || count < 1)
    throw new Trouble('usage', `--variations ${text} is not a number of variations`, {
      fix: `--variations ${VARIATION_DOZEN}`,
    });
  const seed = asked?.seed ?? options.seed;
  const results: VariationResult[] = [];
  for (let i = 0; i < count; i += 1) {
    const result = await examineDrawn({ seed, number: asked?.number ?? i + 1 }, options);
    results.push(result);
    options.report(result);
  }
  return { seed, results };
}

async function examineDrawn(id: VariationId, options: VariationOptions): Promise<VariationResult> {
  const name = `${id.seed}/${id.number}`;
  const file = variationFile(id);
  const leftOut = leaveOutLines(file, id).map((line) => `target file without ${line}`);
  const told = { text: file.toString({ lineWidth: 0 }), env: {}, name, seed: id.seed };
  const { counts } = await playAgainst(told, options);
  return { ...id, name, varied: [...listDifferences(drawVariation(id)), ...leftOut], ...counts };
}

/** Runs the suite against a sandbox as others have theirs. */
async function examineLive(
  longest: number,
  extent: 'minimal' | 'full',
  options: VariationOptions,
): Promise<VariationResult> {
  if (options.lies.length > 0)
    throw new Trouble('usage', 'the live-like sandbox tells no lies', { fix: 'leave --lie out' });
  const state = mkdtempSync(join(tmpdir(), 'assay-live-'));
  const sandbox = await openLiveSandbox(options.seed, longest, extent);
  try {
    const name = `live/${longest}${extent === 'full' ? '/full' : ''}`;
    const turns = await planLive(sandbox, state, options);
    const { workers } = turns;
    const env = { ...sandbox.env, ASSAY_STATE: state, ASSAY_TURNS: JSON.stringify(turns.turns) };
    const plan = planRun({
      turns,
      workers,
      costs: () => readEarlierCosts(REPORTS_FOLDER, name),
      money: undefined,
      reopened: undefined,
      isShard: false,
      within: undefined,
    });
    const told = { text: sandbox.target, env, name, seed: options.seed, plan };
    const { counts, lines } = await playAgainst(told, { ...options, workers: String(workers) });
    const wanted = selectRules(projectContract(), options.rules);
    const known = wanted.length > 0 ? wanted : [...projectContract().rules.values()];
    const asked = new Set(known.filter(isTestable).map(({ id }) => id));
    // Checks of these settle rules that were not asked for as well.
    const rules = judgeJournal(lines).rules.filter(({ id }) => asked.has(id));
    return {
      name,
      seed: options.seed,
      varied: [],
      ...counts,
      reach: {
        rules: asked.size,
        judged: rules.filter(({ verdict }) => isJudged(verdict)).length,
        partly: countSkipReasons({ rules }).find(({ code }) => code === 'partly')?.count ?? 0,
        requests: lines.filter((line) => line.kind === 'exchange' && line.direction === 'out').length,
        foreign: sandbox.foreign(),
        ...(await readSpending(state)),
      },
    };
  } finally {
    await sandbox.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Plans how the live-like sandbox is asked, as a run would. */
function planLive(
  { target, env }: LiveSandbox,
  folder: string,
  { workers }: Pick<VariationOptions, 'workers'>,
): Promise<TurnPlan> {
  const path = join(folder, 'target.yaml');
  writeFileSync(path, target);
  const resolved = resolveTarget(parseTarget(path), { env });
  return planTurns(resolved, workers === undefined ? undefined : Number(workers));
}

/** A target file, what it refers to, and the name its results go by. */
interface ToldTarget {
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
  readonly name: string;
  readonly seed: number;
  /** How a target is asked that all workers share. */
  readonly plan?: PlayRequest['plan'];
}

async function playAgainst(
  { text, env, name, seed, plan }: ToldTarget,
  { rules, lies, workers, argv, quiet }: VariationOptions,
): Promise<{ counts: ReturnType<typeof sumChecks>; lines: readonly Line[] }> {
  const known = projectContract();
  const ids = selectRules(known, rules).map((rule) => rule.id);
  const named = ids.length === 0 ? SERVER_CHECKS : filesNaming(ids);
  const files = named.filter((file) => SERVER_CHECKS.some((one) => file.startsWith(one)));
  if (files.length === 0) throw new Trouble('usage', 'no check touches a server for these rules');
  const scratch = mkdtempSync(join(tmpdir(), 'assay-variation-'));
  try {
    const path = join(scratch, 'target.yaml');
    writeFileSync(path, text);
    const written = parseTarget(path);
    const id = `variation-${name.replace('/', '-')}`;
    const first = createRunLine({ known, written, id, seed, hosts: {}, selection: rules, argv, lies });
    const began = Date.now();
    const lines = await playRehearsal(first, `variation ${name}`, {
      target: path,
      seed,
      ids,
      workers,
      files,
      quiet,
      plan,
      env: { ASSAY_LIE: lies.join(','), ...env },
    });
    const checks = lines.filter((line) => line.kind === 'check');
    if (checks.length === 0) throw new Trouble('usage', 'no check touches a server for these rules');
    const counts = sumChecks(known, checks, Math.round((Date.now() - began) / 1000));
    if (counts.red.length > 0 && Object.keys(env).length === 0) keep(name, path);
    return { counts, lines };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function sumChecks({ rules: known }: Contract, checks: readonly CheckLine[], seconds: number) {
  const count = (outcome: CheckLine['outcome']) => checks.filter((check) => check.outcome === outcome).length;
  const isWarning = ({ outcome, rules, failures }: CheckLine) =>
    outcome === 'fail' &&
    failures.every(({ rule }) =>
      (rule === undefined ? rules : [rule]).every((one) => known.get(one)?.level === 'should'),
    );
  const warned = checks.filter(isWarning).length;
  const red = checks
    .filter((check) => check.outcome === 'broken' || (check.outcome === 'fail' && !isWarning(check)))
    .map(({ title, rules, failures, reason }) => ({
      title,
      rules,
      reason: (failures[0]?.message ?? reason?.text ?? '').slice(0, 400),
    }));
  return {
    passed: count('pass'),
    failed: count('fail') - warned,
    warned,
    broken: count('broken'),
    skipped: count('skipped'),
    seconds,
    skips: checks
      .filter(({ outcome }) => outcome === 'skipped')
      .map(({ title, reason }) => ({ title, reason: reason?.text ?? '' })),
    red,
  };
}

function keep(name: string, path: string): void {
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(join(KEPT, `${name.replace('/', '-')}.yaml`), readFileSync(path));
}
