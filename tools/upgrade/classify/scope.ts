import type { DirectedKind, UndirectedKind } from '../kinds.ts';
import type { ChangeDirection } from '../types.ts';
import type { FoundDifference } from './findings.ts';
import type { SchemaPart } from './flatten.ts';
import type { CompareSchemas, SchemaNode } from './schema-pair.ts';
import type { SpecSource } from './source.ts';

export type BothEnds = readonly [old: string | undefined, new: string | undefined];

/** Where the comparison stands: both descriptions, the operation, and who reads what is compared. */
export interface ComparisonScope {
  readonly old: SpecSource;
  readonly new: SpecSource;
  readonly compare: CompareSchemas;
  readonly operation?: string;
  /** Pairs of operations whose callbacks are being compared: a callback may lead back to one of them. */
  readonly within: ReadonlySet<string>;
  /** In webhooks and callbacks the client is the receiver, so directions are inverted. */
  readonly event: boolean;
  readonly status?: string;
  readonly media?: string;
  add(finding: FoundDifference): void;
}

/** What something is called, for people and for the fingerprint. */
export interface NamedPlace {
  readonly subject: string;
  readonly place: string;
}

/** Direction of what the caller sends or the answerer sends, seen from the client. */
export function clientDirection(scope: ComparisonScope, side: 'asked' | 'answered'): ChangeDirection {
  return (side === 'asked') !== scope.event ? 'request' : 'response';
}

/** Notes a difference that has a direction. */
export function tellDifference(
  scope: ComparisonScope,
  side: 'asked' | 'answered',
  kind: DirectedKind,
  named: NamedPlace,
  text: string,
  values: readonly [unknown, unknown],
  at: BothEnds,
): void {
  const direction = clientDirection(scope, side);
  put(scope, { ...named, id: `${direction}-${kind}`, direction, text, old: values[0], new: values[1], at });
}

/** Notes a difference without direction. */
export function noteDifference(
  scope: ComparisonScope,
  id: UndirectedKind,
  named: NamedPlace,
  text: string,
  values: readonly [unknown, unknown],
  at: BothEnds,
): void {
  put(scope, { ...named, id, text, old: values[0], new: values[1], at });
}

function put(scope: ComparisonScope, finding: FoundDifference): void {
  const { operation, status, media } = scope;
  scope.add({ operation, status, media, ...finding });
}

/** Compares two schemas at a place of use; each pair of schemas below counts once, at its shortest path. */
export function compareAt(
  scope: ComparisonScope,
  side: 'asked' | 'answered',
  pointers: BothEnds,
  subject: (path: string) => string,
  place: string,
  asText = false,
): void {
  const direction = clientDirection(scope, side);
  const parts = (source: SpecSource, pointer: string | undefined): SchemaPart[] =>
    pointer === undefined || source.at(pointer) === undefined ? [] : [{ pointer }];
  const root = scope.compare(parts(scope.old, pointers[0]), parts(scope.new, pointers[1]), direction, asText);
  const met = new Set<SchemaNode>([root]);
  let level: [path: string, node: SchemaNode][] = [['', root]];
  while (level.length > 0) {
    const next: [string, SchemaNode][] = [];
    for (const [path, node] of level) {
      for (const { path: inner, ...local } of node.locals) {
        const whole = path + inner;
        put(scope, { ...local, direction, subject: subject(whole), place: place + whole });
      }
      for (const edge of node.edges) {
        const to = edge.to();
        if (met.has(to)) continue;
        met.add(to);
        next.push([path + edge.path, to]);
      }
    }
    level = next;
  }
}
