import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeEndless } from './corpus/endless-texts.ts';
import { JOURNAL, Journal, type Line, Recorder, Redactor } from './index.ts';

const happened = (body: string) => ({
  api: 'gateway' as const,
  direction: 'out' as const,
  at: 0,
  duration: 1,
  request: { method: 'GET', url: 'https://gateway.example/status', headers: [] },
  response: { status: 200, headers: [], body: Buffer.from(body) },
  violations: [],
});

function written(write: (journal: Journal) => void, budget?: number): { lines: Line[]; size: number } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-budget-'));
  try {
    const journal = new Journal(folder, budget);
    write(journal);
    journal.close();
    const text = readFileSync(join(folder, JOURNAL), 'utf8');
    return {
      lines: text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
      size: text.length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('an answer with a million names teaches fifty things about a hole, and how many more there were', () => {
  const { lines, size } = written((journal) => {
    const observations = Array.from({ length: 1_000_000 }, (_, i) => ({
      hole: 'GW-HOLE-01',
      where: `/k${i}`,
      what: 'x',
    }));
    new Recorder('c0ffee00', new Redactor(), journal).exchange(happened('{}'), observations);
  });
  const learned = lines.filter((line) => line.kind === 'learned');
  expect(learned).toHaveLength(51);
  expect(learned.at(-1)).toMatchObject({ hole: 'GW-HOLE-01', what: '999950 more in this answer' });
  expect(size).toBeLessThan(20_000);
});

test('a thousand answers with names of their own teach a thousand things about a hole, and that there was more', () => {
  const { lines } = written((journal) => {
    const recorder = new Recorder('c0ffee00', new Redactor(), journal);
    for (let i = 0; i < 1500; i += 1) recorder.learn({ hole: 'GW-HOLE-01', where: `/k${i}`, what: 'x' });
    recorder.learn({ hole: 'GW-HOLE-02', where: '/k', what: 'x' });
  });
  expect(lines).toHaveLength(1002);
  expect(lines[1000]).toMatchObject({ what: 'more than 1000 things in this run' });
});

test('a note of a name that is megabytes long is short', () => {
  const { size } = written((journal) =>
    new Recorder('c0ffee00', new Redactor(), journal).learn({
      hole: 'GW-HOLE-01',
      where: 'k'.repeat(5_000_000),
      what: 'x',
    }),
  );
  expect(size).toBeLessThan(1000);
});

test('a spent budget leaves out bodies and lessons, never what became of a check', () => {
  const { lines } = written((journal) => {
    const recorder = new Recorder('c0ffee00', new Redactor(), journal);
    for (let i = 0; i < 5; i += 1)
      recorder.exchange(happened('y'.repeat(2000)), [{ hole: 'GW-HOLE-01', where: `/k${i}`, what: 'x' }]);
    recorder.finish({
      title: 'goes on',
      file: 'a.spec.ts',
      line: 1,
      project: 'gateway',
      rules: [],
      outcome: 'pass',
      failures: [],
      startedAt: '2026-03-02T09:00:00.000Z',
      duration: 1,
    });
  }, 3000);
  const exchanges = lines.filter((line) => line.kind === 'exchange');
  expect(exchanges.map(({ response }) => response?.body?.length)).toEqual([
    2000,
    2000,
    undefined,
    undefined,
    undefined,
  ]);
  expect(exchanges.at(-1)).toMatchObject({ response: { status: 200, size: 2000, cut: true } });
  expect(lines.filter((line) => line.kind === 'learned')).toHaveLength(1);
  expect(lines.at(-1)).toMatchObject({ kind: 'check', outcome: 'pass' });
});

test('whatever text a service makes megabytes long, its line is short', () => {
  const long = writeEndless('letters', 9_000_000);
  const { lines, size } = written((journal) => {
    const recorder = new Recorder('c0ffee00', new Redactor(), journal);
    recorder.state('order-1', long, 'sale');
    recorder.state('order-1', `${long}2`, 'status');
    recorder.effect({ what: 'order', id: long, restored: false });
    recorder.exchange({
      ...happened('{}'),
      violations: [{ rule: 'GW-STS-01', where: `/${long}`, expected: 'a text', actual: long }],
    });
    const failures = [{ message: long, rule: 'GW-STS-01', expected: long, actual: long }];
    const place = { title: 'goes on', file: 'a.spec.ts', line: 1, project: 'gateway', rules: [] };
    const times = { startedAt: '2026-03-02T09:00:00.000Z', duration: 1 };
    recorder.finish({ ...place, ...times, outcome: 'fail', failures });
  });
  expect(lines.map(({ kind }) => kind)).toEqual(['transition', 'effect', 'exchange', 'check']);
  expect(size).toBeLessThan(100_000);
});

test('a text of megabytes is cut before it is looked through, and shows nothing of a secret that the cut goes through', () => {
  const redactor = new Redactor();
  redactor.add('secret-7f3a9c2e51d8');
  const recorder = new Recorder('c0ffee00', redactor);
  for (const secret of ['secret-7f3a9c2e51d8', '5383 9085 2835 4962', 'Bearer 7f3a9c2e51d80b64'])
    for (let before = 65_536 - secret.length; before <= 65_536; before += 1) {
      const text = `${'word '.repeat(14_000).slice(0, before - 1)} ${secret} and ${'more '.repeat(200_000)}`;
      const shown = recorder.redact(text);
      expect(shown.length).toBeGreaterThan(16_384);
      expect(shown.length).toBeLessThan(65_600);
      expect(shown.slice(-60)).not.toMatch(/secr|5383|7f3a/);
    }
  expect(recorder.redact(`${'5383908528354962 '.repeat(4000)}end`)).toMatch(/^(?:538390\*{6}4962 )+(?:….?)?$/);
});

test('a state that is a card number is written as one', () => {
  const { lines } = written((journal) =>
    new Recorder('c0ffee00', new Redactor(), journal).state('order-1', '5383908528354962', 'sale'),
  );
  expect(lines).toMatchObject([{ kind: 'transition', to: '538390******4962' }]);
});
