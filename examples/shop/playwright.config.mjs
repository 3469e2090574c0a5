import { defineConfig } from '@playwright/test';

const { SHOP = 'shop.mjs', PORT = '4100', CHROMIUM } = process.env;

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.mjs',
  workers: 1,
  reporter: 'list',
  timeout: 60_000,
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    launchOptions: { ...(CHROMIUM ? { executablePath: CHROMIUM } : {}), args: ['--no-sandbox'] },
  },
  webServer: { command: `node ${SHOP}`, port: Number(PORT) },
});
