import type { Client } from './client.ts';
import { type Trial, trials } from './trial.ts';

/** How one of the two lists is filled and read. */
interface List {
  readonly name: 'transactions' | 'documents';
  /** Makes that many entries, named 0, 1, … in the order of their creation; sorted by `instead` they come otherwise. */
  readonly fill: (client: Client, count: number) => Promise<void>;
  readonly page: (client: Client, query: string) => Promise<{ status: number; entries: string[] }>;
}

const transactions: List = {
  name: 'transactions',
  async fill(client, count) {
    for (let i = 0; i < count; i += 1) {
      const date = new Date(Date.UTC(2026, 2, 1, 0, 0, i)).toISOString();
      await client.insert({ date, amount: 1 + ((i * 7) % 5), payment_details: String(i) });
    }
  },
  async page(client, query) {
    const { status, body } = await client.list(query);
    return {
      status,
      entries: (body?.transactions ?? []).map((entry: { payment_details: string }) => entry.payment_details),
    };
  },
};

const documents: List = {
  name: 'documents',
  async fill(client, count) {
    for (let i = 0; i < count; i += 1) {
      await client.upload({ file_name: `${(i * 7) % 5}.pdf`, description: String(i) });
      await client.control('/clock/advance', { seconds: 1 });
    }
  },
  async page(client, query) {
    const { status, body } = await client.send('GET', `${client.documents}?${query}`);
    return {
      status,
      entries: Array.isArray(body) ? body.map((entry: { description: string }) => entry.description) : [],
    };
  },
};

const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => String(from - i));

function listTrials({ name, fill, page }: List): Trial[] {
  const status = (query: string) => async (client: Client) => (await page(client, query)).status;
  const entries = (count: number, query: string) => async (client: Client) => {
    await fill(client, count);
    return (await page(client, query)).entries;
  };
  const length = (count: number, query: string) => async (client: Client) =>
    (await entries(count, query)(client)).length;
  const pages = async (client: Client) => {
    await fill(client, 9);
    const all = await Promise.all([1, 2, 3].map((number) => page(client, `per_page=3&page=${number}`)));
    return all.map((one) => one.entries.join(' ')).join(' | ');
  };
  const told = (lying: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(lying).map(([lie, seen]) => [`${name}-${lie}`, seen]));
  return [
    ...trials(length(5, 'per_page=3'), 3, told({ 'page-one-short': 2, 'page-one-over': 4 })),
    ...trials(length(22, 'per_page=22'), 22, told({ 'page-never-above-20': 20 })),
    ...trials(status('per_page=0'), 422, told({ 'per-page-0-accepted': 200 })),
    ...trials(status('per_page=1'), 200, told({ 'per-page-1-refused': 422 })),
    ...trials(status('per_page=101'), 422, told({ 'per-page-101-accepted': 200 })),
    ...trials(status('per_page=100'), 200, told({ 'per-page-100-refused': 422 })),
    ...trials(length(21, ''), 15, told({ 'per-page-default-14': 14, 'per-page-default-20': 20 })),
    ...trials(
      pages,
      '8 7 6 | 5 4 3 | 2 1 0',
      told({
        'pages-overlap': '8 7 6 | 6 5 4 | 3 2 1',
        'pages-skip': '8 7 6 | 4 3 2 | 1 0',
        'third-page-repeats-second': '8 7 6 | 5 4 3 | 5 4 3',
        'page-ignored': '8 7 6 | 8 7 6 | 8 7 6',
      }),
    ),
    ...trials(status('per_page=ten'), 422, told({ 'numbers-in-words-accepted': 200 })),
    ...trials(status('page=0'), 422, told({ 'page-0-accepted': 200 })),
    ...trials(status('page=-1'), 422, told({ 'page-below-0-accepted': 200 })),
    ...trials(entries(4, 'per_page=2'), down(3, 2), told({ 'page-default-2': down(1, 0) })),
    ...trials(
      entries(5, ''),
      down(4, 0),
      told({
        'sort-default-other': ['2', '4', '1', '3', '0'],
        'direction-default-asc': down(4, 0).reverse(),
      }),
    ),
    ...trials(
      entries(5, 'sort=created_at'),
      down(4, 0),
      told({
        'sort-by-created-at-ignored': ['2', '4', '1', '3', '0'],
      }),
    ),
    ...trials(entries(5, 'direction=desc'), down(4, 0), told({ 'direction-desc-ignored': down(4, 0).reverse() })),
  ];
}

export const listsTrials: readonly Trial[] = [...listTrials(transactions), ...listTrials(documents)];
