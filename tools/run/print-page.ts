import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { BROWSER_SWITCHES, findBrowser } from '#browser';
import { Trouble } from '#trouble';

/** Margin on paper. */
const MARGIN = '14mm';

/**
 * Prints the page of a run folder as A4.
 * @param firstOnly its first page alone, which fits one sheet
 * @throws Trouble (usage) when there is no page or no browser; (incomplete) when the browser fails
 */
export async function printPage(folder: string, file: string, firstOnly: boolean): Promise<void> {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) throw new Trouble('usage', 'there is no page to print', { place: { file: page } });
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Trouble('usage', 'no browser was found to print with', { fix: 'npx assay doctor --fix installs one' });
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_SWITCHES] });
  try {
    const context = await browser.newContext({ offline: true });
    const tab = await context.newPage();
    await tab.goto(pathToFileURL(page).href);
    const margin = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN };
    const ranges = firstOnly ? { pageRanges: '1' } : {};
    writeFileSync(
      file,
      await tab.pdf({ format: 'A4', printBackground: true, tagged: true, outline: !firstOnly, margin, ...ranges }),
    );
  } catch (error) {
    throw new Trouble('incomplete', 'the browser could not print the page', {
      place: { file: page },
      reason: (error as Error).message.split('\n')[0]!,
    });
  } finally {
    await browser.close();
  }
}
