import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { JOURNAL, Journal } from './journal.ts';
import { LessonBook } from './lesson-book.ts';
import { Recorder } from './recorder.ts';
import { Redactor } from './redact.ts';

const lesson = (nth: number) => ({ hole: 'GW-HOLE-01', where: `/${nth}`, what: 'string' });

test('what came before is redacted once, and written once', () => {
  class CountingRedactor extends Redactor {
    texts = 0;
    override text(text: string) {
      this.texts += 1;
      return super.text(text);
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'assay-lessons-'));
  const journal = new Journal(folder);
  const redactor = new CountingRedactor();
  const [one, other] = ['c0000001', 'c0000002'].map((check) => new Recorder(check, redactor, journal));
  one!.learn(lesson(1));
  const { texts } = redactor;
  expect(texts).toBe(2);
  for (let times = 0; times < 50; times += 1) other!.learn(lesson(1));
  expect(redactor.texts).toBe(texts);
  other!.learn(lesson(2));
  journal.close();
  expect(readFileSync(join(folder, JOURNAL), 'utf8').trim().split('\n')).toHaveLength(2);
  rmSync(folder, { recursive: true });
});

test('a hole teaches a thousand things, then one line says that there were more, and nothing more is even looked at', () => {
  const book = LessonBook.of({});
  const lines = Array.from({ length: 1500 }, (_, nth) =>
    book.isNews(lesson(nth)) ? book.admit({ kind: 'learned', exchange: 'c0000001.1', ...lesson(nth) }) : undefined,
  ).filter((line) => line !== undefined);
  expect(lines).toHaveLength(1001);
  expect(lines.at(-1)).toMatchObject({ where: 'and', what: 'more than 1000 things in this run' });
  expect(book.isNews(lesson(2000))).toBe(false);
  expect(book.isNews({ ...lesson(1), hole: 'GW-HOLE-02' })).toBe(true);
});
