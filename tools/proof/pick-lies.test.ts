import { expect, test } from '@playwright/test';
import { listLies } from '#sandbox';
import { type LieQuery, pickLies } from './pick-lies.ts';

const names = (query: LieQuery) => pickLies(query).lies.map(({ name }) => name);

test('every lie is told unless something is left out', () => {
  const { lies: told, complete: whole } = pickLies({});
  expect(whole).toBe(true);
  expect(told).toHaveLength(listLies().length);
  expect(pickLies({ api: 'v1' }).complete).toBe(false);
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
  [{ lies: ['no-such-lie'] }, 'the sandbox tells no lie about these rules'],
] as const)
  test(`is refused: ${Object.entries(flags).flat().join(' ')}`, () => {
    expect(() => pickLies(flags)).toThrow(said);
  });
