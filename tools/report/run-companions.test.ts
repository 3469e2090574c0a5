import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Line } from '#evidence';
import { findPreviousRun, findSiblingRuns, PREVIOUS_FILE, writeHistory, writeReport } from './index.ts';
import { renderProofPage } from './page/proof-page.ts';
import { summariseProof } from './proof-file.ts';
import { samplePrevious, sampleProofs, writeSampleCompanions } from './sample-companions.ts';
import { sampleLines, sampleRunLine } from './sample-run.ts';
import { ephemeralSigner, signRun } from './sign-run.ts';
import type { RunResult } from './types.ts';
import { verifyRun } from './verify-run.ts';

let home: string;
test.beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-beside-'));
});
test.afterEach(() => rmSync(home, { recursive: true }));

/** A run folder below home, drawn. */
function folder(name: string, lines: readonly Line[] = sampleLines(), beside?: (path: string) => void): string {
  const path = join(home, name);
  mkdirSync(path);
  writeFileSync(join(path, 'evidence.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  beside?.(path);
  writeReport(path);
  return path;
}

const read = (path: string, name: string) => readFileSync(join(path, name), 'utf8');
const resultOf = (path: string) => JSON.parse(read(path, 'run.json')) as RunResult;
/** The text of one section of a page. */
const section = (path: string, id: string) =>
  new RegExp(`<section id="${id}"[\\s\\S]*?(?=<section id=|<footer)`).exec(read(path, 'index.html'))?.[0] ?? '';
const begun = (id: string, day: string, more: object = {}) =>
  sampleLines(sampleRunLine({ id, startedAt: `2026-03-${day}T09:00:00.000Z`, ...more }));

test('what lies beside a journal is drawn, comes out the same again, and is held by the signature', () => {
  const path = folder('run', sampleLines(), writeSampleCompanions);
  const names = readdirSync(path);
  const first = names.map((name) => read(path, name));
  writeReport(path);
  expect(names.map((name) => read(path, name))).toEqual(first);
  signRun(path, sampleRunLine().id, ephemeralSigner('run'));
  expect(verifyRun(path).findings).toEqual([]);
  writeFileSync(join(path, PREVIOUS_FILE), JSON.stringify({ ...samplePrevious(), id: 'another' }));
  expect(verifyRun(path).findings).toEqual([`${PREVIOUS_FILE} was changed`]);
  writeFileSync(join(path, PREVIOUS_FILE), '{}');
  expect(() => writeReport(path)).toThrow('the previous run is damaged');
  rmSync(join(path, PREVIOUS_FILE));
  writeFileSync(join(path, 'history.json'), '[');
  expect(() => writeReport(path)).toThrow('the history is damaged');
});

test('a proof in numbers counts what was told, caught and turned red besides', () => {
  expect(summariseProof(sampleProofs(), sampleRunLine().register.rules)).toEqual({
    suite: 'ab'.repeat(32),
    finishedAt: '2026-03-01T22:00:00.000Z',
    full: true,
    // GW-STS-01 has a lie that was missed, a check of GW-STS-02 was never red; the other testable rules have no lie.
    rules: { testable: 14, proven: 2, before: 1 },
    // What was told of V1-TRX-01 counts no more.
    lies: { known: 40, told: 30, caught: 29 },
    checksPerRule: 7 / 4,
    precision: 29 / 33,
    collateral: { beside: 1, declared: 1, undeclared: 2 },
  });
});

test('the page draws the proof: numbers, missed lies, a row a rule, every lie in it, collateral with its reason', () => {
  const path = folder('run', sampleLines(), writeSampleCompanions);
  const shown = section(path, 'proof');
  for (const text of [
    '<b>2</b> of 14',
    '<b>29</b> of 30',
    '<b>87.9 %</b>',
    '1 rule proven before these changes',
    'ab'.repeat(32),
  ])
    expect(shown).toContain(text);
  expect(shown).toContain('<code>state-eighth</code>: no check of the rule turned red.');
  expect(shown).toMatch(
    /<h3>Never red<\/h3>.*GW-STS-02.*lists the transactions of an order: no lie about the rule turned it red\./,
  );
  expect(shown).toContain('aria-label="GW-CAP: 3 rules, 28 of 28 lies caught"');
  const told = Object.values(sampleProofs().rules).flatMap(({ lies }) => lies);
  // One square a lie, and one of each kind in the legend.
  const squares = [...shown.matchAll(/class="(?:caught|missed)" d="([^"]*)"/g)].flatMap(([, d]) =>
    d!.split('M').slice(1),
  );
  expect(squares).toHaveLength(told.length + 2);
  for (const { name } of told) expect(section(path, 'rules')).toContain(`<code>${name}</code>`);
  expect(shown).toContain('a capture is seen in the list only');
  expect(shown).toContain('<strong>nothing accounts for it</strong>');
  expect(resultOf(path).rules.find(({ id }) => id === 'GW-CAP-01')!.proof).toEqual({
    checks: 2,
    lies: [{ name: 'capture-short', caught: true, by: ['a0000001'] }],
  });
});

test('a proof of another suite than the one that judged is not shown', () => {
  const suite = { ...sampleRunLine().suite, sha256: 'cd'.repeat(32) };
  const path = folder('run', sampleLines(sampleRunLine({ suite })), writeSampleCompanions);
  expect(resultOf(path).proof).toBeUndefined();
  expect(section(path, 'proof')).toContain('No proof is at hand');
  expect(read(path, 'index.html')).not.toContain('capture-short');
});

test('a proof has a page of its own, with each lie by name and what was found', () => {
  const page = renderProofPage(sampleProofs(), sampleRunLine().register);
  expect(page).toContain('<h1>2 of 14 rules proven, 29 of 30 lies caught</h1>');
  expect(page).toContain('nothing was captured');
  for (const { lies } of Object.values(sampleProofs().rules))
    for (const { name } of lies) expect(page).toContain(`<title>${name}: `);
  expect(page).not.toContain('<script');
  expect(page).toMatch(/style-src &#39;sha256-/);
});

test('the page says what changed since the run before', () => {
  const shown = section(folder('run', sampleLines(), writeSampleCompanions), 'since');
  expect(shown).toContain('20260301-090000-11aa');
  expect(shown).toMatch(/GW-CAP-02<\/a><\/td><td>pass<\/td><td>fail/);
  expect(shown).toMatch(/GW-CAP-01<\/a><\/td><td>fail<\/td><td>pass/);
  expect(shown).toContain('V1-HOLE-01');
  expect(section(folder('alone'), 'since')).toContain('No earlier finished run of this target was at hand');
});

test('what was not seen before is called so', () => {
  const { rules, ...previous } = samplePrevious();
  const before = { ...previous, rules: { ...rules, 'GW-CAP-02': 'unseen', 'GW-CAP-01': 'broken' } };
  const path = folder('run', sampleLines(), (at) => writeFileSync(join(at, PREVIOUS_FILE), JSON.stringify(before)));
  expect(section(path, 'since')).toMatch(/GW-CAP-02<\/a><\/td><td>not seen<\/td><td>fail/);
  expect(section(path, 'since')).toMatch(/GW-CAP-01<\/a><\/td><td>undecided<\/td><td>pass/);
});

test('the run before is finished, honest, earlier, and of the same target and selection', () => {
  folder('same', begun('same', '01'));
  folder('older', begun('older', '01', { startedAt: '2026-02-20T09:00:00.000Z' }));
  folder('later', begun('later', '09'));
  folder('lying', begun('lying', '02', { lie: 'capture-above' }));
  folder('cut', begun('cut', '02').slice(0, -1));
  folder('limited', begun('limited', '02', { selection: 'GW-CAP' }));
  folder('elsewhere', begun('elsewhere', '02', { target: { ...sampleRunLine().target, name: 'another' } }));
  const own = folder('own', begun('own', '03'));
  const nowhere = join(home, 'baseline');
  expect(findPreviousRun(own, resultOf(own), nowhere)?.id).toBe('same');
  // Of long arguments, and written by somebody else: then the whole of it is read.
  const last = folder('last', begun('last', '02', { argv: ['run', '--rule', 'x'.repeat(20_000)] }));
  expect(findPreviousRun(own, resultOf(own), nowhere)?.id).toBe('last');
  writeFileSync(join(last, 'run.json'), JSON.stringify(resultOf(last)));
  expect(findPreviousRun(own, resultOf(own), nowhere)?.id).toBe('last');
  for (const text of ['', '{', '[]', '{"format":"assay.run/0"}', 'null']) {
    writeFileSync(join(last, 'run.json'), text);
    expect(findPreviousRun(own, resultOf(own), nowhere)?.id, text).toBe('same');
  }
  const first = begun('first', '01', { startedAt: '2026-02-01T09:00:00.000Z' });
  const alone = folder('first', first);
  expect(findPreviousRun(alone, resultOf(alone), nowhere)).toBeUndefined();
  mkdirSync(nowhere);
  writeFileSync(join(nowhere, 'baseline.json'), JSON.stringify(samplePrevious()));
  expect(findPreviousRun(alone, resultOf(alone), nowhere)?.id).toBe(samplePrevious().id);
});

test('a trend is drawn over the runs that were named, with the rules that flip', () => {
  const kept = (id: string, day: string) =>
    begun(id, day).map((line) =>
      line.kind === 'check' && line.id === 'a0000002' ? { ...line, outcome: 'pass' as const, failures: [] } : line,
    );
  const others = [folder('one', kept('one', '01')), folder('two', begun('two', '02'))];
  const own = folder('own', begun('own', '03'));
  expect(section(own, 'trend')).toBe('');
  expect(findSiblingRuns(own).sort()).toEqual([...others].sort());
  expect(writeHistory(own, [...others, own, others[0]!]).runs.map(({ id }) => id)).toEqual(['one', 'two']);
  writeReport(own);
  const shown = section(own, 'trend');
  expect(shown).toContain('3 runs');
  expect(shown).toMatch(/GW-CAP-02<\/a><\/td><td>pass<\/td><td><strong>fail<\/strong><\/td><td><strong>fail/);
  expect(shown).not.toContain('V1-TRX-01</a>');
  expect(() => writeHistory(own, [home])).toThrow();
});
