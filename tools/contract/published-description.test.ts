import { expect, test } from '@playwright/test';
import { byApi } from '#apis';
import { type LoadedContract, loadContract, publishDescription } from '#contract';
import { exampleBodies, mutateBody, type SampleBody } from './sample-bodies.test-support.ts';
import { failForSpec, type SpecFile } from './spec-file.ts';
import { readSchemas } from './spec-schemas.ts';
import { createValidators } from './validators.ts';

type Fields = Record<string, unknown>;

const contract = loadContract();
const published = byApi(({ name }) => publishDescription(contract.document(name) as object));

/** Bodies, made of all examples by one change each, on which a description and the contract part. */
function partings(descriptions: Readonly<Record<string, Fields>>, among: LoadedContract = contract) {
  const validators = byApi(({ name }) => {
    const spec: SpecFile = { api: name, file: name, text: '', sha256: '', root: descriptions[name]! };
    const fail = failForSpec(spec);
    return createValidators(readSchemas(spec, fail), fail);
  });
  const count = { accepted: 0, refused: 0 };
  const parted: SampleBody[] = [];
  for (const body of exampleBodies(among).flatMap(mutateBody)) {
    const accepted = body.schema.accepts(body.value);
    count[accepted ? 'accepted' : 'refused'] += 1;
    if (validators[body.api].get(body.schema.at)?.accepts(body.value) !== accepted) parted.push(body);
  }
  return { count, parted };
}

/** Every schema and other mapping of a description, with the key it stands under. */
function* mappings(node: unknown, key = ''): Generator<[string, Fields]> {
  if (Array.isArray(node)) for (const one of node) yield* mappings(one);
  else if (typeof node === 'object' && node !== null) {
    yield [key, node as Fields];
    for (const [name, one] of Object.entries(node))
      if (name !== 'value' && !name.startsWith('example')) yield* mappings(one, name);
  }
}

test('accepts and refuses the bodies that the contract does', () => {
  const { count, parted } = partings(published);
  expect(parted.map(({ name }) => name)).toEqual([]);
  expect(count.accepted).toBeGreaterThan(3000);
  expect(count.refused).toBeGreaterThan(6000);
});

test('a description that lost a condition, a demand or a bound is told apart by these bodies', () => {
  const losing = (change: (schema: Fields) => void) => {
    const poorer = structuredClone(published);
    for (const [, mapping] of [...mappings(poorer.gateway), ...mappings(poorer.v1)]) change(mapping);
    return partings(poorer).parted.length;
  };
  expect(losing((one) => ['if', 'then', 'else'].forEach((key) => void delete one[key]))).toBeGreaterThan(20);
  expect(losing((one) => Array.isArray(one.required) && delete one.required)).toBeGreaterThan(20);
  expect(losing((one) => Array.isArray(one.enum) && delete one.enum)).toBeGreaterThan(20);
  expect(losing((one) => delete one.const)).toBeGreaterThan(20);
  expect(losing((one) => typeof one.pattern === 'string' && delete one.pattern)).toBeGreaterThan(20);
});

test('says it in one object a schema, without the register', () => {
  for (const description of Object.values(published)) {
    const all = [...mappings(description)];
    expect(all.flatMap(([, one]) => Object.keys(one)).filter((key) => key.startsWith('x-'))).toEqual([]);
    expect(all.filter(([, one]) => Array.isArray(one.allOf))).toEqual([]);
    expect(all.filter(([, one]) => [one.type].flat().includes('array') && one.items === undefined)).toEqual([]);
    const unions = all.filter(
      ([, one]) => Array.isArray(one.anyOf) && JSON.stringify(one.anyOf).includes('"required"'),
    );
    expect(unions).toEqual([]);
  }
});

test('keeps every enumeration, operation, event, parameter and example', () => {
  for (const api of ['gateway', 'v1'] as const) {
    const [before, after] = [contract.document(api), published[api]].map((one) => [...mappings(one)]);
    const enumerations = (all: [string, Fields][]) =>
      new Set(
        all.flatMap(([, one]) => (Array.isArray(one.enum) ? [one.enum.filter((value) => value !== null).join()] : [])),
      );
    expect(enumerations(after!)).toEqual(enumerations(before!));
    for (const key of ['operationId', 'in', 'deprecated'])
      expect(after!.filter(([, one]) => one[key] !== undefined).length).toBeGreaterThanOrEqual(
        before!.filter(([, one]) => one[key] !== undefined).length,
      );
    const { webhooks, components } = published[api] as { webhooks: object; components: Record<string, object> };
    const own = contract.document(api) as { webhooks: object; components: Record<string, object> };
    expect(Object.keys(webhooks)).toEqual(Object.keys(own.webhooks));
    expect(Object.keys(components.examples ?? {})).toEqual(Object.keys(own.components.examples ?? {}));
  }
});

test('what is named of an open list is said in words, and so is the day of a removal', () => {
  const { components } = published.v1 as {
    components: { schemas: Record<string, { properties: Record<string, Fields> }> };
  };
  const { properties } = components.schemas.Transaction!;
  expect(properties.transaction_type).toEqual({
    type: 'string',
    minLength: 1,
    description: expect.stringContaining('`payment`, `return`, `adjustment`, `fee`; others may come.'),
  });
  expect(properties.aml_status).toMatchObject({ deprecated: true, description: expect.stringContaining('2025-08-04') });
});

test('what no one object can say stays beside it', () => {
  const schema = {
    type: 'string',
    pattern: '^a',
    allOf: [{ pattern: 'z$' }, { maxLength: 9, 'x-rules': [] }],
    'x-open': [],
  };
  const root = { components: { schemas: { Word: schema } }, paths: { '/': { $ref: '#/components/schemas/Word' } } };
  expect(publishDescription(root).components).toEqual({
    schemas: { Word: { type: 'string', pattern: '^a', maxLength: 9, allOf: [{ pattern: 'z$' }] } },
  });
});

test('null stands where a schema is referred to, and names are kept whatever they are', () => {
  const root = {
    paths: { '/': { $ref: '#/components/schemas/Box' } },
    components: {
      schemas: {
        Box: {
          type: 'object',
          properties: {
            default: { $ref: '#/components/schemas/Lid', description: 'On top.' },
            'x-side': { type: ['string', 'null'], enum: ['left', null], 'x-rules': [] },
          },
        },
        Lid: { type: ['object', 'null'], required: ['size'] },
      },
    },
  };
  expect(publishDescription(root).components).toEqual({
    schemas: {
      Box: {
        type: 'object',
        properties: {
          default: { description: 'On top.', anyOf: [{ $ref: '#/components/schemas/Lid' }, { type: 'null' }] },
          'x-side': { anyOf: [{ type: 'string', enum: ['left'] }, { type: 'null' }] },
        },
      },
      Lid: { type: 'object', required: ['size'] },
    },
  });
});
