import { assertPromise, rule, test } from '#harness';

test('serves every operation at a path without a version', rule('GW-VRS-02'), async ({ requests }) => {
  for (const one of await requests.all()) {
    const { status } = await requests.send(one);
    assertPromise(status === 200, `${one.operation} at its documented path`, `status ${status}`);
  }
});
