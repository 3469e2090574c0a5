import { expect, test } from '@playwright/test';
import { normalizeClause, splitClauses } from '#contract';

const NORMAL: readonly (readonly [what: string, written: string, said: string])[] = [
  ['a code span', 'the field `amount`', 'the field amount'],
  ['emphasis', '**bold**, *thin* and ***both***', 'bold, thin and both'],
  ['emphasis around code', '**`a`**: text', 'a: text'],
  ['emphasis within a word', 'un*frigging*believable', 'unfriggingbelievable'],
  ['an asterisk in a code span', '`- . _ ~*` and `/balance/*`', '- . _ ~* and /balance/*'],
  ['a lone asterisk', 'every * is encoded', 'every * is encoded'],
  ['a factor', '5 * 3 * 2', '5 * 3 * 2'],
  ['an asterisk without its partner', 'two* or more', 'two* or more'],
  ['one left over of two', '**a* b', '*a b'],
  ['an escaped asterisk', 'a \\*b\\* c', 'a \\*b\\* c'],
  ['a lone backtick', 'the ` sign', 'the ` sign'],
  ['white space', ' a\t b\n c ', 'a b c'],
  ['composed letters', 'u\u0308', '\u00fc'],
];

for (const [what, written, said] of NORMAL)
  test(`normalizes ${what}`, () => {
    expect(normalizeClause(written)).toBe(said);
  });

test('an asterisk that came or went within a code span is another clause', () => {
  const [a, b] = ['(unreserved: `- . _ ~`)', '(unreserved: `- . _ ~*`)'].map((text) => splitClauses('v1', text)[0]!);
  expect(a!.sha256).not.toBe(b!.sha256);
  expect(b!.text).toBe('(unreserved: - . _ ~*)');
});

test('a row is not read twice: asterisks of two code spans are no emphasis', () => {
  expect(splitClauses('v1', '| `oauth_*` | `*x` |')[0]).toMatchObject({
    text: 'oauth_* | *x',
    names: ['oauth_*', '*x'],
  });
});

test('splits where emphasis spans sentences, and names what stands in code spans', () => {
  const found = splitClauses('v1', '**Stop here. Go** on. `a_b` is e.g. `c`. Done!');
  expect(found.map(({ text, names }) => [text, names])).toEqual([
    ['Stop here.', []],
    ['Go on.', []],
    ['a_b is e.g. c.', ['a_b', 'c']],
    ['Done!', []],
  ]);
});
