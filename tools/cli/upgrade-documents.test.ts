import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { splitClauses } from '#contract';
import { SUITE_FOLDER } from '#folders';
import type { Upgrade } from '#upgrade';
import { callProgram } from './call-program.test-support.ts';

const DOCUMENTS = fileURLToPath(new URL('../../../shared/documents', import.meta.url));
const AT_HAND = ['gateway.md', 'v1.md'].every((name) => existsSync(join(DOCUMENTS, name)));

/** A document of our own, with a promise of each kind that the four changes below are about. */
const DOCUMENT = [
  '# Kiosk',
  '## Signing',
  'Characters left as they are: `A-Z a-z 0-9 - . _ ~`.',
  '## Errors',
  '| HTTP | errorCode | Meaning |',
  '|---|---|---|',
  '| 401 | -19 | the hash of the body is another one |',
  '| 401 | -13 | the signature is another one |',
  '## Limits',
  'A hold lasts about 7 days for debit.',
  '- Names are short.',
  '- Guests are welcome.',
].join('\n');
const LEVELS = ['must', 'must', 'must', 'must', 'should'];

let home: string;
test.beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-documents-'));
  write('old.md', DOCUMENT);
  const read = splitClauses('old', DOCUMENT);
  const promises = read.filter(
    ({ section, kind, text }) => section !== '' && kind !== 'heading' && !/^HTTP|^Guests/.test(text),
  );
  const sourceOf = ({ section, sha256 }: (typeof read)[number]) => ({ section, sha256 });
  const rules = promises.map((clause, i) => ({
    id: `V1-KSK-0${i + 1}`,
    level: LEVELS[i],
    text: `Promise ${i + 1}.`,
    source: sourceOf(clause),
  }));
  const contexts = read
    .filter((one) => !promises.includes(one))
    .map((one) => ({ ...sourceOf(one), why: 'introduction' }));
  const root = {
    openapi: '3.1.0',
    info: { title: 'Kiosk', version: '1.0.0' },
    paths: {},
    'x-rules': rules,
    'x-context': contexts,
  };
  write('spec.yaml', JSON.stringify(root, undefined, 1));
});
test.afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (name: string, text: string) => {
  writeFileSync(join(home, name), text);
  return join(home, name);
};

/** Adopts a changed document. */
function adopt(edit: (text: string) => string, more: readonly string[] = []) {
  const now = write('new.md', edit(DOCUMENT));
  return answer([
    '--from',
    join(home, 'spec.yaml'),
    '--to',
    join(home, 'spec.yaml'),
    '--documents',
    join(home, 'old.md'),
    now,
    ...more,
  ]);
}

/** What `assay upgrade` says, and finds. */
async function answer(argv: readonly string[]) {
  const ended = await callProgram(['upgrade', ...argv, '--today', '2026-11-21', '--out', join(home, 'out')]);
  const json = join(home, 'out/upgrade.json');
  const found = existsSync(json) ? (JSON.parse(readFileSync(json, 'utf8')) as Upgrade) : undefined;
  return { ...ended, found: found! };
}

const CHANGES: readonly (readonly [what: string, edit: (text: string) => string, differs: string, rules: string])[] = [
  ['a code under another status', (text) => text.replace('| 401 | -19', '| 400 | -19'), '401 → 400', 'V1-KSK-02'],
  ['a longer hold', (text) => text.replace('7 days', '10 days'), '7 → 10', 'V1-KSK-04'],
  ['an asterisk made unreserved', (text) => text.replace('_ ~`', '_ ~ *`'), '→ *', 'V1-KSK-01'],
];
for (const [what, edit, differs, rule] of CHANGES)
  test(`cannot tell: ${what}`, async () => {
    const { code, out, found } = await adopt(edit);
    expect([code, found.verdict]).toEqual([2, 'cannot tell']);
    expect(out).toMatch(/^Cannot tell: 1 open question$/m);
    expect(out).toContain(`says something else (${differs}), under ${rule}`);
    expect(found.documents!.changes).toMatchObject([{ fate: 'changed', nature: 'facts', weight: 'unknown' }]);
  });

test('cannot tell: a new limit that nobody has read', async () => {
  const { code, out, found } = await adopt((text) => `${text}\n- At most 100 calls a minute.`);
  expect([code, found.verdict]).toEqual([2, 'cannot tell']);
  expect(out).toContain('old, Limits: “At most 100 calls a …” is new, read by no rule');
});

test('cannot tell: a promise that is gone, or said in other words', async () => {
  const gone = await adopt((text) => text.replace(/\| 401 \| -13.*\n/, ''));
  expect([gone.code, gone.found.documents!.changes.map(({ fate, rules }) => [fate, rules[0]!.id])]).toEqual([
    2,
    [['gone', 'V1-KSK-03']],
  ]);
  const reworded = await adopt((text) =>
    text.replace('A hold lasts about 7 days for debit.', 'For debit, the block stays for 7 days or so.'),
  );
  expect([reworded.code, reworded.found.documents!.changes.map(({ fate, nature }) => [fate, nature])]).toEqual([
    2,
    [['changed', 'words']],
  ]);
});

test('safe with notes: what binds nobody, and what only looks otherwise', async () => {
  const gone = await adopt((text) => text.replace('- Names are short.\n', ''));
  expect([gone.code, gone.found.verdict]).toEqual([0, 'safe with notes']);
  expect(gone.out).toContain('Safe with notes: 1 clause of the documents, none open');
  const same = await adopt((text) => text.replace('7 days', '**7**  days'));
  expect([same.code, same.out]).toEqual([0, expect.stringContaining('Safe: nothing changed')]);
});

test('a decision answers one change; another wording opens it again, and what it decided nothing about is told', async () => {
  const longer = (text: string) => text.replace('7 days', '10 days');
  const { clause } = (await adopt(longer)).found.documents!.changes[0]!;
  const entry = `- clause: ${clause}\n  decided: The issuer sets it.\n  owner: payments desk\n  date: 2026-11-20\n`;
  const decisions = write('decisions.yaml', entry);
  const answered = await adopt(longer, ['--decisions', decisions]);
  expect([answered.code, answered.found.verdict]).toEqual([0, 'safe with notes']);
  expect(answered.out).toContain('1 changed clause was decided on by a person');
  expect(readFileSync(join(home, 'out/index.html'), 'utf8')).toContain(
    'Decided by payments desk on 2026-11-20: The issuer sets it.',
  );
  const other = await adopt((text) => text.replace('7 days', '11 days'), ['--decisions', decisions]);
  expect([other.code, other.found.findings.map(({ kind }) => kind).sort()]).toEqual([
    2,
    ['idle-decision', 'open-clause'],
  ]);
  expect(other.found.findings.find(({ kind }) => kind === 'idle-decision')!.place).toMatchObject({ line: 1 });
  const early = await adopt(longer, ['--decisions', write('early.yaml', entry.replace('2026-11-20', '2026-11-22'))]);
  expect([early.code, early.found.findings.map(({ kind }) => kind)]).toEqual([
    2,
    expect.arrayContaining(['early-decision']),
  ]);
});

const MISTAKES: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  ['no list', 'clause: bcdfghjklmnp\n', /d\.yaml:1: the decisions on clauses are not a list[\s\S]*fix:/],
  ['no YAML', '- clause: [\n', /d\.yaml:\d+: the decisions on clauses are not valid YAML[\s\S]*cause:/],
  ['no mapping', '- bcdfghjklmnp\n', /d\.yaml:1: a decision is no mapping/],
  ['no owner', '- clause: bcdfghjklmnp\n  decided: x\n  date: 2026-01-01\n', /d\.yaml:1: the decision has no owner/],
  [
    'a digit',
    '- clause: 0123456789ab\n  decided: x\n  owner: y\n  date: 2026-01-01\n',
    /d\.yaml:1: the clause of the decision is not/,
  ],
  [
    'no day',
    '- clause: bcdfghjklmnp\n  decided: x\n  owner: y\n  date: 2026-02-30\n',
    /d\.yaml:4: the date of the decision is not/,
  ],
  ['an unknown key', '- clause: bcdfghjklmnp\n  decided: x\n  ownr: y\n  date: 2026-01-01\n', /d\.yaml:/],
  [
    'nothing decided',
    "- clause: bcdfghjklmnp\n  decided: ' '\n  owner: y\n  date: 2026-01-01\n",
    /d\.yaml:2: the decided of the decision/,
  ],
  [
    'the same twice',
    '- { clause: bcdfghjklmnp, decided: x, owner: y, date: 2026-01-01 }\n'.repeat(2),
    /d\.yaml:2: bcdfghjklmnp is decided twice/,
  ],
];
for (const [what, text, says] of MISTAKES)
  test(`refuses decisions with ${what}`, async () => {
    const { code, out, err } = await adopt((same) => same, ['--decisions', write('d.yaml', text)]);
    expect(err).toMatch(says);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

test.describe('with the documents of both services', () => {
  test.skip(!AT_HAND, 'the documents are not at hand');
  const REAL: readonly (readonly [name: string, from: string | RegExp, to: string, rule: string])[] = [
    ['gateway', '| 401 | -19 |', '| 400 | -19 |', 'OA-ERR-'],
    ['gateway', 'about 7 days for debit', 'about 10 days for debit', 'GW-'],
    ['gateway', '- . _ ~`', '- . _ ~*`', 'OA-SIG-12'],
    ['v1', /(\| page \| minimum 1.*)/, '$1\n| concurrent requests | at most 4 |', ''],
  ];
  for (const [name, from, to, rule] of REAL)
    test(`cannot tell: ${to}`, async () => {
      const next = join(home, 'next');
      mkdirSync(next);
      cpSync(DOCUMENTS, next, { recursive: true });
      const text = readFileSync(join(next, `${name}.md`), 'utf8');
      const edited = text.replace(from, to);
      expect(edited).not.toBe(text);
      writeFileSync(join(next, `${name}.md`), edited);
      const specs = join(SUITE_FOLDER, 'specs');
      const { code, found } = await answer(['--from', specs, '--to', specs, '--documents', DOCUMENTS, next]);
      const open = found.documents!.changes.filter(({ weight }) => weight === 'unknown');
      expect([code, found.verdict, open.length]).toEqual([2, 'cannot tell', 1]);
      if (rule !== '') expect(open[0]!.rules.map(({ id }) => id).join()).toContain(rule);
    });
});
