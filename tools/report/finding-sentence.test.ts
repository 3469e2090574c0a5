import { expect, test } from '@playwright/test';
import { writeFailureSentence, writeViolationSentence } from './finding-sentence.ts';

const check = { title: 'books no more than was captured' };

test('joins what was done, what should have come and what did', () => {
  const clauses = {
    after: ['an authorization of 12.34 EUR', 'a capture without an amount'],
    should: '12.34 EUR should have been captured',
    did: 'the service captured 6.17 EUR',
  };
  expect(writeFailureSentence(check, { message: '', clauses })).toBe(
    'After an authorization of 12.34 EUR and a capture without an amount, 12.34 EUR should have been captured; the service captured 6.17 EUR.',
  );
});

test('tells by the title of the check what only holds or not', () => {
  expect(writeFailureSentence(check, { message: '', clauses: { after: ['a capture of 1.00 EUR'] } })).toBe(
    'After a capture of 1.00 EUR, it should have held that the service books no more than was captured; it did not.',
  );
});

test('tells failures of older journals by both sides, else by their text', () => {
  expect(writeFailureSentence(check, { message: 'm', expected: 'one', actual: 'two' })).toBe(
    'The promise calls for one; what came was two.',
  );
  expect(writeFailureSentence(check, { message: 'no answer came.' })).toBe('No answer came.');
});

test('tells a violation by its place in the answer or message', () => {
  const violation = { rule: 'GW-STA-11', where: '/orderState', expected: 'one of seven states', actual: 'SETTLED' };
  expect(writeViolationSentence({ operation: 'status', direction: 'out' }, violation)).toBe(
    'In the answer to status the contract calls for one of seven states at /orderState; what came was SETTLED.',
  );
  expect(
    writeViolationSentence({ operation: 'orderCallback', direction: 'in' }, { ...violation, where: 'header: x' }),
  ).toBe(
    'In the message orderCallback the contract calls for one of seven states at the header x; what came was SETTLED.',
  );
});
