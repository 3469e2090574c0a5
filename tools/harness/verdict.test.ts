import { test } from '@playwright/test';
import {
  ApiReply,
  NoAnswerError,
  PromiseFinding,
  requireEntries,
  requireSeen,
  UnarrangedError,
  UnofferedError,
} from '#client';
import { Recorder, Redactor } from '#evidence';
import { attributeTo } from './attribution.ts';
import { expect } from './expect.ts';
import { collectThrownErrors } from './thrown-errors.ts';
import { judgeCheck } from './verdict.ts';

/** What becomes of a check that threw this. */
function judged(...thrown: unknown[]): ReturnType<typeof judgeCheck> {
  const recorder = new Recorder('00000000', new Redactor());
  return judgeCheck({ thrown, status: 'failed', recorder, claimed: new Set(['GW-CAP-05']), concluded: new Set() });
}

function thrownBy(body: () => void): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const reply = (status: number) =>
  new ApiReply({
    exchange: '00000000.7',
    operation: undefined,
    status,
    headers: new Map(),
    body: Buffer.from('{"errorCode":-7}'),
  });

test('every error of a test is kept as the object it is', ({}, info) => {
  const thrown = collectThrownErrors(info);
  expect.soft(1, 'softly').toBe(2);
  // The soft failure is what this test is for; where it was not kept it stays a failure.
  test.fail(judged(...thrown).failures[0]?.message.startsWith('softly') === true);
});

test('an expectation of equal objects shows where they differ', () => {
  const { outcome, failures } = judged(
    thrownBy(() => expect({ count: 1, sum: 1001, kind: 'capture' }).toEqual({ count: 0, sum: 0, kind: 'capture' })),
  );
  expect(outcome).toBe('fail');
  expect(failures).toMatchObject([
    {
      message: 'expected "count": 0, "sum": 0; got "count": 1, "sum": 1001',
      expected: '"count": 0, "sum": 0',
      actual: '"count": 1, "sum": 1001',
    },
  ]);
});

test('of a long list the entry is told that differs', () => {
  const list = Array.from({ length: 100 }, (_, n) => ({ n, text: 'x'.repeat(80) }));
  const other = list.map((one) => (one.n === 41 ? { ...one, n: 14 } : one));
  const { failures } = judged(thrownBy(() => expect(other).toEqual(list)));
  expect(failures[0]).toMatchObject({ expected: '/41 "n": 41', actual: '/41 "n": 14' });
  const { failures: cut } = judged(thrownBy(() => expect([1, 2]).toEqual([1, 2, 3])));
  expect(cut[0]).toMatchObject({ expected: '/2: 3', actual: '/2: nothing' });
});

test('members that were not asked for are no difference of a part', () => {
  const { failures } = judged(thrownBy(() => expect({ a: 1, b: 2, c: 3 }).toMatchObject({ a: 1, b: 3 })));
  expect(failures[0]).toMatchObject({ expected: '"b": 3', actual: '"b": 2' });
});

test('what a matcher cannot look at is not what was to come', () => {
  for (const [body, expected, actual] of [
    [() => expect(undefined).toMatch(/^[0-9]+$/), 'a text like /^[0-9]+$/', 'nothing'],
    [() => expect(500).toMatch(/^[0-9]+$/), 'a text like /^[0-9]+$/', '500'],
    [() => expect('7').toBeGreaterThan(6), 'more than 6', '"7"'],
    [() => expect(null).toContain('a'), '"a" among them', 'null'],
    [() => expect(undefined).toHaveLength(2), '2 entries', 'undefined entries'],
    [() => expect(undefined).toHaveProperty('a'), 'a member "a"', 'nothing'],
  ] as const) {
    const { outcome, failures } = judged(thrownBy(body));
    expect(outcome).toBe('fail');
    expect(failures).toMatchObject([{ expected, actual }]);
  }
  // A check that asks for what no value can be is wrong itself, and so is one that forbids a text where none came.
  for (const body of [
    () => expect('a').toMatch(undefined as unknown as string),
    () => expect(undefined).not.toMatch(/a/),
  ])
    expect(judged(thrownBy(body)).outcome).toBe('broken');
});

test('an expectation with not says so', () => {
  const { failures } = judged(thrownBy(() => expect(reply(401)).not.toAnswer(401)));
  expect(failures[0]).toMatchObject({
    expected: 'anything but status 401',
    actual: 'status 401, errorCode -7',
    exchange: '00000000.7',
  });
  const error = thrownBy(() => expect(reply(401)).not.toAnswer(401)) as Error;
  expect(error.message).toContain('expected anything but status 401; got status 401');
  expect(judged(thrownBy(() => expect('red').not.toBe('red'))).failures[0]).toMatchObject({
    expected: 'anything but "red"',
    actual: 'just that',
  });
});

test('an expectation shows what it speaks of', () => {
  const { failures } = judged(thrownBy(() => expect(2, 'the capture').toBe(1)));
  expect(failures[0]).toMatchObject({
    message: 'the capture: expected 1; got 2',
    expected: 'the capture: 1',
    actual: '2',
  });
});

test('a matcher is told in words', () => {
  const told = (body: () => void) => {
    const [failure] = judged(thrownBy(body)).failures;
    return [failure?.expected, failure?.actual];
  };
  expect(told(() => expect([1, 2]).toContain(3))).toEqual(['3 among them', '[1,2]']);
  expect(told(() => expect([1, 2]).toHaveLength(3))).toEqual(['3 entries', '2 entries']);
  expect(told(() => expect(4).toBeGreaterThan(7))).toEqual(['more than 7', '4']);
  expect(told(() => expect(undefined).toBeDefined())).toEqual(['something', 'nothing']);
  expect(told(() => expect('no').toMatch(/yes/))).toEqual(['a text like /yes/', '"no"']);
});

test('a failure is charged to the rule it names', () => {
  const { failures } = judged(thrownBy(() => expect(2, 'GW-CAP-05').toBe(1)));
  expect(failures).toMatchObject([{ rule: 'GW-CAP-05', message: 'expected 1; got 2', expected: '1', actual: '2' }]);
  const { failures: found } = judged(new PromiseFinding('a score from 0 to 1', '7', 'GW-CAP-05', '00000000.2'));
  expect(found).toMatchObject([
    {
      rule: 'GW-CAP-05',
      message: 'expected a score from 0 to 1; got 7',
      expected: 'a score from 0 to 1',
      actual: '7',
      exchange: '00000000.2',
    },
  ]);
  const parted = thrownBy(() => attributeTo('GW-CAP-05', () => expect(2).toBe(1)));
  expect(judged(parted).failures[0]).toMatchObject({ rule: 'GW-CAP-05' });
});

test('a failure that names a rule the check does not claim is charged to those it claims', () => {
  const { failures } = judged(thrownBy(() => expect(2, 'GW-CAP-03').toBe(1)));
  expect(failures[0]).not.toHaveProperty('rule');
});

test('what is no doing of the API is told by its class, whatever it says', () => {
  const says = 'expect(received) Finding: expected 1; got 2';
  expect(judged(new UnarrangedError(says))).toMatchObject({
    outcome: 'broken',
    reason: { code: 'arrange', text: says },
  });
  expect(judged(new NoAnswerError(says))).toMatchObject({ outcome: 'broken', reason: { code: 'unreachable' } });
  expect(judged(new UnofferedError('card', says))).toMatchObject({ outcome: 'skipped', reason: { code: 'card' } });
  expect(judged(new TypeError(says))).toMatchObject({ outcome: 'broken', reason: { code: 'defect' } });
  expect(judged('a text')).toMatchObject({ outcome: 'broken', reason: { code: 'defect', text: 'a text' } });
});

test.describe('a check that nothing stopped', () => {
  const judge = (concluded: (string | undefined)[], recorder = new Recorder('00000000', new Redactor())) =>
    judgeCheck({
      thrown: [],
      status: 'passed',
      recorder,
      claimed: new Set(['GW-CAP-02', 'GW-CAP-05']),
      concluded: new Set(concluded),
    });
  const happened = {
    api: 'gateway' as const,
    direction: 'out' as const,
    at: 0,
    duration: 1,
    request: { method: 'POST', url: 'http://gateway.example/', headers: [] },
    violations: [],
  };

  test('passes for the rules that something was held against', () => {
    expect(judge([undefined])).toEqual({ outcome: 'pass', failures: [] });
    expect(judge(['GW-CAP-02', 'GW-CAP-05'])).toEqual({ outcome: 'pass', failures: [] });
    expect(judge(['GW-CAP-02'])).toMatchObject({
      outcome: 'pass',
      unjudged: [{ rule: 'GW-CAP-05', code: 'unseen' }],
    });
  });

  test('is no pass when a loop ran over nothing', () => {
    expect(judge([])).toMatchObject({ outcome: 'skipped', reason: { code: 'unseen' } });
  });

  test('is no pass when no request was answered', () => {
    const recorder = new Recorder('00000000', new Redactor());
    recorder.exchange({ ...happened, failure: 'refused' });
    expect(judge([undefined], recorder)).toMatchObject({ outcome: 'broken', reason: { code: 'unreachable' } });
    recorder.exchange({ ...happened, response: { status: 200, headers: [], body: Buffer.from('{}') } });
    expect(judge([undefined], recorder)).toMatchObject({ outcome: 'pass' });
  });

  test('is no less a pass when the service sent something, of another order, while nothing was asked', () => {
    const recorder = new Recorder('00000000', new Redactor());
    recorder.exchange({ ...happened, direction: 'in', response: { status: 200, headers: [], body: Buffer.from('') } });
    expect(judge([undefined], recorder)).toEqual({ outcome: 'pass', failures: [] });
    expect(judge([], recorder)).toMatchObject({ outcome: 'skipped' });
    recorder.exchange({ ...happened, failure: 'refused' });
    expect(judge([undefined], recorder)).toMatchObject({ outcome: 'broken', reason: { code: 'unreachable' } });
  });

  test('is judged in part when a part was left out', () => {
    const recorder = new Recorder('00000000', new Redactor());
    recorder.leaveOut('an address in figures has no case', 'GW-CAP-05');
    expect(judge([undefined], recorder)).toMatchObject({
      outcome: 'pass',
      unjudged: [{ rule: 'GW-CAP-05', code: 'partly', text: 'an address in figures has no case' }],
    });
  });

  test('is told what never came', () => {
    expect(judged(thrownBy(() => requireSeen(null, 'the payment_type')))).toMatchObject({
      outcome: 'skipped',
      reason: { code: 'unseen', text: 'the payment_type was not shown' },
    });
    expect(judged(thrownBy(() => requireEntries([], 'balances')))).toMatchObject({ reason: { code: 'unseen' } });
  });
});
