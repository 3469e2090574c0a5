import type { Directed, Undirected } from '../kinds.ts';
import type { Direction } from '../types.ts';
import type { FoundDifference } from './findings.ts';
import type { Part } from './flatten.ts';
import type { CompareSchemas, SchemaNode } from './schema-pair.ts';
import type { Source } from './source.ts';

export type Ends = readonly [old: string | undefined, new: string | undefined];

/** Where the comparison stands: both descriptions, the operation, and who reads what is compared. */
export interface Scope {
  readonly old: Source;
  readonly new: Source;
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
export interface Named {
  readonly subject: string;
  readonly place: string;
}

/** Direction of what the caller sends or the answerer sends, seen from the client. */
export function seen(scope: Scope, side: 'asked' | 'answered'): Direction {
  return (side === 'asked') !== scope.event ? 'request' : 'response';
}

/** Notes a difference that has a direction. */
export function tell(
  scope: Scope,
  side: 'asked' | 'answered',
  kind: Directed,
  named: Named,
  text: string,
  values: readonly [unknown, unknown],
  at: Ends,
): void {
  const direction = seen(scope, side);
  put(scope, { ...named, id: `${direction}-${kind}`, direction, text, old: values[0], new: values[1], at });
}

/** Notes a difference without direction. */
export function note(
  scope: Scope,
  id: Undirected,
  named: Named,
  text: string,
  values: readonly [unknown, unknown],
  at: Ends,
): void {
  put(scope, { ...named, id, text, old: values[0], new: values[1], at });
}

function put(scope: Scope, finding: FoundDifference): void {
  const { operation, status, media } = scope;
  scope.add({ operation, status, media, ...finding });
}

/** Compares two schemas at a place of use; each pair of schemas below counts once, at its shortest path. */
export function compareAt(
  scope: Scope,
  side: 'asked' | 'answered',
  pointers: Ends,
  subject: (path: string) => string,
  place: string,
  asText = false,
): void {
  const direction = seen(scope, side);
  const parts = (source: Source, pointer: string | undefined): Part[] =>
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
