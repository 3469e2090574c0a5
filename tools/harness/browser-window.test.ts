import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { sharedBrowser } from '#page-look';
import { BrowserWindow } from './browser-window.ts';

test.skip(findBrowser() === undefined, 'there is no browser here');

let browser: Browser;
const servers: Server[] = [];
const addresses: string[] = [];
let asked: string[] = [];
let onPost: (response: ServerResponse) => void = () => {};

test.beforeAll(async () => {
  browser = await sharedBrowser();
  for (const name of ['one', 'other']) {
    const server = createServer(({ method, url, headers }, response) => {
      asked.push(`${name} ${url} ${headers.cookie ?? ''}`.trim());
      if (method === 'POST') return onPost(response);
      const isScript = url === '/worker.js';
      response.writeHead(200, {
        'content-type': isScript ? 'text/javascript' : 'text/html',
        'cache-control': 'max-age=3600',
        'set-cookie': 'from=server; Max-Age=3600',
      });
      response.end(
        isScript
          ? ''
          : '<!doctype html><link rel="icon" href="data:,"><title>Shop</title><script src="/worker.js"></script>',
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    servers.push(server);
    addresses.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }
});
test.beforeEach(() => {
  asked = [];
});
test.afterAll(() => {
  // A worker may come back to this file.
  for (const server of servers.splice(0)) server.close();
  addresses.length = 0;
});

/** Everything a page can leave with the browser, at one address. */
async function leaveTraces(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.evaluate(async () => {
    localStorage.setItem('seen', '1');
    sessionStorage.setItem('seen', '1');
    window.name = 'seen';
    history.pushState(null, '', '/seen');
    // biome-ignore lint/suspicious/noDocumentCookie: pages of others write them like this
    document.cookie = 'from=page; max-age=3600';
    await caches.open('seen');
    await navigator.serviceWorker.register('/worker.js');
    await new Promise((done) => {
      indexedDB.open('seen').onsuccess = done;
    });
    window.open('/popup');
  });
}

/** What of it there is at one address. */
async function findTraces(page: Page, address: string): Promise<unknown> {
  await page.goto(address);
  return page.evaluate(async () => [
    localStorage.length,
    sessionStorage.length,
    window.name,
    history.length,
    await caches.keys(),
    (await navigator.serviceWorker.getRegistrations()).length,
    (await indexedDB.databases()).length,
  ]);
}

for (const isKept of [true, false])
  test(`shows a customer nothing of the one before, in ${isKept ? 'the same window' : 'a window of their own'}`, async () => {
    const window = new BrowserWindow(browser, isKept);
    const first = await window.openPage();
    await first.context().route('**/refused', (route) => route.abort());
    for (const address of addresses) await leaveTraces(first, address);
    // Without this there would be nothing to forget.
    expect(await findTraces(first, addresses[0]!)).toEqual([1, 1, 'seen', 6, ['seen'], 1, 1]);
    expect(first.context().pages().length).toBeGreaterThan(2);
    await window.leave();
    expect([first.isClosed(), first.url()]).toEqual(isKept ? [false, 'about:blank'] : [true, first.url()]);
    asked = [];
    const second = await window.openPage();
    expect(second.context() === first.context()).toBe(isKept);
    expect(second.context().pages()).toHaveLength(1);
    for (const [i, address] of addresses.entries())
      expect(await findTraces(second, address)).toEqual([0, 0, '', i + 2, [], 0, 0]);
    // Asked again, neither answered from a cache nor with a cookie from before; cookies know names, not ports.
    expect(asked[0]).toBe('one /');
    expect(asked.join()).toMatch(/one \/worker\.js.*other \/,?.*other \/worker\.js/);
    expect(asked.join()).not.toContain('from=page');
    expect((await second.goto(`${addresses[0]}refused`))?.status()).toBe(200);
    await window.leave();
    if (isKept) await second.context().close();
  });

for (const isKept of [true, false])
  test(`shows two customers at the same time nothing of each other, the first in ${isKept ? 'the kept window' : 'a window of their own'}`, async () => {
    const window = new BrowserWindow(browser, isKept);
    const [first, other] = [await window.openPage(), await window.openPageBeside()];
    await leaveTraces(first, addresses[0]!);
    asked = [];
    expect(await findTraces(other, addresses[0]!)).toEqual([0, 0, '', 2, [], 0, 0]);
    // The first one's popup may ask only now.
    expect(asked.filter((one) => /^one \/(?: |$)/.test(one))).toEqual(['one /']);
    await window.leave();
    expect([first.isClosed(), other.isClosed()]).toEqual([!isKept, true]);
    if (isKept) await first.context().close();
  });

for (const after of [0, 150, Number.POSITIVE_INFINITY])
  test(`keeps the window of a customer who leaves while a page is on its way for ${after} ms`, async () => {
    const window = new BrowserWindow(browser, true);
    const contexts = new Set<BrowserContext>();
    for (let i = 0; i < (after === 0 ? 12 : 2); i += 1) {
      const page = await window.openPage();
      contexts.add(page.context());
      // As a customer's pages are: what they ask for is known here before it is asked.
      await page.context().route('**/*', (route) => route.continue());
      await page.goto(addresses[i % 2]!);
      const called = new Promise<void>((done) => {
        onPost = (response) => {
          const answer = () => response.end('<!doctype html><link rel="icon" href="data:,"><p>Thanks</p>');
          if (after === 0) answer();
          else if (after < Number.POSITIVE_INFINITY) setTimeout(answer, after);
          done();
        };
      });
      await page.setContent(`<form method="post" action="${addresses[(i + 1) % 2]!}"></form>`);
      await page.evaluate(() => setTimeout(() => document.forms[0]!.submit()));
      await called;
      await window.leave();
      expect([page.isClosed(), page.url()]).toEqual([false, 'about:blank']);
    }
    expect(contexts.size).toBe(1);
    for (const context of contexts) await context.close();
  });

test('keeps the window of a customer who was led where nobody may go', async () => {
  const window = new BrowserWindow(browser, true);
  const contexts = new Set<BrowserContext>();
  for (let i = 0; i < 8; i += 1) {
    const page = await window.openPage();
    contexts.add(page.context());
    await page.context().route('**/refused', (route) => route.abort('blockedbyclient'));
    await page.goto(addresses[i % 2]!);
    const failed = page.waitForEvent('requestfailed');
    await page.evaluate(() => setTimeout(() => location.assign('/refused')));
    await failed;
    await window.leave();
    expect([page.isClosed(), page.url()]).toEqual([false, 'about:blank']);
  }
  expect(contexts.size).toBe(1);
  for (const context of contexts) await context.close();
});

test('goes on in another window when one does not let go', async () => {
  const window = new BrowserWindow(browser, true, 300);
  const first = await window.openPage();
  await first.setContent(
    '<script>setTimeout(() => { for (const end = Date.now() + 3000; Date.now() < end; ); })</script>',
  );
  await window.leave();
  const second = await window.openPage();
  expect(second.context()).not.toBe(first.context());
  expect((await second.goto(addresses[0]!))?.status()).toBe(200);
  await second.context().close();
});
