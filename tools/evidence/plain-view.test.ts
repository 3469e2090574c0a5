import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { plainViews, viewsOfWords } from './plain-view.ts';

const SECRET = '4f9Kz+/-_~!';

test('shows a word in the views of words wherever it shows in any', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      '"',
      '\\"',
      '\\\\\\"',
      '\\',
      '\\\\',
      '\\n',
      '\\u0034',
      '\\/',
      '%34',
      '&#52;',
      '&quot;',
      '<b>',
      '</b>',
    ),
    fc.constantFrom(...SECRET, SECRET, SECRET.slice(0, 6), SECRET.slice(6), '٤', '=34=39=34=39=34=39', ' ', 'u', 'n'),
  );
  const texts = fc.array(pieces, { maxLength: 14 }).map((all) => all.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const shows = (views: typeof plainViews) => views(text).some((view) => view.text.includes(SECRET));
      expect(shows(viewsOfWords)).toBe(shows(plainViews));
    }),
    { numRuns: 2000 },
  );
});

test('makes no other view of a body whose quotation marks alone are escaped', () => {
  const line = JSON.stringify({ body: JSON.stringify({ context: JSON.stringify({ state: 'APPROVED' }) }) });
  expect(plainViews(line).length).toBeGreaterThan(1);
  expect(viewsOfWords(line).map(({ text }) => text)).toEqual([line]);
  for (const other of ['%41', '\\n', '\\u0041', '&amp;', '<b>', '=34=39=34=39=34=39', '٤'])
    expect(viewsOfWords(`${line}${other}`), other).toEqual(plainViews(`${line}${other}`));
});
