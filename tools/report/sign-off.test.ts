import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { signRun, verifyRun, writeReport, writeSignOff } from './index.ts';
import { HOSTILE_TEXT, sampleLines } from './sample-run.ts';
import { SIGN_OFF_FILE } from './sign-off.ts';

const RUN = '20260302-090000-5a3c';
const decision = { name: 'A. Reviewer', date: '2026-03-03', decision: 'accepted with conditions' } as const;

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-sign-off-'));
  writeFileSync(
    join(folder, 'evidence.ndjson'),
    sampleLines()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
});
test.afterEach(() => rmSync(folder, { recursive: true }));

test('a decision is drawn, signed along, and named when the folder is verified', () => {
  writeSignOff(folder, RUN, { ...decision, note: `Until June. ${HOSTILE_TEXT}` });
  const run = writeReport(folder);
  expect(run.signOff).toMatchObject(decision);
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(page).toContain('<b>accepted with conditions</b> by A. Reviewer, 2026-03-03.');
  expect(page).not.toContain(HOSTILE_TEXT);
  signRun(folder, RUN);
  const { findings, notes } = verifyRun(folder);
  expect(findings).toEqual([]);
  expect(notes.join('\n')).toContain('A. Reviewer signed the run off on 2026-03-03: accepted with conditions');
  expect(notes.join('\n')).toContain('not shown: ');
});

test('a decision that was changed after it was signed is found', () => {
  writeSignOff(folder, RUN, { ...decision, decision: 'rejected' });
  writeReport(folder);
  signRun(folder, RUN);
  writeSignOff(folder, RUN, decision);
  expect(verifyRun(folder).findings).toEqual([`${SIGN_OFF_FILE} was changed`]);
});

test('a decision about another run, or that is none, is refused with its place', () => {
  writeSignOff(folder, '20260302-090000-ffff', decision);
  expect(() => writeReport(folder)).toThrow(/sign-off is damaged/);
  writeSignOff(folder, RUN, { ...decision, decision: 'perhaps' as never });
  expect(() => writeReport(folder)).toThrow(/sign-off is damaged/);
});
