import { appendPointer, referencePointer, valueAt } from '#json-pointer';
import type { WireMessage } from './judge.ts';

import type { Api, Contract, DocumentedEvent, DocumentedOperation } from './types.ts';

/** What of a spec one message was held against. */
export interface TracedMessage {
  readonly api: Api;
  /** Operation id, or event name. */
  readonly operation: string;
  readonly side: 'request' | 'response' | 'event';
  readonly status?: number;
  /** Documented media type. */
  readonly media?: string;
  /** Pointers into the spec: the answer, its headers that came, and each place of the schema that met a part of the body. */
  readonly at: readonly string[];
}

type Fields = Record<string, unknown>;

/** Where references lead, by the description they stand in: every exchange follows the same few. */
const known = new WeakMap<object, Map<string, unknown>>();

/** Of a list, and of members that are not listed, no more are looked at: the next ones meet the same places. */
const FEW = 100;
const ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'] as const;
const CONDITIONS = ['not', 'if', 'then', 'else'] as const;

/**
 * The places of an operation's description that a request and its answer meet.
 * @param sent text of the request's body; undefined when there was none
 */
export function traceExchange(
  contract: Contract,
  operation: DocumentedOperation,
  sent: string | undefined,
  received: WireMessage,
): TracedMessage[] {
  const root = contract.document(operation.api);
  const found: TracedMessage[] = [];
  const { request } = operation;
  if (request !== undefined && sent)
    found.push({
      api: operation.api,
      operation: operation.id,
      side: 'request',
      media: request.media,
      at: bodyPlaces(root, request.schema.at, sent),
    });
  const answer = operation.answers.get(received.status);
  if (answer !== undefined) {
    const headers = [...answer.headers].filter(([name]) => received.headers.has(name)).map(([, header]) => header.at);
    const body = answer.schema && received.body ? bodyPlaces(root, answer.schema.at, received.body) : [];
    found.push({
      api: operation.api,
      operation: operation.id,
      side: 'response',
      status: received.status,
      ...(answer.media === undefined ? {} : { media: answer.media }),
      at: [answer.at, ...headers, ...body],
    });
  }
  return found;
}

/** As {@link traceExchange}, for a message that the service sent. */
export function traceEvent(contract: Contract, event: DocumentedEvent, text: string): TracedMessage[] {
  if (event.schema === undefined) return [];
  return [
    {
      api: event.api,
      operation: event.name,
      side: 'event',
      at: bodyPlaces(contract.document(event.api), event.schema.at, text),
    },
  ];
}

function bodyPlaces(root: unknown, schemaAt: string, text: string): string[] {
  try {
    return touchedSchemas(root, schemaAt, JSON.parse(text));
  } catch {
    return [schemaAt];
  }
}

/**
 * The places of a schema that a value meets, through every reference: of each alternative and condition all that could speak of it.
 * @returns pointers of (sub)schemas, sorted
 */
export function touchedSchemas(root: unknown, schemaAt: string, value: unknown): string[] {
  const found = new Set<string>();
  const visit = (schema: unknown, pointer: string, value: unknown, above: readonly string[]): void => {
    if (typeof schema !== 'object' || schema === null || above.includes(pointer)) return;
    found.add(pointer);
    const way = [...above, pointer];
    const fields = schema as Fields;
    const referred = typeof fields.$ref === 'string' ? referencePointer(fields.$ref) : undefined;
    if (referred !== undefined) visit(led(root, referred), referred, value, way);
    for (const key of ALTERNATIVES) {
      const members = fields[key];
      if (Array.isArray(members))
        for (const [i, one] of members.entries()) visit(one, `${pointer}/${key}/${i}`, value, way);
    }
    for (const key of CONDITIONS) visit(fields[key], `${pointer}/${key}`, value, way);
    if (Array.isArray(value)) {
      const first = Array.isArray(fields.prefixItems) ? fields.prefixItems : [];
      for (const [i, one] of value.slice(0, FEW).entries())
        if (i < first.length) visit(first[i], `${pointer}/prefixItems/${i}`, one, []);
        else visit(fields.items, `${pointer}/items`, one, []);
    } else if (typeof value === 'object' && value !== null) {
      const listed = (fields.properties ?? {}) as Fields;
      const members = value as Fields;
      for (const [name, one] of Object.entries(listed))
        if (Object.hasOwn(members, name)) visit(one, appendPointer(`${pointer}/properties`, name), members[name], []);
      if (typeof fields.additionalProperties !== 'object') return;
      const others = Object.keys(members).filter((name) => !Object.hasOwn(listed, name));
      for (const name of others.slice(0, FEW))
        visit(fields.additionalProperties, `${pointer}/additionalProperties`, members[name], []);
    }
  };
  visit(valueAt(root, schemaAt), schemaAt, value, []);
  return [...found].sort();
}

function led(root: unknown, pointer: string): unknown {
  const references = known.get(root as object) ?? new Map<string, unknown>();
  known.set(root as object, references);
  if (!references.has(pointer)) references.set(pointer, valueAt(root, pointer));
  return references.get(pointer);
}
