import { expect, test } from '@playwright/test';
import { listLies } from '#sandbox';
import { type LieQuery, pickLies } from './pick-lies.ts';

const names = async (query: LieQuery) => (await pickLies(query)).lies.map(({ name }) => name);

test('every lie is told unless something is left out', async () => {
  const { lies: told, complete: whole } = await pickLies({});
  expect(whole).toBe(true);
  expect(told).toHaveLength(listLies().length);
  expect((await pickLies({ api: 'v1' })).complete).toBe(false);
});

test('shares of the work are all of it together, none of it twice', async () => {
  const shares = (await Promise.all([1, 2, 3].map((n) => names({ shard: `${n}/3` })))).flat();
  expect(shares.sort()).toEqual((await names({})).sort());
  expect(new Set(shares).size).toBe(shares.length);
});

test('a sample is the same each time and as large as asked', async () => {
  expect(await names({ sample: '12' })).toEqual(await names({ sample: '12' }));
  expect(await names({ sample: '12' })).toHaveLength(12);
  expect(await names({ sample: '40' })).toEqual(expect.arrayContaining(await names({ sample: '12' })));
});

for (const [flags, said] of [
  [{ shard: '4/3' }, '--shard 4/3 is no share of the work'],
  [{ shard: 'half' }, '--shard half is no share of the work'],
  [{ sample: '0' }, '--sample 0 is not a number of lies'],
  [{ api: 'v2' }, 'no service is called v2'],
  [{ lies: ['no-such-lie'] }, 'the sandbox tells no lie about these rules'],
] as const)
  test(`is refused: ${Object.entries(flags).flat().join(' ')}`, async () => {
    await expect(pickLies(flags)).rejects.toThrow(said);
  });
