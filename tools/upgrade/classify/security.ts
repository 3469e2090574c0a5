import { type ComparisonScope, noteDifference } from './scope.ts';
import { entriesAt, isFields, listOf, type SpecSource, stableText } from './source.ts';

/** Schemes that must all be met, each with its scopes; an empty one asks for nothing. */
type Way = ReadonlyMap<string, readonly string[]>;

/** Compares how callers prove who they are: what holds for the operation, or for the whole description where it says nothing. */
export function compareSecurity(scope: ComparisonScope, operations: readonly [string, string]): void {
  const at = [securityAt(scope.old, operations[0]), securityAt(scope.new, operations[1])] as const;
  const renamed = renames(scope);
  const a = ways(scope.old, at[0]);
  const b = ways(scope.new, at[1], renamed);
  const named = { subject: 'security', place: 'security' };
  const [gone, come] = [a.filter((way) => !has(b, way)), b.filter((way) => !has(a, way))];
  if (gone.length === 0 && come.length === 0) return;
  const values = [a.map(sign), b.map(sign)] as const;
  const texts = [say(a), say(b)];
  const free = (list_: readonly Way[]) => list_.some((way) => way.size === 0);
  if (scope.event) {
    noteDifference(
      scope,
      'webhook-security-changed',
      named,
      `Messages proved who sends them by ${texts[0]} and do by ${texts[1]}.`,
      values,
      at,
    );
    return;
  }
  if (free(a) && !free(b))
    noteDifference(scope, 'security-required', named, `Callers must prove who they are by ${texts[1]}.`, values, at);
  else if (free(b) && !free(a))
    noteDifference(
      scope,
      'security-dropped',
      named,
      `Callers need not prove who they are by ${texts[0]} any more.`,
      values,
      at,
    );
  else if (gone.length === 1 && come.length === 1) compareWays(scope, gone[0]!, come[0]!, at);
  else {
    for (const way of gone)
      noteDifference(
        scope,
        'security-alternative-removed',
        named,
        `Callers can no longer prove who they are by ${say([way])}.`,
        [sign(way), undefined],
        at,
      );
    for (const way of come)
      noteDifference(
        scope,
        'security-alternative-added',
        named,
        `Callers can also prove who they are by ${say([way])}.`,
        [undefined, sign(way)],
        at,
      );
  }
}

function compareWays(scope: ComparisonScope, old: Way, now: Way, at: readonly [string, string]): void {
  const named = { subject: 'security', place: 'security' };
  if (stableText([...old.keys()].sort()) !== stableText([...now.keys()].sort())) {
    noteDifference(
      scope,
      'security-changed',
      named,
      `Callers prove who they are by ${say([now])} instead of ${say([old])}.`,
      [sign(old), sign(now)],
      at,
    );
    return;
  }
  for (const [scheme, scopes] of old) {
    const others = now.get(scheme) ?? [];
    const [more, less] = [others.filter((one) => !scopes.includes(one)), scopes.filter((one) => !others.includes(one))];
    if (more.length)
      noteDifference(
        scope,
        'security-scope-added',
        named,
        `The scope ${more.join(', ')} of ${scheme} is needed.`,
        [[], [scheme, ...more]],
        at,
      );
    if (less.length)
      noteDifference(
        scope,
        'security-scope-removed',
        named,
        `The scope ${less.join(', ')} of ${scheme} is no longer needed.`,
        [[scheme, ...less], []],
        at,
      );
  }
}

function securityAt(source: SpecSource, operation: string): string {
  return source.at(`${operation}/security`) === undefined ? '/security' : `${operation}/security`;
}

function ways(source: SpecSource, pointer: string, renamed: ReadonlyMap<string, string> = new Map()): Way[] {
  const written = listOf(source.at(pointer)).filter(isFields);
  if (written.length === 0) return [new Map()];
  return written.map(
    (way) =>
      new Map(
        Object.entries(way).map(([name, scopes]) => [renamed.get(name) ?? name, listOf(scopes).map(String).sort()]),
      ),
  );
}

const sign = (way: Way) => stableText(Object.fromEntries(way));
const has = (list_: readonly Way[], way: Way) => list_.some((other) => sign(other) === sign(way));
const say = (list_: readonly Way[]) =>
  list_
    .map(
      (way) =>
        [...way].map(([name, scopes]) => (scopes.length ? `${name} (${scopes.join(', ')})` : name)).join(' with ') ||
        'nothing',
    )
    .join(' or ');

const SCHEMES = '/components/securitySchemes';

/** New names of schemes to old ones, where only the name is new. */
function renames({ old, new: now }: ComparisonScope): Map<string, string> {
  const text = (source: SpecSource, at: string) => {
    const { description: _, ...fields } = source.find(at).fields;
    return stableText(Object.fromEntries(Object.entries(fields).filter(([key]) => !key.startsWith('x-'))));
  };
  const before = entriesAt(old, SCHEMES);
  const after = entriesAt(now, SCHEMES);
  const only = (list_: typeof before, others: typeof before) =>
    list_.filter(([name]) => !others.some(([other]) => other === name));
  return new Map(
    only(after, before).flatMap(([name, at]) => {
      const twin = only(before, after).find(([, other]) => text(old, other) === text(now, at));
      return twin ? [[name, twin[0]] as const] : [];
    }),
  );
}

/** Compares the details of each scheme. */
export function compareSchemes(scope: ComparisonScope, usedBy: (scheme: string) => readonly string[]): void {
  const after = new Map(entriesAt(scope.new, SCHEMES));
  for (const [name, at] of entriesAt(scope.old, SCHEMES)) {
    const other = after.get(name);
    if (other === undefined) continue;
    const [a, b] = [scope.old.find(at), scope.new.find(other)];
    const how = (fields: typeof a.fields) =>
      [fields.type, String(fields.scheme ?? '').toLowerCase(), fields.in, fields.name].filter(Boolean).join(' ');
    const flows = (fields: typeof a.fields) =>
      stableText([fields.flows && withoutScopes(fields.flows), fields.openIdConnectUrl]);
    const named = { subject: `security scheme ${name}`, place: `scheme ${name}` };
    const ends = [a.pointer, b.pointer] as const;
    const operations = usedBy(name);
    for (const operation of operations.length ? operations : [undefined]) {
      const inside = operation === undefined ? scope : { ...scope, operation };
      if (how(a.fields) !== how(b.fields))
        noteDifference(
          inside,
          'security-scheme-changed',
          named,
          `{} was ${how(a.fields)} and is ${how(b.fields)}.`,
          [how(a.fields), how(b.fields)],
          ends,
        );
      else if (flows(a.fields) !== flows(b.fields))
        noteDifference(
          inside,
          'security-flow-changed',
          named,
          'Tokens for {} are fetched otherwise.',
          [flows(a.fields), flows(b.fields)],
          ends,
        );
    }
  }
}

function withoutScopes(flows: unknown): unknown {
  if (!isFields(flows)) return flows;
  return Object.fromEntries(
    Object.entries(flows).map(([name, flow]) => [name, isFields(flow) ? { ...flow, scopes: undefined } : flow]),
  );
}

/** Operations of the old description that a scheme opens. */
export function openedBy(
  source: SpecSource,
  operations: readonly { name: string; pointer: string }[],
): (scheme: string) => string[] {
  return (scheme) =>
    operations
      .filter(({ pointer }) => ways(source, securityAt(source, pointer)).some((way) => way.has(scheme)))
      .map(({ name }) => name);
}
