import {
  type Contract,
  type DocumentedOperation,
  requestPathPattern,
  type SchemaMember,
  type SpecSchema,
  schemaMembers,
} from '#contract';
import { appendPointer, valueAt } from '#json-pointer';
import type { WireMutation } from '#sandbox';
import { listAlterations } from './member-operators.ts';

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
  /** Places in the spec on the way to it, the nearest last. */
  readonly way: readonly string[];
  /** Where in the answer: `/orderState`, `/transactions/*`, `header x-ratelimit-limit`, or `answer` for the whole. */
  readonly place: string;
  /** What is done there, in words. */
  readonly operator: string;
  readonly wire: WireMutation;
}

/** Errors have the same few members in every operation: the operators that tell most. Null is another type there. */
const OF_ERRORS: readonly string[] = ['drop', 'another type', 'another value', 'another figure'];

/** What can be done to the sending of a message; how late one may come, and that an answer takes long, no document limits. */
const SENDINGS = [
  ['suppress', 'suppress'],
  ['suppress-some', 'every other one'],
  ['suppress-first', 'all but the first'],
  ['suppress-later', 'only the first'],
  ['send-twice', 'send twice'],
  ['send-late', 'after the next one'],
  ['send-before-again', 'the one before again'],
  ['stale', 'stale'],
] as const;

/** What can be done to the headers that a message has of its own; which ones these are, no document shows. */
const MESSAGE_HEADERS = [
  ['drop', 'drop'],
  ['shift', 'another figure'],
  ['change-case', 'another case'],
  ['first', 'constant'],
] as const;

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
    const make = (place: string, called: string, wire: Omit<WireMutation, 'message'>): ContractMutant => ({
      id: `${name} ${place} ${called}`,
      operation: name,
      at: schema.at,
      way: [schema.at],
      place,
      operator: called,
      wire: { message: name, ...wire },
    });
    const whole = [
      ...SENDINGS.map(([operator, called]) => make('message', called, { operator })),
      ...MESSAGE_HEADERS.map(([operator, called]) => make('headers', called, { operator, header: '*' })),
    ];
    const root = contract.document(api);
    const members = schemaMembers(root, schema.at).flatMap((member) =>
      listAlterations(root, member).map(
        ({ name: called, ...alteration }): ContractMutant => ({
          id: `${name} ${placeOf(member)} ${called}`,
          operation: name,
          at: member.at[0]!,
          way: member.way,
          place: placeOf(member),
          operator: called,
          wire: { message: name, member: member.path, ...alteration },
        }),
      ),
    );
    return [...whole, ...members];
  });
  return [...answers, ...events];
}

function ofAnswer(contract: Contract, operation: DocumentedOperation, status: number): ContractMutant[] {
  const documented = operation.answers.get(status)!;
  const root = contract.document(operation.api);
  const answer = {
    method: operation.method.toUpperCase(),
    path: requestPathPattern(contract.operations.values(), operation),
    status,
  };
  const make = (
    place: string,
    way: readonly string[],
    name: string,
    wire: Omit<WireMutation, 'answer'>,
    at = way.at(-1)!,
  ): ContractMutant => ({
    id: `${operation.id} ${status} ${place} ${name}`,
    operation: operation.id,
    status,
    at,
    way,
    place,
    operator: name,
    wire: { answer, ...wire },
  });
  const { schema, headers, at } = documented;
  const other = otherStatus(operation, status);
  const whole = [at];
  return [
    make('answer', whole, `status ${other}`, { operator: 'status', value: other }),
    ...[...headers].flatMap(([name, header]) => [
      make(`header ${name}`, [at, header.at], 'drop', { operator: 'drop', header: name }),
      make(`header ${name}`, [at, header.at], 'another type', { operator: 'value', header: name, value: 'none' }),
      make(`header ${name}`, [at, header.at], 'another figure', { operator: 'shift', header: name }),
      // What is the same in every answer cannot stand still.
      ...(isConstant(root, header.schema)
        ? []
        : [make(`header ${name}`, [at, header.at], 'constant', { operator: 'first', header: name })]),
    ]),
    ...(schema === undefined || operation.method.toUpperCase() === 'HEAD'
      ? []
      : [
          make('answer', whole, 'not JSON', { operator: 'not-json' }),
          make('answer', whole, 'media type', { operator: 'media-type' }),
          // An error tells of nothing that could be older or newer, and one that is empty is read no better than one that is no JSON.
          ...(status < 400
            ? [
                make('answer', whole, 'empty', { operator: 'empty' }),
                make('answer', whole, 'stale', { operator: 'stale' }),
              ]
            : []),
          ...schemaMembers(root, schema.at).flatMap((member) =>
            listAlterations(root, member)
              .filter(({ name }) => status < 400 || OF_ERRORS.includes(name))
              .map(({ name, ...alteration }) =>
                make(placeOf(member), [at, ...member.way], name, { member: member.path, ...alteration }, member.at[0]),
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

/** Whether a schema allows one value alone. */
function isConstant(root: unknown, schema: SpecSchema | undefined): boolean {
  if (schema === undefined) return false;
  const { const: only, allOf = [] } = valueAt(root, schema.at) as { const?: unknown; allOf?: readonly object[] };
  return only !== undefined || allOf.some((one) => 'const' in one);
}

function placeOf({ path }: SchemaMember): string {
  return appendPointer('', ...path);
}
