import { assertPromise, expect, rule, test } from '#harness';

test('serves every operation at a path without a version', rule('GW-VRS-02'), async ({ requests }) => {
  for await (const one of requests.ofShownPath()) {
    const { place, path } = await requests.locate(one);
    assertPromise(place !== 'below a version', `${one.operation} at its documented path`, `it at ${path}`);
  }
});

test('has version 1.0.0 in its interface description', rule('GW-VRS-01'), async ({ gateway }) => {
  expect((await gateway.readDescription()).info?.version).toBe('1.0.0');
});
