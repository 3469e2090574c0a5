import { chromium, expect, test } from '@playwright/test';
import { BROWSER_SWITCHES } from './browser.ts';

const OFF = /--disable-features=(\S+)/;

test('what Playwright turns off of a browser stays off beside what we turn off', async () => {
  // It says how it starts a browser where that fails.
  const failure = await chromium.launch({ executablePath: process.execPath, args: ['--version'] }).catch(String);
  const its = (OFF.exec(String(failure))?.[1] ?? '').split(',');
  expect(its).toContain('PaintHolding');
  const ours = (OFF.exec(BROWSER_SWITCHES.join(' '))?.[1] ?? '').split(',');
  expect(ours).toEqual(expect.arrayContaining(its));
});
