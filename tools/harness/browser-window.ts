import type { Browser, BrowserContext, CDPSession, Page, Request } from '@playwright/test';
import { waitAtMost } from './wait-at-most.ts';

const BLANK = 'about:blank';
const LEAVING = 5000;
/** Milliseconds that a page on its way may take to come: most come at once, and some never. */
export const COMING = 500;

interface KeptWindow {
  readonly context: BrowserContext;
  /** The one page of it, which each customer finds as blank as a new one. */
  readonly page: Page;
  readonly session: CDPSession;
  /** What was asked for to see it as a page, and has not come yet; routed, or it may be heard of too late. */
  readonly coming: Set<Request>;
}

/**
 * Where one customer after the other sees pages, each as if nobody had been there before. A browser that is no bare shell draws a whole window
 * for each new context, and starts a process for each new page, which costs it more than all that a customer does there: so the pages of our
 * own sandbox share a window and a page, which are emptied between customers. Somebody else's pages each get a context of their own.
 */
export class BrowserWindow {
  readonly #browser: Browser;
  readonly #isKept: boolean;
  readonly #leaving: number;
  #kept: KeptWindow | undefined;
  #own: BrowserContext[] = [];

  /**
   * @param isKept whether customers follow each other in one window
   * @param leaving milliseconds that a window may take to be emptied
   */
  constructor(browser: Browser, isKept: boolean, leaving = LEAVING) {
    this.#browser = browser;
    this.#isKept = isKept;
    this.#leaving = leaving;
  }

  /** A page for a customer, where there is nothing of an earlier one. */
  async openPage(): Promise<Page> {
    if (this.#isKept) {
      this.#kept ??= await openWindow(this.#browser);
      return this.#kept.page;
    }
    return this.openPageBeside();
  }

  /** A page for another customer at the same time, who shares nothing with the first. */
  async openPageBeside(): Promise<Page> {
    const context = await openContext(this.#browser);
    this.#own.push(context);
    return context.newPage();
  }

  /** Closes what customers opened, and forgets all that was left behind; a window that does not let go is given up. */
  async leave(): Promise<void> {
    const [own, kept] = [this.#own, this.#kept];
    this.#own = [];
    for (const context of own) await context.close();
    if (kept === undefined) return;
    const emptied = emptyWindow(kept).then(
      () => kept.page.url() === BLANK,
      () => false,
    );
    const isEmpty = await waitAtMost(this.#leaving, emptied);
    if (isEmpty) return;
    this.#kept = undefined;
    // Nobody waits for what does not end; with the browser it does.
    kept.context.close().catch(() => {});
  }
}

async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext();
  // How long a page may take is what its target says, and no number of the driver's.
  context.setDefaultTimeout(0);
  return context;
}

async function openWindow(browser: Browser): Promise<KeptWindow> {
  const context = await openContext(browser);
  const page = await context.newPage();
  const coming = new Set<Request>();
  const end = (request: Request) => coming.delete(request);
  context.on('request', (request) => request.isNavigationRequest() && coming.add(request));
  context.on('requestfinished', end).on('requestfailed', end);
  const session = await context.newCDPSession(page);
  await hideControls(session).catch(() => {});
  return { context, page, session, coming };
}

/** What a browser draws around a page, and anew with each step of it, nobody sees. */
async function hideControls(session: CDPSession): Promise<void> {
  const { windowId } = await session.send('Browser.getWindowForTarget');
  await session.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'fullscreen' } });
}

async function emptyWindow({ context, page, session, coming }: KeptWindow): Promise<void> {
  // What takes a page's place just when it is emptied would come after that, or as one that nobody hears of again.
  await waitAtMost(COMING, Promise.all([...coming].map(hasCome)));
  coming.clear();
  const others = context.pages().filter((one) => one !== page);
  await Promise.all(others.map((one) => one.close()));
  // Where a page was refused, the browser's own word on that may come first.
  await page.goto(BLANK).catch(() => page.waitForURL(BLANK, { timeout: LEAVING }));
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all([
    session.send('Runtime.evaluate', { expression: 'name = ""' }),
    session.send('Page.resetNavigationHistory'),
    session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }),
    session.send('Network.clearBrowserCache'),
  ]);
}

async function hasCome(request: Request): Promise<void> {
  await (await request.response())?.finished();
}
