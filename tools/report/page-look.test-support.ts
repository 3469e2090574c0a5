import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type ConsoleMessage, chromium, expect, type Page, type Request } from '@playwright/test';
import { BROWSER_SWITCHES, findBrowser } from '#browser';

/** How a page is looked at: on a desk in light, on a telephone in the dark. */
const LOOKS = [
  ['light', 1360],
  ['dark', 320],
] as const;

/** What axe is put into a page as, where it is already: half a megabyte of script need not be read again for each look. */
const NOTHING_MORE = '0';

/**
 * Axe as it looks at a page. Nobody reads what is right: to describe each element that passes takes it longer than to find what does not.
 */
export async function pageScanner(page: Page): Promise<AxeBuilder> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: NOTHING_MORE }) });
  return axe.setLegacyMode(true).options({ resultTypes: ['violations'] });
}

/** Rules that go by colours, which no other rule does: the slow ones, each element of the page against all that it overlaps. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

let launching: Promise<Browser> | undefined;

/** The browser in which the tests of a worker look at pages, each in windows of its own: started for the first of them, ended with the worker. */
export function sharedBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  launching ??= chromium.launch({ ...(executablePath && { executablePath }), args: [...BROWSER_SWITCHES] });
  return launching;
}

let opening: Promise<Page> | undefined;

/**
 * The page in which the tests of a worker look at one address after the other: a new one is a window and a process of its own, which costs
 * more than most looks. It is blank and shows what a new one would; what an address of the same origin left in its storage is still there.
 * @param width of its window, in pixels
 */
export async function sharedPage(width = 1280, height = 720): Promise<Page> {
  opening ??= sharedBrowser().then((browser) => browser.newPage());
  const page = await opening;
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null });
  await page.setViewportSize({ width, height });
  return page;
}

/**
 * Notes what a page says to the console, each error of it, and each address that it asks for and may not.
 * @param mayAsk whether it may ask for an address
 * @returns what was noted so far; `end` notes no more
 */
export function noteComplaints(
  page: Page,
  mayAsk: (address: string) => boolean,
): { readonly complaints: readonly string[]; end(): void } {
  const complaints: string[] = [];
  const onConsole = (message: ConsoleMessage) => complaints.push(message.text());
  const onError = (error: Error) => complaints.push(error.message);
  const onRequest = (request: Request) => mayAsk(request.url()) || complaints.push(`asked for ${request.url()}`);
  page.on('console', onConsole).on('pageerror', onError).on('request', onRequest);
  return {
    complaints,
    end: () => void page.off('console', onConsole).off('pageerror', onError).off('request', onRequest),
  };
}

/**
 * Opens a page that was written to a file, once, and holds in either scheme, wide and narrow: what the test looks for, that nothing scrolls
 * sideways, and that nothing is amiss for those who cannot see it; in the end, that it had nothing to say to the console and asked for nothing.
 * @param file path of the page
 * @param look what the test looks for
 * @param leave what is done last, with the page in its last look
 */
export async function lookInBothSchemes(
  file: string,
  look: (page: Page) => Promise<void>,
  leave?: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await sharedPage();
  const address = pathToFileURL(file).href;
  const { complaints, end } = noteComplaints(page, (asked) => asked === address);
  try {
    await page.goto(address);
    for (const [colorScheme, width] of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await look(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const { violations } = await (await pageScanner(page)).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await leave?.(page);
  } finally {
    end();
  }
}
