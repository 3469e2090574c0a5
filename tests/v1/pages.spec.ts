import { setTimeout as wait } from 'node:timers/promises';
import {
  type ApiReply,
  assertPromise,
  type CustomerDocuments,
  expect,
  LIST_DEFAULTS,
  listUuids,
  mixCalls,
  requireEntries,
  requireTargetLine,
  rule,
  type Target,
  test,
  twice,
  UnarrangedError,
  UnofferedError,
  type V1Client,
} from '#harness';

interface Stage {
  readonly v1: V1Client;
  readonly documents: CustomerDocuments;
  /** Whose list it is, by default that of the target's first account. */
  readonly account?: string;
}

type StageMeans = Stage & { readonly target: Target };

/** A list: how to add an entry to it, how to ask for a page, and how to tell entries and their times. */
interface List {
  readonly about: string;
  readonly needs: readonly 'customer'[];
  /** Whether other checks take entries away again. */
  readonly shrinks: boolean;
  /** What may be asked for beside a page so that entries that are added are listed: nothing, and a filter where there is one. */
  readonly filters: readonly Readonly<Record<string, string>>[];
  /** Adds an entry that comes at `rank` by a field that is not its time. @returns what tells it from others */
  add(stage: Stage, rank: number): Promise<string>;
  page(stage: Stage, query: Readonly<Record<string, string | number>>): Promise<ApiReply>;
  /** An entry that does not show which one it is has an id that is empty. */
  entries(reply: ApiReply): readonly { readonly id: string; readonly time: number }[];
}

type Query = Readonly<Record<string, number>>;

/** Milliseconds in which others have to leave a list alone for once. */
const PATIENCE = 30_000;

/** Most pages of a hundred entries that are gone through. */
const MOST_PAGES = 5;

type Shown = Readonly<Record<string, unknown>>;

/** How many of them were there before, of those that show which they are. */
const repeats = (ids: readonly string[]): number => {
  const known = ids.filter((id) => id !== '');
  return known.length - new Set(known).size;
};

const LISTS: readonly List[] = [
  {
    about: 'transactions',
    needs: [],
    shrinks: false,
    filters: [{}],
    add: ({ v1, account: account_uuid = v1.account }, rank) =>
      v1.arrangeTransaction({ amount: 5 + rank, account_uuid }, { query: { account_uuid } }),
    page: ({ v1, account = v1.account }, query) => v1.listTransactions({ account_uuid: account, ...query }),
    entries: (reply) =>
      (reply.list('/transactions') as Shown[]).map(({ uuid, created_at }) => ({
        id: String(uuid ?? ''),
        time: Number(created_at),
      })),
  },
  {
    about: 'documents',
    needs: ['customer'],
    shrinks: true,
    filters: [{ type: 'passport' }, {}],
    async add({ v1, documents, account = v1.account }, rank) {
      const file_name = `${rank}-${v1.freshName()}.png`;
      const { reply, name } = await documents.upload({ type: 'passport', file_name }, account);
      if (reply.status !== 200) throw new UnarrangedError(`a valid upload was answered ${reply.status}`);
      return name;
    },
    page: ({ v1, account = v1.account }, query) => v1.send('listDocuments', { query, path: { account_uuid: account } }),
    entries: (reply) =>
      (reply.list() as Shown[]).map(({ file_name, created_at }) => ({
        id: String(file_name ?? ''),
        time: Date.parse(String(created_at)),
      })),
  },
];

/** What may stand beside the size of a page: what is asked for by default. */
const { per_page: _, ...ALL_TOLD } = LIST_DEFAULTS;

for (const { about, needs, shrinks, filters, add, page, entries } of LISTS) {
  /** Of checks that look at a list which nobody changes meanwhile. */
  const ALONE = { needs, isAlone: true };
  /** Of checks that bear what is added meanwhile, not what is taken away. */
  const BEARING = { needs, isAlone: shrinks };
  /** The second account's list, where it is listed: that account may be none of the customer. */
  const findSecond = async ({ target, ...means }: StageMeans): Promise<Required<Stage>> => {
    const stage = { ...means, account: target.v1!.secondAccount! };
    test.skip((await page(stage, {})).status !== 200, `no ${about} of the second account are listed`);
    return stage;
  };
  /** The same, where entries can be added to it. */
  const openSecond = async (means: StageMeans): Promise<Stage> => {
    const stage = await findSecond(means);
    try {
      await add(stage, 0);
    } catch (error) {
      if (!(error instanceof UnarrangedError)) throw error;
      test.skip(true, `no ${about} are added to the second account: ${error.message}`);
    }
    return stage;
  };
  /** The lists of both accounts: how a title goes on, what else is needed, and how to come to the list. */
  const OF_BOTH = [
    ['', [], async ({ target: _, ...means }: StageMeans): Promise<Stage> => means],
    [' of the second account', ['account.second'], openSecond],
  ] as const;
  const fill = async (stage: Stage, count: number) => {
    const made = [];
    for (let i = 0; i < count; i += 1) made.push(await add(stage, i % 4));
    return made;
  };
  /** Sees to it that the list has so many entries, whoever made them. */
  const provide = async (stage: Stage, count: number, filter: Readonly<Record<string, string>> = {}) => {
    const there = entries(await page(stage, { per_page: 100, page: 1, ...filter })).length;
    if (there < count) await fill(stage, count - there);
  };
  const ids = async (stage: Stage, query: Readonly<Record<string, string | number>>) =>
    entries(await page(stage, query)).map(({ id }) => id);
  /** What two answers show alike whichever of equals comes first: how many entries, and of which times. */
  const times = async (stage: Stage, query: Readonly<Record<string, string | number>>) =>
    entries(await page(stage, query)).map(({ time }) => time);
  /**
   * Looks while nothing is taken from the list, and while no more is added to it than may be.
   * @param isRight whether what was seen is as it should be whatever others did meanwhile: then it is not asked what they did
   * @returns what was seen, and how many entries others added meanwhile
   * @throws Unoffered when others never leave the list alone for so long
   */
  const still = async <T>(
    stage: Stage,
    look: () => Promise<T>,
    { most = 0, isRight = () => false }: { readonly most?: number; readonly isRight?: (seen: T) => boolean } = {},
  ): Promise<{ seen: T; added: number }> => {
    const began = performance.now();
    const signs = async () =>
      entries(await page(stage, { per_page: 100, page: 1 })).map(({ id, time }) => `${id} ${time}`);
    for (let attempt = 0; attempt < 10 && performance.now() - began < PATIENCE; attempt += 1) {
      const before = await signs();
      const seen = await look();
      if (isRight(seen)) return { seen, added: 0 };
      const after = await signs();
      const added = after.filter((one) => !before.includes(one)).length;
      const kept = before.slice(0, 100 - added).every((one) => after.includes(one));
      if (kept && added <= most) return { seen, added };
    }
    throw new UnofferedError(
      'capability',
      `others use the list of ${about} all the time; one of our own would enable it`,
    );
  };
  /** As {@link times}; where an entry shows none, which one it is. */
  const timesOrIds = async (stage: Stage, query: Readonly<Record<string, string | number>>) =>
    entries(await page(stage, query)).map(({ id, time }) => (Number.isNaN(time) ? id : time));
  /** What a page shows that is asked for in two ways, while nobody changes the list unless it is the same. */
  const twoWays = async (
    read: typeof timesOrIds,
    stage: Stage,
    ...[said, unsaid, between]: readonly [Query, Query, Query?]
  ) => {
    const look = async () => {
      const told = await read(stage, said);
      if (between !== undefined) await page(stage, between);
      return { told, untold: await read(stage, unsaid) };
    };
    const { seen } = await still(stage, look, { isRight: ({ told, untold }) => String(told) === String(untold) });
    requireEntries([...seen.told, ...seen.untold], `${about} on a page that has some`);
    return seen;
  };
  /** Pages of a hundred up to the last, or as many as are gone through. */
  const goThrough = async (stage: Stage, query: Readonly<Record<string, string>> = {}) => {
    const pages: ApiReply[] = [];
    while (pages.length < MOST_PAGES) {
      const reply = await page(stage, { ...query, per_page: 100, page: pages.length + 1 });
      // The one before may have been the last, and full.
      if (pages.length > 0 && reply.status !== 200) return { pages, isWhole: true };
      pages.push(reply);
      if (entries(reply).length < 100) return { pages, isWhole: true };
    }
    return { pages, isWhole: false };
  };
  /** Own entries in the order listed, as positions in the order made. */
  const order = async (stage: Stage, made: readonly string[], query: Readonly<Record<string, string | number>>) => {
    const shown = entries(await page(stage, { per_page: 100, ...query }));
    const times = shown.map(({ time }) => time).filter((time) => !Number.isNaN(time));
    return { own: shown.map(({ id }) => made.indexOf(id)).filter((at) => at >= 0), times };
  };
  /** Adds three entries two seconds apart: of our own, where moving the clock does not show in their times. */
  const apart = async (stage: Stage, ranks: readonly [number, number, number], ours = false): Promise<string[]> => {
    const made: string[] = [];
    for (const rank of ranks) {
      // From what others just made, too: a page full of one second may show that first.
      await (ours ? wait(2000) : stage.v1.sleep(2));
      made.push(await add(stage, rank));
    }
    const areApart = async () => {
      const shown = entries(await page(stage, { per_page: 100, page: 1 })).filter(({ id }) => made.includes(id));
      const times = shown.map(({ time }) => time).filter((time) => !Number.isNaN(time));
      return times.length === 0 ? undefined : new Set(times).size === made.length;
    };
    return ours || (await stage.v1.confirmSleep('records', areApart)) ? made : apart(stage, ranks, true);
  };

  for (const [of, also, open] of OF_BOTH)
    test(
      `puts as many ${about}${of} on a page as were asked for`,
      rule('V1-PAG-01', { needs: [...needs, ...also] }),
      async ({ v1, documents, clock, target }) => {
        const stage = await open({ v1, documents, target });
        // Many entries take many requests, and transfers cost money.
        const isCheap = target.manners.money.calls >= 1000 || needs.length > 0;
        const isFew = !clock.steered || target.kind === 'production' || stage.account !== undefined;
        const most = isFew ? 22 : isCheap ? 99 : 51;
        for (let attempt = 1; ; attempt += 1) {
          await provide(stage, most + 1);
          await provide(stage, most + 1, filters[0]);
          // A full hundred is there although others take some away.
          if (shrinks && most === 99) await fill(stage, 3);
          const sizes = [];
          for (const query of [
            { per_page: most },
            { per_page: 3 },
            { per_page: 3, page: 2 },
            { per_page: 1, page: 3 },
            { per_page: 3, ...filters[0] },
            { per_page: most, sort: 'created_at', direction: 'desc', ...filters[0] },
            { per_page: 21 },
            { per_page: most, ...ALL_TOLD },
            // Where there are a hundred, the second half of them as well.
            ...(most === 99 ? [{ per_page: 100 }, { per_page: 100, ...ALL_TOLD }, { per_page: 50, page: 2 }] : []),
          ])
            sizes.push((await ids(stage, query)).length);
          // Where others took entries away meanwhile: once more, and again.
          const there = (await ids(stage, { per_page: 100 })).length;
          const matching = (await ids(stage, { per_page: 100, ...filters[0] })).length;
          const all = most === 99 ? [100, 100, 50] : [];
          if (Math.min(there, matching) > most || attempt === 3)
            return expect(sizes).toEqual([most, 3, 3, 1, 3, most, 21, most, ...all]);
        }
      },
    );

  test(`puts fewer ${about} on the last page only`, rule('V1-PAG-01', BEARING), async ({ v1, documents }) => {
    const stage = { v1, documents };
    await provide(stage, 2);
    const walk = async () => {
      const found = await goThrough(stage);
      const past = [];
      for (const more of [1, 500, 2 ** 31])
        past.push(await page(stage, { per_page: 100, page: found.pages.length + more }));
      return { ...found, past };
    };
    let { seen, added } = await still(stage, walk, { most: 20 });
    if (!seen.isWhole) {
      // A full page that is the last may come again and again: behind one that is not full it shows.
      await add(stage, 1);
      ({ seen, added } = await still(stage, walk, { most: 20 }));
    }
    const { pages, isWhole, past } = seen;
    const lengths = pages.map((one) => entries(one).length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
    if (!isWhole) return v1.leaveOut(`the list is longer than ${MOST_PAGES} pages`);
    for (const reply of past) {
      if (reply.status !== 200) expect(reply).toBeTurnedDown();
      // What others added meanwhile may have filled the page.
      else if (lengths.at(-1)! + added < 100) expect(entries(reply)).toEqual([]);
    }
    const total = lengths.reduce((sum, length) => sum + length, 0);
    if (added === 0) v1.learnPaging(pages[0]!, { total, lastPage: Math.max(1, Math.ceil(total / 100)) });
  });

  /** What may stand beside a number that is out of its limits: a filter where there is one, and orders. */
  const BESIDE = [
    ...filters.slice(0, -1),
    ...(about === 'documents' ? [{ filename: 'none-of-this-name.png' }] : []),
    { sort: 'created_at', direction: 'desc' },
    // That there is an order upwards is not said: it is refused either way.
    { direction: 'asc' },
  ];

  test(`takes one of the ${about} on a page and no fewer`, rule('V1-PAG-02', { needs }), async ({ v1, documents }) => {
    const stage = { v1, documents };
    for (const beside of [{}, ALL_TOLD]) expect(await page(stage, { per_page: 1, ...beside })).toAnswer(200);
    for (const per_page of [0, -1])
      await twice(async () => expect(await page(stage, { per_page }), `per_page ${per_page}`).toBeFault(422));
    for (const beside of [{ page: 2 }, ALL_TOLD, ...BESIDE])
      expect(await page(stage, { per_page: 0, ...beside }), JSON.stringify(beside)).toBeFault(422);
  });

  test(
    `takes a hundred of the ${about} on a page and no more`,
    rule('V1-PAG-03', { needs }),
    async ({ v1, documents }) => {
      const stage = { v1, documents };
      for (const beside of [{}, ALL_TOLD])
        for (const per_page of [100, 99, 75, 51, 2])
          expect(await page(stage, { per_page, ...beside }), `per_page ${per_page}`).toAnswer(200);
      for (const per_page of [101, 1000])
        await twice(async () => expect(await page(stage, { per_page }), `per_page ${per_page}`).toBeFault(422));
      for (const beside of [{ page: 2 }, ALL_TOLD, ...BESIDE])
        expect(await page(stage, { per_page: 101, ...beside }), JSON.stringify(beside)).toBeFault(422);
    },
  );

  test(`puts 15 ${about} on a page unless told otherwise`, rule('V1-PAG-04', BEARING), async ({ v1, documents }) => {
    v1.leaveDefaultsUnsaid();
    const stage = { v1, documents };
    for (const filter of filters) {
      await provide(stage, 21, filter);
      for (const order of [{}, { sort: 'created_at', direction: 'desc' }, { direction: 'asc' }]) {
        const beside = { ...filter, ...order };
        const reply = await page(stage, beside);
        // That there is an order upwards is not said.
        if (reply.status !== 200 && order.direction === 'asc') continue;
        expect(entries(reply), `beside ${JSON.stringify(beside)}`).toHaveLength(15);
      }
    }
  });

  for (const [of, also, open] of OF_BOTH)
    test(
      `neither repeats nor skips ${about}${of} from page to page`,
      rule('V1-PAG-05', { ...BEARING, needs: [...needs, ...also] }),
      async ({ v1, documents, target }) => {
        // Each of two orders is looked at that long, and a list of others is long to walk.
        test.setTimeout(4 * PATIENCE);
        const stage = await open({ v1, documents, target });
        const made = await fill(stage, 10);
        const walk = async (beside: Readonly<Record<string, string>>) => {
          const known = entries(await page(stage, { per_page: 100, page: 1, ...beside }));
          const walked: string[] = [];
          let oldest = Number.POSITIVE_INFINITY;
          // What is surely newer than the last that was walked over; of equal times none comes first.
          const passedOver = () =>
            known.filter(({ id, time }) => id !== '' && time > oldest && !walked.includes(id)).map(({ id }) => id);
          // Others' entries may stand before: on to the last of our own, to the end of the list, or past its first hundred.
          for (let number = 1; number <= 34 && !made.every((id) => walked.includes(id)); number += 1) {
            const reply = await page(stage, { per_page: 3, page: number, ...beside });
            const isPast = reply.status !== 200 && (number > 4 || (number > 1 && reply.status === 404));
            const shown = isPast ? [] : entries(reply);
            // So soon the list can end only where not all of them are listed.
            if (shown.length === 0 && number > 4) return { walked, first: made, passed: passedOver() };
            if (shown.length === 0) break;
            walked.push(...shown.map(({ id }) => id));
            oldest = Math.min(oldest, ...shown.map(({ time }) => time));
          }
          // With its number, as the others: which of equals comes first may go by what is asked.
          return { walked, first: await ids(stage, { per_page: 100, page: 1, ...beside }), passed: passedOver() };
        };
        const count = ({ walked, first, passed }: Awaited<ReturnType<typeof walk>>) => {
          const own = made.filter((id) => first.includes(id) && !walked.includes(id));
          return { repeated: repeats(walked), skipped: new Set([...own, ...passed]).size };
        };
        for (const beside of [{}, { ...filters[0], sort: 'created_at', direction: 'desc' }]) {
          const look = async () => count(await walk(beside));
          const isRight = (seen: ReturnType<typeof count>) => seen.repeated + seen.skipped === 0;
          // What others add comes first and moves the rest: each may show one entry on the next page once more.
          const { seen, added } = await still(stage, look, { most: 20, isRight });
          const { skipped } = seen;
          const repeated = Math.max(0, seen.repeated - added);
          expect({ repeated, skipped }, `beside ${JSON.stringify(beside)}`).toEqual({ repeated: 0, skipped: 0 });
        }
      },
    );

  test(`repeats none of the ${about} on pages of one`, rule('V1-PAG-05', ALONE), async ({ v1, documents }) => {
    const stage = { v1, documents };
    const made = await fill(stage, 9);
    const walk = async () => {
      const walked: string[] = [];
      for (let number = 1; number <= 9; number += 1) walked.push(...(await ids(stage, { per_page: 1, page: number })));
      return walked.filter((id) => made.includes(id));
    };
    const { seen } = await still(stage, walk, { isRight: (own) => own.length > 1 && repeats(own) === 0 });
    expect(repeats(seen)).toBe(0);
  });

  test(
    `repeats none of the ${about} on pages of the usual size`,
    rule('V1-PAG-05', BEARING),
    async ({ v1, documents }) => {
      const stage = { v1, documents };
      await provide(stage, 21);
      const walk = async () => {
        const walked = [...(await ids(stage, {})), ...(await ids(stage, { page: 2 }))];
        requireEntries(walked.filter(Boolean), `${about} that show which they are`);
        return repeats(walked);
      };
      // What others add comes first and moves the rest.
      const { seen, added } = await still(stage, walk, { most: 20, isRight: (repeated) => repeated === 0 });
      expect(Math.max(0, seen - added)).toBe(0);
    },
  );

  test(
    `shows each of two pages of ${about} that are asked for at once`,
    rule('V1-PAG-05', ALONE),
    async ({ v1, documents, together }) => {
      const stage = { v1, documents };
      await apart(stage, [1, 2, 3]);
      const ask = (number: number) => () => page(stage, { per_page: 1, page: number });
      const look = async () => {
        const told: string[] = [];
        for (const number of [1, 2]) told.push(String(await timesOrIds(stage, { per_page: 1, page: number })));
        const { ones, others } = await mixCalls(together, ask(1), ask(2));
        // Whether as many are taken at once is not said.
        const taken = [ones, others].map((replies) => replies.filter(({ status }) => status === 200));
        requireEntries(taken.flat(), `pages of ${about} at once`);
        const shown = taken.map((replies) =>
          replies.map((reply) => String(entries(reply).map(({ id, time }) => (Number.isNaN(time) ? id : time)))),
        );
        return shown.map((all, i) => all.filter((one) => one !== told[i]).length);
      };
      const { seen } = await still(stage, look, { isRight: (strange) => strange.every((count) => count === 0) });
      expect(seen).toEqual([0, 0]);
    },
  );

  test(
    `shows on small pages of ${about} what a large one begins with, upwards, too`,
    rule('V1-PAG-05', BEARING),
    async ({ v1, documents }) => {
      const stage = { v1, documents };
      await provide(stage, 9);
      for (const order of [{ direction: 'asc' }, { direction: 'desc' }]) {
        // That there is an order upwards is not said.
        if ((await page(stage, order)).status !== 200) continue;
        const strange = async () => {
          const large = entries(await page(stage, { per_page: 100, ...order }));
          const small = [];
          for (const number of [1, 2, 3]) small.push(...(await ids(stage, { per_page: 3, page: number, ...order })));
          requireEntries(small.filter(Boolean), `${about} that show which they are`);
          // Of equal times none comes first, nor of those that are not shown.
          const border = large[8]?.time ?? Number.NaN;
          const isBegin = ({ time }: { time: number }, i: number) => i < 9 || time === border || Number.isNaN(border);
          const begin = new Set(large.filter(isBegin).map(({ id }) => id));
          return repeats(small) + small.filter((id) => !begin.has(id)).length;
        };
        const { seen, added } = await still(stage, strange, { most: 9, isRight: (count) => count === 0 });
        expect(Math.max(0, seen - added), order.direction).toBe(0);
      }
    },
  );

  test(
    `either refuses an order of ${about} that there is not or lists as much in it`,
    rule('V1-PAG-05', BEARING),
    async ({ v1, documents }) => {
      const stage = { v1, documents };
      const made = await fill(stage, 3);
      for (const name of ['sort', 'direction']) {
        const other = v1.freshName();
        const reply = await page(stage, { per_page: 100, [name]: other });
        if (reply.status !== 200) {
          expect(reply, name).toBeTurnedDown();
          continue;
        }
        // In whatever order, what a page does not hold is on a later one.
        const { pages, isWhole } = await goThrough(stage, { [name]: other });
        const listed = pages.flatMap((one) => entries(one).map(({ id }) => id));
        if (isWhole) expect(listed, name).toEqual(expect.arrayContaining(made));
        else v1.leaveOut(`${name}: the list is longer than ${MOST_PAGES} pages`);
      }
    },
  );

  test(
    `puts 15 ${about} on later pages, too, unless told otherwise`,
    rule('V1-PAG-04', ALONE),
    async ({ v1, documents }) => {
      v1.leaveDefaultsUnsaid();
      const stage = { v1, documents };
      await provide(stage, 27);
      const { told, untold } = await twoWays(times, stage, { per_page: 15, page: 2 }, { page: 2 });
      expect(untold).toEqual(told);
      // Of one second, what a page begins with would look like what follows.
      await apart(stage, [1, 2, 3]);
      const first = await twoWays(times, stage, { per_page: 15 }, {});
      expect(first.untold, 'the first page').toEqual(first.told);
    },
  );

  test(`orders ${about} downwards from page to page`, rule('V1-PAG-09', ALONE), async ({ v1, documents }) => {
    v1.leaveDefaultsUnsaid();
    const stage = { v1, documents };
    const made = await apart(stage, [1, 2, 3]);
    made.push(...(await apart(stage, [0, 2, 1])), ...(await apart(stage, [3, 2, 1])));
    const walk = async (order: Readonly<Record<string, string>>) => {
      const own: number[] = [];
      let isDownwards = true;
      // Others' entries may stand before, and between.
      for (let number = 1; number <= 34 && new Set(own).size < made.length; number += 1) {
        const reply = await page(stage, { per_page: 3, page: number, ...order });
        if (reply.status !== 200) break;
        const shown = entries(reply);
        own.push(...shown.flatMap(({ id }) => (made.includes(id) ? [made.indexOf(id)] : [])));
        if (shown.some(({ time }, i) => i > 0 && time > shown[i - 1]!.time)) isDownwards = false;
      }
      return { own, isDownwards };
    };
    // What others add comes first: it may show an entry on the next page once more, and changes no order.
    for (const order of [{}, { direction: 'desc' }]) {
      const downwards = ({ own }: { own: readonly number[] }) => [...own].sort((one, other) => other - one);
      const isRight = (seen: Awaited<ReturnType<typeof walk>>) =>
        seen.isDownwards && String(downwards(seen)) === String(seen.own);
      const { seen } = await still(stage, () => walk(order), { most: 20, isRight });
      const sorted = downwards(seen);
      expect(seen, `beside ${JSON.stringify(order)}`).toEqual({ own: sorted, isDownwards: true });
    }
  });

  test(`refuses a page of ${about} before the first`, rule('V1-PAG-06', { needs }), async ({ v1, documents }) => {
    const stage = { v1, documents };
    for (const number of [0, -1])
      await twice(async () => expect(await page(stage, { page: number }), `page ${number}`).toBeFault(422));
    for (const beside of [{ per_page: 3 }, { ...ALL_TOLD, per_page: 15 }])
      for (const number of [0, -1])
        expect(await page(stage, { ...beside, page: number }), `page ${number} of some`).toBeFault(422);
    for (const beside of BESIDE)
      expect(await page(stage, { page: 0, ...beside }), `page 0 beside ${JSON.stringify(beside)}`).toBeFault(422);
    expect(await page(stage, { page: 1 })).toAnswer(200);
  });

  test(
    `holds pages of ${about} of the second account to the same limits`,
    rule('V1-PAG-02', 'V1-PAG-03', 'V1-PAG-06', { needs: [...needs, 'account.second'] }),
    async ({ v1, documents, target }) => {
      const stage = await findSecond({ v1, documents, target });
      for (const beside of [{}, ALL_TOLD]) {
        const ask = (query: Readonly<Record<string, number>>) => page(stage, { ...beside, ...query });
        expect(await ask({ per_page: 1 }), 'V1-PAG-02').toAnswer(200);
        expect(await ask({ per_page: 100 }), 'V1-PAG-03').toAnswer(200);
        expect(await ask({ per_page: 0 }), 'V1-PAG-02').toBeFault(422);
        expect(await ask({ per_page: 101 }), 'V1-PAG-03').toBeFault(422);
        expect(await ask({ page: 0 }), 'V1-PAG-06').toBeFault(422);
      }
    },
  );

  test(
    `puts 15 ${about} of the second account on a page unless told otherwise`,
    rule('V1-PAG-04', { needs: [...needs, 'account.second'], isAlone: shrinks }),
    async ({ v1, documents, clock, target }) => {
      v1.leaveDefaultsUnsaid();
      const stage = await findSecond({ v1, documents, target });
      const there = entries(await page(stage, { per_page: 100 })).length;
      test.skip(there < 16 && !clock.steered, `fewer than 16 ${about} of the second account are listed`);
      for (let count = there; count < 16; count += 1) await add(stage, count % 4);
      expect(entries(await page(stage, {}))).toHaveLength(15);
      const { told, untold } = await twoWays(times, stage, { per_page: 15, page: 2 }, { page: 2 });
      expect(untold, 'the second page').toEqual(told);
    },
  );

  for (const [of, also, open] of OF_BOTH)
    test(
      `shows the first page of ${about}${of} unless told otherwise`,
      rule('V1-PAG-07', { ...ALONE, needs: [...needs, ...also] }),
      async ({ v1, documents, target }) => {
        v1.leaveDefaultsUnsaid();
        const stage = await open({ v1, documents, target });
        await provide(stage, 1);
        // Of one second, the first page and the second would look the same.
        await apart(stage, [1, 2, 3]);
        expect(await page(stage, { per_page: 3 })).toAnswer(200);
        // Whatever page was asked for before.
        const later = { per_page: 3, page: 2 };
        const { told, untold } = await twoWays(timesOrIds, stage, { per_page: 3, page: 1 }, { per_page: 3 }, later);
        expect(untold).toEqual(told);
      },
    );

  for (const [of, also, open] of OF_BOTH)
    test(
      `orders ${about}${of} by their creation`,
      rule('V1-PAG-08', { needs: [...needs, ...also] }),
      async ({ v1, documents, target }) => {
        v1.leaveDefaultsUnsaid();
        const stage = await open({ v1, documents, target });
        const made = await apart(stage, [3, 1, 2]);
        // What becomes of the first one later does not make it a later one.
        if (about === 'transactions' && of === '' && target.control.complete !== undefined)
          await v1.triggerEnd(made[0]!);
        // Whether there is such an order is not told: the answer is only recorded, and the next request names none.
        await page(stage, { sort: about === 'transactions' ? 'amount' : 'file_name' });
        for (const query of [...filters, { sort: 'created_at' }, ...filters.map((one) => ({ ...one, ...ALL_TOLD }))]) {
          const { own, times } = await order(stage, made, query);
          expect([
            [2, 1, 0],
            [0, 1, 2],
          ]).toContainEqual(own);
          const up = [...times].sort((one, other) => one - other);
          expect([up, [...up].reverse()]).toContainEqual(times);
        }
      },
    );

  for (const [of, also, open] of OF_BOTH)
    test(
      `orders ${about}${of} downwards`,
      rule('V1-PAG-09', { needs: [...needs, ...also] }),
      async ({ v1, documents, target }) => {
        v1.leaveDefaultsUnsaid();
        const stage = await open({ v1, documents, target });
        const made = await apart(stage, [1, 2, 3]);
        const told = filters.map((one) => ({ ...one, ...ALL_TOLD }));
        for (const query of [...filters, { direction: 'desc' }, { sort: 'created_at' }, ...told]) {
          const { own, times } = await order(stage, made, query);
          expect(own, `beside ${JSON.stringify(query)}`).toEqual([2, 1, 0]);
          assertPromise(!(times[0]! < times.at(-1)!), 'the latest first', 'the earliest first');
        }
      },
    );

  test(
    `orders ${about} by their creation from day to day`,
    rule('V1-PAG-08', { needs: [...needs, 'clock'], movesClock: true }),
    async ({ v1, documents }) => {
      v1.leaveDefaultsUnsaid();
      const stage = { v1, documents };
      const made: string[] = [];
      // Whatever hour it is, those of the day are in another order than the moments.
      for (const hours of [0, 12, 18, 12]) {
        if (hours > 0) await v1.sleep(hours * 3600);
        made.push(await add(stage, made.length));
      }
      const shown = entries(await page(stage, { per_page: 100 })).filter(({ id }) => made.includes(id));
      const isApart = shown.length === made.length && new Set(shown.map(({ time }) => time)).size === made.length;
      test.skip(!isApart, `the times of ${about} do not go by the clock that is moved`);
      expect([
        [3, 2, 1, 0],
        [0, 1, 2, 3],
      ]).toContainEqual(shown.map(({ id }) => made.indexOf(id)));
    },
  );

  test(
    `orders ${about} downwards right after an order in another direction`,
    rule('V1-PAG-09', { needs }),
    async ({ v1, documents }) => {
      v1.leaveDefaultsUnsaid();
      const stage = { v1, documents };
      const made = await apart(stage, [1, 2, 3]);
      // Whether asc is known, and what it does, is not told: the answer is only recorded.
      await page(stage, { direction: 'asc' });
      expect((await order(stage, made, {})).own).toEqual([2, 1, 0]);
    },
  );
}

test(
  'puts as many documents on a page after one of them was deleted',
  rule('V1-PAG-01', { needs: ['customer'] }),
  async ({ documents }) => {
    await documents.arrangeUpload();
    const gone = await documents.arrangeUpload();
    await documents.arrangeUpload();
    await documents.remove(gone.uuid);
    // Two of them stay, whatever others add or take away.
    expect((await documents.list({ per_page: 2 })).list()).toHaveLength(2);
  },
);

test('orders a known history downwards', rule('V1-PAG-09'), async ({ v1, target }) => {
  const { account, from, to } = requireTargetLine(target.v1!.history, 'v1.history');
  const period = { account_uuid: account, date_from: from, date_to: to, per_page: 100 };
  const listed = (await v1.listTransactions(period)).list('/transactions') as Shown[];
  const times = listed.map(({ created_at }) => created_at).filter((time) => typeof time === 'number');
  test.skip(times.length < 2, 'the history does not show when its transactions were made');
  expect(times).toEqual([...times].sort((one, other) => other - one));
});

const WALK = ['V1-PAG-05', 'V1-PAG-01'];

test('walks the whole of a known history, page by page, upwards, too', rule(...WALK), async ({ v1, target }) => {
  const { account, from, to, count, lastDay } = requireTargetLine(target.v1!.history, 'v1.history');
  const day = new Date(Date.parse(to) + (lastDay === 'does not count' ? 86_400_000 : 0)).toISOString().slice(0, 10);
  const period = { account_uuid: account, date_from: from, date_to: day };
  const whole = listUuids((await v1.listTransactions({ ...period, per_page: 100 })).list('/transactions'));
  test.skip(count > 100 || whole.length !== count, 'the known history does not stand on one page');
  const full = await v1.listTransactions({ ...period, per_page: count });
  expect(full.list('/transactions'), 'V1-PAG-01').toHaveLength(count);
  const size = Math.max(1, Math.ceil(count / 3));
  // Of pages that are all full, too, where there are not too many of them.
  const even = Array.from({ length: 9 }, (_, i) => i + 2).find((pages) => count % pages === 0);
  const walks: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
    [{}, size],
    [{ direction: 'asc' }, size],
    ...(even === undefined ? [] : [[{}, count / even] as const]),
  ];
  for (const [order, size] of walks) {
    const walked: string[] = [];
    for (let number = 1; number <= Math.ceil(count / size); number += 1) {
      const reply = await v1.listTransactions({ ...period, ...order, per_page: size, page: number });
      // That there is an order upwards is not said.
      if (order['direction'] === 'asc' && number === 1 && reply.status !== 200) break;
      walked.push(...listUuids(reply.list('/transactions')));
    }
    if (order['direction'] === 'asc' && walked.length === 0) continue;
    expect([...walked].sort(), 'V1-PAG-05').toEqual([...whole].sort());
  }
});
