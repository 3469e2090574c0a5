import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { JOURNAL } from '#evidence';
import { awaitFirstRecord } from './await-record.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-record-'));
  writeFileSync(join(folder, JOURNAL), 'the first line\n');
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

test('waits until something is recorded', async () => {
  let isRecorded = false;
  const awaited = awaitFirstRecord(folder, never).then(() => isRecorded);
  await wait(50);
  isRecorded = true;
  appendFileSync(join(folder, JOURNAL), 'another\n');
  expect(await awaited).toBe(true);
});

test('waits no longer than the checks take, nor where nobody can tell', async () => {
  await awaitFirstRecord(folder, AbortSignal.abort());
  await awaitFirstRecord(folder, AbortSignal.timeout(20));
  rmSync(join(folder, JOURNAL));
  await awaitFirstRecord(folder, AbortSignal.timeout(20));
});
