import { expect, test } from '@playwright/test';
import { loadContract } from '#contract';
import { appendPointer, valueAt } from '#json-pointer';
import type { DocumentedAnswer } from './types.ts';

const contract = loadContract();
type Fields = Record<string, unknown>;

/** Places of a value below which the schema says the same again are not walked a second time. */
const DEEP = 8;

/** Every keyword that constrains a body, as the error that ajv would report for it. */
function* constraints(
  schema: unknown,
  places: ReadonlyMap<string, unknown>,
  pointer: string,
  instancePath = '',
): Generator<{ parentSchema: object; instancePath: string; keyword: string; pointer: string }> {
  if (typeof schema !== 'object' || schema === null || instancePath.split('/').length > DEEP) return;
  const { $ref, properties, items, additionalProperties, ...rest } = schema as Fields;
  const parentSchema = places.get(pointer) as object;
  for (const keyword of Object.keys(rest)) {
    if (['allOf', 'anyOf', 'if', 'then', 'else'].includes(keyword)) continue;
    yield { parentSchema, instancePath, keyword, pointer };
  }
  const below = (one: unknown, at: string, path = instancePath) => constraints(one, places, at, path);
  if (typeof $ref === 'string') yield* below(places.get($ref.slice(1)), $ref.slice(1));
  for (const key of ['allOf', 'anyOf']) {
    for (const [i, one] of ((rest[key] ?? []) as unknown[]).entries()) yield* below(one, `${pointer}/${key}/${i}`);
  }
  for (const key of ['then', 'else']) yield* below(rest[key], `${pointer}/${key}`);
  for (const [name, one] of Object.entries((properties ?? {}) as Fields))
    yield* below(one, appendPointer(`${pointer}/properties`, name), appendPointer(instancePath, name));
  yield* below(items, `${pointer}/items`, `${instancePath}/0`);
  yield* below(additionalProperties, `${pointer}/additionalProperties`, `${instancePath}/anything`);
}

for (const api of ['gateway', 'v1'] as const) {
  const { attribution, specSchemas: read } = contract.compiled[api];
  const places = new Map([...read.places].map(([copy, pointer]) => [pointer, copy]));
  const answers = [...contract.operations.values()]
    .filter((operation) => operation.api === api)
    .flatMap(({ id, answers }) => [...answers.values()].map((answer) => ({ id, answer })));
  const uncharged = (rule: string | undefined) => rule === undefined || !contract.rules.has(rule);

  test(`${api}: every constraint of an answer's body is attributed to a rule`, () => {
    const seen = new Set<string>();
    const loose: string[] = [];
    for (const { id, answer } of answers) {
      if (answer.schema === undefined) continue;
      for (const error of constraints(places.get(answer.schema.at), places, answer.schema.at)) {
        seen.add(`${error.pointer}/${error.keyword}`);
        if (uncharged(attribution.constraint(answer, error)))
          loose.push(`${id} ${answer.status} ${error.instancePath || '/'}: ${error.keyword} at ${error.pointer}`);
      }
    }
    expect(seen.size).toBeGreaterThan(30);
    expect(loose).toEqual([]);
  });

  test(`${api}: every header of an answer is attributed to a rule`, () => {
    const headers = answers.flatMap(({ answer }) => [...answer.headers.values()]);
    expect(headers.filter((header) => uncharged(attribution.header(header.at)))).toEqual([]);
  });

  test(`${api}: a body that is absent or not JSON is attributed to a rule`, () => {
    const withBody = answers.filter(({ answer }) => answer.schema !== undefined);
    const loose = (how: (answer: DocumentedAnswer) => string | undefined) =>
      withBody.filter(({ answer }) => uncharged(how(answer))).map(({ id, answer }) => `${id} ${answer.status}`);
    expect(loose(attribution.json)).toEqual([]);
    expect(loose(attribution.absence)).toEqual([]);
  });
}

test('another media type of an error is attributed to the rule that speaks of it', () => {
  const attributed = (api: 'gateway' | 'v1') =>
    [...contract.operations.values()]
      .filter((operation) => operation.api === api)
      .flatMap(({ answers }) => [...answers.values()])
      .filter(({ status, media }) => status >= 400 && media !== undefined)
      .map((answer) => contract.compiled[api].attribution.media(answer));
  expect(new Set(attributed('gateway'))).toEqual(new Set(['GW-ERR-12']));
  expect(new Set(attributed('v1'))).toEqual(new Set(['V1-GEN-03']));
  expect(valueAt(contract.document('v1'), '/x-attributions')).toEqual({ media: 'V1-GEN-03', json: 'V1-GEN-02' });
});
