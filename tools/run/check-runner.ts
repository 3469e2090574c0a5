import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findBuiltSuite } from '#built-suite';

/** How the runner is started. */
export interface CheckRunner {
  /** Its program, and the configuration that has it find the checks. */
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Names the runner and the checks, compiled where they were: then neither it nor its workers have to. */
export function describeRunner(): CheckRunner {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const built = findBuiltSuite();
  const config = built === undefined ? 'playwright.config.ts' : join(built, 'playwright.config.js');
  return {
    arguments: [cli, 'test', `--config=${config}`, '--project=checks'],
    // Nothing is left to do for Playwright's loader, a thread that each import of each worker would wait for.
    env: built === undefined ? {} : { PW_DISABLE_TS_ESM: '1' },
  };
}
