import type { ErrorObject } from 'ajv/dist/2020.js';
import { valueAt } from '#json-pointer';
import type { Attribution } from './attribution.ts';
import type { LoadedContract } from './load-contract.ts';

import type { DocumentedAnswer, DocumentedEvent, DocumentedOperation, Violation } from './types.ts';

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
  const found: Violation[] = [];
  const blame: Blame = (where, expected, actual, rule) => {
    if (rule === undefined) return;
    if (!found.some((one) => one.rule === rule && one.where === where)) found.push({ rule, expected, actual, where });
  };

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
  return found;
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
  const found: Violation[] = [];
  for (const error of schema.errorsFor(value)) {
    if (['if', 'allOf', 'anyOf', '$ref'].includes(error.keyword)) continue;
    const rule = attribution.constraint(answer, error);
    const where = error.instancePath;
    if (rule === undefined || found.some((one) => one.rule === rule && one.where === where)) continue;
    found.push({ rule, expected: phrase(error), actual: shape(value, where), where });
  }
  return found;
}

type Blame = (where: string, expected: string, actual: string, rule: string | undefined) => void;

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
  for (const error of schema.errorsFor(value)) {
    if (['if', 'allOf', 'anyOf', '$ref'].includes(error.keyword)) continue;
    blame(error.instancePath, phrase(error), shape(value, error.instancePath), attribution.constraint(answer, error));
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
  if (typeof value === 'object') return `an object with ${Object.keys(value).slice(0, 12).join(', ') || 'no members'}`;
  return `${typeof value} ${JSON.stringify(value)?.slice(0, 80)}`;
}

function scalar(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
