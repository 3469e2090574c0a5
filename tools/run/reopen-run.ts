import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Spending } from '#client';
import { JOURNAL, type Line, type RunLine, readJournal } from '#evidence';
import type { CheckCost } from '#harness';
import { replaceFile } from '#kept-files';
import { nameDifference } from '#proof';
import { Trouble } from '#trouble';
import { costsOf, isUnended } from './earlier-costs.ts';

/** An interrupted run that goes on in its folder. */
export interface ReopenedRun {
  /** First line of its journal, which says from now on that it was continued. */
  readonly first: RunLine;
  /** Ids of checks that ended. */
  readonly ended: readonly string[];
  /** Exchanges on record of checks that did not end, by id: the count goes on from there. */
  readonly recorded: Readonly<Record<string, number>>;
  readonly costs: Readonly<Record<string, CheckCost>>;
  /** What it has spent. */
  readonly spent: Spending;
}

/**
 * Takes an interrupted run up again: everything that was recorded stays, but for its end and the lines of checks that did not end, which
 * will be played again.
 * @param lines what was recorded, as readInterrupted() gives it
 * @param now first line of a run as it would begin now: of the same selection, seed and lies
 * @param when Unix milliseconds
 * @throws Trouble (usage) for a run of another suite, contract or target
 */
export function reopenRun(folder: string, lines: readonly Line[], now: RunLine, when = Date.now()): ReopenedRun {
  const first = lines[0] as RunLine;
  demandAlike(folder, first, now);
  const isOver = (line: Line) => line.kind === 'check' && !isUnended(line.reason?.code);
  const ended = lines.filter(isOver).map((line) => (line as { id: string }).id);
  const known = new Set(ended);
  const kept = lines.filter((line) => line.kind !== 'end' && (line.kind !== 'check' || isOver(line))).slice(1);
  const recorded: Record<string, number> = {};
  let spent = { calls: 0, total: 0 };
  for (const line of kept) {
    if (line.kind !== 'exchange') continue;
    if (line.paid !== undefined) spent = { calls: spent.calls + 1, total: spent.total + line.paid };
    if (!known.has(line.check)) recorded[line.check] = (recorded[line.check] ?? 0) + 1;
  }
  const resumed = [...(first.resumed ?? []), { at: new Date(when).toISOString(), checks: ended.length }];
  const again = { ...first, resumed };
  // Whole or not at all: who is interrupted here loses nothing either.
  const path = join(folder, JOURNAL);
  replaceFile(path, `${[again, ...kept].map((line) => JSON.stringify(line)).join('\n')}\n`, 0o600);
  return { first: again, ended, recorded, costs: costsOf(lines, true), spent };
}

/**
 * What was recorded of a run that can be taken up again.
 * @returns its lines, the first of which says what is run
 * @throws Trouble (usage) for a folder without a run, and for a run that ended
 */
export function readInterrupted(folder: string): readonly [RunLine, ...Line[]] {
  if (!existsSync(join(folder, JOURNAL)))
    throw new Trouble('usage', `${folder} holds no run`, {
      fix: 'name the folder of an interrupted run with --resume',
    });
  const lines = readJournal(folder);
  const end = lines.at(-1);
  const isLeftOut = lines.some((line) => line.kind === 'check' && isUnended(line.reason?.code));
  if (end?.kind === 'end' && end.status === 'complete' && !isLeftOut)
    throw new Trouble('usage', `${folder} is not interrupted`, {
      reason: `all its ${end.counts.checks} checks ended`,
      fix: 'assay run starts another one; assay report DIR draws this one anew',
    });
  return lines as [RunLine, ...Line[]];
}

function demandAlike(folder: string, first: RunLine, now: RunLine): void {
  const differs = nameDifference(groundOf(first), groundOf(now));
  if (differs === undefined) return;
  throw new Trouble('usage', `the run in ${folder} cannot go on`, {
    reason: `its ${differs} is not today's: what was judged and what would be are not one run`,
    fix: `bring the ${differs} back to what it was, or start another run`,
  });
}

/** What has to be as it was, as a journal has it, by what it is called in a message. */
function groundOf({ target: { file: _, ...target }, specs, register, suite: { sha256, own } }: RunLine) {
  return JSON.parse(JSON.stringify({ target, contract: [specs, register], suite: [sha256, own] })) as Record<
    string,
    unknown
  >;
}
