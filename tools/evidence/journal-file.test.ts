import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { JournalFile, parseJournal, readJournal } from './journal-file.ts';

let folder: string;
const file = () => join(folder, 'evidence.ndjson');
const HEAD = '{"kind":"run","id":"r"}\n';

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-journal-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

test('gives the same lines each time, wherever the pieces it reads end', () => {
  const sizes = [1, 65_400, 65_536, 200_000, 3, 131_072];
  const text = `${HEAD}${sizes.map((size) => `${JSON.stringify({ kind: 'learned', what: 'ü€'.repeat(size) })}\n`).join('\n')}`;
  writeFileSync(file(), text);
  const lines = new JournalFile(folder);
  expect([...lines]).toEqual(parseJournal(text));
  expect([...lines]).toHaveLength(7);
  expect(readJournal(folder)).toEqual(parseJournal(text));
});

test('leaves out what is appended after it was opened, and a last line cut short', () => {
  writeFileSync(file(), `${HEAD}{"kind":"effect"}\n{"kind":"eff`);
  const lines = new JournalFile(folder);
  appendFileSync(file(), 'ect"}\n{"kind":"end"}\n');
  expect([...lines].map(({ kind }) => kind)).toEqual(['run', 'effect']);
  expect([...new JournalFile(folder)].map(({ kind }) => kind)).toEqual(['run', 'effect', 'effect', 'end']);
});

test('names the line that is damaged, and the first when it is no run line', () => {
  writeFileSync(file(), `${HEAD}\n{"kind":"eff\n`);
  expect(() => [...new JournalFile(folder)]).toThrow('the journal is damaged');
  try {
    readJournal(folder);
  } catch (error) {
    expect(error).toMatchObject({ place: { file: file(), line: 3 } });
  }
  for (const text of ['', '\n', '{"kind":"end"}\n']) {
    writeFileSync(file(), text);
    expect(() => [...new JournalFile(folder)], text).toThrow('does not begin with its run line');
  }
});
