import { extname } from 'node:path';
import { defineConfig } from '@playwright/test';
import { ownFolder } from '#folders';
import { keepSteps, rememberStacks } from '#runner-steps';

const own = ownFolder('checks');
const recorded = process.env.ASSAY_RUN !== undefined || process.env.ASSAY_PROOF !== undefined;

/**
 * Files of checks, each by how its path below the project begins; all when none is named. Arguments of the runner do not do: they are held
 * against where a check was declared, and in a proof that is the harness.
 */
const files = (JSON.parse(process.env.ASSAY_FILES ?? '[]') as string[]).map(
  (path) => new RegExp(`/(?=.*[.]spec[.][jt]s$)${path.replaceAll('.', '[.]')}`),
);

/** Own tests that go step by step for long, below tools/: begun among the last, one of them would keep one worker while the others are done. */
const LONG = [
  'alternates/alternates',
  'cli/merge-proofs',
  'cli/third-service',
  'package/package',
  'report/audit-page',
  'run/merge-runs',
  'run/own-checks',
  'run/resumed-run',
  'run/watch-rules',
].map((path) => `**/tools/${path}.test.ts`);
// Own tests run programs and browsers: on a busy machine one may need a second try, which the list calls flaky.
const self = { name: 'self', testDir: 'tools', retries: process.env.CI ? 1 : 0 };

const workers = Number(process.env.ASSAY_WORKERS ?? 2);
const checks = { name: 'checks', testDir: 'tests', testMatch: files.length > 0 ? files : '**/*.spec.{ts,js}' };
/** Checks that do nothing for seconds have a worker beside the others, where each has a sandbox of its own. */
const besides = recorded && workers > 1 && process.env.ASSAY_TURNS === undefined ? 1 : 0;

// A worker reads this before anything else. Fixtures and matchers are steps, of which each test has a dozen.
if (process.env.TEST_WORKER_INDEX !== undefined) {
  rememberStacks();
  // Whoever looks on while own tests run may want to see them.
  if (recorded || process.env.CI) keepSteps();
}

// Playwright would copy error texts into files of its own, past the redactor.
process.env.PLAYWRIGHT_NO_COPY_PROMPT = '1';

export default defineConfig({
  fullyParallel: true,
  workers: workers + besides,
  timeout: 60_000,
  forbidOnly: Boolean(process.env.CI),
  reporter: recorded ? `./tools/harness/reporter${extname(import.meta.filename)}` : 'list',
  // A run started by another run must not empty its folder.
  outputDir: process.env.ASSAY_SCRATCH ?? 'test-results',
  // A run throws its folder away as a whole: once, and not twice a check.
  preserveOutput: recorded ? 'always' : 'never',
  projects: [
    // One project for all checks of a worker: it serves one, and would make room for another at each change.
    ...(besides === 0
      ? [checks]
      : [
          { ...checks, grepInvert: /@idle\b/, workers },
          { ...checks, grep: /@idle\b/, workers: besides },
        ]),
    // Checks of whoever uses the suite, beside the configuration of the workspace.
    ...(own === undefined ? [] : [{ name: 'own', testDir: own, testMatch: '**/*.spec.{ts,mts,cts,js,mjs,cjs}' }]),
    // Two projects of one name, which is picked by it as one: the runner takes them in this order.
    { ...self, testMatch: LONG },
    { ...self, testMatch: '**/*.test.ts', testIgnore: LONG },
  ],
});
