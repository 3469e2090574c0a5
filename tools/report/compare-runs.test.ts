import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { CheckLine, ExchangeLine, Line } from '#evidence';
import { baselineOfJournal } from './baseline.ts';
import { acceptBaseline, compareRuns, readBaseline, readProof, writeProof } from './index.ts';
import { sampleProofs } from './sample-companions.ts';
import { sampleLines, sampleRunLine } from './sample-run.ts';

const changed = (change: (line: Line) => Line | undefined) =>
  baselineOfJournal(sampleLines().flatMap((line) => change(structuredClone(line)) ?? []));
const same = () => baselineOfJournal(sampleLines());

test('finds nothing between a run and itself', () => {
  expect(compareRuns(same(), same())).toMatchObject({
    sameSpecs: true,
    verdicts: [],
    drift: [],
    shapes: [],
    timing: [],
  });
});

test('says which verdicts got worse and which got better', () => {
  const before = changed((line) =>
    line.kind === 'check' && line.id === 'a0000002' ? ({ ...line, outcome: 'pass', failures: [] } as CheckLine) : line,
  );
  expect(compareRuns(before, same()).verdicts).toEqual([{ rule: 'GW-CAP-02', from: 'pass', to: 'fail', worse: true }]);
  expect(compareRuns(same(), before).verdicts).toEqual([{ rule: 'GW-CAP-02', from: 'fail', to: 'pass', worse: false }]);
});

test('leaves out what one of the runs was told to leave out', () => {
  const { register } = sampleRunLine();
  const limited = baselineOfJournal(
    sampleLines(sampleRunLine({ selection: 'GW-CAP', register })).filter(
      (line) => line.kind !== 'check' || line.rules.some((rule) => rule.startsWith('GW-CAP')),
    ),
  );
  expect(compareRuns(same(), limited).verdicts.filter(({ rule }) => rule.startsWith('V1-EVT'))).toEqual([]);
});

test('tells drift in holes from new and vanished shapes', () => {
  const after = changed((line) => {
    if (line.kind === 'learned' && line.where === '/user') return { ...line, what: 'string' };
    if (line.kind !== 'exchange' || line.id !== 'b0000003.1') return line;
    return { ...line, response: { ...line.response!, body: '{"user":"x","since":2020}' } };
  });
  const { drift, shapes, verdicts } = compareRuns(same(), after);
  expect(verdicts).toEqual([]);
  expect(drift).toEqual([{ where: 'V1-HOLE-01', appeared: ['/user string'], vanished: ['/user object'] }]);
  expect(shapes).toEqual([
    expect.objectContaining({ where: 'auth 200', appeared: expect.arrayContaining(['/since number', '/user string']) }),
  ]);
});

test('says when an operation takes at least twice as long, not when it wavers', () => {
  const timed = (factor: number) => {
    const base = sampleLines();
    const one = base.find((line): line is ExchangeLine => line.kind === 'exchange' && line.operation === 'status')!;
    const more = Array.from({ length: 9 }, (_, i) => ({
      ...one,
      id: `${one.check}.${50 + i}`,
      duration: (40 + i) * factor,
    }));
    return baselineOfJournal([
      ...base.filter((line) => line.kind !== 'exchange' || line.operation !== 'status'),
      ...more,
    ]);
  };
  expect(compareRuns(timed(1), timed(1.4)).timing).toEqual([]);
  expect(compareRuns(timed(1), timed(3)).timing).toMatchObject([{ operation: 'status', slower: true }]);
  expect(compareRuns(timed(3), timed(1)).timing).toMatchObject([{ operation: 'status', slower: false }]);
});

test.describe('on disk', () => {
  let root: string;
  let folder: string;
  test.beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-baseline-'));
    folder = join(root, 'run');
    mkdirSync(folder);
  });
  test.afterEach(() => rmSync(root, { recursive: true }));
  const journal = (lines: readonly Line[]) =>
    writeFileSync(join(folder, 'evidence.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

  test('a run that was accepted compares like the run itself, in a fraction of its size', () => {
    journal(sampleLines());
    writeProof(folder, sampleProofs());
    const to = join(root, 'baseline');
    acceptBaseline(folder, to);
    expect(readdirSync(to)).toEqual(['baseline.json', 'proof.json']);
    const asking = sampleLines().flatMap((line) => (line.kind === 'check' && line.exchanges > 0 ? [line] : []));
    const exchanges = Object.fromEntries(asking.map((check) => [check.id, check.exchanges]));
    expect(readBaseline(to)).toEqual({ ...same(), exchanges });
    expect(Object.keys(exchanges).length).toBeGreaterThan(1);
    const lie = readProof(to)!.rules['GW-CAP-01']!.lies[0]!;
    expect(lie).toEqual({ name: 'capture-short', caught: true, by: ['a0000001'] });
    expect(readFileSync(join(to, 'proof.json'), 'utf8').split('\n')).toHaveLength(5 + 3);
    expect(readFileSync(join(to, 'baseline.json')).length).toBeLessThan(
      readFileSync(join(folder, 'evidence.ndjson')).length / 2,
    );
    rmSync(join(folder, 'proof.json'));
    acceptBaseline(folder, to);
    expect(readdirSync(to)).toEqual(['baseline.json']);
    writeFileSync(join(to, 'baseline.json'), '{}');
    expect(() => readBaseline(to)).toThrow('the baseline is damaged');
  });

  test('an incomplete run is not accepted', () => {
    journal(sampleLines().slice(0, -1));
    expect(() => acceptBaseline(folder, join(root, 'baseline'))).toThrow('an incomplete run cannot be the baseline');
    expect(readdirSync(root)).toEqual(['run']);
  });
});
