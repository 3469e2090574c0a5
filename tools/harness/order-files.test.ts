import { expect, test } from '@playwright/test';
import type { Suite, TestCase } from '@playwright/test/reporter';
import { dealFiles, gatherAlone, orderFiles } from './order-files.ts';

/** A check of a file: the service it asks, if any, and whether it is alone there. */
interface Drawn {
  readonly id: string;
  readonly api?: 'gateway' | 'v1';
  readonly isAlone?: boolean;
}

/** A suite as the runner has it, of files of checks. */
function suiteOf(files: Readonly<Record<string, readonly Drawn[]>>): Suite {
  const suites = Object.entries(files).map(([title, checks]) => ({
    title,
    tests: checks,
    _entries: [...checks],
    allTests: () => checks,
  }));
  return { suites: [{ suites, _entries: [...suites] }] } as unknown as Suite;
}

const many = (file: string, count: number, some: Omit<Drawn, 'id'>): Drawn[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${file} ${i}`, ...some }));

test('files of a service with a limit begin first, of these what is alone there, then the longest of the others, laws last', () => {
  const root = suiteOf({
    laws: many('laws', 9, {}),
    payments: [...many('payments', 4, { api: 'gateway' }), { id: 'its balance', api: 'gateway', isAlone: true }],
    forms: many('forms', 6, { api: 'gateway' }),
    counts: [...many('counts', 2, { api: 'v1', isAlone: true }), { id: 'a header', api: 'v1' }],
    pages: many('pages', 2, { api: 'v1' }),
    balances: many('balances', 3, { api: 'gateway', isAlone: true }),
  });
  orderFiles(root, (check: TestCase) => ({ rules: [], ...(check as unknown as Drawn) }), {
    costs: {},
    paces: [
      { api: 'v1', lanes: 3, milliseconds: 100, limit: 500 },
      { api: 'gateway', lanes: 6, milliseconds: 100 },
    ],
  });
  const [project] = root.suites as unknown as { _entries: { title: string; _entries: Drawn[] }[] }[];
  expect(project!._entries.map(({ title }) => title)).toEqual([
    'counts',
    'pages',
    'forms',
    'payments',
    'balances',
    'laws',
  ]);
  const ids = (file: string) => project!._entries.find(({ title }) => title === file)!._entries.map(({ id }) => id);
  expect(ids('counts')).toEqual(['counts 0', 'counts 1', 'a header']);
  expect(ids('payments').at(-1)).toBe('its balance');
});

test('what is alone at a service goes to a worker of its own, of whichever files', () => {
  const checks: (Drawn & { _workerHash?: string })[] = [
    { id: 'a page', api: 'v1', isAlone: true, _workerHash: 'any' },
    { id: 'a header', api: 'v1', _workerHash: 'any' },
    { id: 'a balance', api: 'gateway', isAlone: true, _workerHash: 'any' },
    { id: 'an event', api: 'v1', isAlone: true, _workerHash: 'any' },
    { id: 'of another version', api: 'v1', isAlone: true },
  ];
  gatherAlone({ allTests: () => checks } as unknown as Suite, (check: TestCase) => ({
    rules: [],
    ...(check as unknown as Drawn),
  }));
  const [page, header, balance, event, other] = checks.map(({ _workerHash }) => _workerHash);
  expect(event).toBe(page);
  expect(new Set([page, header, balance]).size).toBe(3);
  expect([header, other]).toEqual(['any', undefined]);
});

test('a file is dealt out in parts by what the runner takes for a hook of all its tests', () => {
  const file = { title: 'payments', _hooks: [] as { readonly type: string }[] };
  const unknown = { title: 'of another version' };
  dealFiles({ suites: [{ suites: [file, unknown] }] } as unknown as Suite);
  expect(file._hooks).toEqual([{ type: 'beforeAll' }]);
  expect(unknown).toEqual({ title: 'of another version' });
});
