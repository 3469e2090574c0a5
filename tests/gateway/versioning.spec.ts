import { assertPromise, rule, test } from '#harness';

test('serves every operation at a path without a version', rule('GW-VRS-02'), async ({ requests }) => {
  for await (const one of requests.ofShownPath()) {
    const { place, path } = await requests.locate(one);
    assertPromise(place !== 'below a version', `${one.operation} at its documented path`, `it at ${path}`);
  }
});
