import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Line, Redactor } from '#evidence';
import type { ChangeWaiver, Upgrade } from './result.ts';
import { change, description, exchange, writeRun } from './sample.test-support.ts';
import type { SpecChange } from './types.ts';
import { judgeUpgrade, type UpgradeRequest } from './upgrade.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-upgrade-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const spot = (pointer: string) => ({ file: 'new.yaml', line: 1, pointer });
const PURPOSE = { 'required: [amount]': 'required: [amount, purpose]' };
const purpose = change({ new: spot('/components/schemas/NewOrder/required') });

/** Judges hand-made changes between the sample and an edit of it. */
function judged(
  changes: readonly SpecChange[],
  edit: Readonly<Record<string, string>> = PURPOSE,
  more: Partial<UpgradeRequest> = {},
): Upgrade {
  const from = file('old.yaml', description());
  const to = file('new.yaml', description(edit));
  return judgeUpgrade({ from, to, today: '2024-01-01', seed: 1, ...more }, () => changes);
}
const kinds = ({ findings }: Upgrade) => findings.map(({ kind, weight }) => `${weight} ${kind}`);

test.describe('verdict', () => {
  test('safe when nothing changed, and says why', () => {
    const found = judged([], { 'title: Orders': 'title: Orders' });
    expect([found.verdict, found.reasons[0]!.text]).toEqual(['safe', 'Nothing changed that a client can notice.']);
  });

  test('safe with notes for what is risky', () => {
    const found = judged([change({ level: 'risky', text: 'More may come.' })], {});
    expect([found.verdict, found.reasons.map(({ text }) => text)]).toEqual([
      'safe with notes',
      ['createOrder: More may come.'],
    ]);
  });

  test('needs work for what breaks, with the body that shows it', () => {
    const found = judged([purpose]);
    expect(found.verdict).toBe('needs work');
    expect(found.reasons[0]).toEqual({
      weight: 'work',
      text: 'createOrder: `/purpose` is new and required.',
      about: 'kqzmwtrbfpxd',
    });
    expect(JSON.parse(found.changes[0]!.search!.counterexample!.body)).toEqual({ amount: 1 });
    expect(kinds(found)).toEqual(['note no-version-bump']);
  });

  test('cannot tell for what neither structure nor search settles', () => {
    const found = judged([change({ level: 'unclear' })], {});
    expect(found.verdict).toBe('cannot tell');
    expect(found.changes[0]!.settled).toContain('0 bodies are too few');
  });

  test('a search settles it: to breaking with a body, else to a note', () => {
    const unclear = { ...purpose, level: 'unclear' } as const;
    expect(judged([unclear])).toMatchObject({
      verdict: 'needs work',
      changes: [{ classified: 'unclear', level: 'breaking' }],
    });
    const other = { ...unclear, new: spot('/components/schemas/NewOrder/properties/amount/minimum') };
    const found = judged([other], { 'maxLength: 40': 'maxLength: 41' });
    expect(found.verdict).toBe('safe with notes');
    expect(found.changes[0]!.settled).toContain('no counterexample in 1,000 bodies');
  });

  test('a service that is described on one side only cannot be told', () => {
    mkdirSync(join(folder, 'both'));
    mkdirSync(join(folder, 'one'));
    for (const name of ['both/v1.yaml', 'both/gateway.yaml', 'one/v1.yaml']) file(name, description());
    const found = judgeUpgrade(
      { from: join(folder, 'both'), to: join(folder, 'one'), today: '2024-01-01', seed: 1 },
      () => [],
    );
    expect([found.verdict, ...kinds(found)]).toEqual(['cannot tell', 'unknown described-once']);
  });
});

test.describe('findings', () => {
  test('a breaking change asks for a new major version', () => {
    const version = (text: string) => judged([purpose], { ...PURPOSE, 'version: 1.0.0': `version: ${text}` });
    expect(kinds(version('1.1.0'))).toEqual(['note no-version-bump']);
    expect(kinds(version('2.0.0'))).toEqual([]);
  });

  test('a body on which the two part must have a change that says so', () => {
    expect(kinds(judged([]))).toEqual(['work unexplained-body']);
  });

  test('waivers: in force, expired, unused', () => {
    const waiver = (fingerprint: string, until: string): ChangeWaiver => ({
      fingerprint,
      until,
      reason: 'We send it already.',
      owner: 'payments',
      place: { file: 'waivers.yaml', line: 1 },
    });
    const major = { ...PURPOSE, 'version: 1.0.0': 'version: 2.0.0' };
    const waived = judged([purpose], major, { waivers: [waiver(purpose.fingerprint, '2024-01-01')] });
    expect([waived.verdict, waived.counts.waived, ...kinds(waived)]).toEqual(['safe with notes', 1]);
    const expired = judged([purpose], major, { waivers: [waiver(purpose.fingerprint, '2023-12-31')] });
    expect([expired.verdict, ...kinds(expired)]).toEqual(['needs work', 'note expired-waiver']);
    const unused = judged([], {}, { waivers: [waiver('ffffffffffff', '2030-01-01')] });
    expect([unused.verdict, ...kinds(unused)]).toEqual(['safe with notes', 'note unused-waiver']);
  });

  test('an element past its removal date that a check reads or a run shows', () => {
    const checksOf = (rule: string) =>
      rule === 'V1-TRN-05' ? [{ title: 'reads it', place: 'tests/v1/x.spec.ts:1' }] : [];
    expect(kinds(judged([], {}, { today: '2025-08-03', checksOf }))).toEqual([]);
    expect(kinds(judged([], {}, { today: '2025-08-04' }))).toEqual([]);
    expect(kinds(judged([], {}, { today: '2025-08-04', checksOf }))).toEqual(['note past-removal']);
    const trace: Line = {
      kind: 'trace',
      operation: 'readOrder',
      side: 'response',
      status: 200,
      at: ['/components/schemas/Order/properties/old_state'],
      exchanges: ['a0000001.1'],
    };
    const found = judged([], {}, { today: '2025-08-04', run: writeRun(join(folder, 'run'), [trace]) });
    expect(found.findings.map(({ text }) => text)).toContain(
      'old_state is past the day of its removal, 2025-08-04, and is still seen in 1 recorded exchange',
    );
  });

  test('Deprecation and Sunset headers of a run, malformed ones too', () => {
    const said = (headers: [string, string][], id: string) =>
      exchange({
        id,
        sent: { amount: 1 },
        came: { id: '1' },
        // As they are when they were recorded.
        headers: headers.map(([name, value]) => [name, new Redactor().header(name, value)] as const),
      });
    const run = writeRun(join(folder, 'run'), [
      said(
        [
          ['deprecation', '@1688169599'],
          ['Sunset', 'Sun, 30 Jun 2030 23:59:59 GMT'],
        ],
        'a.1',
      ),
      said([['deprecation', '@1688169599']], 'a.2'),
      said([['Deprecation', 'true']], 'a.3'),
      said(
        [
          ['Deprecation', '@1688169599'],
          ['Sunset', 'Wed, 11 Nov 2020 11:11:11 GMT'],
        ],
        'a.4',
      ),
    ]);
    const found = judged([], {}, { run });
    expect(
      found.retirements!.map(({ header, date, times, problem }) => [header, date, times, problem !== undefined]),
    ).toEqual([
      ['Deprecation', '2023-06-30T23:59:59.000Z', 3, false],
      ['Sunset', '2030-06-30T23:59:59.000Z', 1, false],
      ['Deprecation', undefined, 1, true],
      ['Sunset', '2020-11-11T11:11:11.000Z', 1, true],
    ]);
    expect(found.findings.find(({ kind }) => kind === 'retirement')!.text).toBe(
      'createOrder is deprecated since 2023-06-30 (3 answers)',
    );
  });

  test('recorded requests: told with the change that explains them, else as work of their own', () => {
    const run = writeRun(join(folder, 'run'), [exchange({ sent: { amount: 1 } })]);
    const told = judged([purpose], PURPOSE, { run });
    expect(kinds(told)).toEqual(['note no-version-bump']);
    expect(told.changes[0]!.unfit).toEqual(['a0000001.1']);
    expect(kinds(judged([], PURPOSE, { run }))).toContain('work recorded-request');
  });

  test('an incomplete run leaves open what is missing', () => {
    const run = writeRun(join(folder, 'run'), [], 'interrupted');
    const found = judged([], {}, { run });
    expect([found.verdict, ...kinds(found)]).toEqual(['cannot tell', 'unknown incomplete-run']);
  });

  test('a changelog: sentences without a change, changes without a sentence, and what was matched', () => {
    const changelog = file(
      'changes.md',
      '# 2.0\n\nWe are happy to announce this.\n\n- `createOrder` needs a `purpose`.\n- `listOrders` is faster.\n',
    );
    const quiet = change({ fingerprint: 'bbbbbbbbbbbb', level: 'safe', subject: '/hint', text: '`/hint` is new.' });
    const loud = change({
      fingerprint: 'cccccccccccc',
      level: 'risky',
      subject: '/state',
      text: '`/state` may be `held`.',
    });
    const found = judged([purpose, quiet, loud], PURPOSE, { changelog });
    expect(kinds(found).filter((kind) => /not-/.test(kind))).toEqual([
      'note not-found',
      'note not-announced',
      'note not-announced',
    ]);
    expect(found.changelog!.sentences.map(({ line, names, matches }) => [line, names.length > 0, matches])).toEqual([
      [3, false, []],
      [5, true, [{ fingerprint: 'kqzmwtrbfpxd', words: ['purpose', 'createOrder'] }]],
      [6, true, []],
    ]);
    expect(found.changes.map(({ announced }) => announced)).toEqual([[5], [], []]);
  });
});

test.describe('impact', () => {
  const lines: Line[] = [
    exchange({ id: 'a.1', sent: { amount: 1 }, came: { id: '1', state: 'open' } }),
    exchange({ id: 'b.1', sent: { amount: 1 }, came: { id: '1' } }),
    {
      kind: 'trace',
      operation: 'createOrder',
      side: 'response',
      status: 201,
      at: ['/components/schemas/Order', '/components/schemas/Order/properties/state'],
      exchanges: ['a.1'],
    },
    {
      kind: 'trace',
      operation: 'createOrder',
      side: 'response',
      status: 201,
      at: ['/components/schemas/Order'],
      exchanges: ['b.1'],
    },
  ];
  const place = (pointer: string) => change({ level: 'note', direction: 'response', old: spot(pointer) });
  const check: Line = {
    kind: 'check',
    id: 'a',
    title: 'reads it',
    file: 'tests/v1/x.spec.ts',
    line: 3,
    project: 'v1',
    rules: ['V1-TRN-05'],
    outcome: 'pass',
    failures: [],
    exchanges: 1,
    startedAt: '',
    duration: 1,
  };

  test('follows a change to the exchanges that met its place, and lists what none met', () => {
    const run = writeRun(join(folder, 'run'), lines);
    const changes = [
      place('/components/schemas/Order/properties/state/enum'),
      place('/components/schemas/Order/properties/old_state'),
    ];
    const found = judged([changes[0]!, { ...changes[1]!, fingerprint: 'bbbbbbbbbbbb' }], {}, { run });
    expect(found.changes.map(({ impact: { exchanges, by } }) => [exchanges, by])).toEqual([
      [['a.1'], 'trace'],
      [[], 'trace'],
    ]);
    expect(found.unexercised).toEqual(['bbbbbbbbbbbb']);
  });

  test('of a run without a trace the exchanges of the operation are told, and that it is so', () => {
    const run = writeRun(join(folder, 'run'), lines.slice(0, 2));
    const [found] = judged([place('/components/schemas/Order/properties/state')], {}, { run }).changes;
    expect(found!.impact).toMatchObject({ exchanges: ['a.1', 'b.1'], by: 'operation' });
  });

  test('rules stand at the place, or nearest above, or at the operation; checks claim them', () => {
    const run = writeRun(join(folder, 'run'), [check]);
    const checksOf = () => [
      { title: 'reads it', place: 'tests/v1/x.spec.ts:3' },
      { title: 'more', place: 'tests/v1/x.spec.ts:9' },
    ];
    const impactOf = (one: SpecChange) => judged([one], {}, { run, checksOf }).changes[0]!.impact;
    const at = impactOf(place('/components/schemas/Order/properties/old_state/type'));
    expect(at.rules.map(({ id }) => id)).toEqual(['V1-TRN-05']);
    expect(at.checks.map(({ title, outcome }) => [title, outcome])).toEqual([
      ['reads it', 'pass'],
      ['more', undefined],
    ]);
    expect(impactOf({ ...purpose, level: 'note' }).rules.map(({ id }) => id)).toEqual(['V1-TRC-05']);
  });
});

test('documents: clauses gone, changed, moved and new, with the rules that come from them', () => {
  const old = file('a.md', '# T\n\n## Limits\n\nAt most five orders. Names are short.\n\n## Other\n\nStay calm.\n');
  const now = file('b.md', '# T\n\n## Limits\n\nAt most nine orders.\n\n## More\n\nStay calm. Brand new words here.\n');
  const { documents } = judged([], {}, { documents: [old, now] });
  expect(documents!.changes.map(({ fate, section, begins, weight }) => [fate, section, begins, weight])).toEqual([
    ['changed', 'Limits', 'At most five orders.', 'unknown'],
    ['new', 'More', 'Brand new words here.', 'unknown'],
    ['gone', 'Limits', 'Names are short.', 'note'],
    ['gone', '', 'Other', 'note'],
    ['new', '', 'More', 'note'],
    ['moved', 'Other', 'Stay calm.', 'note'],
  ]);
});
