import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Loaded } from './load.ts';
import { point } from './spec-file.ts';
import type { Answer, Operation, Violation } from './types.ts';

/** A response as it came over the wire, headers in lower case. */
export interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The body as text; empty when there was none. */
  readonly body: string;
}

/**
 * Holds one response against the documented answers of its operation: media type, headers and body schema of its status.
 * A status that is not documented is left to the check that expected another one: nothing is promised about its body.
 * @returns one violation per broken rule and place, each charged to the rule nearest to the constraint
 */
export function judge(contract: Loaded, operation: Operation, received: Received): Violation[] {
  const answer = operation.answers.get(received.status);
  if (answer === undefined) return [];
  const { charge } = contract.compiled[operation.api];
  const found: Violation[] = [];
  const blame = (where: string, expected: string, actual: string, rule: string | undefined) => {
    if (rule === undefined) return;
    if (!found.some((one) => one.rule === rule && one.where === where)) found.push({ rule, expected, actual, where });
  };

  for (const [name, header] of answer.headers) {
    const value = received.headers.get(name);
    if (value === undefined) {
      if (header.required) blame(`header: ${name}`, `a header ${name}`, 'no such header', charge(header.at, undefined));
    } else if (header.validate && !header.validate(scalar(value)) && !header.validate(value)) {
      const [error] = header.validate.errors as ErrorObject[];
      blame(`header: ${name}`, phrase(error!), `${name}: ${value}`, charge(header.at, undefined));
    }
  }
  if (operation.method !== 'HEAD') body(contract, operation, answer, received, blame);
  return found;
}

function body(
  contract: Loaded,
  operation: Operation,
  answer: Answer,
  received: Received,
  blame: (where: string, expected: string, actual: string, rule: string | undefined) => void,
): void {
  const { charge } = contract.compiled[operation.api];
  const owner = charge(answer.at, undefined);
  if (answer.media === undefined || answer.validate === undefined) return;
  const media = received.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (media !== answer.media.split(';')[0]!.trim().toLowerCase()) {
    const rule = charge(point(point(answer.at, 'content'), answer.media), undefined) ?? owner;
    blame('header: content-type', `media type ${answer.media}`, media ?? 'no content type', rule);
  }
  let value: unknown;
  try {
    value = JSON.parse(received.body);
  } catch {
    blame('', 'a JSON body', received.body === '' ? 'an empty body' : 'a body that is not JSON', owner);
    return;
  }
  if (answer.validate(value)) return;
  const schemaAt = point(point(point(answer.at, 'content'), answer.media), 'schema');
  for (const error of answer.validate.errors as ErrorObject[]) {
    if (['if', 'allOf', 'anyOf', '$ref'].includes(error.keyword)) continue;
    blame(error.instancePath, phrase(error), shape(value, error.instancePath), charge(answer.at, schemaAt, error));
  }
}

function phrase(error: ErrorObject): string {
  const allowed = (error.params as { allowedValues?: unknown[] }).allowedValues;
  const text = allowed ? `one of ${allowed.join(', ')}` : (error.message ?? error.keyword);
  return error.instancePath === '' ? text : `${error.instancePath} ${text}`;
}

function shape(root: unknown, pointer: string): string {
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)?.[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return `an object with ${Object.keys(value).slice(0, 12).join(', ') || 'no members'}`;
  return `${typeof value} ${JSON.stringify(value)?.slice(0, 80)}`;
}

function scalar(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
