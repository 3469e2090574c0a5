import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AddFinding,
  advanceClocks,
  createTargetTime,
  type ExaminationFinding,
  NoAnswerError,
  PromiseFinding,
  RecordingClient,
  readSpending,
  type Spending,
  type TargetTime,
  UnarrangedError,
  UnofferedError,
} from '#client';
import { projectContract } from '#contract';
import { type Line, Recorder, Redactor } from '#evidence';
import { secretsOf, type Target } from '#target';
import { SERVICE_TRIALS } from './services.ts';
import type { TrialKit } from './trial-kit.ts';

/** What a trial showed. */
export interface TargetTrial {
  readonly findings: readonly ExaminationFinding[];
  readonly calls: number;
  readonly spent: Spending;
  readonly seconds: number;
  /** Milliseconds of an answer, on average; 0 without any. */
  readonly pace: number;
  /** Polls until the outcome of a payment, on average; undefined where none was made. */
  readonly polls: number | undefined;
}

/**
 * Tries a target out: each test card and each control action once. Moves money, within the cap of the target file.
 * @param report called with each finding as it comes
 */
export async function tryTarget(
  target: Target,
  report: (finding: ExaminationFinding) => void = () => {},
): Promise<TargetTrial> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-trial-'));
  const redactor = new Redactor();
  redactor.register(secretsOf(target));
  const lines: Line[] = [];
  const recorder = new Recorder('trial', redactor, { write: (line) => void lines.push(line), note() {} });
  const time = createTargetTime(target);
  const client = new RecordingClient({ contract: projectContract(), target, recorder, folder });
  const findings: ExaminationFinding[] = [];
  const polls: number[] = [];
  const add: AddFinding = (mark, line, text, fix) => {
    const finding = { mark, line, text, ...(fix === undefined ? {} : { fix }) };
    findings.push(finding);
    report(finding);
  };
  const attempt = async (line: string, action: () => Promise<string>) => {
    try {
      add('ok', line, await action());
    } catch (error) {
      if (error instanceof UnofferedError) add('note', line, `not tried: ${error.message}`);
      else if (error instanceof UnarrangedError || error instanceof NoAnswerError || error instanceof PromiseFinding)
        add('fail', line, error.message, `look at ${line} in the target file, and what targets/README.md says of it`);
      else throw error;
    }
  };
  const began = performance.now();
  const seed = randomUUID();
  try {
    const kit: TrialKit = {
      target,
      client,
      recorder,
      time,
      seed,
      attempt,
      notePolls: (count: number) => void polls.push(count),
    };
    for (const tryService of SERVICE_TRIALS) await tryService(kit);
    if (target.control.advance !== undefined) await attempt('control.advance', () => tryAdvance(target, time));
    const durations = lines.flatMap((line) =>
      line.kind === 'exchange' && line.direction === 'out' && line.response !== undefined ? [line.duration] : [],
    );
    return {
      findings,
      calls: lines.filter((line) => line.kind === 'exchange' && line.direction === 'out').length,
      spent: await readSpending(folder),
      seconds: (performance.now() - began) / 1000,
      pace: mean(durations) ?? 0,
      polls: mean(polls),
    };
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, one) => sum + one, 0) / values.length;
}

const STEP = 5;

async function tryAdvance(target: Target, time: TargetTime): Promise<string> {
  const { now, advance } = target.control;
  const before = now === undefined ? 0 : await time.now();
  await advanceClocks(target, STEP);
  const moves =
    advance?.moves === undefined
      ? '; moves beside it would say which clocks'
      : `, said to move ${advance.moves.join(', ')}`;
  if (now === undefined) return `taken; without control.now nothing shows what it moved${moves}`;
  const passed = ((await time.now()) - before) / 1000;
  return passed < STEP / 2
    ? `taken, and control.now stands still${moves}`
    : `control.now moved by ${Math.round(passed)} of ${STEP} seconds${moves}`;
}
