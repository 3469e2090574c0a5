import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

test('the schema of decisions is a JSON Schema', () => {
  const ajv = new Ajv2020({ allowUnionTypes: true });
  addFormats.default(ajv);
  const schema = JSON.parse(readFileSync(new URL('./decisions.schema.json', import.meta.url), 'utf8')) as object;
  expect(ajv.validateSchema(schema)).toBe(true);
  expect(ajv.validateSchema({ ...schema, type: 'lists' })).toBe(false);
});
