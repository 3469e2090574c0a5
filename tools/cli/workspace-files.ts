import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CONFIG_FILE, SUITE_FOLDER } from '#folders';

/** The target file that a new workspace begins with. */
export const FIRST_TARGET = 'targets/test.yaml';

const IGNORED = ['reports/*', '!reports/baseline/', 'targets/secrets/'];

/** What a new workspace is made of. */
export interface NewWorkspace {
  readonly folder: string;
  readonly target: string;
  /** Whether the target file names a service: else runs are against the embedded sandbox. */
  readonly hasAddress: boolean;
  /** Environment variables that the target file refers to. */
  readonly variables: readonly string[];
  readonly force: boolean;
}

/**
 * Writes what a project needs to run the suite: configuration, target file, accepted failures, lines of `.gitignore` and a workflow.
 * What is there already stays, unless it is to be replaced; lines of `.gitignore` are added where they are missing.
 * @returns paths of what was written, from the folder
 */
export function writeWorkspace({ folder, target, hasAddress, variables, force }: NewWorkspace): string[] {
  const files: Readonly<Record<string, string>> = {
    [CONFIG_FILE]: renderConfig(folder, hasAddress),
    [FIRST_TARGET]: target,
    'waivers.yaml':
      '# Accepted failures, each with an owner and a last day:\n# - rule: ID\n#   reason: known to the vendor\n#   owner: payments team\n#   until: 2030-01-31\n',
    '.github/workflows/assay.yml': renderWorkflow(hasAddress, variables),
  };
  const written = Object.entries(files).filter(([name]) => force || !existsSync(join(folder, name)));
  for (const [name, text] of written) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return [...written.map(([name]) => name), ...ignoreArtifacts(folder)];
}

/** A path of the suite as a file in a folder of the workspace refers to it. */
export function suitePathFrom(folder: string, path: string): string {
  const way = relative(folder, join(SUITE_FOLDER, path)).replaceAll('\\', '/');
  return way.startsWith('.') ? way : `./${way}`;
}

function renderConfig(folder: string, hasAddress: boolean): string {
  return `# yaml-language-server: $schema=${suitePathFrom(folder, 'targets/config.schema.json')}
# What "assay run" does here. --profile NAME picks another one; flags win over what stands here.
profile: ${hasAddress ? 'test' : 'sandbox'}
profiles:
  # The embedded sandbox: no credentials, nothing to set up.
  sandbox: {}
  test:
    target: ${FIRST_TARGET}
    # What must be judged, so that an unset secret does not stay green:
    # gates: { maxSkipped: 20 }
`;
}

function renderWorkflow(hasAddress: boolean, variables: readonly string[]): string {
  const env = hasAddress && variables.length > 0 ? variables : [];
  return `name: assay
on:
  push:
  schedule:
    - cron: '17 4 * * *'
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
${env.length === 0 ? '' : `    env:\n${env.map((name) => `      ${name}: \${{ secrets.${name} }}\n`).join('')}`}    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npx assay run --setup
      - if: always()
        run: cat reports/2*/summary.md >> "$GITHUB_STEP_SUMMARY"
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: assay
          path: reports/2*/
`;
}

/** @returns the file's name when lines were missing */
function ignoreArtifacts(folder: string): string[] {
  const path = join(folder, '.gitignore');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const missing = IGNORED.filter((line) => !text.split(/\r?\n/).includes(line));
  if (missing.length === 0) return [];
  appendFileSync(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
  return ['.gitignore'];
}
