import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

let found: { path: string | undefined } | undefined;

/** Path of an installed Chromium, Chrome or Edge, else of Playwright's own download; undefined when there is none. `ASSAY_BROWSER` wins. */
export function findBrowser(): string | undefined {
  found ??= { path: search() };
  return found.path;
}

function search(): string | undefined {
  const named = process.env.ASSAY_BROWSER;
  if (named !== undefined) return named === '' || named === 'none' ? undefined : named;
  const folders = (process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':');
  const candidates = [
    ...folders.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`)),
    ...PLACES,
    chromium.executablePath(),
  ];
  return candidates.find((path) => existsSync(path));
}
