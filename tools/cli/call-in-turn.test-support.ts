import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SUITE_FOLDER } from '#folders';
import { type CalledProgram, outerEnvironment } from './call-program.test-support.ts';

/** A call of the program. */
export interface TurnCall {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** Files that are written before it, by path from where its user stands. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Loads the program as its first file does and says after each call how it ended, between zero bytes. */
const CALLER = `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
const { buildSuite } = await import(process.argv[1]);
const { runProgram } = await import(pathToFileURL(join(await buildSuite(), 'tools/cli/main.js')).href);
for (const { argv, files = {} } of JSON.parse(process.argv[2])) {
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
  console.log('\\0' + (await runProgram(argv)) + '\\0');
  console.error('\\0');
}
`;

/**
 * Runs the program several times in one process beside the test, for tests that need a workspace of their own and of which the start of the
 * program is not the point: it is loaded once for all of them, and so is the contract.
 * @param calls in turn
 * @param folder where its user stands
 * @param env more environment, beside that of the tests
 * @returns what each came to
 */
export function callInTurn(
  calls: readonly TurnCall[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): readonly CalledProgram[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      CALLER,
      pathToFileURL(join(SUITE_FOLDER, 'tools/built-suite.mjs')).href,
      JSON.stringify(calls),
    ],
    { cwd: folder, env: { ...outerEnvironment(), ASSAY_WORKERS: '1', ...env }, encoding: 'utf8' },
  );
  const [said, complained] = [stdout.split('\0'), stderr.split('\0\n')];
  if (said.length !== calls.length * 2 + 1) throw new Error(`not every call came to its end: ${stdout}${stderr}`);
  return calls.map((_call, i) => ({
    code: Number(said[2 * i + 1]),
    out: said[2 * i]!.replace(/^\n/, ''),
    err: complained[i]!,
  }));
}
