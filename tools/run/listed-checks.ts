import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { nameFile, ownFolder, SUITE_FOLDER } from '#folders';
import { Trouble } from '#trouble';
import { describeRunner, type RunnerProject } from './check-runner.ts';

/** A check as the runner lists it. */
export interface ListedCheck {
  readonly title: string;
  readonly file: string;
  readonly line: number;
  /** Ids of the rules that it claims. */
  readonly rules: readonly string[];
}

/** What Playwright lists, as far as it is read. */
interface RunnerList {
  readonly config: { readonly rootDir: string };
  readonly suites?: readonly ListedSuite[];
  readonly errors?: readonly ListingError[];
}

interface ListingError {
  readonly message?: string;
  readonly stack?: string;
  readonly location?: { readonly file: string; readonly line: number };
}

interface ListedSuite {
  readonly suites?: readonly ListedSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly {
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    }[];
  }[];
}

/**
 * Lists the checks of the suite, or the workspace's own, without running any.
 * @throws Trouble (usage) when one cannot be loaded, with file and line as far as the runner says them
 */
export function listChecks(project: RunnerProject): ListedCheck[] {
  const runner = describeRunner([project]);
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [...runner.arguments, '--list', '--reporter=json'], {
    cwd: SUITE_FOLDER,
    env: { ...env, ...runner.env, PLAYWRIGHT_JSON_OUTPUT_NAME: '' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  let list: RunnerList;
  try {
    list = JSON.parse(stdout) as RunnerList;
  } catch {
    throw new Trouble('usage', 'the checks cannot be listed', {
      reason: stderr.trim().split('\n')[0] || 'the runner said nothing',
      fix: 'npx playwright test --project=checks --list says more',
    });
  }
  const [error] = list.errors ?? [];
  if (error !== undefined && !/^Error: No tests found/.test(error.message ?? '')) throw troubleOf(error);
  return specsOf(list).map(({ title, file, line, tests }) => {
    const annotations = tests.flatMap((one) => one.annotations);
    const said = (type: string) => annotations.filter((one) => one.type === type).map((one) => one.description ?? '');
    const [place = nameFile(join(list.config.rootDir, file))] = said('file');
    return { title, file: place, line: Number(said('line')[0] ?? line), rules: said('rule') };
  });
}

/** A check that cannot be loaded: what the house says of it, else what the language does. */
function troubleOf({ message = '', stack = '', location }: ListingError): Trouble {
  const text = stripVTControlCharacters(message);
  if (text.startsWith('Trouble: ')) return new Trouble('usage', text.slice('Trouble: '.length));
  const folder = ownFolder('checks');
  const frame = folder && stack.split('\n').find((line) => line.includes(folder));
  const [, path = location?.file, line = location?.line] =
    /(?:\(|at |from )(?:file:\/\/)?(\/[^:()]+)(?::(\d+))?/.exec(frame ?? '') ?? [];
  // What cannot be resolved is named in quotes, and the place of the import is not.
  const name = /'([^']+)'/.exec(text)?.[1]?.split('/').at(-1);
  const lines = path === undefined || line !== undefined ? [] : readFileSync(path, 'utf8').split('\n');
  const named = lines.findIndex((one) => name !== undefined && one.includes(name)) + 1;
  const at = Number(line ?? named);
  const reason = text.split('\n')[0]!.replace(path === undefined ? '' : `${path}: `, '');
  return new Trouble('usage', 'the check cannot be loaded', {
    ...(path === undefined ? {} : { place: { file: nameFile(path), ...(at > 0 ? { line: at } : {}) } }),
    reason,
    fix: /@assay-conformance/.test(text)
      ? `own checks import @assay-conformance/assay/checks; npm i -D ${relative(process.cwd(), SUITE_FOLDER) || '.'} makes it known where it is not`
      : 'correct the check',
  });
}

function specsOf(suite: ListedSuite): NonNullable<ListedSuite['specs']>[number][] {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}
