import { join } from 'node:path';
import { type EndLine, Journal, type Line, type Redacted, type RunLine, readJournal } from '#evidence';
import { orderShares } from '#proof';
import { ephemeralSigner, exitCode, verifyRun } from '#report';
import type { WrittenTarget } from '#target';
import { Trouble } from '#trouble';
import { finishRun } from './finish-run.ts';
import { layCompanions } from './lay-companions.ts';
import { openRunFolder } from './open-run-folder.ts';
import { drawRunId } from './run-line.ts';
import { createRunRedactor } from './run-redactor.ts';
import { authorityForTarget, signerForTarget } from './target-signer.ts';
import type { WorkspaceProfile } from './workspace-profile.ts';

/** How parts become one run. */
export interface MergeOptions {
  readonly folders: readonly string[];
  /** Run folder; absent: a new one below the reports of the workspace. */
  readonly out: string | undefined;
  readonly workspace: WorkspaceProfile;
  /** Says who signs and what must not be shown; absent: the environment signs, and only what looks like a secret is found. */
  readonly target: WrittenTarget | undefined;
}

/** One part of a run as it was read. */
export interface RunPart {
  readonly folder: string;
  readonly first: RunLine;
  readonly lines: readonly Line[];
}

/**
 * Makes one run of its parts: one journal, one page, one signature.
 * @returns the exit code of the verdict
 * @throws Trouble (usage) for folders that are not the parts of one run, each once; (incomplete) for one that was not finished or whose
 *   signature does not hold
 */
export async function mergeRuns({ folders, out, workspace, target }: MergeOptions): Promise<number> {
  const parts = orderParts(folders.map(readPart));
  const id = drawRunId();
  const folder = openRunFolder(out ?? join(workspace.reports, id));
  const { shard: _, ...shared } = parts[0]!.first;
  const startedAt = parts.map(({ first }) => first.startedAt).sort()[0]!;
  const first: RunLine = { ...shared, id, startedAt, argv: withoutPart(shared.argv) };
  const journal = new Journal(folder);
  const write = (line: Line) => journal.write(line as Redacted<Line>);
  write(first);
  for (const { lines } of parts) for (const line of lines) if (line.kind !== 'run' && line.kind !== 'end') write(line);
  write(endOf(parts));
  journal.close();
  const signer = target === undefined ? undefined : signerForTarget(target);
  await layCompanions(folder, first, workspace.baseline);
  const result = await finishRun(folder, {
    first,
    redactor: target && createRunRedactor(target),
    signer: async () => signer ?? ephemeralSigner(id),
    authority: target && authorityForTarget(target),
    isNamed: out !== undefined,
  });
  return exitCode(result);
}

function readPart(folder: string): RunPart {
  const lines = readJournal(folder);
  const [first] = lines;
  if (first?.kind !== 'run' || first.shard === undefined)
    throw new Trouble('usage', `${folder} is no shard of a run`, { fix: 'assay run --shard 1/4 leaves one' });
  const { findings } = verifyRun(folder);
  if (findings.length > 0)
    throw new Trouble('incomplete', `${folder} is not what was signed`, {
      reason: findings[0]!,
      fix: 'run this shard again',
    });
  return { folder, first, lines };
}

/**
 * The parts in their order.
 * @throws Trouble (usage) when they are not of one run, one is there twice or missing; (incomplete) when one was not finished
 */
export function orderParts(parts: readonly RunPart[]): readonly RunPart[] {
  const ordered = orderShares(parts, {
    work: 'run',
    form: 'folder',
    nameOf: ({ folder }) => folder,
    placeOf: ({ first }) => first.shard!,
    commonOf: ({ first: { target, suite, specs, seed, selection, lie, gates, register, waivers } }) => {
      const { file: _, ...same } = target;
      return { target: same, suite, contract: specs, seed, selection, lies: lie, gates, register, waivers };
    },
  });
  const open = ordered.find(({ lines }) => endLine(lines)?.status !== 'complete');
  if (open === undefined) return ordered;
  const { index, of } = open.first.shard!;
  const { reason } = endLine(open.lines) ?? {};
  throw new Trouble('incomplete', `shard ${index} of ${of} was not finished`, {
    place: { file: open.folder },
    ...(reason === undefined ? {} : { reason }),
    fix: 'run this shard again',
  });
}

function endLine(lines: readonly Line[]): EndLine | undefined {
  const end = lines.at(-1);
  return end?.kind === 'end' ? end : undefined;
}

function endOf(parts: readonly RunPart[]): EndLine {
  const ends = parts.map(({ lines }) => endLine(lines)!);
  const sum = (name: keyof EndLine['counts']) => ends.reduce((all, { counts }) => all + counts[name], 0);
  const finishedAt = ends
    .map((end) => end.finishedAt)
    .sort()
    .at(-1)!;
  return {
    kind: 'end',
    finishedAt,
    status: 'complete',
    counts: { checks: sum('checks'), exchanges: sum('exchanges') },
  };
}

/** The arguments of a part without what made it one. */
function withoutPart(argv: readonly string[]): string[] {
  return argv.filter(
    (word, i) => !/^--(?:shard|out)(?:=|$)/.test(word) && !/^--(?:shard|out)$/.test(argv[i - 1] ?? ''),
  );
}
