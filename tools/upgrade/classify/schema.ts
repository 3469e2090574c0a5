import type { Directed } from '../kinds.ts';
import type { Direction } from '../types.ts';
import { compareConditions } from './conditions.ts';
import { nameParts, type Part } from './flatten.ts';
import { compareArrays } from './schema-arrays.ts';
import { compareObjects } from './schema-objects.ts';
import { compareAnnotations, compareTexts } from './schema-texts.ts';
import { compareLimits, compareSorts } from './schema-values.ts';
import { type Shape, shapeOf } from './shape.ts';
import type { Source } from './source.ts';
import { compareUnions } from './unions.ts';

/** One difference within a schema; `{}` in the text stands for its subject. */
export interface Local {
  /** A directed kind gets its direction before its name. */
  readonly id: string;
  /** Path in the value, from the schema it was found in. */
  readonly path: string;
  readonly text: string;
  readonly old: unknown;
  readonly new: unknown;
  /** The entries that say so; absent where nothing does. */
  readonly at: readonly [old: string | undefined, new: string | undefined];
  /** Where to look when no entry says so. */
  readonly near: readonly [old: string, new: string];
}

/** Two schemas compared once, wherever they are used: what differs in them, and the pairs of schemas they lead to. */
export interface Node {
  readonly locals: readonly Local[];
  readonly edges: readonly { readonly path: string; readonly to: () => Node }[];
}

/** What the comparisons of single aspects get. */
export interface Pair {
  readonly old: Shape;
  readonly new: Shape;
  readonly direction: Direction;
  /** Notes a difference. */
  tell(
    kind: Directed,
    text: string,
    values: readonly [old: unknown, new: unknown],
    at: readonly [string | undefined, string | undefined],
    path?: string,
  ): void;
  /** Notes a difference that is the same in both directions. */
  note(
    id: string,
    text: string,
    values: readonly [unknown, unknown],
    at: readonly [string | undefined, string | undefined],
  ): void;
  /** Compares two schemas below. */
  go(path: string, old: readonly Part[], now: readonly Part[]): void;
}

/** Compares schemas of two descriptions; each pair once in each direction. */
export type Comparing = (old: readonly Part[], now: readonly Part[], direction: Direction) => Node;

/** @param old and @param now the two descriptions */
export function comparing(old: Source, now: Source): Comparing {
  const nodes = new Map<string, Node>();
  const compare: Comparing = (a, b, direction) => {
    const key = `${direction} ${nameParts(a)} ${nameParts(b)}`;
    const known = nodes.get(key);
    if (known) return known;
    const locals: Local[] = [];
    const edges: { path: string; to: () => Node }[] = [];
    const [before, after] = [shapeOf(old, a), shapeOf(now, b)];
    const near = [before.at, after.at] as const;
    const pair: Pair = {
      old: before,
      new: after,
      direction,
      tell: (kind, text, values, at, path = '') =>
        void locals.push({ id: `${direction}-${kind}`, path, text, old: values[0], new: values[1], at, near }),
      note: (id, text, values, at) =>
        void locals.push({ id, path: '', text, old: values[0], new: values[1], at, near }),
      go: (path, one, other) => void edges.push({ path, to: () => compare(one, other, direction) }),
    };
    const node = { locals, edges };
    nodes.set(key, node);
    compareShapes(pair);
    return node;
  };
  return compare;
}

function compareShapes(pair: Pair): void {
  const { old, new: now, tell } = pair;
  if (old.never || now.never) {
    if (now.never && !old.never) tell('value-refused', '{} takes no value any more.', [true, false], [old.at, now.at]);
    if (old.never && !now.never) tell('value-accepted', '{} takes values.', [false, true], [old.at, now.at]);
    return;
  }
  compareAnnotations(pair);
  // Another type is the whole story: limits of the one say nothing about the other.
  if (compareUnions(pair) === 'told' || compareSorts(pair) === 'told') return;
  compareLimits(pair);
  compareTexts(pair);
  compareObjects(pair);
  compareArrays(pair);
  compareConditions(pair);
}
