import { valueAt } from '#json-pointer';
import '@hyperjump/json-schema/formats';
import { registerSchema, setShouldValidateFormat, validate } from '@hyperjump/json-schema/draft-2020-12';
import { expect, test } from '@playwright/test';
import { loadContract } from '#contract';
import { exampleBodies, mutateBody, type SampleBody } from './sample-bodies.test-support.ts';

const contract = loadContract();

/** The untouched schema under a validator of other hands, named schemas beside it. */
async function secondOpinion({ api, schema }: SampleBody): Promise<(value: unknown) => boolean> {
  const root = contract.document(api);
  const uri = `https://assay.invalid/${api}${encodeURI(schema.at)}`;
  const moved = (part: unknown) => JSON.parse(JSON.stringify(part).replaceAll('#/components/schemas/', '#/$defs/'));
  registerSchema(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      allOf: [moved(valueAt(root, schema.at))],
      $defs: moved(valueAt(root, '/components/schemas')),
    },
    uri,
  );
  const judge = await validate(uri);
  return (value) => judge(value as never).valid;
}

test('another validator gives the same verdicts on every example and what becomes of it by one change', async () => {
  setShouldValidateFormat(true);
  const bySchema = new Map<string, SampleBody[]>();
  for (const body of exampleBodies(contract)) {
    const key = `${body.api}${body.schema.at}`;
    bySchema.set(key, [...(bySchema.get(key) ?? []), body]);
  }
  const differ: string[] = [];
  const count = { valid: 0, invalid: 0 };
  for (const bodies of bySchema.values()) {
    const other = await secondOpinion(bodies[0]!);
    const seen = new Set<string>();
    for (const body of bodies.flatMap(mutateBody)) {
      const text = JSON.stringify(body.value);
      if (seen.has(text)) continue;
      seen.add(text);
      const ours = body.schema.accepts(body.value);
      count[ours ? 'valid' : 'invalid'] += 1;
      if ((body.schema.errorsFor(body.value).length === 0) !== ours) differ.push(`${body.name}: verdict and detail`);
      if (other(body.value) !== ours) differ.push(`${body.name}: ours ${ours}: ${text.slice(0, 200)}`);
    }
  }
  test.info().annotations.push({ type: 'bodies', description: `${count.valid} valid, ${count.invalid} invalid` });
  expect(differ).toEqual([]);
  expect(count.valid).toBeGreaterThan(300);
  expect(count.invalid).toBeGreaterThan(300);
});
