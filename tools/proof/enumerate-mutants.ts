import type { Contract, DocumentedOperation } from '#contract';
import { appendPointer, valueAt } from '#json-pointer';
import type { WireMutation, WireOperator } from '#sandbox';

/** One way in which a service could break what the contract describes at one place. */
export interface ContractMutant {
  /** `<operation> <status> <place> <operator>`, e.g. `status 200 /orderState drop`. */
  readonly id: string;
  /** Operation id, or name of an event. */
  readonly operation: string;
  /** Absent for an event. */
  readonly status?: number;
  /** Place in the spec that an exchange has to meet for the mutant to show. */
  readonly at: string;
  /** Where in the answer: `/orderState`, `/transactions/*`, `header x-ratelimit-limit`, or `answer` for the whole. */
  readonly place: string;
  /** What is done there, in words. */
  readonly operator: string;
  readonly wire: WireMutation;
}

type Fields = Readonly<Record<string, unknown>>;

/** A member of a body: where it is, where the spec speaks of it, and what is known of its form. */
interface Member {
  readonly path: readonly string[];
  readonly at: string;
  readonly schemas: readonly Fields[];
}

interface Alteration {
  readonly operator: WireOperator;
  readonly name: string;
  readonly value?: unknown;
}

const UNKNOWN_VALUE = 'NO_SUCH_VALUE';

/** Errors have the same few members in every operation: the operators that tell most. */
const OF_ERRORS: readonly string[] = ['drop', 'null', 'another type', 'another value', 'constant', 'another figure'];

/**
 * Every mutant of a contract: for each documented answer its status, headers, body and members, for each event its sending and
 * members; each with every operator that fits what the schema says of it. In the order of the contract, the same each time.
 */
export function enumerateMutants(contract: Contract): ContractMutant[] {
  const answers = [...contract.operations.values()].flatMap((operation) =>
    [...operation.answers.values()].flatMap((answer) => ofAnswer(contract, operation, answer.status)),
  );
  const events = [...contract.events.values()].flatMap(({ name, api, schema }) => {
    if (schema === undefined) return [];
    const base = { operation: name, at: schema.at };
    const root = contract.document(api);
    const whole = (['suppress', 'send-twice', 'stale'] as const).map((operator) => ({
      ...base,
      id: `${name} message ${operator}`,
      place: 'message',
      operator,
      wire: { message: name, operator },
    }));
    const members = membersOf(root, schema.at).flatMap((member) =>
      alterations(member).map(({ operator, name: called, value }) => ({
        ...base,
        id: `${name} ${placeOf(member)} ${called}`,
        at: member.at,
        place: placeOf(member),
        operator: called,
        wire: { message: name, operator, member: member.path, ...(value === undefined ? {} : { value }) },
      })),
    );
    return [...whole, ...members];
  });
  return [...answers, ...events];
}

function ofAnswer(contract: Contract, operation: DocumentedOperation, status: number): ContractMutant[] {
  const documented = operation.answers.get(status)!;
  const root = contract.document(operation.api);
  const answer = { method: operation.method.toUpperCase(), path: pathPattern(contract, operation), status };
  const make = (place: string, at: string, name: string, wire: Omit<WireMutation, 'answer'>): ContractMutant => ({
    id: `${operation.id} ${status} ${place} ${name}`,
    operation: operation.id,
    status,
    at,
    place,
    operator: name,
    wire: { answer, ...wire },
  });
  const { schema, headers, at } = documented;
  const other = otherStatus(operation, status);
  return [
    make('answer', at, `status ${other}`, { operator: 'status', value: other }),
    ...[...headers].flatMap(([name, header]) => [
      make(`header ${name}`, header.at, 'drop', { operator: 'drop', header: name }),
      make(`header ${name}`, header.at, 'another type', { operator: 'value', header: name, value: 'none' }),
    ]),
    ...(schema === undefined || operation.method.toUpperCase() === 'HEAD'
      ? []
      : [
          make('answer', at, 'empty', { operator: 'empty' }),
          make('answer', at, 'not JSON', { operator: 'not-json' }),
          make('answer', at, 'media type', { operator: 'media-type' }),
          make('answer', at, 'stale', { operator: 'stale' }),
          ...membersOf(root, schema.at).flatMap((member) =>
            alterations(member)
              .filter(({ name }) => status < 400 || OF_ERRORS.includes(name))
              .map(({ operator, name, value }) =>
                make(placeOf(member), member.at, name, {
                  operator,
                  member: member.path,
                  ...(value === undefined ? {} : { value }),
                }),
              ),
          ),
        ]),
  ];
}

/** The status that a careless server would take instead. */
function otherStatus({ answers }: DocumentedOperation, status: number): number {
  if (status < 300) return status === 200 ? 201 : 200;
  return [400, 401, 404].find((one) => one !== status && answers.has(one)) ?? 418;
}

/** The request paths of an operation and of no other, whatever stands before them in the address. */
function pathPattern(contract: Contract, operation: DocumentedOperation): string {
  const fixed = [...contract.operations.values()]
    .filter((one) => one !== operation && one.api === operation.api && one.method === operation.method)
    .filter((one) => new RegExp(`${templatePattern(operation.path)}$`).test(one.path))
    .map(({ path }) => `(?!.*${templatePattern(path)}$)`);
  return `^${fixed.join('')}.*${templatePattern(operation.path)}$`;
}

function templatePattern(path: string): string {
  return path
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
}

/** The members that a schema names, through references, alternatives and lists; a schema inside itself is not entered again. */
function membersOf(root: unknown, schemaAt: string): Member[] {
  const found = new Map<string, Member>();
  const visit = (at: string, path: readonly string[], above: readonly string[]): void => {
    const schema = valueAt(root, at);
    if (typeof schema !== 'object' || schema === null || above.includes(at)) return;
    const way = [...above, at];
    const fields = schema as Fields;
    if (path.length > 0) {
      const key = path.join('\n');
      const known = found.get(key);
      found.set(key, { path, at: known?.at ?? at, schemas: [...(known?.schemas ?? []), fields] });
    }
    if (typeof fields.$ref === 'string') visit(fields.$ref.slice(1), path, way);
    for (const key of ['allOf', 'anyOf', 'oneOf'])
      for (const i of ((fields[key] as unknown[] | undefined) ?? []).keys()) visit(`${at}/${key}/${i}`, path, way);
    for (const key of ['then', 'else']) if (fields[key] !== undefined) visit(`${at}/${key}`, path, way);
    for (const name of Object.keys((fields.properties as Fields | undefined) ?? {}))
      visit(appendPointer(`${at}/properties`, name), [...path, name], way);
    if (fields.items !== undefined) visit(`${at}/items`, [...path, '*'], way);
  };
  visit(schemaAt, [], []);
  return [...found.values()];
}

function placeOf({ path }: Member): string {
  return appendPointer('', ...path);
}

/** What can be done to a member, by what its schemas say of it. */
function alterations({ path, schemas }: Member): Alteration[] {
  const types = new Set(schemas.flatMap(({ type }) => (type === undefined ? [] : [type].flat()) as string[]));
  const has = (key: string) => schemas.some((schema) => schema[key] !== undefined);
  const isText = types.has('string') || (types.size === 0 && (has('format') || has('pattern') || has('enum')));
  const isNumber = types.has('number') || types.has('integer');
  const entry = path.at(-1) === '*';
  const all: readonly Alteration[] = [
    ...(entry ? [] : [{ operator: 'drop', name: 'drop' } as const, { operator: 'rename', name: 'rename' } as const]),
    { operator: 'value', name: 'null', value: null },
    { operator: 'value', name: 'another type', value: types.has('object') || types.has('array') ? 'text' : { a: 1 } },
    ...(has('enum') || has('const')
      ? [{ operator: 'value', name: 'another value', value: UNKNOWN_VALUE } as const]
      : []),
    ...(has('format') || has('pattern') ? [{ operator: 'value', name: 'another format', value: '~' } as const] : []),
    ...(isText
      ? ([
          { operator: 'change-case', name: 'another case' },
          { operator: 'truncate', name: 'truncate' },
          { operator: 'constant', name: 'constant' },
          { operator: 'empty', name: 'empty' },
        ] as const)
      : []),
    ...(isText || isNumber ? [{ operator: 'shift', name: 'another figure' } as const] : []),
    ...(isNumber && !isText ? [{ operator: 'constant', name: 'constant' } as const] : []),
    ...(types.has('boolean') ? [{ operator: 'flip', name: 'flip' } as const] : []),
    ...(types.has('array')
      ? ([
          { operator: 'empty', name: 'empty' },
          { operator: 'first-only', name: 'first only' },
          { operator: 'reverse', name: 'reverse' },
          { operator: 'repeat-last', name: 'repeat last' },
        ] as const)
      : []),
  ];
  return all.filter(({ name }, i) => all.findIndex((one) => one.name === name) === i);
}
