import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { findLeaks, type Line } from '#evidence';
import { listArtifacts, pointLatest, writeReport } from './index.ts';
import { writeProof } from './proof-file.ts';
import { sampleProofs } from './sample-companions.ts';
import { HOSTILE_TEXT, sampleCheck, sampleLines, sampleRunLine } from './sample-run.ts';

let folder: string;
test.beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'assay-report-')), 'run-1');
  mkdirSync(folder);
});
test.afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const journal = (lines: readonly Line[]) =>
  writeFileSync(join(folder, 'evidence.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

test('draws every file, and the same bytes again', () => {
  journal(sampleLines());
  writeReport(folder);
  const names = ['ctrf.json', 'evidence.ndjson', 'index.html', 'junit.xml', 'overlay.yaml', 'run.json', 'summary.md'];
  expect(listArtifacts(folder)).toEqual(names);
  const first = names.map(read);
  writeReport(folder);
  expect(names.map(read)).toEqual(first);
});

test('draws a page of a run that was killed in the middle of a line', () => {
  journal(sampleLines().slice(0, 9));
  writeFileSync(join(folder, 'evidence.ndjson'), '{"kind":"exch', { flag: 'a' });
  const run = writeReport(folder);
  expect(run.complete).toBe(false);
  expect(read('index.html')).toContain('Incomplete.');
  expect(read('summary.md')).toContain('**Incomplete.**');
});

test('takes an overlay of an earlier drawing away when nothing was learned', () => {
  journal(sampleLines());
  writeReport(folder);
  journal(sampleLines().filter(({ kind }) => kind !== 'learned'));
  writeReport(folder);
  expect(readdirSync(folder)).not.toContain('overlay.yaml');
});

test('shows a proof that lies beside the journal', () => {
  journal(sampleLines());
  writeProof(folder, sampleProofs());
  const run = writeReport(folder);
  expect(run.rules.find(({ id }) => id === 'GW-CAP-02')!.proof!.lies[0]!.caught).toBe(true);
  expect(read('index.html')).toContain('27 of 27 lies');
  writeFileSync(join(folder, 'proof.json'), '{');
  expect(() => writeReport(folder)).toThrow('the proof is damaged');
});

test('withholds the whole folder when one artifact holds a secret, and says which kind, not which', () => {
  journal(sampleLines());
  writeReport(folder);
  const leaking = sampleLines(sampleRunLine({ argv: ['run', '--target', '4929 9391 8735 5598'] }));
  journal(leaking);
  let said = '';
  try {
    writeReport(folder);
  } catch (error) {
    said = String(error);
  }
  expect(said).toMatch(/withheld[\s\S]*evidence\.ndjson line 1: a card number[\s\S]*run\.json/);
  expect(said).not.toContain('4929');
  expect(readdirSync(folder)).toEqual(['evidence.ndjson']);
  expect(() => writeReport(folder, { ownsFolder: true })).toThrow('withheld');
  expect(readdirSync(folder)).toEqual([]);
});

test('takes a seed and the id of the next check for no card number', () => {
  const properties = [{ name: 'any amount', seed: 60070638, runs: 200 }];
  const tried = sampleCheck('a0000001', 'accepts any amount', [], { properties });
  const next = sampleCheck('78684511', 'accepts any currency', []);
  // Beside each other they would be the number of a card.
  expect(findLeaks('page', `${properties[0]!.seed} ${next.id}`)).not.toEqual([]);
  journal([sampleRunLine(), ...[tried, next].map((check) => ({ ...check, exchanges: 0 }))]);
  writeReport(folder);
  expect(read('index.html')).toMatch(/seed 60070638[\s\S]*<code class="id">78684511/);
});

test('looks at every other file of the folder as well', () => {
  journal(sampleLines());
  const [rule] = Object.values(sampleProofs().rules);
  const lies = [{ name: 'Bearer abc123def456', caught: true, by: [] }];
  writeProof(folder, sampleProofs({ rules: { 'GW-CAP-02': { ...rule!, lies } } }));
  for (const isDraft of [true, false]) expect(() => writeReport(folder, { isDraft })).toThrow('withheld');
  rmSync(join(folder, 'proof.json'));
  writeReport(folder);
});

test('writes JUnit that adds up, with rule ids as properties and hostile text inert', () => {
  journal(sampleLines());
  writeReport(folder);
  const xml = read('junit.xml');
  expect(xml.match(/<testsuites [^>]*>/)![0]).toContain('tests="13" failures="3" errors="1" skipped="3"');
  expect(xml.match(/<failure /g)).toHaveLength(3);
  expect(xml).toContain('<property name="rule" value="GW-CAP-02"/>');
  // A rule broken only in passing has no failing check; it must be red here all the same.
  expect(xml).toContain('name="GW-STS-01: The state of an order is one of seven."');
  expect(xml).not.toContain('<script>');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
});

test('writes CTRF as its schema wants it', () => {
  journal(sampleLines());
  writeReport(folder);
  const report = JSON.parse(read('ctrf.json'));
  expect(report).toMatchObject({ reportFormat: 'CTRF', specVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  expect(
    Object.keys(report).filter(
      (key) => !['reportFormat', 'specVersion', 'timestamp', 'generatedBy', 'results'].includes(key),
    ),
  ).toEqual([]);
  const { tool, summary, tests } = report.results;
  expect(tool.name).toBe('assay');
  for (const key of ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'])
    expect(Number.isInteger(summary[key])).toBe(true);
  expect(summary.tests).toBe(tests.length);
  expect(summary.passed + summary.failed + summary.skipped + summary.pending + summary.other).toBe(tests.length);
  expect(summary.failed).toBe(3);
  const known = [
    'name',
    'status',
    'duration',
    'start',
    'stop',
    'suite',
    'message',
    'line',
    'rawStatus',
    'tags',
    'filePath',
    'extra',
  ];
  for (const one of tests) {
    expect(Object.keys(one).filter((key) => !known.includes(key))).toEqual([]);
    expect(one.name).not.toBe('');
    expect(['passed', 'failed', 'skipped', 'pending', 'other']).toContain(one.status);
    expect([one.duration, one.start, one.stop, one.line].every(Number.isInteger)).toBe(true);
    expect(one.suite.length).toBeGreaterThan(0);
    expect([...one.suite, ...one.tags].every((text: unknown) => typeof text === 'string')).toBe(true);
  }
});

test('writes an overlay of what was learned, each action at its hole', () => {
  journal(sampleLines());
  writeReport(folder);
  const overlay = parse(read('overlay.yaml'));
  expect(overlay.overlay).toBe('1.0.0');
  expect(overlay.info).toEqual({ title: expect.any(String), version: expect.any(String) });
  expect(overlay.actions.map(({ target }: { target: string }) => target)).toEqual([
    "$['paths']['/payments/status/{requestorId}']['post']",
    "$['paths']['/api/v1/auth']['get']",
  ]);
  const [first] = overlay.actions[0].update['x-learned']['GW-HOLE-01'];
  expect(first).toEqual({ where: '/transactions/*/amount', what: HOSTILE_TEXT, times: 1, exchange: 'a0000001.2' });
});

test('keeps hostile text inert in the summary', () => {
  journal(sampleLines(sampleRunLine({ lie: '[click](javascript:alert(1)) @everyone <b>' })));
  writeReport(folder);
  const text = read('summary.md');
  expect(text).not.toMatch(/<script|<b>|\]\(|@everyone/);
  const table = text.split('\n').filter((line) => line.startsWith('| fail') || line.startsWith('| warn'));
  for (const line of table) expect(line.match(/\|/g)).toHaveLength(6);
});

test('points latest at a run, again at the next, and never removes a real folder', () => {
  const pointer = pointLatest(folder);
  expect(readlinkSync(pointer)).toBe('run-1');
  mkdirSync(join(folder, '../run-2'));
  expect(readlinkSync(pointLatest(join(folder, '../run-2')))).toBe('run-2');
  rmSync(pointer);
  mkdirSync(pointer);
  expect(() => pointLatest(folder)).toThrow('a folder is in the way');
  expect(lstatSync(pointer).isDirectory()).toBe(true);
});
