import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { waitAtMost } from './wait-at-most.ts';

const LEAVING = 5000;

interface KeptWindow {
  readonly context: BrowserContext;
  /** A page that nobody uses: with its last page a window would go. */
  readonly idle: Page;
  readonly session: CDPSession;
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
    this.#own = await this.#browser.newContext();
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

async function openWindow(browser: Browser): Promise<KeptWindow> {
  const context = await browser.newContext();
  const idle = await context.newPage();
  return { context, idle, session: await context.newCDPSession(idle) };
}

async function emptyWindow({ context, idle, session }: KeptWindow): Promise<void> {
  const used = context.pages().filter((page) => page !== idle);
  await Promise.all(used.map((page) => page.close()));
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all([
    session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }),
    session.send('Network.clearBrowserCache'),
  ]);
}
