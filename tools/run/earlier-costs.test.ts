import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readEarlierCosts } from './earlier-costs.ts';

let reports = '';
test.beforeEach(() => {
  reports = mkdtempSync(join(tmpdir(), 'assay-costs-'));
});
test.afterEach(() => rmSync(reports, { recursive: true }));

/** Lays a run of a target below the reports, in which checks sent requests; one without any was skipped. */
function layRun(stamp: string, target: string, checks: Readonly<Record<string, number>>): void {
  const folder = join(reports, stamp);
  mkdirSync(folder);
  const lines = Object.entries(checks).map(([id, exchanges]) => ({
    ...{ kind: 'check', id, exchanges, duration: 1500, outcome: exchanges === 0 ? 'skipped' : 'pass' },
  }));
  const all = [{ kind: 'run', target: { name: target } }, ...lines];
  writeFileSync(join(folder, 'evidence.ndjson'), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function layBaseline(text: string): void {
  mkdirSync(join(reports, 'baseline'), { recursive: true });
  writeFileSync(join(reports, 'baseline/baseline.json'), text);
}

const accepted = (exchanges?: Readonly<Record<string, number>>) =>
  JSON.stringify({ format: 'assay.baseline/1', exchanges });

test('what no run says of a check, the run that was accepted says', () => {
  layBaseline(accepted({ often: 40, seldom: 2 }));
  expect(readEarlierCosts(reports, 'theirs')).toEqual({ often: { requests: 40 }, seldom: { requests: 2 } });
  layRun('20260101-000000-aaaa', 'another', { often: 30, seldom: 0 });
  expect(readEarlierCosts(reports, 'theirs')).toEqual({ often: { requests: 30 }, seldom: { requests: 2 } });
  layRun('20260102-000000-aaaa', 'theirs', { often: 20, seldom: 0 });
  layRun('20260103-000000-aaaa', 'another', { often: 10, seldom: 10 });
  const own = { often: { requests: 20, seconds: 1.5 }, seldom: { requests: 0, seconds: 1.5 } };
  expect(readEarlierCosts(reports, 'theirs')).toEqual(own);
});

test('a baseline that is damaged, or older than this, plans nothing and stops nothing', () => {
  for (const text of ['{', '{}', accepted()]) {
    layBaseline(text);
    expect(readEarlierCosts(reports, 'theirs')).toEqual({});
  }
});

test('a workspace without a baseline is planned with the one that comes with the suite', () => {
  const costs = Object.values(readEarlierCosts(reports, 'theirs'));
  expect(costs.length).toBeGreaterThan(1000);
  expect(costs.every(({ requests = 0, seconds }) => requests > 0 && seconds === undefined)).toBe(true);
});
