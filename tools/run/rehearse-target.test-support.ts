import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectContract, selectRules } from '#contract';
import type { Line } from '#evidence';
import { exitCode, judgeJournal, type RunResult } from '#report';
import { parseTarget } from '#target';
import { playRehearsal } from './play-checks.ts';
import { createRunLine } from './run-line.ts';

/** What a play came to. */
export interface RehearsedTarget {
  readonly code: number;
  readonly lines: readonly Line[];
  readonly rules: RunResult['rules'];
}

/**
 * Plays checks at a target and judges what came, by what the program calls for that: without the program, a page and its signature, which
 * are not the point of a test about a service. One worker does it.
 * @param file path of the target file
 * @param names rules and areas
 * @param env what the target file refers to
 * @param shuffle number that the order is drawn from
 * @throws Trouble (incomplete) when not every check was run
 */
export async function rehearseTarget(
  file: string,
  names: readonly string[],
  env: Readonly<Record<string, string>> = {},
  shuffle?: number,
): Promise<RehearsedTarget> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rehearsed-'));
  try {
    const known = projectContract();
    const first = createRunLine({
      known,
      written: parseTarget(file),
      id: 'rehearsal',
      seed: 7,
      hosts: {},
      selection: names,
      argv: [],
      lies: [],
    });
    const [state, temporary] = [join(folder, 'state'), join(folder, 'tmp')];
    for (const one of [state, temporary]) mkdirSync(one);
    const lines = await playRehearsal(first, 'the target', {
      target: file,
      seed: 7,
      ids: selectRules(known, names).map(({ id }) => id),
      workers: '1',
      quiet: true,
      shuffle,
      env: { ...(first.target.kind === 'embedded' ? {} : { ASSAY_STATE: state }), TMPDIR: temporary, ...env },
    });
    const result = judgeJournal(lines);
    return { code: exitCode(result), lines, rules: result.rules };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Plays checks at a service that is nothing but its answers, as {@link rehearseTarget} does.
 * @param answer what it says to any request
 * @param target text of its target file, by the address at which it listens
 */
export async function rehearseService(
  answer: RequestListener,
  target: (address: string) => string,
  names: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RehearsedTarget> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-answers-'));
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const file = join(folder, 'target.yaml');
    writeFileSync(file, target(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    return await rehearseTarget(file, names, env);
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
