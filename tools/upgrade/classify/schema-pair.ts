import type { DirectedKind } from '../kinds.ts';
import type { ChangeDirection } from '../types.ts';
import type { SchemaPart } from './flatten.ts';
import type { SameSchemas } from './sameness.ts';
import type { SchemaShape } from './shape.ts';

/** One difference within a schema; `{}` in the text stands for its subject. */
export interface SchemaDifference {
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
export interface SchemaNode {
  readonly locals: readonly SchemaDifference[];
  readonly edges: readonly { readonly path: string; readonly to: () => SchemaNode }[];
}

/** What the comparisons of single aspects get. */
export interface SchemaPair {
  readonly old: SchemaShape;
  readonly new: SchemaShape;
  readonly direction: ChangeDirection;
  /** Whether the value travels as text, as in a path, a query or a header: there 7 and "7" are the same. */
  readonly asText: boolean;
  /** Notes a difference. */
  tell(
    kind: DirectedKind,
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
  /** Whether two schemas below are written alike, so that nothing is to be told of them. */
  readonly same: SameSchemas;
  /** Compares two schemas below. */
  go(path: string, old: readonly SchemaPart[], now: readonly SchemaPart[]): void;
}

/** Compares schemas of two descriptions; each pair once in each direction, and apart where values travel as text. */
export type CompareSchemas = (
  old: readonly SchemaPart[],
  now: readonly SchemaPart[],
  direction: ChangeDirection,
  asText: boolean,
) => SchemaNode;
