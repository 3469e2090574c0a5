import { expect, test } from '@playwright/test';
import {
  type Clause,
  type ClauseSource,
  type Contract,
  claimedShare,
  hashClause,
  keepLedger,
  type Rule,
  splitClauses,
  tallyRegister,
} from '#contract';

const BEFORE = [
  '# Tea house',
  '## Kettle',
  'The kettle whistles at 100 degrees. Green tea wants 80 degrees.',
  '| Tea | Minutes |',
  '|---|---|',
  '| black | 4 |',
  '## Guests',
  '- Guests bring their own cups.',
].join('\n');

const source = (section: string, text: string): ClauseSource => ({ document: 'v1', section, sha256: hashClause(text) });
const rule = (id: string, text: string, from: ClauseSource, more: Partial<Rule> = {}): [string, Rule] => [
  id,
  { id, api: 'v1', area: id.slice(0, 6), level: 'must', text, source: [from], needs: [], at: '', ...more },
];

/** A register that accounts for the whole of {@link BEFORE}. */
const RULES = [
  rule('V1-KET-01', 'Boiling water makes the kettle whistle.', source('Kettle', 'The kettle whistles at 100 degrees.')),
  rule('V1-KET-02', 'Green tea is made at 80 degrees.', source('Kettle', 'Green tea wants 80 degrees.')),
  rule('V1-KET-03', 'Black tea takes 4 minutes.', source('Kettle', 'black | 4')),
];
const CONTRACT = {
  rules: new Map(RULES),
  clientRules: new Map(),
  holes: new Map([
    [
      'V1-HOLE-01',
      {
        id: 'V1-HOLE-01',
        api: 'v1',
        unknown: 'Whose cups.',
        source: [source('Guests', 'Guests bring their own cups.')],
        where: [],
        at: '',
      },
    ],
  ]),
  contexts: [
    { ...source('', 'Tea house'), why: 'title' },
    { ...source('', 'Kettle'), why: 'heading' },
    { ...source('', 'Guests'), why: 'heading' },
    { ...source('Kettle', 'Tea | Minutes'), why: 'table head' },
  ],
} as unknown as Contract;

const kept = (markdown: string, contract = CONTRACT) => keepLedger(contract, splitClauses('v1', markdown));
const fates = ({ lost }: ReturnType<typeof keepLedger>) =>
  lost.map(({ claims, fate, now }) => `${claims.map(({ name }) => name).join()} ${fate} ${now?.line ?? '-'}`);
const lines = (list: readonly Clause[]) => list.map(({ kind, line }) => `${line} ${kind}`);

test('an untouched document is accounted for entirely', () => {
  const ledger = kept(BEFORE);
  expect(ledger.unclaimed).toEqual([]);
  expect(ledger.lost).toEqual([]);
  expect(ledger.tallies).toEqual([
    { document: 'v1', clauses: 8, rule: 3, untestable: 0, hole: 1, context: 4, unclaimed: 0 },
  ]);
  expect(claimedShare(ledger.tallies)).toBe('100.0');
});

test('marks, wrapping and white space make no difference', () => {
  const ledger = kept(
    BEFORE.replace('Green tea wants', '**Green**\n  tea   `wants`').replace('| black | 4 |', '|black|4|'),
  );
  expect([ledger.unclaimed, ledger.lost]).toEqual([[], []]);
});

test('a new clause is open', () => {
  const ledger = kept(`${BEFORE}\n- No dogs.\n\n### Cats\n`);
  expect(lines(ledger.unclaimed)).toEqual(['9 item', '11 heading']);
  expect(claimedShare(ledger.tallies)).toBe('80.0');
});

test('a clause that went away is gone, with who claimed it', () => {
  const ledger = kept(BEFORE.replace('| black | 4 |', ''));
  expect(fates(ledger)).toEqual(['V1-KET-03 gone -']);
  expect(ledger.unclaimed).toEqual([]);
});

test('a changed clause leads to its new wording, by what our words claimedShare with it', () => {
  const ledger = kept(BEFORE.replace('at 100 degrees', 'at 96 degrees').replace('| black | 4 |', '| black | 5 |'));
  expect(fates(ledger)).toEqual(['V1-KET-01 changed 3', 'V1-KET-03 changed 6']);
  expect(lines(ledger.unclaimed)).toEqual(['3 sentence', '6 row']);
});

test('a clause under another heading has moved', () => {
  const ledger = kept(`${BEFORE.replace('| black | 4 |', '')}\n| black | 4 |`);
  expect(fates(ledger)).toEqual(['V1-KET-03 moved 9']);
  expect(lines(ledger.unclaimed)).toEqual(['9 row']);
});

test('a changed row is not taken for one like it that is claimed where it stands', () => {
  const twice = `${BEFORE}\n## Summary\n| black | 4 |`;
  const summary = rule('V1-SUM-01', 'Black tea: 4 minutes.', source('Summary', 'black | 4'));
  const contexts = [...CONTRACT.contexts, { ...source('', 'Summary'), why: 'heading' }];
  const contract = { ...CONTRACT, contexts, rules: new Map([...RULES, summary]) } as unknown as Contract;
  expect(kept(twice, contract).lost).toEqual([]);
  expect(fates(kept(twice.replace('| black | 4 |', '| black | 5 |'), contract))).toEqual(['V1-KET-03 changed 6']);
});

test('says how many clauses rest on rules that nobody can test', () => {
  const untestable = rule('V1-KET-03', 'Black tea takes 4 minutes.', source('Kettle', 'black | 4'), {
    untestable: 'nobody waits',
  });
  const contract = { ...CONTRACT, rules: new Map([...RULES.slice(0, 2), untestable]) };
  expect(kept(BEFORE, contract).tallies[0]).toMatchObject({ rule: 3, untestable: 1 });
  expect(tallyRegister(contract)).toEqual(kept(BEFORE, contract).tallies);
  const twice = {
    ...contract,
    rules: new Map([...contract.rules, rule('V1-KET-05', 'Four.', untestable[1].source[0]!)]),
  };
  expect(kept(BEFORE, twice).tallies[0]).toMatchObject({ rule: 3, untestable: 0 });
});

test('says of a clause that names several things which of them no rule names', () => {
  const text = 'Teas are `black`, `green`, `white` and `red`.';
  const ledger = (words: string, at = '') =>
    kept(text, {
      rules: new Map([rule('V1-KET-04', words, source('', text), { at })]),
      clientRules: new Map(),
      holes: new Map(),
      contexts: [],
    } as never);
  expect(ledger('A tea may be black.', '/teas/green').partly.map(({ missing }) => missing)).toEqual([['white', 'red']]);
  expect(ledger('Each tea is there.')).toMatchObject({ several: 1, partly: [] });
});

test('a clause that binds a client alone is accounted for by its rule', () => {
  const [[, kettle], ...others] = RULES as [[string, Rule], ...[string, Rule][]];
  const contract = {
    ...CONTRACT,
    rules: new Map(others),
    clientRules: new Map([['V1-CTE-01', { ...kettle, id: 'V1-CTE-01', side: 'client' }]]),
  } as unknown as Contract;
  const { unclaimed, claimsOf } = kept(BEFORE, contract);
  expect(unclaimed).toEqual([]);
  const clause = splitClauses('v1', BEFORE).find(({ text }) => text.includes('whistles'))!;
  expect(claimsOf(clause).map(({ name }) => name)).toEqual(['V1-CTE-01']);
});

test('a retired rule claims nothing', () => {
  const retired = rule('V1-KET-03', 'Black tea takes 4 minutes.', source('Kettle', 'black | 4'), {
    retired: 'no more tea',
  });
  const ledger = kept(BEFORE, { ...CONTRACT, rules: new Map([...RULES.slice(0, 2), retired]) });
  expect(lines(ledger.unclaimed)).toEqual(['6 row']);
  expect(
    kept(BEFORE.replace('| black | 4 |', ''), { ...CONTRACT, rules: new Map([...RULES.slice(0, 2), retired]) }).lost,
  ).toEqual([]);
});

test('one open clause among many is never rounded to all', () => {
  expect(
    claimedShare([
      { document: 'v1', clauses: 100_000, rule: 99_999, untestable: 0, hole: 0, context: 0, unclaimed: 1 },
    ]),
  ).toBe('99.9');
});
