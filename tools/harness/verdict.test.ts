import { expect, test } from '@playwright/test';
import { PromiseFinding, UnarrangedError } from '#client';
import { Recorder, Redactor } from '#evidence';
import { judgeCheck } from './verdict.ts';

/** What becomes of a check whose body threw this. */
function judged(thrown: unknown): ReturnType<typeof judgeCheck> {
  const error = thrown as Error;
  const message =
    error.message.startsWith(`${error.name}:`) || error.name === 'Error'
      ? error.message
      : `${error.name}: ${error.message}`;
  return judgeCheck(
    { errors: [{ message }], status: 'failed' } as never,
    new Recorder('00000000', new Redactor()),
    new Set(['GW-CAP-05']),
  );
}

function thrownBy(body: () => void): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('an expectation of equal objects shows both sides', () => {
  const { outcome: what, failures } = judged(
    thrownBy(() => expect({ count: 1, sum: 1001 }).toEqual({ count: 0, sum: 0 })),
  );
  expect(what).toBe('fail');
  expect(failures[0]).toMatchObject({ expected: '"count": 0, "sum": 0,', actual: '"count": 1, "sum": 1001,' });
});

test('an expectation with labels shows them, and what it speaks of', () => {
  const { failures } = judged(thrownBy(() => expect(2, 'the capture').toBe(1)));
  expect(failures[0]).toMatchObject({
    message: 'the capture; expected 1; got 2',
    expected: 'the capture: 1',
    actual: '2',
  });
});

test('a failure is charged to the rule it names', () => {
  const { failures } = judged(thrownBy(() => expect(2, 'GW-CAP-05').toBe(1)));
  expect(failures).toEqual([
    expect.objectContaining({ rule: 'GW-CAP-05', message: 'expected 1; got 2', expected: '1' }),
  ]);
  const { failures: found } = judged(new PromiseFinding('a score from 0 to 1', '7', 'GW-CAP-05'));
  expect(found).toEqual([
    { rule: 'GW-CAP-05', message: 'expected a score from 0 to 1; got 7', expected: 'a score from 0 to 1', actual: '7' },
  ]);
});

test('a failure that names a rule the check does not claim is charged to those it claims', () => {
  const { failures } = judged(thrownBy(() => expect(2, 'GW-CAP-03').toBe(1)));
  expect(failures[0]).not.toHaveProperty('rule');
});

test('a finding shows what was promised and what came', () => {
  const { failures } = judged(new PromiseFinding('a score from 0 to 1', '7'));
  expect(failures[0]).toMatchObject({ expected: 'a score from 0 to 1', actual: '7' });
});

test('an arrangement that fails breaks the check and fails nothing', () => {
  const result = judged(new UnarrangedError('the card was declined'));
  expect(result).toMatchObject({ outcome: 'broken', reason: { code: 'arrange' }, failures: [] });
});

test('a mistake of our own breaks the check', () => {
  expect(judged(new TypeError('x is not a function'))).toMatchObject({ outcome: 'broken', reason: { code: 'defect' } });
});
