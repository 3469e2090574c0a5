import { isDeepStrictEqual } from 'node:util';
import { Trouble } from '#trouble';

/** How what several machines made of one work is told apart. */
export interface ShareKind<Share> {
  /** What the shares are of, and what each of them is: `run` and `folder`. */
  readonly work: string;
  readonly form: string;
  /** File or folder of a share. */
  readonly nameOf: (share: Share) => string;
  /** Which share it is; the first is 1. */
  readonly placeOf: (share: Share) => { readonly index: number; readonly of: number };
  /** What all shares of one work say alike, by what it is called in a message. */
  readonly commonOf: (share: Share) => Readonly<Record<string, unknown>>;
}

/**
 * The shares of one work in their order, each there once.
 * @throws Trouble (usage) for none at all, for shares of different works, and for one that is there twice or missing
 */
export function orderShares<Share>(
  shares: readonly Share[],
  { work, form, nameOf, placeOf, commonOf }: ShareKind<Share>,
): readonly Share[] {
  const [first] = shares;
  if (first === undefined)
    throw new Trouble('usage', 'no shard was named', {
      fix: `assay merge ${form.toUpperCase()} ${form.toUpperCase()}`,
    });
  const { of } = placeOf(first);
  const byIndex = new Map<number, Share>();
  for (const share of shares) {
    const differs = nameDifference(
      { ...commonOf(first), 'number of shards': of },
      { ...commonOf(share), 'number of shards': placeOf(share).of },
    );
    if (differs !== undefined)
      throw new Trouble('usage', `${nameOf(share)} is a shard of another ${work}`, {
        reason: `its ${differs} is not that of ${nameOf(first)}`,
        fix: `name the shards of one ${work}: of the same suite, target, selection and --seed`,
      });
    const { index } = placeOf(share);
    const other = byIndex.get(index);
    if (other !== undefined)
      throw new Trouble('usage', `shard ${index} of ${of} is there twice`, {
        reason: `${nameOf(other)} and ${nameOf(share)}`,
        fix: 'leave one of them out',
      });
    byIndex.set(index, share);
  }
  const indices = Array.from({ length: of }, (_, i) => i + 1);
  const missing = indices.filter((index) => !byIndex.has(index));
  if (missing.length > 0)
    throw new Trouble('usage', `${missing.length} of ${of} shards are missing: ${missing.join(', ')}`, {
      fix: `name ${of} ${form}s, one for each shard`,
    });
  return indices.map((index) => byIndex.get(index)!);
}

/** The first name under which two records hold different values, values of values included. */
export function nameDifference(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): string | undefined {
  return Object.keys(one).find((name) => !isDeepStrictEqual(one[name], other[name]));
}
