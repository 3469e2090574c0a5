import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { SUITE_FOLDER } from '#folders';
import { COLOUR_RULES, noteComplaints, pageScanner, sharedBrowser, sharedPage } from '#page-look';
import { type Upgrade, writeExample } from '#upgrade';
import { callProgram } from './call-program.test-support.ts';

const V1 = join(SUITE_FOLDER, 'specs/v1.yaml');
const GATEWAY = join(SUITE_FOLDER, 'specs/gateway.yaml');

test.describe.configure({ mode: 'default' });

let home: string;
let example: ReturnType<typeof writeExample>;
let answered: { code: number | null; out: string; err: string };
let found: Upgrade;

test.beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-upgrade-'));
  example = writeExample(join(home, 'next'));
  const run = assay(['run', '--rule', 'V1-TRC-08', '--rule', 'V1-TRR', '--workers', '1', '--out', join(home, 'run')]);
  expect(run.code).toBe(0);
  answered = assay([
    ...['upgrade', '--from', V1, '--to', example.spec, '--changelog', example.changelog],
    ...[
      '--run',
      join(home, 'run'),
      '--baseline',
      join(home, 'run'),
      '--today',
      '2025-08-04',
      '--out',
      join(home, 'out'),
    ],
  ]);
  found = JSON.parse(readFileSync(join(home, 'out/upgrade.json'), 'utf8'));
});
test.afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the real program. */
function assay(argv: readonly string[]): { code: number | null; out: string; err: string } {
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  const options = { cwd: SUITE_FOLDER, env, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(SUITE_FOLDER, 'tools/cli/assay.mjs'), ...argv],
    options,
  );
  return { code: status, out: stdout, err: stderr };
}

const write = (name: string, text: string) => {
  writeFileSync(join(home, name), text);
  return join(home, name);
};

test.describe('the worked example', () => {
  test('ends with 5 and says why', () => {
    expect(answered.code).toBe(5);
    expect(answered.out).toMatch(/^work {5}createTransaction/m);
    expect(answered.out).toContain('Needs work: ');
    expect(answered.out).toContain(join(home, 'out/index.html'));
  });

  test('finds the four edits, with a place in both files', () => {
    const about = (word: string) => found.changes.filter((change) => JSON.stringify(change).includes(word));
    for (const word of ['aml_status', 'purpose', 'held', 'TOKEN_EXPIRED']) {
      const [change] = about(word);
      expect(change, word).toBeDefined();
      for (const spot of [change!.old, change!.new]) if (spot) expect(spot.line).toBeGreaterThan(1);
    }
    expect(about('purpose').map(({ level }) => level)).toContain('breaking');
    expect(about('TOKEN_EXPIRED').map(({ level }) => level)).not.toContain('safe');
    expect(about('held').map(({ level }) => level)).not.toContain('breaking');
  });

  test('shows a body without the new field, and the recorded requests that would be refused', () => {
    const purpose = found.changes.find(({ level, search }) => level === 'breaking' && search?.direction === 'request');
    const body = JSON.parse(purpose!.search!.counterexample!.body);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['account_uuid', 'amount']));
    expect(body).not.toHaveProperty('purpose');
    expect(purpose!.unfit!.length).toBeGreaterThan(0);
    expect(purpose!.impact.by).toBe('trace');
    expect(purpose!.impact.rules.length).toBeGreaterThan(0);
    expect(purpose!.impact.checks.length).toBeGreaterThan(0);
  });

  test('holds the changelog against it', () => {
    const texts = found.findings.map(({ kind, text }) => `${kind}: ${text}`);
    expect(texts.filter((text) => text.startsWith('not-found'))).toHaveLength(1);
    expect(texts.find((text) => text.startsWith('not-found'))).toContain('archived');
    expect(texts.some((text) => /^not-announced.*TOKEN_EXPIRED/.test(text))).toBe(true);
    expect(texts.some((text) => text.startsWith('no-version-bump'))).toBe(true);
    expect(texts.some((text) => /^past-removal: aml_status/.test(text))).toBe(true);
  });

  test('is safe with notes once every breaking change is waived', async () => {
    const fingerprints = found.changes
      .filter(({ level }) => level === 'breaking')
      .map(({ fingerprint }) => fingerprint);
    const entry = (fingerprint: string) =>
      `- { fingerprint: '${fingerprint}', reason: ready, owner: desk, until: '2025-08-04' }\n`;
    const waivers = write('waivers.yaml', fingerprints.map(entry).join(''));
    const again = (today: string) =>
      callProgram([
        'upgrade',
        '--from',
        V1,
        '--to',
        example.spec,
        '--waivers',
        waivers,
        '--today',
        today,
        '--out',
        join(home, 'waived'),
        '--json',
      ]);
    const { code, out } = await again('2025-08-04');
    expect([code, JSON.parse(out).verdict, JSON.parse(out).counts.waived]).toEqual([
      0,
      'safe with notes',
      fingerprints.length,
    ]);
    const late = await again('2025-08-05');
    expect(late.code).toBe(5);
    expect(
      JSON.parse(late.out).findings.filter(({ kind }: { kind: string }) => kind === 'expired-waiver'),
    ).toHaveLength(fingerprints.length);
    expect(JSON.parse(late.out)).toEqual(JSON.parse(readFileSync(join(home, 'waived/upgrade.json'), 'utf8')));
  });
});

test('ends with 0 when nothing changed', async () => {
  const argv = ['upgrade', '--from', GATEWAY, '--to', GATEWAY, '--out', join(home, 'same')];
  const { code, out } = await callProgram(argv);
  expect(out).toContain('Safe: nothing changed');
  expect(code).toBe(0);
});

test('ends with 2 when it cannot tell', async () => {
  mkdirSync(join(home, 'half'));
  writeFileSync(join(home, 'half/v1.yaml'), readFileSync(V1));
  const { code, out } = await callProgram([
    'upgrade',
    '--from',
    join(SUITE_FOLDER, 'specs'),
    '--to',
    join(home, 'half'),
    '--out',
    join(home, 'unknown'),
  ]);
  expect(out).toMatch(/^unknown {2}.*gateway\.yaml is only given with --from/m);
  expect(code).toBe(2);
});

test.describe('mistakes of the user end with one clear message', () => {
  const cases: readonly [name: string, argv: () => readonly string[], says: RegExp, code?: number][] = [
    ['no side', () => ['--from', V1], /upgrade needs --to[\s\S]*fix:/],
    [
      'a missing file',
      () => ['--from', V1, '--to', join(home, 'nowhere.yaml')],
      /nowhere\.yaml: --to cannot be read[\s\S]*cause:[\s\S]*fix:/,
    ],
    [
      'a folder without descriptions',
      () => ['--from', V1, '--to', join(home, 'run')],
      /neither gateway\.yaml nor v1\.yaml/,
    ],
    [
      'broken YAML',
      () => ['--from', V1, '--to', write('broken.yaml', 'openapi: 3.1.0\npaths: [\n')],
      /broken\.yaml:\d+: [\s\S]*cause:[\s\S]*fix:/,
    ],
    [
      'no OpenAPI',
      () => ['--from', V1, '--to', write('swagger.yaml', 'swagger: "2.0"\n')],
      /swagger\.yaml:1: [\s\S]*Swagger 2[\s\S]*fix:/,
    ],
    ['a day that is none', () => ['--from', V1, '--to', V1, '--today', '2025-02-30'], /--today 2025-02-30 is no day/],
    ['a seed that is none', () => ['--from', V1, '--to', V1, '--seed', 'x'], /--seed x is not a whole number/],
    [
      'one document',
      () => ['--from', V1, '--to', V1, '--documents', 'a.md'],
      /--documents needs two values[\s\S]*--documents OLD NEW/,
    ],
    [
      'documents that are not there',
      () => ['--from', V1, '--to', V1, '--documents', 'a.md', 'b.md'],
      /a\.md: there is no document/,
    ],
    [
      'a baseline alone',
      () => ['--from', V1, '--to', V1, '--baseline', home],
      /--baseline needs a run[\s\S]*--run DIR/,
    ],
    [
      'a changelog that is not there',
      () => ['--from', V1, '--to', V1, '--changelog', 'c.md'],
      /c\.md: the changelog cannot be read/,
    ],
    [
      'an empty changelog',
      () => ['--from', V1, '--to', V1, '--changelog', write('empty.md', '# Nothing\n')],
      /empty\.md:1: the changelog says nothing/,
    ],
    [
      'a waiver without its day',
      () => [
        '--from',
        V1,
        '--to',
        V1,
        '--waivers',
        write('w.yaml', "- fingerprint: 'kqzmwtrbfpxd'\n  reason: x\n  owner: y\n"),
      ],
      /w\.yaml:1: the waiver has no until/,
    ],
    [
      'a waiver for a rule',
      () => [
        '--from',
        V1,
        '--to',
        V1,
        '--waivers',
        write('r.yaml', '- fingerprint: GW-CAP-05\n  reason: x\n  owner: y\n  until: 2030-01-01\n'),
      ],
      /r\.yaml:1: GW-CAP-05 is no fingerprint/,
    ],
    [
      'a folder that is no run',
      () => ['--from', V1, '--to', V1, '--run', join(home, 'next')],
      /this is not a run folder[\s\S]*fix:/,
      3,
    ],
  ];
  for (const [name, argv, says, expected = 2] of cases)
    test(name, async () => {
      const { code, out, err } = await callProgram(['upgrade', '--out', join(home, 'never'), ...argv()]);
      expect(err).toMatch(says);
      expect(err).not.toContain('    at ');
      expect({ code, out }).toEqual({ code: expected, out: '' });
    });
});

test.describe('the page', () => {
  test.skip(findBrowser() === undefined, 'no browser is installed');

  /** Opens the page, lets the test look, and fails on anything the browser complained about or asked the network for. */
  async function visit(page: Page, look: () => Promise<void>): Promise<void> {
    const address = pathToFileURL(join(home, 'out/index.html')).href;
    const { complaints, end } = noteComplaints(page, (asked) => asked.startsWith(address));
    try {
      await page.goto(address);
      await look();
    } finally {
      end();
    }
    expect(complaints).toEqual([]);
  }

  test('answers in the first screen and leads to what stands behind it', async () => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.setViewportSize({ width: 1360, height: 900 });
    await visit(page, async () => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Needs work: \d+ breaking changes?$/);
      const first = page.locator('.reasons a').first();
      await expect(first).toBeInViewport();
      await first.click();
      const card = page.locator('.finding:target');
      await expect(card).toBeInViewport();
      for (const text of ['Concerns', 'Rules', 'Checks', 'Exchanges', 'Changelog'])
        await expect(card.getByText(text, { exact: true })).toBeVisible();
      await page.locator('.finding summary').first().click();
      await expect(page.locator('.finding details pre').first()).toBeVisible();
    });
    await context.close();
  });

  for (const width of [320, 768, 2560])
    test(`does not scroll sideways at ${width} pixels`, async () => {
      const page = await sharedPage(width, 900);
      await visit(page, async () => {
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      });
    });

  test('has no accessibility violation, wide or narrow, in either scheme', async () => {
    test.slow();
    const page = await sharedPage(1360, 900);
    await page.goto(pathToFileURL(join(home, 'out/index.html')).href);
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    const scan = async (look: string, ask: (axe: AxeBuilder) => AxeBuilder) => {
      const { violations } = await ask(await pageScanner(page)).analyze();
      const told = violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html)].join(': '));
      expect(told, look).toEqual([]);
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    await scan('light', (axe) => axe.withTags(tags));
    await page.emulateMedia({ colorScheme: 'dark' });
    await scan('dark', (axe) => axe.withRules(COLOUR_RULES));
    await page.setViewportSize({ width: 320, height: 800 });
    await scan('a narrow screen', (axe) => axe.withTags(tags).disableRules(COLOUR_RULES));
  });

  test('opens every body on paper', async () => {
    const page = await sharedPage();
    await visit(page, async () => {
      await page.emulateMedia({ media: 'print' });
      const box = await page.locator('.finding details pre').first().boundingBox();
      expect(box?.height ?? 0).toBeGreaterThan(20);
    });
  });
});
