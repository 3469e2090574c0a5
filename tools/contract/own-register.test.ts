import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Trouble } from '#trouble';
import { hashClause } from './clause.ts';
import { loadContract } from './load-contract.ts';
import { readOwnRegister } from './own-register.ts';

const house = loadContract();
const CLAUSE = 'Our bank is known.';
const GOOD = `api: v1
document: addendum.md
areas:
  SHOP-IBN: Lookups
rules:
  - id: SHOP-IBN-01
    level: must
    text: Our bank is known.
    source: { section: Lookups, sha256: '${hashClause(CLAUSE)}' }
    lies:
      forgets: { answer: getIbanDetails, drop: /bank_name }
sandbox:
  - { answer: getIbanDetails, change: /bank_name, to: Ours }
`;

let folder: string;
test.beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'assay-rules-')), 'rules');
  mkdirSync(folder);
  writeFileSync(join(folder, 'addendum.md'), `# Addendum\n\n## Lookups\n\n- ${CLAUSE}\n`);
});
test.afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const read = (text: string) => {
  writeFileSync(join(folder, 'addendum.yaml'), text);
  return readOwnRegister(folder, house);
};

test('own rules have the form of the house, and lies as changes at the wire', () => {
  const { rules, areas, lies, sandbox, documents } = read(GOOD);
  expect(rules).toMatchObject([{ id: 'SHOP-IBN-01', api: 'v1', area: 'SHOP-IBN', level: 'must', needs: [], at: '' }]);
  expect(rules[0]!.source).toEqual([{ document: 'addendum', section: 'Lookups', sha256: hashClause(CLAUSE) }]);
  expect(areas.map(({ id, title }) => [id, title])).toEqual([['SHOP-IBN', 'Lookups']]);
  expect([...documents.keys()]).toEqual(['addendum']);
  const answer = { method: 'GET', path: expect.any(String), status: 200 };
  expect(lies).toEqual([
    { name: 'shop-ibn-01-forgets', rule: 'SHOP-IBN-01', wire: { answer, operator: 'drop', member: ['bank_name'] } },
  ]);
  expect(sandbox).toEqual([{ answer, operator: 'value', member: ['bank_name'], value: 'Ours' }]);
  expect(new RegExp(lies[0]!.wire.answer!.path).test('/api/v1/transactions/iban-details')).toBe(true);
});

for (const [effect, wire] of [
  ['answer: getIbanDetails, delay: 2.5s', { operator: 'delay', value: 2500 }],
  ['answer: getIbanDetails, change: status, to: 500', { operator: 'status', value: 500 }],
  [
    'answer: getIbanDetails, status: 401, drop: header:X-RateLimit-Limit',
    { operator: 'drop', header: 'x-ratelimit-limit' },
  ],
  ['answer: getIbanDetails, drop: true', { operator: 'empty' }],
  ['answer: getIbanDetails, add: /list/*/more, to: 1', { operator: 'add', member: ['list', '*', 'more'], value: 1 }],
  ['message: transactionEvent, drop: true', { message: 'transactionEvent', operator: 'suppress' }],
  ['message: transactionEvent, delay: true', { message: 'transactionEvent', operator: 'send-late' }],
  ['message: transactionEvent, drop: /uuid', { message: 'transactionEvent', operator: 'drop', member: ['uuid'] }],
] as const)
  test(`reads a lie { ${effect} }`, () => {
    expect(read(GOOD.replace('answer: getIbanDetails, drop: /bank_name', effect)).lies[0]!.wire).toMatchObject(wire);
  });

for (const [what, from, to, line, says, fix] of [
  ['broken YAML', 'areas:', 'areas: [', 5, 'not valid YAML', 'correct the YAML'],
  ['an unknown key', 'document:', 'documents:', 2, 'unknown key documents', 'did you mean document?'],
  ['an unknown service', 'api: v1', 'api: v2', 1, 'unknown service v2', 'gateway or v1'],
  ['an unknown document', 'addendum.md', 'mail.md', 2, 'no document mail.md', 'as Markdown'],
  [
    'a source elsewhere',
    'section: Lookups',
    'document: mail, section: Lookups',
    9,
    'unknown document mail',
    'addendum',
  ],
  ['an area of the house', '  SHOP-IBN:', '  V1-IBN:', 4, 'V1 begins the ids of the house', 'another word than'],
  ['an id of the house', 'id: SHOP', 'id: GW', 6, 'GW-IBN-01 is an id of the house', 'another word than'],
  ['an unknown area', 'id: SHOP-IBN', 'id: SHOP-IBM', 6, 'unknown area', 'did you mean SHOP-IBN?'],
  ['a malformed id', 'id: SHOP-IBN-01', 'id: SHOP-IBN-1', 6, 'malformed rule id', 'SHOP-CRD-01'],
  ['a wrong level', 'level: must', 'level: may', 7, 'level may', 'must or should'],
  ['no source', / {4}source.*\n/, '', 6, 'SHOP-IBN-01 has no source', 'sha256'],
  ['a hash that is read as a number', /sha256: '.*?'/, 'sha256: 123456789012', 9, 'SHA-256', 'in quotes'],
  [
    'a lie of an unknown operation',
    'answer: getIbanDetails, drop',
    'answer: getIbanDetail, drop',
    11,
    'no operation',
    'getIbanDetails?',
  ],
  [
    'a lie that does two things',
    'drop: /bank_name',
    'drop: /bank_name, delay: 1s',
    11,
    'does one thing',
    'drop, change',
  ],
  ['a lie that does nothing', ', drop: /bank_name', '', 11, 'does one thing', 'drop, change'],
  ['a change without a value', 'drop: /bank_name', 'change: /bank_name', 11, 'needs a value', 'to:'],
  ['a place that is none', 'drop: /bank_name', 'drop: bank_name', 11, 'names no place', 'JSON Pointer'],
  ['a delay that is none', 'drop: /bank_name', 'delay: soon', 11, 'no duration', '800ms'],
] as const)
  test(`${what} is one message with file and line`, () => {
    const text = GOOD.replace(from, to);
    expect(text).not.toBe(GOOD);
    const thrown = (() => {
      try {
        read(text);
      } catch (error) {
        return error as Trouble;
      }
      return undefined;
    })();
    expect(thrown).toBeInstanceOf(Trouble);
    expect(thrown).toMatchObject({ outcome: 'usage', place: { file: expect.stringContaining('addendum.yaml'), line } });
    expect([thrown!.message, thrown!.fix ?? '']).toEqual([expect.stringContaining(says), expect.stringContaining(fix)]);
  });

test('an id that two files give is refused', () => {
  writeFileSync(join(folder, 'a.yaml'), GOOD);
  expect(() => read(GOOD)).toThrow(/SHOP-IBN is given twice/);
});
