import { join } from 'node:path';
import { formatWithOptions } from 'node:util';
import { buildSuite } from '#built-suite';
import { SUITE_FOLDER } from '#folders';

/** What a call of the program came to. */
export interface CalledProgram {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs the program within this process, for tests of what it says: nothing is started, and it is loaded once a worker. Exit codes and
 * signals of a process, its workspace and its workers are the real program's affair, which each command has a test of.
 * @param argv arguments after the program's name
 * @param folder where its user stands; default the suite's own
 * @param more environment, beside that of the tests
 */
export async function callProgram(
  argv: readonly string[],
  { folder = SUITE_FOLDER, env: more = {} }: { folder?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<CalledProgram> {
  const { NODE_EXTRA_CA_CERTS: _ca, HTTPS_PROXY: _proxy, ...env } = outerEnvironment();
  const before = { folder: process.cwd(), env: process.env, write: process.stdout.write, log: { ...console } };
  let [out, err] = ['', ''];
  const print = (values: readonly unknown[]) => `${formatWithOptions({ colors: false }, ...values)}\n`;
  try {
    process.chdir(folder);
    process.env = { ...env, ...more };
    console.log = (...values: unknown[]) => {
      out += print(values);
    };
    console.error = (...values: unknown[]) => {
      err += print(values);
    };
    process.stdout.write = (chunk: string | Uint8Array) => {
      out += Buffer.from(chunk).toString();
      return true;
    };
    const code = await (await loadProgram()).runProgram(argv);
    return { code, out, err };
  } finally {
    process.stdout.write = before.write;
    Object.assign(console, before.log);
    process.env = before.env;
    process.chdir(before.folder);
  }
}

/** The environment without what the runner of these tests, or a run that they are part of, would tell a run of its own. */
export function outerEnvironment(): NodeJS.ProcessEnv {
  const {
    ASSAY_RUN: _run,
    ASSAY_PROOF: _proof,
    ASSAY_WORKSPACE: _workspace,
    TEST_WORKER_INDEX: _index,
    ...env
  } = process.env;
  return env;
}

type Program = typeof import('./main.ts');
let loading: Promise<Program> | undefined;

/** The compiled program, as the real one loads it. */
function loadProgram(): Promise<Program> {
  loading ??= buildSuite().then(
    (built) => import(built === undefined ? './main.ts' : join(built, 'tools/cli/main.js')),
  );
  return loading;
}
