import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { printPage } from './print-page.ts';

test.skip(findBrowser() === undefined, 'no browser is installed');

/** How many sheets a PDF of a browser has. */
const sheets = (file: string) => readFileSync(file, 'latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length;

test('prints a page as A4, whole or its first sheet alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-print-'));
  writeFileSync(join(folder, 'index.html'), '<p style="break-after: page">one</p><p>two</p>');
  await printPage(folder, join(folder, 'all.pdf'), false);
  await printPage(folder, join(folder, 'first.pdf'), true);
  expect([sheets(join(folder, 'all.pdf')), sheets(join(folder, 'first.pdf'))]).toEqual([2, 1]);
  await expect(printPage(join(folder, 'none'), join(folder, 'x.pdf'), true)).rejects.toThrow(/no page to print/);
  rmSync(folder, { recursive: true });
});
