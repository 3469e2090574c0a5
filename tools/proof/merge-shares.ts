import { createHash } from 'node:crypto';
import { Trouble } from '#trouble';
import { orderShares } from './order-shares.ts';
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

/**
 * Lays shares together, so that their pieces lie as if nobody had shared the work.
 * @param nameOf the name of a piece
 * @throws Trouble (usage) for shares of different works, one that is there twice, or missing; (incomplete) for one that lacks pieces
 */
export function mergeShares<Piece>(
  shares: readonly FinishedShare<Piece>[],
  nameOf: (piece: Piece) => string,
): readonly Piece[] {
  const ordered = orderShares(shares, {
    work: 'proof',
    form: 'file',
    nameOf: ({ file }) => file,
    placeOf: ({ share }) => share,
    commonOf: ({ share: { suite, seed, full, pieces, sha256 } }) => ({
      suite,
      seed,
      '--full': full,
      'amount of work': pieces,
      selection: sha256,
    }),
  });
  const { of, pieces, sha256 } = ordered[0]!.share;
  // Each share holds every Nth piece.
  const laid = Array.from({ length: pieces }, (_, i) => ordered[i % of]!.pieces[Math.floor(i / of)]);
  const all = laid.filter((piece) => piece !== undefined);
  const sum = ordered.reduce((count, one) => count + one.pieces.length, 0);
  if (sum !== pieces || all.length !== pieces || hashNames(all.map(nameOf)) !== sha256)
    throw new Trouble('incomplete', `the shards hold ${sum} of ${pieces} pieces, or others than were asked for`, {
      fix: 'run the shards again',
    });
  return all;
}

function hashNames(names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest('hex');
}
