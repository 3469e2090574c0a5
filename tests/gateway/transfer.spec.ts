import { expect, rule, test } from '#harness';

test('answers a signed transfer with the order as it stands', rule('GW-TRF-01'), async ({ transfers }) => {
  const { reply } = await transfers.send();
  expect(reply).toAnswer(200);
  expect(typeof reply.object.orderState).toBe('string');
});
