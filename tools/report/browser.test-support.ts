import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** What a browser is started with: nothing in the background, no sandbox of its own, since containers run as root. */
export const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Path of an installed browser for this project's own tests; the report may not ask the harness for one. */
export function installedBrowser(): string | undefined {
  const named = process.env.ASSAY_BROWSER;
  const folders = (process.env.PATH ?? '').split(':');
  const candidates = ['chromium', 'chromium-browser', 'google-chrome', 'microsoft-edge'].flatMap((name) =>
    folders.map((folder) => `${folder}/${name}`),
  );
  return [...(named ? [named] : []), ...candidates, chromium.executablePath()].find((path) => existsSync(path));
}
