import { expect, test } from '@playwright/test';
import { TextMemo } from './text-memo.ts';

test('remembers what it is told of a text until there are too many', () => {
  const memo = new TextMemo<number>();
  for (let nth = 0; nth < 4096; nth += 1) memo.set(`text ${nth}`, nth);
  expect([memo.get('text 0'), memo.get('text 4095'), memo.get('text 4096')]).toEqual([0, 4095, undefined]);
  memo.set('text 4096', 4096);
  expect([memo.get('text 0'), memo.get('text 4095'), memo.get('text 4096')]).toEqual([undefined, undefined, 4096]);
  memo.clear();
  expect(memo.get('text 4096')).toBeUndefined();
});

test('takes no text for another: half a character is not what stands for it in UTF-8', () => {
  const memo = new TextMemo<string>();
  memo.set('half \ud83d', 'half');
  expect([memo.get('half \ud83d'), memo.get('half \ufffd')]).toEqual([undefined, undefined]);
  memo.set('whole \ud83d\ude00', 'whole');
  expect(memo.get('whole \ud83d\ude00')).toBe('whole');
});
