import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findBuiltSuite } from '#built-suite';
import { IS_INSTALLED, WORKSPACE_FOLDER } from '#folders';
import { Trouble } from '#trouble';

/** Whose checks are run: the suite's, the workspace's own. */
export type RunnerProject = 'checks' | 'own';

/** How the runner is started. */
export interface CheckRunner {
  /** Its program, and the configuration that has it find the checks. */
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Addresses of what every check rests on. */
  readonly modules: readonly string[];
}

/**
 * Names the runner and the checks, compiled where they were: then neither it nor its workers have to. Own checks are compiled by the
 * runner, and in a clone led to the compiled suite.
 * @throws Trouble (usage) for own checks beside a clone that cannot be written to
 */
export function describeRunner(projects: readonly RunnerProject[] = ['checks']): CheckRunner {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const built = findBuiltSuite();
  const config = built === undefined ? 'playwright.config.ts' : join(built, 'playwright.config.js');
  const own = projects.includes('own');
  if (own && built === undefined)
    throw new Trouble('usage', 'own checks cannot be run beside this clone', {
      reason: 'it was not compiled, and cannot be: nothing can be written beside its packages',
      fix: 'install the package, or make the clone writable',
    });
  return {
    arguments: [cli, 'test', `--config=${config}`, ...projects.map((name) => `--project=${name}`)],
    env: {
      ASSAY_WORKSPACE: WORKSPACE_FOLDER,
      // Nothing is left to do for Playwright's loader, a thread that each import of each worker would wait for.
      ...(built === undefined || own ? {} : { PW_DISABLE_TS_ESM: '1' }),
      ...(own && built !== undefined && !IS_INSTALLED ? leadTo(built) : {}),
    },
    modules: built === undefined ? [] : [pathToFileURL(join(built, 'tools/harness/index.js')).href],
  };
}

/** Lets `@assay-conformance/assay/checks` be found in the compiled suite of a clone. */
function leadTo(built: string): Readonly<Record<string, string>> {
  const options = '--conditions=assay-clone --disable-warning=ExperimentalWarning';
  return { ASSAY_SUITE: built, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${options}`.trim() };
}
