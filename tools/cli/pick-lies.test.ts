import { expect, test } from '@playwright/test';
import { lies } from '#sandbox';
import type { Given } from './arguments.ts';
import { pickLies } from './pick-lies.ts';

/** A call of `assay prove` with these flags. */
function given(flags: Readonly<Record<string, string>>): Given {
  return {
    positional: [],
    argv: [],
    flag: (name) => flags[name],
    flags: (name) => (flags[name] === undefined ? [] : [flags[name]]),
    has: (name) => name in flags,
  };
}

const names = (flags: Readonly<Record<string, string>>) => pickLies(given(flags)).told.map(({ name }) => name);

test('every lie is told unless something is left out', () => {
  const { told, whole } = pickLies(given({}));
  expect(whole).toBe(true);
  expect(told).toHaveLength(lies().length);
  expect(pickLies(given({ api: 'v1' })).whole).toBe(false);
});

test('shares of the work are all of it together, none of it twice', () => {
  const shares = [1, 2, 3].flatMap((n) => names({ shard: `${n}/3` }));
  expect(shares.sort()).toEqual(names({}).sort());
  expect(new Set(shares).size).toBe(shares.length);
});

test('a sample is the same each time and as large as asked', () => {
  expect(names({ sample: '12' })).toEqual(names({ sample: '12' }));
  expect(names({ sample: '12' })).toHaveLength(12);
  expect(names({ sample: '40' })).toEqual(expect.arrayContaining(names({ sample: '12' })));
});

for (const [flags, said] of [
  [{ shard: '4/3' }, '--shard 4/3 is no share of the work'],
  [{ shard: 'half' }, '--shard half is no share of the work'],
  [{ sample: '0' }, '--sample 0 is not a number of lies'],
  [{ api: 'v2' }, 'no service is called v2'],
  [{ lie: 'no-such-lie' }, 'the sandbox tells no lie about these rules'],
] as const)
  test(`is refused: ${Object.entries(flags).flat().join(' ')}`, () => {
    expect(() => pickLies(given(flags))).toThrow(said);
  });
