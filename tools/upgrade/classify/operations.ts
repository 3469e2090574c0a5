import { compareAnswers } from './answers.ts';
import { compareBody, compareWords } from './contents.ts';
import { compareParameters } from './parameters.ts';
import { noteDeprecated, noteRemoval } from './schema-texts.ts';
import { type ComparisonScope, noteDifference } from './scope.ts';
import { compareSecurity } from './security.ts';
import { compareServers } from './servers.ts';
import { entriesAt, isFields, type SpecSource } from './source.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** An operation and where it stands. */
export interface DescribedOperation {
  readonly name: string;
  readonly id: string | undefined;
  readonly method: string;
  readonly path: string;
  /** The path whatever its parameters are called. */
  readonly shape: string;
  readonly item: string;
  readonly pointer: string;
}

/** Every operation of a mapping of path items, in the order of the file. */
export function describedOperations(source: SpecSource, pointer: string, event: boolean): DescribedOperation[] {
  return entriesAt(source, pointer).flatMap(([path, at]) => {
    const item = source.find(at).pointer;
    return METHODS.filter((method) => isFields(source.at(`${item}/${method}`))).map((method): DescribedOperation => {
      const { operationId } = source.find(`${item}/${method}`).fields;
      const id = typeof operationId === 'string' ? operationId : undefined;
      const name = event ? path : (id ?? `${method.toUpperCase()} ${path}`);
      return { name, id, method, path, shape: path.replace(/\{[^}]*\}/g, '{}'), item, pointer: `${item}/${method}` };
    });
  });
}

type Group = 'operation' | 'webhook' | 'callback';

/** Matches the operations of two mappings by method and path, else by id, and compares each pair. */
export function compareOperations(
  scope: ComparisonScope,
  group: Group,
  at: readonly [string, string],
  named?: string,
): void {
  const own = { ...scope, event: group !== 'operation' || scope.event };
  const rename = (list: DescribedOperation[]) =>
    named === undefined ? list : list.map((one) => ({ ...one, name: named }));
  const a = rename(describedOperations(scope.old, at[0], own.event));
  const b = rename(describedOperations(scope.new, at[1], own.event));
  const left = new Set(b);
  const lost: DescribedOperation[] = [];
  const pairs: [DescribedOperation, DescribedOperation][] = [];
  const key = ({ method, shape }: DescribedOperation) => `${method} ${shape}`;
  for (const one of a) {
    const other = b.find((candidate) => key(candidate) === key(one));
    if (other) pairs.push([one, other]);
    else lost.push(one);
    if (other) left.delete(other);
  }
  for (const one of [...lost]) {
    const other = [...left].find(({ id }) => id !== undefined && id === one.id);
    if (!other) continue;
    lost.splice(lost.indexOf(one), 1);
    left.delete(other);
    pairs.push([one, other]);
    const text = `{} was ${say(one)} and is ${say(other)}.`;
    noteDifference(
      { ...own, operation: one.name },
      'operation-moved',
      operationNamed(one),
      text,
      [say(one), say(other)],
      [one.pointer, other.pointer],
    );
  }
  tellAlone(own, group, lost, new Set(b.map(({ shape }) => shape)), 'removed');
  tellAlone(own, group, [...left], new Set(a.map(({ shape }) => shape)), 'added');
  for (const [one, other] of pairs) compareOperation({ ...own, operation: one.name }, one, other);
}

const say = ({ method, path }: DescribedOperation) => `${method.toUpperCase()} ${path}`;
const operationNamed = (one: DescribedOperation) => ({ subject: one.name, place: 'operation' });

/** Operations on one side only; where a whole path is gone or new, that is the one cause. */
function tellAlone(
  scope: ComparisonScope,
  group: Group,
  alone: readonly DescribedOperation[],
  others: ReadonlySet<string>,
  how: 'added' | 'removed',
): void {
  for (const one of alone) {
    const whole =
      group === 'operation' && !others.has(one.shape) && alone.filter(({ shape }) => shape === one.shape).length > 1;
    const kind = group === 'operation' ? (whole ? 'path' : 'operation') : group;
    const named = whole ? { subject: `path ${one.path}`, place: 'path' } : operationNamed(one);
    const ends = (pointer: string) =>
      how === 'added' ? ([undefined, pointer] as const) : ([pointer, undefined] as const);
    const text = how === 'added' ? 'There is a new {}.' : 'There is no {} any more.';
    const what = whole ? text : text.replace('{}', `${group} {} (${say(one)})`);
    const value = whole ? one.shape : `${one.method} ${one.shape}`;
    const values = how === 'added' ? ([undefined, value] as const) : ([value, undefined] as const);
    noteDifference(
      { ...scope, operation: one.name },
      `${kind}-${how}`,
      named,
      what,
      values,
      ends(whole ? one.item : one.pointer),
    );
  }
}

function compareOperation(scope: ComparisonScope, a: DescribedOperation, b: DescribedOperation): void {
  const at = [a.pointer, b.pointer] as const;
  const named = operationNamed(a);
  const [was, is] = [scope.old.find(a.pointer).fields, scope.new.find(b.pointer).fields];
  const ends = (key: string) => [`${at[0]}/${key}`, `${at[1]}/${key}`] as const;
  if (a.id !== b.id && a.id !== undefined && b.id !== undefined)
    noteDifference(
      scope,
      'operation-id-renamed',
      named,
      `The operation was called ${a.id} and is called ${b.id}.`,
      [a.id, b.id],
      ends('operationId'),
    );
  const write = (
    id: string,
    text: string,
    values: readonly [unknown, unknown],
    spots: readonly [string | undefined, string | undefined],
  ) => noteDifference(scope, id as Parameters<typeof noteDifference>[1], named, text, values, spots);
  noteDeprecated(write, [was.deprecated === true, is.deprecated === true], ends('deprecated'));
  for (const key of ['x-removed', 'x-sunset']) noteRemoval(write, [was[key], is[key]], ends(key));
  compareStability(write, [was['x-stability-level'], is['x-stability-level']], ends('x-stability-level'));
  compareWords(scope, at, named);
  compareParameters(scope, [
    { item: a.item, operation: a.pointer, path: a.path },
    { item: b.item, operation: b.pointer, path: b.path },
  ]);
  compareBody(scope, at);
  compareAnswers(scope, at);
  compareSecurity(scope, at);
  compareServers(scope, [a.item, b.item]);
  compareServers(scope, at);
  const key = at.join(' ');
  if (!scope.within.has(key)) compareCallbacks({ ...scope, within: new Set([...scope.within, key]) }, at);
}

const STABILITY = ['draft', 'alpha', 'beta', 'stable'];

/** How long an operation is promised to stay; without a level it is stable. */
function compareStability(
  write: Parameters<typeof noteDeprecated>[0],
  [was, is]: readonly [unknown, unknown],
  at: readonly [string, string],
): void {
  const [a, b] = [was ?? 'stable', is ?? 'stable'].map(String) as [string, string];
  const [from, to] = [STABILITY.indexOf(a), STABILITY.indexOf(b)];
  if (a !== b)
    write(
      to < from ? 'stability-lowered' : 'stability-raised',
      `The stability of {} was ${a} and is ${b}.`,
      [a, b],
      at,
    );
}

function compareCallbacks(scope: ComparisonScope, at: readonly [string, string]): void {
  const [a, b] = [
    new Map(entriesAt(scope.old, `${at[0]}/callbacks`)),
    new Map(entriesAt(scope.new, `${at[1]}/callbacks`)),
  ];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [one, other] = [a.get(name), b.get(name)];
    const named = { subject: `callback ${name}`, place: `callback ${name}` };
    const inside = { ...scope, operation: name };
    if (one && other)
      compareOperations(scope, 'callback', [scope.old.find(one).pointer, scope.new.find(other).pointer], name);
    else if (other)
      noteDifference(inside, 'callback-added', named, 'There is a new {}.', [undefined, name], [undefined, other]);
    else
      noteDifference(
        inside,
        'callback-removed',
        named,
        'There is no {} any more.',
        [name, undefined],
        [one, undefined],
      );
  }
}
