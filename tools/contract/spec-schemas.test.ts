import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { loadContract } from '#contract';
import { appendPointer, valueAt } from '#json-pointer';
import { exampleBodies } from './sample-bodies.test-support.ts';

const contract = loadContract();
const APIS = ['gateway', 'v1'] as const;

/** Every mapping of a document with its pointer, examples left out. */
function* mappings(node: unknown, here = ''): Generator<[pointer: string, value: Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [here, node as Record<string, unknown>];
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'example' && key !== 'value') yield* mappings(value, appendPointer(here, key));
  }
}

for (const api of APIS) {
  const root = contract.document(api) as Record<string, unknown>;

  test(`${api}: every schema is valid against the meta-schema and compiles in strict mode, annotations and all`, () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
    addFormats.default(ajv);
    ajv.addVocabulary([...new Set(['x-rules', 'x-holes', 'x-open', 'x-removed', 'example', ...Object.keys(root)])]);
    ajv.addSchema(root, `${api}.yaml`, undefined, false);
    for (const pointer of contract.compiled[api].schemas.keys()) {
      const valid = ajv.validateSchema(valueAt(root, pointer) as object);
      expect(valid, `${pointer}: ${ajv.errorsText()}`).toBe(true);
      ajv.compile({ $ref: `${api}.yaml#${pointer.split('/').map(encodeURIComponent).join('/')}` });
    }
  });

  test(`${api}: every schema compiles as it is used, for the verdict and for the detail`, () => {
    for (const schema of contract.compiled[api].schemas.values())
      expect(schema.errorsFor(undefined).length === 0, schema.at).toBe(schema.accepts(undefined));
  });

  test(`${api}: every component is referred to`, () => {
    const used = new Set<unknown>();
    for (const [, value] of mappings(root)) {
      used.add(value.$ref);
      for (const one of (Array.isArray(value.security) ? value.security : []) as object[])
        for (const name of Object.keys(one)) used.add(`#/components/securitySchemes/${name}`);
    }
    const named = Object.entries(root.components as Record<string, object>).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    expect(named.filter((one) => !used.has(one))).toEqual([]);
  });

  test(`${api}: every example is valid`, () => {
    const wrong = exampleBodies(contract)
      .filter((one) => one.api === api)
      .flatMap(({ name, value, schema }) =>
        schema.errorsFor(value).map((error) => `${name}: ${error.instancePath} ${error.message}`),
      );
    expect(wrong).toEqual([]);
  });

  test(`${api}: every body, parameter and header has an example`, () => {
    const shown = new Set(exampleBodies(contract).map(({ name }) => name.replace(/\/examples?(\/[^/]+)?$/, '')));
    const bare = [...mappings(root)]
      .filter(
        ([pointer, { schema }]) =>
          schema !== undefined && !pointer.endsWith('/properties') && !shown.has(`${api}#${pointer}`),
      )
      .map(([pointer]) => pointer);
    expect(bare).toEqual([]);
  });
}
