import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ExchangeLine } from '#evidence';
import { readSides } from '../read/sides.ts';
import { description, exchange } from '../sample.test-support.ts';
import { replayRun } from './replay.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-replay-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

/** Replays exchanges against the sample after an edit. */
function replayed(edit: Readonly<Record<string, string>>, ...lines: ExchangeLine[]) {
  writeFileSync(join(folder, 'old.yaml'), description());
  writeFileSync(join(folder, 'new.yaml'), description(edit));
  return replayRun(readSides(join(folder, 'old.yaml'), join(folder, 'new.yaml')).pairs, lines, 'run');
}

const NARROW = { 'required: [amount]': 'required: [amount, purpose]' };

test('tells of a recorded request that the new description refuses, once for all that are alike', () => {
  const [one, two] = ['a0000001.1', 'a0000002.1'].map((id) => exchange({ id, sent: { amount: 5 } }));
  const { refusals, requests } = replayed(NARROW, one!, two!);
  expect(requests).toBe(2);
  expect(refusals).toMatchObject([
    {
      operation: 'createOrder',
      side: 'request',
      where: '/',
      problem: "must have required property 'purpose'",
      at: '/components/schemas/NewOrder',
      exchanges: ['a0000001.1', 'a0000002.1'],
    },
  ]);
});

test('leaves out requests that the service refused or that were wrong before', () => {
  const { refusals, left } = replayed(
    NARROW,
    exchange({ sent: { amount: 5 }, status: 422 }),
    exchange({ sent: { amount: 0 } }),
    exchange({ sent: '{"amount"' }),
    exchange({ operation: 'unknownOrder' }),
  );
  expect(refusals).toEqual([]);
  expect(left).toEqual({
    'requests that were not served': 1,
    'answers that are not in the old description': 1,
    'requests against the old description': 1,
    'bodies that are cut or no JSON': 1,
    'not in the old description': 1,
  });
});

test('tells of answers, messages, headers, parameters, operations and statuses that no longer fit', () => {
  const { refusals } = replayed(
    {
      'enum: [open, closed]': 'enum: [open]',
      'enum: [made, gone]': 'enum: [made]',
      'name: dry, in: query,': 'name: dry, in: query, required: true,',
      "        '200':\n          description: shown":
        "        '200':\n          description: shown\n          headers: { ETag: { required: true, schema: {} } }",
    },
    exchange({ sent: { amount: 1 }, came: { id: '1', state: 'closed' } }),
    exchange({ operation: 'readOrder', url: 'https://api.invalid/orders/1', status: 200, came: { id: '1' } }),
    exchange({ operation: 'orderEvent', direction: 'in', sent: { kind: 'gone' }, status: 202 }),
  );
  expect(refusals.map(({ side, operation, where, problem }) => [side, operation, where, problem])).toEqual([
    ['request', 'createOrder', 'query parameter dry', 'must be there'],
    ['response', 'createOrder', '/state', 'must be one of "open"'],
    ['response', 'readOrder', 'header ETag', 'must be there'],
    ['response', 'orderEvent', '/kind', 'must be one of "made"'],
  ]);
  const gone = replayed({ "'201':": "'200':" }, exchange({ sent: { amount: 1 }, came: { id: '1' } }));
  expect(gone.refusals.map(({ status, where }) => [status, where])).toEqual([['201', 'status']]);
  const removed = replayed(
    { '  /orders:\n    post:\n      operationId: createOrder': '  /other:\n    post:\n      operationId: createOther' },
    exchange({ sent: { amount: 1 } }),
  );
  expect(removed.refusals.map(({ where }) => where)).toEqual(['operation']);
});

test('reads parameters as they are written in an address', () => {
  const ask = (dry: string, edit: Readonly<Record<string, string>>) =>
    replayed(edit, exchange({ url: `https://api.invalid/orders?dry=${dry}`, sent: { amount: 1 } })).refusals;
  expect(ask('true', { 'schema: { type: boolean }': 'schema: { type: boolean, default: false }' })).toEqual([]);
  expect(ask('true', { 'schema: { type: boolean }': 'schema: { const: false }' })).toHaveLength(1);
  expect(ask('[redacted]', { 'schema: { type: boolean }': 'schema: { const: false }' })).toEqual([]);
});

test.describe('what was redacted breaks nothing', () => {
  const cases: readonly [name: string, edit: Readonly<Record<string, string>>, sent: unknown][] = [
    ['a pattern', { "pattern: '^t-[0-9]+$'": "pattern: '^u-[0-9]+$'" }, { amount: 1, token: '[redacted]' }],
    ['a length', { 'maxLength: 40': 'maxLength: 5' }, { amount: 1, note: 'see [redacted] there' }],
    [
      'a type',
      { 'amount: { type: integer, minimum: 1 }': 'amount: { type: number, minimum: 2 }' },
      { amount: '[redacted]' },
    ],
    ['a card number', { 'maxLength: 40': 'maxLength: 3' }, { amount: 1, note: 'card 411111******1111' }],
    [
      'a union over it',
      {
        '      required: [amount]\n':
          '      required: [amount]\n      anyOf: [{ required: [purpose] }, { properties: { token: { const: t-1 } }, required: [token] }]\n',
      },
      { amount: 1, token: '[redacted]' },
    ],
    [
      'a condition over it',
      {
        '      required: [amount]\n':
          '      required: [amount]\n      if: { properties: { token: { minLength: 6 } } }\n      then: { required: [purpose] }\n',
      },
      { amount: 1, token: '[redacted]' },
    ],
    [
      'a name',
      { '      required: [amount]\n': '      required: [amount]\n      additionalProperties: false\n' },
      { amount: 1, '411111******1111': 1 },
    ],
  ];
  for (const [name, edit, sent] of cases)
    test(name, () => {
      const { refusals, requests } = replayed(edit, exchange({ sent }));
      expect({ refusals, requests }).toEqual({ refusals: [], requests: 1 });
    });

  test('and hides nothing beside it', () => {
    const { refusals } = replayed(
      { 'maxLength: 40': 'maxLength: 5' },
      exchange({ sent: { amount: 1, token: '[redacted]', note: 'too long' } }),
    );
    expect(refusals.map(({ where }) => where)).toEqual(['/note']);
    expect(replayed(NARROW, exchange({ sent: { amount: 1, token: '[redacted]' } })).refusals).toHaveLength(1);
  });
});
