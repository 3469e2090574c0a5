import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import type { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { findBrowser } from '#browser';
import type { Line } from '#evidence';
import { COLOUR_RULES, noteComplaints, pageScanner, sharedBrowser, sharedPage } from '#page-look';
import { renderProofPage, writeReport } from './index.ts';
import { sampleClientLines } from './sample-client.test-support.ts';
import { sampleProofs, writeSampleCompanions } from './sample-companions.ts';
import { largeLines } from './sample-large.ts';
import { HOSTILE_TEXT, sampleLines, sampleRunLine } from './sample-run.ts';

test.skip(findBrowser() === undefined, 'no browser is installed');
test.describe.configure({ mode: 'default' });

/** Exchanges of the page whose quiet evidence is packed. */
const LARGE = 800;

let home: string;
const address = (name: string) => pathToFileURL(join(home, name, 'index.html')).href;

test.beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'assay-page-'));
  const draw = (name: string, lines: Iterable<unknown>, beside = false) => {
    mkdirSync(join(home, name));
    const text = [...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(home, name, 'evidence.ndjson'), text);
    if (beside) writeSampleCompanions(join(home, name));
    writeReport(join(home, name));
  };
  draw('sample', sampleLines());
  draw(
    'embedded',
    sampleLines(sampleRunLine({ lie: 'capture-above', target: { ...sampleRunLine().target, kind: 'embedded' } })),
    true,
  );
  draw('client', sampleClientLines());
  draw('cut', sampleLines().slice(0, -1));
  draw('large', largeLines(LARGE));
  mkdirSync(join(home, 'proof'));
  writeFileSync(join(home, 'proof/index.html'), renderProofPage(sampleProofs(), sampleRunLine().register));
});
test.afterAll(() => rmSync(home, { recursive: true }));

/** Opens a page anew, lets the test look, and fails on anything the browser complained about or asked the network for. */
async function visit(name: string, look: (page: Page) => Promise<void>): Promise<void> {
  const [folder, hash] = name.split('#');
  const shown = address(folder!);
  const page = await sharedPage(1360, 900);
  const { complaints, end } = noteComplaints(page, (asked) => asked.startsWith(shown));
  try {
    await page.goto(`${shown}${hash === undefined ? '' : `#${hash}`}`);
    await look(page);
    expect(await page.evaluate(() => (globalThis as { harmed?: number }).harmed)).toBeUndefined();
    expect(complaints).toEqual([]);
  } finally {
    end();
  }
}

test('tells the gravest finding, what it costs and its exchange in the first screen', async () => {
  await visit('embedded', async (page) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('3 promises are broken');
    await expect(page.getByText('Embedded sandbox.')).toBeInViewport();
    const brief = page.locator('#summary .brief li').first();
    for (const text of ['GW-CAP-02', 'a0000002.2', 'A customer could be charged more than was agreed to.']) {
      await expect(brief.getByText(text).first()).toBeInViewport();
    }
    await expect(brief).toContainText(
      'The promise calls for captures of 10.00 at most; what came was a capture of 10.01.',
    );
    const first = page.locator('.finding').first();
    await expect(first.locator('.versus').first()).toBeHidden();
    await first.getByText('The values as they were compared').first().click();
    await expect(first.getByText('a capture of 10.01', { exact: true })).toBeVisible();
    await expect(first).toContainText('npx assay run --rule GW-CAP-02 --lie capture-above');
    await expect(first).toContainText(`-H "authorization: Bearer $TOKEN"`);
    await first.getByRole('link', { name: 'a0000002.2' }).first().click();
    await expect(page.locator('#x-a0000002\\.2')).toHaveAttribute('open', '');
    await expect(page.locator('#x-a0000002\\.2 pre').first()).toBeInViewport();
  });
});

test('says of a client who was judged, by what proof, and what it did under each lie', async () => {
  await visit('client', async (page) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The client breaks 1 rule');
    await expect(page.locator('.brand')).toHaveText('Assay on the client application at the sandbox');
    const text = (await page.locator('body').textContent())!;
    for (const words of ['audit of', 'own reference was judged', 'No proof is at hand', 'Provider of the service'])
      expect(text).not.toContain(words);
    for (const words of [
      'there is a scripted client that breaks this one',
      'Team of the client',
      'npx assay sandbox --judge',
    ])
      expect(text).toContain(words);
    const matrix = page.getByRole('region', { name: 'Lie by what the client did' });
    await expect(matrix.getByRole('row', { name: /cut-off/ }).locator('td')).toHaveText(['1', /did .*c0000001\.2/]);
    await expect(matrix.getByRole('row', { name: /slow/ }).locator('td')).toHaveText(['1', 'did not']);
    await expect(
      matrix
        .getByRole('row', { name: /too-many/ })
        .locator('td')
        .first(),
    ).toHaveText('did not show');
    await expect(
      matrix
        .getByRole('row', { name: /never-final/ })
        .locator('td')
        .first(),
    ).toHaveText('never told');
    await expect(page.locator('#sessions .lead')).toContainText('met 2 lies in 2 sessions and came through 1 of them');
    await expect(page.locator('#sessions .lead')).toContainText('Nothing was about these: trusted a callback.');
  });
});

test('says what answers for the clauses of the documents', async () => {
  await visit('embedded', async (page) => {
    const row = page.locator('#clauses').getByRole('row', { name: /gateway/ });
    await expect(row.locator('td')).toHaveText(['9', '6', '1', '1', '2']);
  });
});

test('says incomplete when the journal was cut', async () => {
  await visit('cut', async (page) => {
    await expect(page.locator('.verdict')).toContainText('Incomplete. The journal has no end line');
  });
});

test('marks in the body what broke the contract', async () => {
  await visit('sample#x-a0000004.2', async (page) => {
    await expect(page.locator('#x-a0000004\\.2 .spot')).toHaveText('  "orderState": "SETTLED",\n');
  });
});

test('shows hostile text as text', async () => {
  await visit('sample', async (page) => {
    const shown = await page.locator('#findings').textContent();
    expect(shown).toContain(HOSTILE_TEXT.slice(0, 40));
    expect(shown).toContain('\\u202e');
    expect(await page.locator('main img, main script').count()).toBe(0);
  });
});

test('works a case of a property through, and opens one that failed', async () => {
  await visit('embedded', async (page) => {
    const laws = page.locator('#properties .law');
    await expect(page.locator('#properties .lead')).toContainText('2 statements that should hold');
    await expect(laws.filter({ hasText: 'no capture above the limit' })).toHaveAttribute('open', '');
    await laws.filter({ hasText: 'any amount up to the limit' }).locator('summary').click();
    await expect(laws.first().locator('.worked dt')).toHaveText(['Drawn', 'Authorized', 'Captured']);
  });
});

test('filters rules by word, verdict, level and service, and counts what is left', async () => {
  await visit('sample', async (page) => {
    const count = page.locator('#shown');
    await expect(count).toHaveText('15 of 15 rules shown');
    await page.getByLabel('Verdict').selectOption('fail');
    await expect(count).toHaveText('3 of 15 rules shown');
    await page.getByLabel('Service').selectOption('v1');
    await expect(page.locator('details.rule:visible')).toHaveCount(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Search').fill('capture lapsed');
    await expect(count).toHaveText('1 of 15 rules shown');
    // A link to a rule that is filtered away still leads to it.
    await page.evaluate(() => {
      location.hash = 'V1-TRX-01';
    });
    await expect(page.locator('#V1-TRX-01')).toBeInViewport();
  });
});

test('unpacks quiet evidence when a check is opened or linked to, the same as it was recorded', async () => {
  const recorded = [...largeLines(LARGE)].filter((line) => line.kind === 'exchange');
  const quiet = recorded[LARGE * 0.75]!;
  await visit(`large#x-${quiet.id}`, async (page) => {
    const shown = page.locator(`[id="x-${quiet.id}"]`);
    await expect(shown).toHaveAttribute('open', '');
    const response = await shown.locator('pre').nth(1).textContent();
    expect(JSON.parse(response!.slice(response!.indexOf('\n\n')))).toEqual(JSON.parse(quiet.response!.body!));
    for (const [name, value] of quiet.request.headers)
      await expect(shown.locator('pre').first()).toContainText(`${name}: ${value}`);
    const siblings = recorded.filter(({ check }) => check === quiet.check).map(({ id }) => `x-${id}`);
    const ids = await page.locator(`[id="c-${quiet.check}"] .exchange`).evaluateAll((all) => all.map(({ id }) => id));
    expect(ids).toEqual(siblings);
  });
});

test('says so where packed evidence is damaged or not all there', async () => {
  const cut = readFileSync(join(home, 'large/index.html'), 'utf8');
  const packs = [...cut.matchAll(/class="pack">([^<]*)</g)].map(([, base64]) => base64!);
  const other = deflateRawSync(JSON.stringify({ rows: [], texts: [], columns: [] })).toString('base64');
  for (const [name, packed, said] of [
    ['damaged', packs[0]!.slice(0, 900), 'cannot be read'],
    ['changed', packs[0]!.replace(/^.{80}/, 'A'.repeat(80)), 'cannot be read'],
    ['emptied', other, /\d+ of its \d+ exchanges are not in this page/],
  ] as const) {
    mkdirSync(join(home, name));
    writeFileSync(join(home, name, 'index.html'), cut.replace(packs[0]!, packed));
    await visit(name, async (page) => {
      const check = page.locator('details.check[data-packs="g"]').first();
      const id = await check.getAttribute('id');
      await check.locator('summary').first().click();
      const evidence = page.locator(`#${id} .evidence`);
      await expect(evidence.getByRole('alert')).toContainText(said);
      await expect(evidence.getByRole('alert')).toContainText('evidence.ndjson');
      await expect(evidence).not.toHaveAttribute('aria-busy');
    });
  }
});

test('copies links, ids and commands', async () => {
  await visit('sample#GW-CAP-02', async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#GW-CAP-02').getByRole('button', { name: 'Copy link to GW-CAP-02' }).click();
    await expect(page.getByRole('status').last()).toContainText('Copied: file:');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${address('sample')}#GW-CAP-02`);
    await page.locator('.finding').first().getByRole('button', { name: 'Copy the command' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -i -X POST/);
  });
});

test('can be walked by keyboard alone', async () => {
  await visit('sample', async (page) => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the findings' })).toBeFocused();
    await page.locator('#GW-CAP-01 > summary').focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('#GW-CAP-01')).toHaveAttribute('open', '');
    const button = page.getByRole('button', { name: 'Copy link to GW-CAP-01' });
    await expect(button).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused();
  });
});

/** What is folded away on a screen, held against what is there on paper. */
async function unfoldOnPaper(page: Page, print: () => Promise<void>): Promise<void> {
  const body = page.locator('#x-a0000001\\.1 pre').first();
  expect(await body.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  await print();
  expect((await body.boundingBox())?.height ?? 0).toBeGreaterThan(20);
}

test('opens every detail on paper', async () => {
  await visit('sample', (page) =>
    unfoldOnPaper(page, () => page.evaluate(() => void dispatchEvent(new Event('beforeprint')))),
  );
});

test('works with scripts off, and opens every detail on paper', async () => {
  const context = await (await sharedBrowser()).newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(address('sample'));
  await unfoldOnPaper(page, async () => {});
  await page.emulateMedia({ media: null });
  await expect(page.locator('#filters')).toBeHidden();
  await page.locator('#GW-CAP-02 > summary').click();
  await expect(page.locator('#GW-CAP-02 .facts').first()).toBeVisible();
  await page.locator('#c-a0000001 > summary').click();
  await page.locator('#x-a0000001\\.1 > summary').click();
  await expect(page.locator('#x-a0000001\\.1 pre').first()).toBeVisible();
  await context.close();
});

for (const name of ['sample', 'embedded', 'client', 'large', 'proof'])
  test(`does not scroll sideways, however narrow or wide: ${name}`, async () => {
    await visit(name, async (page) => {
      await page.evaluate(() => {
        for (const one of document.querySelectorAll<HTMLDetailsElement>('.rule, .check, .hole, .exchange'))
          one.open = true;
      });
      for (const width of [320, 768, 1360, 2560]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    });
  });

/**
 * Takes away what looks as something before it, by all that a style sheet tells it by: its own kind, and those of what it stands in. What has
 * a text is of another kind than what has none.
 */
function leaveOneOfEachKind(): void {
  const beside = /^(?:id|href|title|for|d|[xy][12]?|aria-label(?:ledby)?)$/;
  const kinds = new Map<Element | null, string>();
  const seen = new Set<string>();
  const again: Element[] = [];
  for (const one of document.querySelectorAll('body *')) {
    const marks = [...one.attributes]
      .filter(({ name }) => !beside.test(name))
      .map(({ name, value }) => `${name}=${value}`);
    const hasText = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    const kind = [kinds.get(one.parentElement), one.tagName, hasText, ...marks.sort()].join(' ');
    kinds.set(one, kind);
    if (seen.has(kind)) again.push(one);
    seen.add(kind);
  }
  // The innermost first: what holds nothing of a kind of its own goes as well.
  for (const one of again.reverse()) if (one.children.length === 0) one.remove();
}

/** Each page is opened once. Nothing but colours is another in another scheme, and no colour is another on a narrow screen. */
for (const name of ['embedded', 'client', 'proof'])
  test(`has no accessibility violation, wide or narrow, in any colours: ${name}`, async () => {
    test.slow();
    await visit(name, async (page) => {
      const scan = async (ask: (axe: AxeBuilder) => AxeBuilder) => {
        await page.waitForTimeout(200);
        const { violations } = await ask(await pageScanner(page)).analyze();
        const told = violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html)].join(': '));
        expect(told).toEqual([]);
      };
      await page.evaluate(() => {
        for (const one of document.querySelectorAll('details')) one.open = true;
      });
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      for (const [width, height] of [
        [1360, 900],
        [320, 800],
      ] as const) {
        await page.setViewportSize({ width, height });
        await scan((axe) => axe.withTags(tags).disableRules(COLOUR_RULES));
      }
      await page.setViewportSize({ width: 1360, height: 900 });
      await page.evaluate(leaveOneOfEachKind);
      for (const media of [
        { colorScheme: 'light' },
        { colorScheme: 'dark' },
        { colorScheme: 'light', forcedColors: 'active' },
      ] as const) {
        await page.emulateMedia(media);
        await scan((axe) => axe.withRules(COLOUR_RULES));
      }
    });
  });

test('leads a newcomer to what failed, its evidence and what was not looked at in a click or two', async () => {
  await visit('embedded', async (page) => {
    const figures: string[] = [];
    const task = async (name: string, seconds: number, walk: () => Promise<void>) => {
      const began = Date.now();
      await walk();
      const took = (Date.now() - began) / 1000;
      figures.push(`${name}: ${took.toFixed(1)} s`);
      expect(took).toBeLessThan(seconds);
    };
    await task('which promise failed, and what does it cost', 10, async () => {
      const first = page.locator('#summary .brief li').first();
      await expect(first.locator('.promise')).toBeInViewport();
      await expect(first.locator('.cost')).toBeInViewport();
    });
    await task('show me the evidence', 20, async () => {
      await page.locator('#summary .brief li').first().getByRole('link', { name: 'a0000002.2' }).click();
      await expect(page.locator('#x-a0000002\\.2 pre').nth(1)).toBeInViewport();
    });
    await task('what was not looked at', 20, async () => {
      await page.goBack();
      await page.locator('#summary').getByRole('link', { name: 'Skipped' }).click();
      await page.locator('#skipped details').first().locator('summary').click();
      await expect(page.locator('#skipped details').first().locator('td').first()).toBeInViewport();
    });
    test.info().annotations.push({ type: 'figures', description: figures.join(', ') });
    console.log(figures.join(', '));
  });
});

for (const [name, rule] of [
  ['one-kept', 'GW-CAP-01'],
  ['one-broken', 'GW-CAP-02'],
] as const)
  test(`shows a run of one rule on one screen: ${name}`, async () => {
    mkdirSync(join(home, name));
    const lines = sampleLines().flatMap((line): Line[] => {
      if (line.kind === 'run') return [{ ...line, selection: rule }];
      if (line.kind === 'check') return line.rules.includes(rule) ? [{ ...line, rules: [rule] }] : [];
      if (line.kind === 'exchange') return [{ ...line, violations: [] }];
      return [line];
    });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(home, name, 'evidence.ndjson'), text);
    writeReport(join(home, name));
    await visit(name, async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(900);
      await expect(page.locator(`#summary a[href="#${rule}"]`).first()).toBeInViewport();
      await expect(page.getByText('Who vouches')).toBeInViewport();
      const evidence = page.locator('#summary a[href^="#x-"]').first();
      const exchange = await evidence.textContent();
      const { violations } = await (await pageScanner(page)).analyze();
      expect(violations).toEqual([]);
      // What is folded away opens when a link leads into it.
      await evidence.click();
      await expect(page.locator(`[id="x-${exchange}"] pre`).first()).toBeInViewport();
      await page.goBack();
      await page.getByRole('link', { name: 'Property tests', exact: true }).click();
      await expect(page.locator('#properties h2')).toBeInViewport();
      // Of a rule that nobody asked for nothing is said that was not looked at.
      const other = page.locator('.rule', { hasText: 'The run was limited to' }).first();
      await expect(other.locator('dt')).toHaveText(['Promised in', 'Proof', 'Run it']);
      await expect(page.locator(`#skipped a[href="#${await other.getAttribute('id')}"]`)).toHaveCount(1);
    });
  });

test('leads from a count of answers to the first of them', async () => {
  await visit('embedded', async (page) => {
    await page
      .locator('#coverage')
      .getByRole('row', { name: /capture/ })
      .locator('td.seen a')
      .first()
      .click();
    await expect(page.locator('#x-a0000001\\.1')).toHaveAttribute('open', '');
  });
});

test('draws the states that the documents name, seen or not', async () => {
  await visit('embedded', async (page) => {
    await expect(page.locator('#states .never text')).toHaveText(['CHAIN_STEP']);
    await expect(page.locator('#states .lead')).toContainText('Documented and not seen: CHAIN_STEP');
    await expect(page.locator('#timing .before').first()).toBeVisible();
  });
});

for (const name of ['embedded', 'large'])
  test(`prints its first page on one sheet of A4: ${name}`, async () => {
    await visit(name, async (page) => {
      const pdf = await page.pdf({
        format: 'A4',
        pageRanges: '1-2',
        margin: { top: '14mm', bottom: '14mm', left: '14mm', right: '14mm' },
      });
      expect(pdf.subarray(0, 4).toString()).toBe('%PDF');
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 688, height: 1000 });
      const end = await page.locator('#summary').evaluate((one) => one.getBoundingClientRect().bottom);
      // 297 mm of paper without its margins, at 96 dots an inch.
      expect(end).toBeLessThanOrEqual((297 - 28) * (96 / 25.4));
    });
  });
