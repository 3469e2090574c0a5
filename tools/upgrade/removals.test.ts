import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Line } from '#evidence';
import { classifyChanges } from './classify.ts';
import type { Upgrade } from './result.ts';
import { description, exchange, writeRun } from './sample.test-support.ts';
import { judgeUpgrade, type UpgradeRequest } from './upgrade.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-removals-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

type Edit = Readonly<Record<string, string>>;

/** Judges what an edit of the sample does, told by the classifier itself. */
function adopted(old: Edit, now: Edit, more: Partial<UpgradeRequest> = {}): Upgrade {
  mkdirSync(folder, { recursive: true });
  const [from, to] = [join(folder, 'old.yaml'), join(folder, 'new.yaml')];
  writeFileSync(from, description(old));
  writeFileSync(to, description(now));
  return judgeUpgrade({ from, to, today: '2024-01-01', seed: 1, ...more }, classifyChanges);
}
const STATE = '        state: { enum: [open, closed] }\n';
const gone = (found: Upgrade) => found.changes.find(({ id }) => id.endsWith('property-removed'))!;

const trace = (at: string): Line => ({
  kind: 'trace',
  operation: 'readOrder',
  side: 'response',
  status: 200,
  at: ['/components/schemas/Order', at],
  exchanges: ['a.1', 'a.2'],
});

test('a field that nobody carries, promises or reads is a note', () => {
  const found = adopted({}, { [STATE]: '' });
  expect([gone(found).level, found.verdict]).toEqual(['risky', 'safe with notes']);
});

test('a field that recorded answers carry needs work', () => {
  const run = writeRun(join(folder, 'run'), [trace('/components/schemas/Order/properties/state')]);
  const found = adopted({}, { [STATE]: '' }, { run });
  expect(gone(found)).toMatchObject({
    level: 'breaking',
    classified: 'risky',
    settled: '2 recorded answers carried it.',
  });
  expect(found.verdict).toBe('needs work');
  const other = writeRun(join(folder, 'other'), [trace('/components/schemas/Order/properties/id')]);
  expect(gone(adopted({}, { [STATE]: '' }, { run: other })).level).toBe('risky');
});

test('a field that a rule which binds speaks of, or a client of ours reads, needs work', () => {
  const rule = (level: string) => ({
    [STATE]: `        state: { enum: [open, closed], x-rules: [{ id: V1-TRN-09, level: ${level}, text: It is there. }] }\n`,
  });
  const settled = (old: Edit, more: Partial<UpgradeRequest> = {}) => gone(adopted(old, { [STATE]: '' }, more)).settled;
  expect(settled(rule('must'))).toBe('V1-TRN-09 speaks of it and must be kept.');
  expect(settled(rule('should'))).toBeUndefined();
  const readersOf = (_: unknown, name: string) =>
    name === 'state' ? ['tests/v1/a.spec.ts:3', 'tests/v1/b.spec.ts:4'] : [];
  expect(settled({}, { readersOf })).toBe('tests/v1/a.spec.ts:3 and 1 other place read it.');
});

test('most fields of an answer gone at once need work, whoever reads them', () => {
  const many = 'a b c d'.split(' ').map((name) => `        ${name}: { type: string }\n`);
  const found = adopted({ [STATE]: STATE + many.join('') }, { [STATE]: '' });
  expect(found.changes.filter(({ level }) => level === 'breaking')).toHaveLength(5);
  expect(gone(found).settled).toBe('5 of 7 fields go at once.');
});

test('a header that recorded answers carry needs work', () => {
  const header = {
    "'200':\n          description: shown":
      "'200':\n          headers: { X-Left: { schema: { type: integer } } }\n          description: shown",
  };
  const line = (headers: [string, string][]) =>
    exchange({ operation: 'readOrder', status: 200, came: { id: '1' }, headers });
  const level = (name: string, headers: [string, string][]) =>
    adopted(header, {}, { run: writeRun(join(folder, name), [line(headers)]) }).changes.find(({ id }) =>
      id.endsWith('header-removed'),
    )!.level;
  expect([level('with', [['x-left', '4']]), level('without', [])]).toEqual(['breaking', 'risky']);
});

test.describe('announced removals', () => {
  const OLD = `        old_state:
          type: string
          deprecated: true
          x-removed: '2025-08-04'
          x-rules:
            - { id: V1-TRN-05, level: must, text: It is text. }
`;
  test('before its day it needs work, from its day on it is let go', () => {
    const early = adopted({}, { [OLD]: '' }, { today: '2025-08-03' });
    expect(early.findings.find(({ kind }) => kind === 'early-removal')).toMatchObject({
      weight: 'work',
      text: expect.stringContaining('2025-08-04'),
    });
    const due = adopted({}, { [OLD]: '' }, { today: '2025-08-04' });
    expect(due.findings.map(({ kind }) => kind)).not.toContain('early-removal');
    expect(gone(due).level).toBe('risky');
  });

  test('a day that leaves less notice than is usual is told, and one that is no day', () => {
    const dated = (day: string, more = '') => ({
      'operationId: readOrder\n': `operationId: readOrder\n      deprecated: true\n      x-sunset: '${day}'\n${more}`,
    });
    const near = (day: string, more?: string) =>
      adopted({}, dated(day, more))
        .findings.filter(({ kind }) => kind === 'near-removal')
        .map(({ text }) => text);
    expect(near('2024-02-10')).toEqual(['readOrder goes on 2024-02-10, in 40 days; usual are 180']);
    expect(near('2024-08-01')).toEqual([]);
    expect(near('2024-02-10', '      x-stability-level: beta\n')).toEqual([]);
    expect(near('2024-01-20', '      x-stability-level: beta\n')).toHaveLength(1);
    expect(adopted({}, dated('soon')).changes.map(({ id }) => id)).toContain('removal-date-unreadable');
  });
});

test('what breaks an operation that is alpha does not stand in the way', () => {
  const alpha = { 'operationId: createOrder\n': 'operationId: createOrder\n      x-stability-level: alpha\n' };
  const found = adopted(alpha, { ...alpha, 'required: [amount]': 'required: [amount, note]' });
  expect([found.verdict, found.changes[0]!.level]).toEqual(['safe with notes', 'risky']);
  expect(found.changes[0]!.settled).toContain('createOrder' === found.changes[0]!.operation ? 'alpha' : '');
});

test('another figure in a rule that binds cannot be told, with both texts', () => {
  const found = adopted(
    {},
    { 'text: An order can be read afterwards.': 'text: An order can be read after 5 seconds.' },
  );
  expect([found.verdict, found.changes[0]!.id]).toEqual(['cannot tell', 'rule-facts-changed']);
  expect(found.changes[0]!.text).toContain(
    '“An order can be read afterwards” and is “An order can be read after 5 seconds”',
  );
  expect(found.changes[0]!.impact.rules.map(({ id }) => id)).toEqual(['V1-TRC-05']);
});

test('checks whose requests are refused now are named, whatever rules they claim', () => {
  const check = (id: string, line: number): Line => ({
    kind: 'check',
    id,
    title: `sends ${id}`,
    file: 'tests/v1/x.spec.ts',
    line,
    project: 'v1',
    rules: ['V1-TRN-05'],
    outcome: 'pass',
    failures: [],
    exchanges: 1,
    startedAt: '',
    duration: 1,
  });
  const sent = ['a', 'b', 'c'].map((id) =>
    exchange({ id: `${id}.1`, sent: id === 'c' ? { amount: 1, note: 'x' } : { amount: 1 } }),
  );
  const run = writeRun(join(folder, 'run'), [...sent, check('a', 1), check('b', 2), check('c', 3)]);
  const found = adopted({}, { 'required: [amount]': 'required: [amount, note]' }, { run });
  expect(
    found.changes[0]!.impact.checks.filter(({ unfit }) => unfit).map(({ title, unfit }) => [title, unfit]),
  ).toEqual([
    ['sends a', 1],
    ['sends b', 1],
  ]);
});

test('a body is not called unexplained beside the change that explains it', () => {
  const nested = (type: string) => ({
    [STATE]: `        state: { anyOf: [{ type: object, properties: { a: { type: ${type} } } }, { type: array, items: { type: ${type} } }] }\n`,
  });
  const found = adopted(nested('integer'), nested('number'));
  expect(found.changes.some(({ level }) => level === 'breaking')).toBe(true);
  expect(found.findings.map(({ kind }) => kind)).not.toContain('unexplained-body');
});

test.describe('a changelog in plain words', () => {
  const says = (text: string, now: Edit, old: Edit = {}) => {
    const changelog = join(folder, 'changes.md');
    writeFileSync(changelog, `# 2\n\n${text}\n`);
    return adopted(old, now, { changelog }).changes.map(({ id, announced }) => [id, announced!.length > 0]);
  };
  const LONGER = { 'note: { type: string, maxLength: 40 }': 'note: { type: string, maxLength: 60 }' };
  const cases: readonly (readonly [what: string, text: string, now: Edit, old: Edit, found: boolean])[] = [
    ['an everyday name beside its limit', 'A note may be up to 60 characters long.', LONGER, {}, true],
    ['an everyday name alone', 'Please note that we moved.', LONGER, {}, false],
    ['a name in words', 'The old state is gone.', { '        old_state:\n': '        very_old_state:\n' }, {}, true],
    [
      'a field that is required now',
      'Every new order needs a note.',
      { 'required: [amount]': 'required: [amount, note]' },
      {},
      true,
    ],
    [
      'an operation in words',
      'You can no longer read order by order.',
      { 'operationId: readOrder': 'operationId: showOrder' },
      {},
      true,
    ],
    [
      'a rule by its figure',
      'Orders can be read 9 seconds afterwards.',
      { 'read afterwards.': 'read 9 seconds afterwards.' },
      { 'read afterwards.': 'read 5 seconds afterwards.' },
      true,
    ],
  ];
  for (const [what, text, now, old, found] of cases)
    test(what, () => {
      expect(says(text, now, old).some(([, announced]) => announced)).toBe(found);
    });
});
