/** The browser of this project's own tests; the harness knows where browsers are. */
export { findBrowser as installedBrowser } from '#harness';

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
