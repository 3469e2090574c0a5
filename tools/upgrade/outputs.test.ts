import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { fingerprintText, isFingerprint } from './fingerprint.ts';
import { excerptLines } from './page/excerpt.ts';
import type { Upgrade } from './result.ts';
import { change, description } from './sample.test-support.ts';
import type { SpecChange } from './types.ts';
import { judgeUpgrade } from './upgrade.ts';
import { writeUpgrade } from './write.ts';

const HOSTILE = `</style><script>globalThis.harmed=1</script><img src=x onerror="globalThis.harmed=1">| \`a\` [x](y) *b*`;

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-outputs-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

/** Judges changes of the sample and writes everything; @returns the answer and the files by name */
function written(
  changes: readonly SpecChange[],
  until?: string,
  changelog?: string,
): { found: Upgrade; files: Record<string, string> } {
  const [from, to] = ['old.yaml', 'new.yaml'].map((name) => join(folder, name));
  writeFileSync(from!, description());
  writeFileSync(to!, description({ 'required: [amount]': 'required: [amount, purpose]' }));
  const waiver = {
    fingerprint: 'bbbbbbbbbbbb',
    reason: 'Known.',
    owner: 'desk',
    place: { file: 'waivers.yaml', line: 1 },
  };
  const waivers = until === undefined ? [] : [{ ...waiver, until }];
  const found = judgeUpgrade({ from: from!, to: to!, today: '2024-01-01', seed: 1, waivers, changelog }, () => changes);
  const out = join(folder, 'out');
  writeUpgrade(found, out, 'npx assay upgrade');
  return {
    found,
    files: Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')])),
  };
}

const at = (name: string, line: number) => ({
  file: `specs/a b/${name}`,
  line,
  pointer: '/components/schemas/NewOrder/required',
});
const CHANGES = [
  change({ fingerprint: 'bbbbbbbbbbbb', old: at('old.yaml', 3), new: at('new.yaml', 4) }),
  change({ fingerprint: 'dddddddddddd', id: 'value-added', level: 'risky', text: HOSTILE, old: at('old.yaml', 9) }),
  change({ fingerprint: 'cccccccccccc', id: 'hint-added', level: 'safe', text: 'A hint.' }),
];

test('nothing we make looks like a card number: no fingerprint, no coordinate', () => {
  const prints = Array.from({ length: 20_000 }, (_, i) => fingerprintText(String(i)));
  expect(prints.filter((one) => !isFingerprint(one))).toEqual([]);
  expect(new Set(prints).size).toBe(prints.length);
  const many = Array.from({ length: 8 }, (_, i) =>
    change({ fingerprint: fingerprintText(String(i)), old: at('old.yaml', i + 3), new: at('new.yaml', i + 4) }),
  );
  const coordinates = written(many).files['index.html']!.match(/ (?:d|viewBox)="[^"]*"/g) ?? [];
  expect(coordinates.length).toBeGreaterThan(1);
  expect(coordinates.filter((one) => /\d[\s.]\d/.test(one))).toEqual([]);
});

test('what is held back is named with file, line and kind, and with the input it comes from, if it does', () => {
  const card = ['4111', '1111', '1111', '1111'].join('');
  const trouble = (changes: readonly SpecChange[], text?: string) => {
    const changelog = join(folder, 'changes.md');
    if (text !== undefined) writeFileSync(changelog, text);
    try {
      written(changes, undefined, text === undefined ? undefined : changelog);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const own = trouble([change({ text: `Card ${card}.` })]);
  expect(own).toMatchObject({
    outcome: 'incomplete',
    message: 'the answer is withheld: it would hold a card number',
    place: { file: join(folder, 'out/index.html'), line: expect.any(Number) },
    reason: expect.stringContaining('it came about here'),
  });
  expect(trouble(CHANGES, `# 1\n\nWe take ${card} in tests.\n`)).toMatchObject({
    reason: expect.stringMatching(/changes\.md:3 holds a card number$/),
    fix: expect.stringMatching(/^take it out of .*changes\.md$/),
  });
});

test('the machine form is the whole answer', () => {
  const { found, files } = written(CHANGES);
  expect(JSON.parse(files['upgrade.json']!)).toEqual(JSON.parse(JSON.stringify(found)));
  expect(Object.keys(files).sort()).toEqual(['index.html', 'upgrade.json', 'upgrade.md', 'upgrade.sarif']);
  expect(found).toMatchObject({ format: 'assay.upgrade/1', counts: { breaking: 1, risky: 1, safe: 1, total: 3 } });
});

test('SARIF has a rule for each kind, a place for each result, and what is waived is suppressed', () => {
  const { found, files } = written(CHANGES, '2024-01-01');
  const log = JSON.parse(files['upgrade.sarif']!);
  expect(log.version).toBe('2.1.0');
  const [run] = log.runs;
  const { rules } = run.tool.driver as { rules: { id: string; shortDescription: { text: string } }[] };
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  expect(run.results).toHaveLength(found.changes.length + found.findings.length);
  for (const result of run.results) {
    expect(rules[result.ruleIndex]!.id).toBe(result.ruleId);
    expect(['error', 'warning', 'note', 'none']).toContain(result.level);
    expect(result.message.text).not.toBe('');
    const [{ physicalLocation }] = result.locations;
    expect(physicalLocation.region.startLine).toBeGreaterThan(0);
    expect(() => new URL(physicalLocation.artifactLocation.uri, 'file:///x/')).not.toThrow();
  }
  const breaking = run.results.find(({ ruleId }: { ruleId: string }) => ruleId === 'request-required-property-added');
  expect(breaking).toMatchObject({
    level: 'error',
    locations: [{ physicalLocation: { artifactLocation: { uri: 'specs/a%20b/new.yaml' }, region: { startLine: 4 } } }],
    relatedLocations: [{ physicalLocation: { region: { startLine: 3 } } }],
    partialFingerprints: { 'assayChange/v1': 'bbbbbbbbbbbb' },
    suppressions: [{ kind: 'external', status: 'accepted', justification: 'Known. (desk, until 2024-01-01)' }],
  });
});

test('the Markdown leads with the verdict, and nothing in it is taken for markup', () => {
  const { files } = written(CHANGES);
  const text = files['upgrade.md']!;
  expect(text.split('\n')[0]).toBe('## Needs work: 1 breaking change');
  expect(text).toMatch(/\| `bbbbbbbbbbbb` \|\n/);
  expect(text).not.toMatch(/[^\\]<script|[^\\]<img/);
  // Every row of a table has as many cells as its head.
  for (const rows of text.split('\n\n').filter((part) => part.startsWith('| ')))
    expect(new Set(rows.split('\n').map((row) => row.match(/(?<!\\)\|/g)!.length)).size).toBe(1);
});

test('the page has no script, names no other place, and shows hostile text as text', () => {
  const text = written(CHANGES).files['index.html']!;
  expect(text).not.toMatch(/<script|<img|<link|url\(|@import/);
  expect(text).toContain('&lt;script&gt;globalThis.harmed=1');
  expect(text.indexOf('Needs work: 1 breaking change')).toBeLessThan(text.indexOf('id="work"'));
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
});

test('writes nothing when a secret would be written', () => {
  const leaky = change({ text: 'The example is 4111111111111111.' });
  expect(() => written([leaky])).toThrow('the answer is withheld');
  expect(() => readdirSync(join(folder, 'out'))).toThrow('ENOENT');
});

test('an excerpt begins at the name and leaves the register out', () => {
  const lines = description().split('\n');
  const line = lines.findIndex((one) => one.includes('old_state:')) + 1;
  expect(excerptLines(lines, { line })).toBe(
    "old_state:\n  type: string\n  deprecated: true\n  x-removed: '2025-08-04'",
  );
  expect(excerptLines(['a: 1', 'b: 2', ''], { line: 2 })).toBe('b: 2');
  expect(excerptLines(['a: 1'], { line: 9 })).toBe('');
  const long = ['required:', ...Array.from({ length: 30 }, (_, i) => `  - field${i}`)];
  expect(excerptLines(long, { line: 1 }, ['field20'])).toBe(
    ['required:', ...[0, 1, 2, 3, 4].map((i) => `  - field${i}`), '…', '  - field20', '…'].join('\n'),
  );
});
