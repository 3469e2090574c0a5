import type { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { COLOUR_RULES, noteComplaints, pageScanner, sharedPage } from '#page-look';
import type { LoggedExchange } from '../logged-exchange.ts';
import { type Sandbox, startSandbox } from '../start-sandbox.ts';

const HOSTILE = `</code></script><img src=x onerror="globalThis.harmed=1"><a href="javascript:globalThis.harmed=1">x</a> \${7*7} \u202e`;
const kept: LoggedExchange[] = [];

// In one worker: one sandbox does for all.
test.describe.configure({ mode: 'default' });

let sandbox: Sandbox;
test.beforeAll(async () => {
  sandbox = await startSandbox({
    control: true,
    seed: 'page',
    choose: ['hold=longer'],
    lies: ['overview-answers-500'],
    log: { since: (number) => kept.filter((one) => one.number > number) },
    saveFile: (name) => `/files of <me>/${name}`,
  });
});
test.afterAll(async () => {
  await sandbox.close();
});
test.beforeEach(() => {
  kept.length = 0;
});

function exchange(change: Partial<LoggedExchange> = {}): LoggedExchange {
  return {
    number: kept.length + 1,
    api: 'gateway',
    message: 'request',
    at: '2026-01-31T12:00:00.123Z',
    duration: 4.2,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:1/api/payments/sale/1001',
      headers: [['content-type', 'application/json']],
      body: '{"order":{}}',
    },
    response: { status: 200, headers: [], body: '{"orderState":"APPROVED"}' },
    ...change,
  };
}

/** Opens the page, lets the test look, and fails on anything that the browser complained about or asked elsewhere. */
async function visit(look: (page: Page) => Promise<void>, width = 1280, height = 900): Promise<void> {
  const page = await sharedPage(width, height);
  const ours = `${sandbox.addresses.control}/`;
  const { complaints, end } = noteComplaints(page, (asked) => asked.startsWith(ours) || asked.startsWith('data:'));
  try {
    await page.goto(ours);
    await look(page);
    expect(await page.evaluate(() => (globalThis as { harmed?: number }).harmed)).toBeUndefined();
  } finally {
    // It asks for the log again and again.
    await page.goto('about:blank');
    end();
  }
  expect(complaints).toEqual([]);
}

test.describe('in a browser', () => {
  test.skip(findBrowser() === undefined, 'no browser is installed');

  test('says where the sandbox is, how to be let in, what to pay with and what to call', async () => {
    await visit(async (page) => {
      const main = page.getByRole('main');
      for (const text of [
        sandbox.addresses.gateway,
        sandbox.addresses.v1,
        sandbox.credentials.gateway.main.token,
        sandbox.credentials.v1.token,
        '4000000000000101 123',
        'challenge, then approved',
        'POST /gateway/orders/:id/chargeback',
        'POST /v1/failures',
        '{"seconds":60,"service":"v1"}',
        '/files of <me>/oauth-private-key.pem',
        `ASSAY_GATEWAY_MAIN_TOKEN=${sandbox.credentials.gateway.main.token}`,
        'gateway.hold: longer',
        'lie: overview-answers-500',
      ])
        await expect(main).toContainText(text);
      await expect(main).not.toContainText('PRIVATE KEY');
      await page.getByRole('link', { name: 'Control calls' }).click();
      await expect(page.getByRole('heading', { name: 'Control calls' })).toBeInViewport();
    });
  });

  test('shows what is exchanged while it happens, latest first, and finds in it', async () => {
    await visit(async (page) => {
      await expect(page.getByRole('status')).toHaveText('Nothing was exchanged yet.');
      kept.push(exchange());
      const entries = page.locator('#exchanges > li');
      await expect(entries).toHaveCount(1);
      kept.push(exchange({ message: 'orderCallback', response: { status: 500, headers: [] } }));
      const { response: _, ...unanswered } = exchange({ message: 'orderCallback', failure: 'ECONNREFUSED' });
      kept.push(unanswered);
      await expect(entries).toHaveCount(3);
      await expect(entries.first()).toContainText('no answer');
      await expect(entries.last()).toContainText('12:00:00.123 gateway asked POST /api/payments/sale/1001 200 4 ms');
      await entries.last().locator('summary').click();
      await expect(entries.last().locator('pre').first()).toContainText('content-type: application/json');
      await expect(entries.last().locator('pre').last()).toContainText('{"orderState":"APPROVED"}');
      await page.getByLabel('Only with').fill('econnrefused');
      await expect(page.getByRole('status')).toHaveText('3 exchanged so far, latest first; 1 of 3 shown.');
      await expect(entries.first()).toBeVisible();
      await expect(entries.last()).toBeHidden();
    });
  });

  test('keeps quiet while paused, and says when the sandbox is gone', async () => {
    await visit(async (page) => {
      await page.getByLabel('Pause').check();
      kept.push(exchange());
      await page.waitForTimeout(1500);
      await expect(page.locator('#exchanges > li')).toHaveCount(0);
      await page.getByLabel('Pause').uncheck();
      await expect(page.locator('#exchanges > li')).toHaveCount(1);
      await page.route('**/log?*', (route) => route.fulfill({ status: 200, body: 'no JSON' }));
      await expect(page.getByRole('status')).toHaveText('The sandbox does not answer any more.');
    });
  });

  test('shows hostile content as text', async () => {
    kept.push(
      exchange({
        message: HOSTILE,
        request: { method: HOSTILE, url: `javascript:${HOSTILE}`, headers: [[HOSTILE, HOSTILE]], body: HOSTILE },
        response: { status: 200, headers: [[HOSTILE, HOSTILE]], body: HOSTILE },
        failure: HOSTILE,
      }),
    );
    await visit(async (page) => {
      const entry = page.locator('#exchanges > li');
      await entry.locator('summary').click();
      await expect(entry.locator('pre').last()).toContainText(HOSTILE.slice(0, 60));
      expect(await page.locator('main img, main a, main script').count()).toBe(0);
    });
  });

  // What does not go by colours is the same in light and in the dark, and colours are the same on every screen.
  const LOOKS: readonly [
    name: string,
    scheme: 'light' | 'dark',
    width: number,
    ask: (axe: AxeBuilder) => AxeBuilder,
  ][] = [
    ['in light', 'light', 1280, (axe) => axe],
    ['in the dark', 'dark', 1280, (axe) => axe.withRules(COLOUR_RULES)],
    ['on a telephone', 'light', 360, (axe) => axe.disableRules(COLOUR_RULES)],
  ];
  for (const [name, colorScheme, width, ask] of LOOKS)
    test(`is accessible ${name}, and fits`, async () => {
      kept.push(exchange(), exchange({ number: 2, response: { status: 401, headers: [], body: 'x'.repeat(5000) } }));
      await visit(async (page) => {
        await page.emulateMedia({ colorScheme });
        for (const summary of await page.locator('#exchanges summary').all()) await summary.click();
        await expect(page.locator('#exchanges > li')).toHaveCount(2);
        const { violations } = await ask(await pageScanner(page)).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overhang, 'does not scroll sideways').toBeLessThanOrEqual(0);
      }, width);
    });
});

test('is shown in no frame and to no other origin, and refuses foreign callers like every call', async () => {
  const { control } = sandbox.addresses;
  const page = await fetch(`${control}/`);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  for (const path of ['/', '/log', '/clock']) {
    const foreign = await fetch(control + path, { headers: { origin: 'https://evil.example' } });
    expect(foreign.status, path).toBe(403);
  }
  expect((await fetch(`${control}/log?after=x`)).status).toBe(400);
});

test('every call of the control plane says what it does', () => {
  expect(sandbox.controlCalls.length).toBeGreaterThan(15);
  expect(sandbox.controlCalls.filter(({ does }) => does === '')).toEqual([]);
  for (const { takes } of sandbox.controlCalls)
    if (takes !== undefined) expect(JSON.parse(takes)).toBeInstanceOf(Object);
});

test('is there without a log, and then has no script', async () => {
  const other = await startSandbox({ control: true });
  try {
    const text = await (await fetch(`${other.addresses.control}/`)).text();
    expect(text).not.toContain('<script');
    expect(text).toContain('(oauth-private-key.pem)');
    expect((await fetch(`${other.addresses.control}/log`)).status).toBe(404);
  } finally {
    await other.close();
  }
});
