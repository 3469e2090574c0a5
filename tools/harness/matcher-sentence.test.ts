import { test } from '@playwright/test';
import { ApiReply, PromiseFinding } from '#client';
import { type FindingClauses, Recorder, Redactor } from '#evidence';
import { noteDeed, noteMeasure, startStory, writeMoney } from './check-story.ts';
import { expect } from './expect.ts';
import { judgeCheck } from './verdict.ts';

/** The clauses that a check leaves which does this. */
function told(body: () => void): FindingClauses | undefined {
  const recorder = new Recorder('00000000', new Redactor());
  try {
    body();
  } catch (error) {
    const claimed = new Set(['GW-CAP-05']);
    return judgeCheck({ thrown: [error], status: 'failed', recorder, claimed, concluded: new Set() }).failures[0]
      ?.clauses;
  }
  throw new Error('nothing was thrown');
}

/** A sum as the gateway client hands it to a check. */
function captured(count: number, sum: number): { count: number; sum: number } {
  noteMeasure({ count, sum, became: 'captured', currency: 'EUR' });
  return { count, sum };
}

test.beforeEach(startStory);

test('money is told as money, after what was done', () => {
  noteDeed('an authorization of 12.34 EUR');
  noteDeed('a capture without an amount');
  expect(told(() => expect(captured(1, 617)).toEqual({ count: 1, sum: 1234 }))).toEqual({
    after: ['an authorization of 12.34 EUR', 'a capture without an amount'],
    should: '12.34 EUR should have been captured',
    did: 'the service captured 6.17 EUR',
  });
});

test('a bound, nothing at all and the number of transactions are told where they differ', () => {
  expect(told(() => expect(captured(1, 1001).sum).toBeLessThanOrEqual(1000))).toEqual({
    should: 'no more than 10.00 EUR should have been captured',
    did: 'the service captured 10.01 EUR',
  });
  expect(told(() => expect(captured(0, 0)).toEqual({ count: 1, sum: 300 }))).toEqual({
    should: '3.00 EUR should have been captured in one transaction',
    did: 'the service captured nothing',
  });
  expect(told(() => expect(captured(2, 200).sum).toBe(0))).toEqual({
    should: 'nothing should have been captured',
    did: 'the service captured 2.00 EUR',
  });
  expect(told(() => expect(captured(2, 600)).toEqual({ count: 1, sum: 600 }))).toEqual({
    should: '6.00 EUR should have been captured in one transaction',
    did: 'the service captured 6.00 EUR in 2 transactions',
  });
});

test('a number that is no sum of money is not told as one', () => {
  captured(1, 617);
  expect(told(() => expect(618).toBe(1234))?.did).toBe('what came was 618');
});

test('an answer is told as the answer to what was asked', () => {
  const reply = new ApiReply({
    exchange: 'x.1',
    operation: 'capture',
    status: 500,
    headers: new Map(),
    body: Buffer.from('{}'),
  });
  expect(told(() => expect(reply).toAnswer(200))).toEqual({
    should: 'the answer to capture should have been status 200',
    did: 'it was status 500',
  });
});

test('what only holds or not is left to the title of the check', () => {
  expect(told(() => expect(false).toBe(true))).toEqual({});
});

test('the same deed several times is said once, and of many deeds the last three', () => {
  for (const deed of ['a', 'b', 'c', 'c', 'd']) noteDeed(deed);
  expect(told(() => expect('1').toBe('2'))?.after).toEqual(['b', 'c (2 times)', 'd']);
});

test('clauses hold no secret', () => {
  const card = '4111111111111111';
  noteDeed(`a sale by ${card}`);
  const clauses = told(() => {
    throw new PromiseFinding(`no ${card}`, `the card ${card}`);
  });
  expect(JSON.stringify(clauses)).not.toContain(card);
  expect(clauses?.did).toContain('411111******1111');
});

test('amounts have the decimals of their currency', () => {
  expect([writeMoney(1234, 'EUR'), writeMoney(1234, 'JPY'), writeMoney(1234, 'KWD'), writeMoney(5, 'EUR')]).toEqual([
    '12.34 EUR',
    '1234 JPY',
    '1.234 KWD',
    '0.05 EUR',
  ]);
});
