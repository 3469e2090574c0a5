import type { Browser, BrowserContext, CDPSession, Page, Request } from '@playwright/test';
import { waitAtMost } from './wait-at-most.ts';

const LEAVING = 5000;
/** Milliseconds that a page on its way may take to come once its customer leaves: most come at once, and some never. */
const COMING = 500;

interface KeptWindow {
  readonly context: BrowserContext;
  /** A page that nobody uses: with its last page a window would go. */
  readonly idle: Page;
  readonly session: CDPSession;
  /** What was asked for to see it as a page, and has not come yet; routed, or it may be heard of too late. */
  readonly coming: Set<Request>;
}

/**
 * Where one customer after the other sees pages, each as if nobody had been there before. A browser that is no bare shell draws a whole window
 * for each new context, which costs it more than all that a customer does in it: so the pages of our own sandbox share a window, which is
 * emptied between customers. Somebody else's pages each get a context of their own.
 */
export class BrowserWindow {
  readonly #browser: Browser;
  readonly #isKept: boolean;
  readonly #leaving: number;
  #kept: KeptWindow | undefined;
  #own: BrowserContext | undefined;

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
      return this.#kept.context.newPage();
    }
    this.#own = await openContext(this.#browser);
    return this.#own.newPage();
  }

  /** Closes what a customer opened, and forgets all that was left behind; a window that does not let go is given up. */
  async leave(): Promise<void> {
    const [own, kept] = [this.#own, this.#kept];
    this.#own = undefined;
    await own?.close();
    if (kept === undefined) return;
    const emptied = emptyWindow(kept).then(
      () => true,
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
  const idle = await context.newPage();
  const coming = new Set<Request>();
  const end = (request: Request) => coming.delete(request);
  context.on('request', (request) => request.isNavigationRequest() && coming.add(request));
  context.on('requestfinished', end).on('requestfailed', end);
  return { context, idle, session: await context.newCDPSession(idle), coming };
}

async function emptyWindow({ context, idle, session, coming }: KeptWindow): Promise<void> {
  // A page that is told to close just when another takes its place goes on as the other, and nobody hears of it again.
  await waitAtMost(COMING, Promise.all([...coming].map(hasCome)));
  coming.clear();
  const used = context.pages().filter((page) => page !== idle);
  await Promise.all(used.map((page) => page.close()));
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all([
    session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }),
    session.send('Network.clearBrowserCache'),
  ]);
}

async function hasCome(request: Request): Promise<void> {
  await (await request.response())?.finished();
}
