import { expect, test } from '@playwright/test';
import { parseLocatedYaml } from '#contract';

const TEXT = `first: 1
'a/b':
  deep:
    - one
    - two: 2
base: &base
  name: x
other: *base
`;

for (const [pointer, line] of [
  ['', 1],
  ['/first', 1],
  ['/a~1b', 2],
  ['/a~1b/deep', 3],
  ['/a~1b/deep/1', 5],
  ['/a~1b/deep/1/two', 5],
  ['/a~1b/deep/9', 3],
  ['/a~1b/absent/below', 2],
  ['/other', 8],
  ['/other/name', 7],
] as const)
  test(`${pointer || 'the whole'} stands on line ${line}`, () => {
    expect(parseLocatedYaml(TEXT).lineOf(pointer)).toBe(line);
  });

test('an empty text has one line', () => expect(parseLocatedYaml('').lineOf('/a')).toBe(1));
