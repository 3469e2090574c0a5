import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { BrowserType } from '@playwright/test';

// A bare shell, which draws no window around a page, asks half the processor time for it.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
/** Debian's, the leaner one first; other distributions may not have it. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const QUIETLY = { stdio: 'ignore', timeout: 180_000 } as const;
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** What Playwright turns off of a browser. The last switch of this name is the one that counts, so that ours names these as well. */
const OFF_FOR_DRIVER = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/** A new frame, with all that belongs to one, for every page of the same site: it doubles the processor time of a step from page to page. */
const FRAME_FOR_EACH_PAGE = 'RenderDocument';

/** What a browser is started with: nothing in the background, no sandbox of its own, since containers run as root. */
export const BROWSER_SWITCHES: readonly string[] = [
  `--disable-features=${[...OFF_FOR_DRIVER, FRAME_FOR_EACH_PAGE].join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * How a browser is started that reaches nothing but through a proxy: no name is looked up, the loopback address is no exception, and what
 * would go by UDP past a proxy is not sent.
 */
export function browserBehind(proxy: string): {
  args: string[];
  ignoreDefaultArgs: string[];
  proxy: { server: string; bypass: string };
} {
  return {
    // Playwright takes away the browser's own bound on what a page may ask of it: one that changes its address without pause kept the browser
    // from ending.
    ignoreDefaultArgs: ['--disable-ipc-flooding-protection'],
    // Without this entry the loopback address would be called without the proxy.
    proxy: { server: proxy, bypass: '<-loopback>' },
    args: [
      ...BROWSER_SWITCHES,
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  };
}

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
  const installed = [...folders.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`)), ...PLACES];
  return installed.find((path) => existsSync(path)) ?? [downloadedPath()].find((path) => existsSync(path));
}

/** Where Playwright's own download lies. The driver is loaded only to be asked that. */
function downloadedPath(): string {
  const { chromium } = createRequire(import.meta.url)('@playwright/test') as { chromium: BrowserType };
  return chromium.executablePath();
}

/**
 * Installs a browser when there is none: an installed one, else Playwright's own download, else Debian's package where we are root.
 * @param say told what is being tried, since either takes its time
 * @returns its path; undefined when none could be had, so that checks which need one are skipped
 */
export function provideBrowser(say: (text: string) => void): string | undefined {
  if (findBrowser() !== undefined || process.env.ASSAY_BROWSER !== undefined) return findBrowser();
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  say('no browser found; installing one: npx playwright install chromium');
  spawnSync(process.execPath, [cli, 'install', 'chromium'], QUIETLY);
  found = undefined;
  const isRoot = process.getuid?.() === 0;
  if (findBrowser() === undefined && isRoot && spawnSync('apt-get', ['--version'], QUIETLY).status === 0)
    installPackage(say);
  if (findBrowser() === undefined)
    say(
      'still no browser: install Chromium, Chrome or Edge, or name one in ASSAY_BROWSER; checks that need one are skipped',
    );
  return findBrowser();
}

/** Installs the first of Debian's packages that gives a browser. */
function installPackage(say: (text: string) => void): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-qq', '--no-install-recommends'];
  say(`that gave none; as root: apt-get update && apt-get install --no-install-recommends ${PACKAGES.join(', else ')}`);
  spawnSync('apt-get', ['update', '-qq'], QUIETLY);
  for (const name of PACKAGES) {
    if (findBrowser() !== undefined) return;
    spawnSync('apt-get', [...install, name], { ...QUIETLY, env });
    found = undefined;
  }
}
