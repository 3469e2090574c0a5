import { createHash } from 'node:crypto';
import { Trouble } from '#trouble';
import { readShare } from './take-share.ts';

/** What a share says of the work that it is a part of. */
export interface WorkShare {
  /** First is 1. */
  readonly index: number;
  readonly of: number;
  /** How many pieces the whole work has, and the hash over their names in their order. */
  readonly pieces: number;
  readonly sha256: string;
  /** Hash of the suite, and the seed: what one piece comes to depends on both. */
  readonly suite: string;
  readonly seed: number;
  /** Whether other rules than that of a lie were asked as well. */
  readonly full?: boolean;
}

/** One share as it was read, its pieces in the order of the whole. */
export interface FinishedShare<Piece> {
  readonly file: string;
  readonly share: WorkShare;
  readonly pieces: readonly Piece[];
}

/**
 * Says which part of the work a share is.
 * @param share `2/4`; absent: the work is not shared, and nothing is to be said
 * @param names of all pieces of the work, in order
 */
export function describeShare(
  share: string | undefined,
  names: readonly string[],
  ground: Pick<WorkShare, 'suite' | 'seed' | 'full'>,
): WorkShare | undefined {
  return share === undefined
    ? undefined
    : { ...readShare(share), pieces: names.length, sha256: hashNames(names), ...ground };
}

/** What all shares of one work say alike, and what each is called in a message. */
const ALIKE = {
  suite: 'suite',
  seed: 'seed',
  full: '--full',
  of: 'number of shards',
  pieces: 'amount of work',
  sha256: 'selection',
} as const;

/**
 * Lays shares together, so that their pieces lie as if nobody had shared the work.
 * @param nameOf the name of a piece
 * @throws Trouble (usage) for shares of different works, one that is there twice, or missing; (incomplete) for one that lacks pieces
 */
export function mergeShares<Piece>(
  shares: readonly FinishedShare<Piece>[],
  nameOf: (piece: Piece) => string,
): readonly Piece[] {
  const [first] = shares;
  if (first === undefined) throw new Trouble('usage', 'no shard was named', { fix: 'assay merge FILE FILE' });
  const { of, pieces, sha256 } = first.share;
  const byIndex = new Map<number, FinishedShare<Piece>>();
  for (const one of shares) {
    demandSameWork(first, one);
    const other = byIndex.get(one.share.index);
    if (other !== undefined)
      throw new Trouble('usage', `shard ${one.share.index} of ${of} is there twice`, {
        reason: `${other.file} and ${one.file}`,
        fix: 'leave one of them out',
      });
    byIndex.set(one.share.index, one);
  }
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !byIndex.has(index));
  if (missing.length > 0)
    throw new Trouble('usage', `${missing.length} of ${of} shards are missing: ${missing.join(', ')}`, {
      fix: `name ${of} files, one for each shard`,
    });
  // Each share holds every Nth piece.
  const laid = Array.from({ length: pieces }, (_, i) => byIndex.get((i % of) + 1)!.pieces[Math.floor(i / of)]);
  const all = laid.filter((piece) => piece !== undefined);
  const sum = shares.reduce((count, one) => count + one.pieces.length, 0);
  if (sum !== pieces || all.length !== pieces || hashNames(all.map(nameOf)) !== sha256)
    throw new Trouble('incomplete', `the shards hold ${sum} of ${pieces} pieces, or others than were asked for`, {
      fix: 'run the shards again',
    });
  return all;
}

function demandSameWork(one: FinishedShare<unknown>, other: FinishedShare<unknown>): void {
  const names = Object.keys(ALIKE) as (keyof typeof ALIKE)[];
  const differs = names.find((name) => one.share[name] !== other.share[name]);
  if (differs !== undefined)
    throw new Trouble('usage', `${other.file} is a shard of another proof`, {
      reason: `its ${ALIKE[differs]} is not that of ${one.file}`,
      fix: 'name the shards of one proof: same suite, selection and --seed',
    });
}

function hashNames(names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest('hex');
}
