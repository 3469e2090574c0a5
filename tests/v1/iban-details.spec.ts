import { expect, rule, test } from '#harness';

test('refuses a lookup without an IBAN', rule('V1-IBN-01'), async ({ v1 }) => {
  expect(await v1.send('getIbanDetails')).toBeFault(422);
});

test('never calls an IBAN of broken format valid', rule('V1-IBN-02'), async ({ v1 }) => {
  const reply = await v1.send('getIbanDetails', { query: { iban: 'NOT-AN-IBAN' } });
  expect([reply.status, reply.status === 200 && reply.object.is_valid]).not.toEqual([200, true]);
});
