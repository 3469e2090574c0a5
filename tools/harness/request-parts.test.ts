import { expect, test } from '@playwright/test';
import { composeRequest } from './request-parts.ts';

test('an id that no number holds exactly is sent as the number that it was', () => {
  const { body } = composeRequest({ body: { orderSystemId: 9007199254740993n, gone: undefined, amount: '1.00' } });
  expect(body?.toString()).toBe('{"orderSystemId":9007199254740993,"amount":"1.00"}');
});
