import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { ApiReply, TargetTime } from '#client';
import type { Target } from '#target';
import { ListDelay } from './list-delay.ts';

const replyWith = (body: unknown) => ({ status: 200, text: JSON.stringify(body) }) as ApiReply;

/** Lists of a target whose clock is moved, and for how many seconds it was. */
function openLists(manners: Partial<Target['manners']>): {
  readonly lists: ListDelay;
  readonly slept: readonly number[];
} {
  const slept: number[] = [];
  const time = {
    sleep: async (seconds: number) => void slept.push(seconds),
    lever: () => 'moves',
    noteLever: () => {},
  } as unknown as TargetTime;
  return { lists: new ListDelay({ manners } as Target, time), slept };
}

test('a list that was in time once is looked at again, and waited for once it was late', async () => {
  const { lists, slept } = openLists({ pollGap: 3, pollLimit: 5 });
  let looks = 0;
  /** Makes an entry that a list shows at a look of this number. */
  const make = async (nth: number, shownAt: number) => {
    looks = 0;
    lists.note({
      operation: 'createTransaction',
      accounts: ['one'],
      body: {},
      reply: replyWith({ uuid: `uuid-${nth}` }),
    });
    await lists.wait('listTransactions', 'one', async () => {
      looks += 1;
      // What is booked for it may be there before it is.
      const fee = { uuid: 'fee', parent_transaction_uuid: `uuid-${nth}` };
      return replyWith({ transactions: [fee, ...(looks < shownAt ? [] : [{ uuid: `uuid-${nth}` }])] });
    });
  };
  await make(1, 1);
  expect(slept).toEqual([]);
  await make(2, 2);
  expect(slept).toEqual([3]);
  await make(3, 1);
  expect([looks, slept], 'not longer than it takes').toEqual([1, [3]]);
  await make(4, 4);
  expect(slept, 'longer than ever before').toEqual([3, 3, 3, 3]);
  lists.note({
    operation: 'createTransaction',
    accounts: ['one'],
    body: {},
    reply: { ...replyWith({}), status: 422 } as ApiReply,
  });
  await lists.wait('listTransactions', 'one', async () => replyWith([]));
  expect(slept, 'as long for what was refused').toEqual([3, 3, 3, 3, 12]);
});

test('a name that comes again is waited for as long as any took', async () => {
  const { lists, slept } = openLists({ pollGap: 3, pollLimit: 5 });
  let looks = 0;
  const look = async () => {
    looks += 1;
    return replyWith(looks < 2 ? [] : [{ file_name: 'one.png' }]);
  };
  for (let i = 0; i < 2; i += 1) {
    lists.note({
      operation: 'uploadDocument',
      accounts: ['one'],
      body: { file_name: 'one.png' },
      reply: replyWith(null),
    });
    await lists.wait('listDocuments', 'one', look);
  }
  expect([looks, slept]).toEqual([2, [3, 6]]);
});

test('a list that keeps to real time is given as much of it, whatever clock is moved', async () => {
  const { lists } = openLists({ pollGap: 1, pollLimit: 1000 });
  const make = async (uuid: string) => {
    const made = performance.now();
    lists.note({ operation: 'createTransaction', accounts: ['one'], body: {}, reply: replyWith({ uuid }) });
    await lists.wait('listTransactions', 'one', async () => {
      await wait(5);
      return replyWith(performance.now() - made < 60 ? [] : [{ uuid }]);
    });
    return performance.now() - made;
  };
  await make('uuid-1');
  expect(await make('uuid-2')).toBeGreaterThan(59);
});
