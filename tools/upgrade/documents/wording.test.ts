import { expect, test } from '@playwright/test';
import { compareWordings } from './wording.ts';

const FACTS: readonly (readonly [what: string, old: string, now: string, gone: string[], come: string[]])[] = [
  ['a status', '401 | -19 | body hash mismatch', '400 | -19 | body hash mismatch', ['401'], ['400']],
  ['a code', '401 | -19 | mismatch', '401 | -13 | mismatch', ['-19'], ['-13']],
  ['a figure', 'a hold of about 7 days', 'a hold of about 10 days', ['7'], ['10']],
  ['a figure in words', 'waits seven days', 'waits 8 days', ['seven'], ['8']],
  ['an asterisk', 'unreserved: - . _ ~', 'unreserved: - . _ ~ *', [], ['*']],
  ['a negation', 'The token is refreshed.', 'The token is not refreshed.', [], ['not']],
  ['a contracted negation', 'It does apply.', "It doesn't apply.", [], ["doesn't"]],
  ['a duty', 'The header should be sent.', 'The header must be sent.', ['should'], ['must']],
  ['a bound', 'at most the sum', 'at least the sum', ['most'], ['least']],
  ['a name', 'send orderSystemId', 'send orderMerchantId', ['orderSystemId'], ['orderMerchantId']],
  ['an algorithm', 'signed with SHA-256', 'signed with SHA-512', ['SHA-256'], ['SHA-512']],
];
for (const [what, old, now, gone, come] of FACTS)
  test(`another fact: ${what}`, () => {
    expect(compareWordings(old, now)).toMatchObject({ nature: 'facts', gone, come });
  });

const WORDS: readonly (readonly [what: string, old: string, now: string])[] = [
  ['other words', 'The hold lapses after about 7 days.', 'After roughly 7 days the block is over.'],
  ['the same duty', 'A name is required.', 'A name must be given.'],
  ['the same figure', 'It has six digits.', 'It consists of 6 digits.'],
  ['another end of the sentence', 'Paid; done.', 'Paid, done!'],
  ['a capital', 'Orders expire.', 'orders expire.'],
];
for (const [what, old, now] of WORDS)
  test(`the same facts: ${what}`, () => {
    expect(compareWordings(old, now)).toMatchObject({ nature: 'words', gone: [], come: [] });
  });

test('two facts that changed places are other facts', () => {
  expect(compareWordings('401 before 403', '403 before 401').nature).toBe('facts');
});

test('marks a word that means the same and is another', () => {
  const { nature, old, new: now } = compareWordings('It may fail after seven days.', 'It can fail after 7 days.');
  expect(nature).toBe('words');
  expect([old, now].map((pieces) => pieces.filter(({ mark }) => mark === 'word').map(({ text }) => text))).toEqual([
    ['may', 'seven'],
    ['can', '7'],
  ]);
});

test('marks what differs, facts apart from words, and leaves out nothing', () => {
  const { old, new: now } = compareWordings('It waits about 7 long days.', 'It waits roughly 10 days.');
  expect([old, now].map((pieces) => pieces.map(({ text }) => text).join(''))).toEqual([
    'It waits about 7 long days.',
    'It waits roughly 10 days.',
  ]);
  expect(old.filter(({ mark }) => mark)).toEqual([
    { text: 'about', mark: 'word' },
    { text: '7', mark: 'fact' },
    { text: 'long', mark: 'word' },
  ]);
  expect(now.filter(({ mark }) => mark === 'fact')).toEqual([{ text: '10', mark: 'fact' }]);
});
