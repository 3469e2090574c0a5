import type { ErrorObject } from 'ajv/dist/2020.js';
import { appendPointer, pointerTokens, referencePointer, valueAt } from '#json-pointer';

import type { SpecSchemas } from './spec-schemas.ts';
import type { DocumentedAnswer } from './types.ts';

type Fields = Record<string, unknown>;

/** Which rule answers for something that an answer did not keep; undefined where nothing is promised. */
export interface Attribution {
  /** A constraint of the body: the rule nearest above the keyword, else along the way to the value, else the answer's. */
  constraint(answer: DocumentedAnswer, error: Pick<ErrorObject, 'parentSchema' | 'instancePath'>): string | undefined;
  /** A header that is absent or malformed. */
  header(headerAt: string): string | undefined;
  /** Another media type than the documented one: only where a rule speaks of it. */
  media(answer: DocumentedAnswer): string | undefined;
  /** A body that is not JSON. */
  json(answer: DocumentedAnswer): string | undefined;
  /** No body at all where one is documented. */
  absence(answer: DocumentedAnswer): string | undefined;
}

/** Attributes by the places at which a spec keeps its rules (`x-rules`) and by its `x-attributions`. */
export function attributionFor(root: Fields, schemas: SpecSchemas): Attribution {
  const owner = (answer: DocumentedAnswer) => nearest(root, answer.at);
  const named = (answer: DocumentedAnswer, what: 'media' | 'json') =>
    (valueAt(root, `${answer.at}/x-attributions/${what}`) ?? valueAt(root, `/x-attributions/${what}`)) as
      | string
      | undefined;
  const way = (answer: DocumentedAnswer, path: string, members: boolean) =>
    answer.schema && along(root, answer.schema.at, path, members);
  const absence = (answer: DocumentedAnswer) => owner(answer) ?? way(answer, '', false) ?? way(answer, '', true);
  return {
    constraint: (answer, error) =>
      nearest(root, schemas.places.get(error.parentSchema) ?? '') ??
      way(answer, error.instancePath, false) ??
      owner(answer) ??
      way(answer, error.instancePath, true),
    header: (headerAt) => nearest(root, headerAt),
    media: (answer) =>
      first(valueAt(root, appendPointer(appendPointer(answer.at, 'content'), answer.media!))) ?? named(answer, 'media'),
    json: (answer) => named(answer, 'json') ?? absence(answer),
    absence: (answer) => absence(answer) ?? named(answer, 'json'),
  };
}

/** The first rule at the pointer or at its nearest ancestor, not above the response, schema or header it belongs to. */
function nearest(root: unknown, pointer: string): string | undefined {
  const tokens = pointerTokens(pointer);
  for (let length = tokens.length; length > 1; length -= 1) {
    const rule = first(valueAt(root, appendPointer('', ...tokens.slice(0, length))));
    if (rule !== undefined) return rule;
    const [grand, parent] = tokens.slice(Math.max(0, length - 3), length - 1);
    if (parent === 'responses' || grand === 'responses' || (grand === 'components' && parent !== undefined))
      return undefined;
  }
  return undefined;
}

/**
 * The last rule met on the way from a schema down an instance path. The members of an allOf show the way; their rules are their own,
 * unless `members` lets them answer for their neighbours too.
 */
function along(root: unknown, schemaAt: string, instancePath: string, members = false): string | undefined {
  let found: string | undefined;
  let nodes = [valueAt(root, schemaAt)];
  const open = (node: unknown, member = false): unknown[] => {
    if (typeof node !== 'object' || node === null) return [];
    const { $ref, allOf } = node as { $ref?: string; allOf?: unknown[] };
    if (members || !member) found = first(node) ?? found;
    return [
      node,
      ...($ref ? open(valueAt(root, referencePointer($ref) ?? ''), member) : []),
      ...(allOf ?? []).flatMap((one) => open(one, true)),
    ];
  };
  for (const token of [...pointerTokens(instancePath), undefined]) {
    const opened = nodes.flatMap((node) => open(node)) as {
      properties?: Fields;
      items?: unknown;
      additionalProperties?: unknown;
    }[];
    if (token === undefined) break;
    nodes = opened.flatMap(({ properties, items, additionalProperties }) => [
      properties?.[token] ?? additionalProperties,
      ...(/^\d+$/.test(token) ? [items] : []),
    ]);
  }
  return found;
}

function first(node: unknown): string | undefined {
  const rules = typeof node === 'object' && node !== null ? (node as Fields)['x-rules'] : undefined;
  return Array.isArray(rules) ? (rules[0] as { id?: string } | undefined)?.id : undefined;
}
