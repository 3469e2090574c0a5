import type { ErrorObject } from 'ajv/dist/2020.js';
import { valueAt } from '#json-pointer';
import type { Attribution } from './attribution.ts';
import type { LoadedContract } from './load-contract.ts';

import type { DocumentedAnswer, DocumentedEvent, DocumentedOperation, SpecSchema, Violation } from './types.ts';

/** A response as it came over the wire, headers in lower case. */
export interface WireMessage {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The body as text; empty when there was none. */
  readonly body: string;
}

/**
 * Holds one response against the documented answers of its operation: media type, headers and body schema of its status.
 * A status that is not documented is left to the check that expected another one: nothing is promised about its body.
 * @returns one violation per broken rule and place, each attributed to the rule nearest to the constraint
 */
export function judgeResponse(
  contract: LoadedContract,
  operation: DocumentedOperation,
  received: WireMessage,
): Violation[] {
  const answer = operation.answers.get(received.status);
  if (answer === undefined) return [];
  const { attribution } = contract.compiled[operation.api];
  const found = new ViolationList();
  const blame: Blame = (where, expected, actual, rule) => found.add(rule, where, expected, actual);

  for (const [name, { required, schema, at }] of answer.headers) {
    const value = received.headers.get(name);
    if (value === undefined) {
      if (required) blame(`header: ${name}`, `a header ${name}`, 'no such header', attribution.header(at));
    } else if (schema && !schema.accepts(scalar(value)) && !schema.accepts(value)) {
      const [error] = schema.errorsFor(scalar(value));
      blame(`header: ${name}`, phrase(error!), `${name}: ${value}`, attribution.header(at));
    }
  }
  if (operation.method !== 'HEAD') judgeBody(attribution, answer, received, blame);
  return found.listed;
}

/**
 * Holds the body of a message that the service sent against the documented event. Delivery headers are not documented; that a body
 * is JSON is judged only where a rule says what it is.
 * @param text the body as it came
 * @returns one violation per broken rule and place, attributed as those of a response are
 */
export function judgeEvent(contract: LoadedContract, event: DocumentedEvent, text: string): Violation[] {
  const { schema } = event;
  if (schema === undefined) return [];
  const content = `${event.at}/requestBody/content/application~1json`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const rule = valueAt(contract.document(event.api), `${content}/x-rules/0/id`) as string | undefined;
    const actual = text === '' ? 'an empty body' : 'a body that is not JSON';
    return rule === undefined ? [] : [{ rule, expected: 'a JSON body', actual, where: '' }];
  }
  if (schema.accepts(value)) return [];
  const { attribution } = contract.compiled[event.api];
  const answer: DocumentedAnswer = { status: 0, media: 'application/json', schema, at: content, headers: new Map() };
  const found = new ViolationList();
  for (const error of firstErrors(schema, value)) {
    const where = error.instancePath;
    found.add(attribution.constraint(answer, error), where, phrase(error), () => shape(value, where));
  }
  return found.listed;
}

/** Places at which one message is shown to break a rule; an answer may break it at a million. */
const MOST_PLACES = 20;
/** Errors of one message that are looked at. */
const MOST_ERRORS = 10_000;

/** One violation per broken rule and place, and of one rule no more than anybody reads. */
class ViolationList {
  readonly listed: Violation[] = [];
  readonly #places = new Map<string, Set<string>>();

  add(rule: string | undefined, where: string, expected: string, actual: string | (() => string)): void {
    if (rule === undefined) return;
    const places = this.#places.get(rule) ?? new Set();
    this.#places.set(rule, places);
    if (places.has(where) || places.size >= MOST_PLACES) return;
    places.add(where);
    this.listed.push({ rule, expected, actual: typeof actual === 'string' ? actual : actual(), where });
  }
}

/** What is wrong with a value, less what only says that an alternative or a condition is. */
function firstErrors(schema: SpecSchema, value: unknown): ErrorObject[] {
  return schema
    .errorsFor(value)
    .slice(0, MOST_ERRORS)
    .filter(({ keyword }) => !['if', 'allOf', 'anyOf', '$ref'].includes(keyword));
}

type Blame = (where: string, expected: string, actual: string | (() => string), rule: string | undefined) => void;

function judgeBody(attribution: Attribution, answer: DocumentedAnswer, received: WireMessage, blame: Blame): void {
  const { media, schema } = answer;
  if (media === undefined || schema === undefined) return;
  const came = received.headers.get('content-type');
  if (!isMedia(came, media))
    blame('header: content-type', `media type ${media}`, came ?? 'no content type', attribution.media(answer));
  if (received.body === '') {
    blame('', 'a JSON body', 'an empty body', attribution.absence(answer));
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(received.body);
  } catch {
    blame('', 'a JSON body', 'a body that is not JSON', attribution.json(answer));
    return;
  }
  if (schema.accepts(value)) return;
  for (const error of firstErrors(schema, value)) {
    const { instancePath } = error;
    blame(instancePath, phrase(error), () => shape(value, instancePath), attribution.constraint(answer, error));
  }
}

/** Media types by RFC 9110 section 8.3.1: case does not matter, and parameters that nothing documents are free. */
function isMedia(came: string | undefined, documented: string): boolean {
  const parts = (text: string) => text.split(';').map((part) => part.trim().toLowerCase().replaceAll('"', ''));
  const [type, ...parameters] = parts(documented);
  const [cameType, ...cameParameters] = parts(came ?? '');
  return cameType === type && parameters.every((one) => cameParameters.includes(one));
}

function phrase(error: ErrorObject): string {
  const allowed = (error.params as { allowedValues?: unknown[] }).allowedValues;
  const text = allowed ? `one of ${allowed.join(', ')}` : (error.message ?? error.keyword);
  return error.instancePath === '' ? text : `${error.instancePath} ${text}`;
}

function shape(root: unknown, pointer: string): string {
  const value = valueAt(root, pointer);
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object')
    return `an object with ${Object.keys(value).slice(0, 12).map(shortName).join(', ') || 'no members'}`;
  return `${typeof value} ${JSON.stringify(value)?.slice(0, 80)}`;
}

/** A member's name; one that nobody would give is described, since half of a name may be half of a secret. */
function shortName(name: string): string {
  return name.length > 100 ? `a name of ${name.length} characters` : name;
}

function scalar(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
