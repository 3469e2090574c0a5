import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { APIS } from '#apis';
import { buildSuite } from '#built-suite';
import {
  Journal,
  type Line,
  openDigestExchange,
  type Redacted,
  type Redactor,
  type RunLine,
  type RunShard,
  readJournal,
} from '#evidence';
import { SUITE_FOLDER } from '#folders';
import type { RunPlan } from '#harness';
import { Trouble } from '#trouble';
import { describeRunner } from './check-runner.ts';
import { filesNaming } from './naming-files.ts';
import { projectsOf } from './own-checks.ts';
import { startProcessGroup } from './process-group.ts';
import type { WaitingRunner } from './waiting-runner.ts';

/** Checks that ask a server something; the other laws of signing do not. */
export const SERVER_CHECKS = APIS.flatMap(({ serverChecks }) => serverChecks.map((path) => `tests/${path}`));

/** What Playwright is asked to run. */
export interface PlayRequest {
  /** Run folder that the workers write to. */
  readonly folder: string;
  readonly target: string;
  readonly seed: number;
  /** Rule ids; none: every check. */
  readonly ids: readonly string[];
  readonly workers: string | undefined;
  /** More of the environment: lies, the plan of a proof. */
  readonly env?: Readonly<Record<string, string>>;
  /** Number that the order in which the checks are started is drawn from; absent: the order of files and lines. */
  readonly shuffle?: number | undefined;
  /** Beginnings of paths below the project's folder: only checks in these; default those that name one of the rules. */
  readonly files?: readonly string[];
  readonly quiet?: boolean;
  /** The runner's process where it was started before; not for quiet checks. */
  readonly runner?: WaitingRunner | undefined;
  /** Only this part of the checks; absent: all. */
  readonly shard?: RunShard | undefined;
  /** Learns what must not be shown that only the workers see; absent: what they write is not kept. */
  readonly redactor?: Redactor | undefined;
  /** What is known of the checks before the first one. */
  readonly plan?: RunPlan | undefined;
  /** Seconds after which no further check is started and those under way are ended; absent: as long as it takes. */
  readonly within?: number | undefined;
  /**
   * Called once the runner is starting, which takes it a second of its own; what it throws ends the runner. The checks have ended when
   * the signal is aborted.
   */
  readonly onStart?: ((over: AbortSignal) => Promise<void>) | undefined;
}

/** Seconds after the time was up in which the checks have to end in good order. */
const GRACE = 60;

/** Milliseconds after which somebody who follows a journal hears of it again, at the earliest; one who takes his time is asked less often. */
const FOLLOWED = 5_000;
/** Share of the time that who follows a journal may take: one in so many. */
const FOLLOWING_SHARE = 20;

/** Lets Playwright run the checks; resolves when it and all its workers ended, however they ended. */
export async function playChecks({
  folder,
  target,
  seed,
  ids,
  workers,
  env = {},
  shuffle,
  quiet = false,
  files,
  within,
  shard,
  plan,
  redactor,
  runner: waiting,
  onStart,
}: PlayRequest): Promise<void> {
  await buildSuite();
  const runner = describeRunner(files === undefined ? projectsOf(ids) : ['checks']);
  const grep = ids.length === 0 ? [] : ['--grep', `@(${ids.join('|')})(?![0-9])`];
  const order = shuffle === undefined ? [] : [`--shuffle=${shuffle}`];
  const scratch = mkdtempSync(join(tmpdir(), 'assay-play-'));
  const pulse = mkdtempSync(join(tmpdir(), 'assay-pulse-'));
  // Not beside the runner's own files: it empties their folder when it starts.
  const planFile = join(pulse, 'plan.json');
  if (plan !== undefined) writeFileSync(planFile, JSON.stringify(plan));
  const exchange = redactor === undefined ? undefined : await openDigestExchange(pulse, redactor);
  const part = shard === undefined ? [] : [`--shard=${shard.index}/${shard.of}`];
  const limit = within === undefined ? [] : [`--global-timeout=${within * 1000}`];
  let deadline: NodeJS.Timeout | undefined;
  try {
    const group = startProcessGroup({
      arguments: [...runner.arguments, ...grep, ...order, ...part, ...limit],
      folder: SUITE_FOLDER,
      quiet,
      modules: runner.modules,
      waiting,
      env: {
        ...process.env,
        ...runner.env,
        ASSAY_RUN: folder,
        ASSAY_FILES: JSON.stringify(files ?? (ids.length === 0 ? [] : filesNaming(ids))),
        ASSAY_SCRATCH: scratch,
        ASSAY_PULSE: pulse,
        ...(plan === undefined ? {} : { ASSAY_PLAN: planFile }),
        ...(exchange === undefined ? {} : { ASSAY_DIGESTS: exchange.address }),
        ASSAY_TARGET: target,
        ASSAY_SEED: String(seed),
        ...(workers ? { ASSAY_WORKERS: workers } : {}),
        ...(shuffle === undefined ? {} : { ASSAY_SHUFFLED: '1' }),
        ...env,
      },
    });
    if (within !== undefined) deadline = setTimeout(() => group.stop(), (within + GRACE) * 1000);
    const over = new AbortController();
    const end = () => over.abort();
    group.ended.then(end, end);
    try {
      await onStart?.(over.signal);
    } catch (error) {
      group.kill();
      await group.ended;
      throw error;
    }
    await group.ended;
  } finally {
    clearTimeout(deadline);
    await exchange?.close();
    for (const one of [scratch, pulse]) rmSync(one, { recursive: true, force: true });
  }
}

/** How checks are run for their journal alone. */
export interface RehearsalRequest extends Omit<PlayRequest, 'folder' | 'onStart'> {
  /** Told every few seconds what is on record so far, and at the end once more when not every check was run. */
  readonly follow?: ((lines: readonly Line[]) => void) | undefined;
  /** What to do about checks that were not run. */
  readonly fix?: string;
}

/**
 * Lets the checks be run for their journal alone, in a folder that is gone afterwards.
 * @param first the journal's first line
 * @param what is run, for the trouble
 * @returns the lines of the journal
 * @throws Trouble (incomplete) when not every check was run
 */
export async function playRehearsal(
  first: RunLine,
  what: string,
  { follow, fix, ...how }: RehearsalRequest,
): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rehearsal-'));
  try {
    const journal = new Journal(folder);
    journal.write(first as RunLine as Redacted<Line>);
    journal.close();
    await playChecks({ ...how, folder, onStart: follow && ((over) => followJournal(folder, follow, over)) });
    const lines = readJournal(folder);
    const end = lines.at(-1);
    if (end?.kind === 'end' && end.status === 'complete') return lines;
    follow?.(lines);
    const reason = end?.kind === 'end' ? end.reason : undefined;
    throw new Trouble('incomplete', `${what} was not finished`, {
      ...(reason === undefined ? {} : { reason }),
      ...(fix === undefined ? {} : { fix }),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tells again and again what a journal says so far, until the checks have ended. */
async function followJournal(folder: string, tell: NonNullable<RehearsalRequest['follow']>, over: AbortSignal) {
  for (let pause = FOLLOWED; !over.aborted; ) {
    await wait(pause, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    const began = performance.now();
    tell(readJournal(folder));
    pause = Math.max(FOLLOWED, (performance.now() - began) * FOLLOWING_SHARE);
  }
}
