import { valueAt } from '#json-pointer';
import type { WireMessage } from './judge.ts';
import { schemaSteps } from './schema-steps.ts';
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

type Fields = Record<string | number, unknown>;

/** Of a list, and of members that are not listed, no more are looked at: the next ones meet the same places. */
const FEW = 100;

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
  const visit = (pointer: string, value: unknown, above: readonly string[]): void => {
    if (above.includes(pointer)) return;
    found.add(pointer);
    const way = [...above, pointer];
    const steps = schemaSteps(root, pointer);
    const listed = new Set<string | number | undefined>();
    for (const { kind, at, name } of steps) {
      if (kind === 'same' || kind === 'condition') visit(at, value, way);
      else if (kind === 'entry' || kind === 'member') {
        listed.add(name);
        if (isHeld(value, kind, name!)) visit(at, (value as Fields)[name!], []);
      }
    }
    for (const { kind, at } of steps) {
      if (kind === 'entries' && Array.isArray(value))
        for (const [i, one] of value.slice(0, FEW).entries()) if (!listed.has(i)) visit(at, one, []);
      if (kind === 'others' && isFields(value))
        for (const [name, one] of Object.entries(value)) if (!listed.has(name)) visit(at, one, []);
    }
  };
  if (valueAt(root, schemaAt) !== undefined) visit(schemaAt, value, []);
  return [...found].sort();
}

function isHeld(value: unknown, kind: 'entry' | 'member', name: string | number): boolean {
  return kind === 'entry'
    ? Array.isArray(value) && Number(name) < value.length
    : isFields(value) && Object.hasOwn(value, name);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
