import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult, TestRun } from '@playwright/test/reporter';
import { APIS } from '#apis';
import { readSpending, type TakenBackObject, takeBackObjects } from '#client';
import { projectContract } from '#contract';
import { type CheckLine, checkId, Journal, JournalFile, type Line, type Redacted, Redactor } from '#evidence';
import { nameFile } from '#folders';
import { parseTarget, resolveTarget } from '#target';
import { CHECK_FAILED, readCheckAnnotations, redactProperties } from './check-annotations.ts';
import { takesAllLanes } from './check-locks.ts';
import { chooseChecks, costOf, type PlannedCheck, predictSeconds } from './choose-checks.ts';
import { dealFiles, gatherAlone, orderFiles } from './order-files.ts';
import { followParent } from './parent-leash.ts';
import { apiOfCheck, suiteOf } from './rule.ts';
import { type RunPlan, readRunPlan } from './run-plan.ts';
import { readSettings } from './settings.ts';
import { type LockedCheck, shareLanes } from './share-lanes.ts';
import { readStalledTask } from './worker-pulse.ts';
import { watchWorkers } from './worker-watch.ts';

/** Milliseconds after which a line says where a run stands that has said nothing meanwhile. */
const QUIET = 15_000;

/** Shows progress, writes what the workers could not (a crashed or interrupted check), and ends the journal. */
export default class AssayReporter implements Reporter {
  readonly #run = readSettings().run;
  readonly #tests: { test: TestCase; result: TestResult }[] = [];
  readonly #errors: string[] = [];
  #planned = 0;
  #failed = 0;
  #began = Date.now();
  #drawn = 0;
  #spoke = 0;
  #pulse: NodeJS.Timeout | undefined;
  readonly #running = new Set<TestCase>();
  #endWatch = () => {};
  readonly #plan = readRunPlan();
  /** Checks that the time does not allow for. */
  readonly #leftOut: TestCase[] = [];
  readonly #waiting = new Map<TestCase, PlannedCheck>();
  #spent = '';

  constructor() {
    followParent();
  }

  /** Takes out what ended before and what the time does not allow for, and has what waits longest begin first. */
  async preprocess({ config, suite, testRun }: { config: FullConfig; suite: Suite; testRun: TestRun }): Promise<void> {
    const { turns, isShuffled } = readSettings();
    if (turns === undefined && !isShuffled) dealFiles(suite);
    if (this.#plan === undefined) return;
    const { ended, within } = this.#plan;
    const checks = new Map(suite.allTests().map((test) => [test, planCheck(test)]));
    const take = (test: TestCase) => {
      checks.delete(test);
      testRun.exclude(test);
    };
    for (const [test, { id }] of [...checks]) if (ended.includes(id)) take(test);
    if (within !== undefined) {
      const chosen = chooseChecks([...checks.values()], projectContract().rules, { ...this.#plan, within });
      for (const [test, { id }] of [...checks]) {
        if (chosen.has(id)) continue;
        this.#leftOut.push(test);
        take(test);
      }
    }
    for (const [test, check] of checks) this.#waiting.set(test, check);
    this.#order(suite, checks, { ...this.#plan, isShard: config.shard !== null });
  }

  onBegin({ shard }: FullConfig, suite: Suite): void {
    const played = new Set(suite.allTests());
    this.#planned = played.size;
    for (const test of this.#waiting.keys()) if (!played.has(test)) this.#waiting.delete(test);
    // All shards leave out the same; one of them says so.
    if ((shard?.current ?? 1) > 1) this.#leftOut.length = 0;
    this.#began = Date.now();
    const { pulse } = readSettings();
    if (pulse !== undefined) this.#endWatch = watchWorkers(pulse);
    this.#pulse = setInterval(() => void this.#look(), 1000).unref();
    const left = this.#leftOut.length;
    if (left > 0)
      console.log(
        `assay: ${left} checks are left out for want of time; what they are about is skipped, and counts as not judged`,
      );
    if (!process.stdout.isTTY) this.#say(`running ${this.#planned} checks${this.#timeLeft}`);
  }

  onTestBegin(test: TestCase): void {
    this.#running.add(test);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#tests.push({ test, result });
    this.#running.delete(test);
    this.#waiting.delete(test);
    const isKnown = test.annotations.some(({ description }) => description === CHECK_FAILED);
    if (isKnown || (result.status !== 'skipped' && result.status !== test.expectedStatus)) this.#failed += 1;
    this.#progress(test.title);
  }

  onError(error: { message?: string; value?: string }): void {
    this.#errors.push(new Redactor().text(stripVTControlCharacters(error.message ?? error.value ?? 'unknown error')));
  }

  async onEnd(result: FullResult): Promise<void> {
    clearInterval(this.#pulse);
    this.#endWatch();
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
    // Nothing is left of a run whose checks had all ended.
    if (this.#planned === 0 && (this.#plan?.ended.length ?? 0) > 0) this.#errors.length = 0;
    for (const error of this.#errors) console.error(trouble(error));
    if (this.#run === undefined) return;
    const known = new Set<string>();
    let exchanges = 0;
    for (const line of new JournalFile(this.#run)) {
      if (line.kind === 'check') known.add(`${line.id} ${line.lie ?? ''}`);
      else if (line.kind === 'exchange') exchanges += 1;
    }
    const journal = new Journal(this.#run);
    const write = (line: Line) => journal.write(line as Redacted<Line>);
    let checks = known.size;
    for (const { test, result: one } of this.#tests) {
      const { title, file = nameFile(fileOf(test)), lie } = readCheckAnnotations(test);
      if (known.has(`${checkId(file, title)} ${lie ?? ''}`)) continue;
      write(fallback(test, one));
      checks += 1;
    }
    for (const test of this.#leftOut) {
      write(leftOutLine(test));
      checks += 1;
    }
    for (const { reason, ...one } of await returned()) {
      if (reason !== undefined) console.error(`assay: left behind: ${one.what} ${one.id} (${reason})`);
      write({ kind: 'effect', check: '', ...one });
    }
    const count = `${this.#tests.length} of ${this.#planned} checks were run`;
    const isTimedOut = result.status === 'timedout';
    const complete =
      result.status !== 'interrupted' &&
      !isTimedOut &&
      this.#errors.length === 0 &&
      this.#tests.length >= this.#planned &&
      (this.#planned > 0 || this.#plan !== undefined);
    write({
      kind: 'end',
      finishedAt: new Date().toISOString(),
      status: complete ? 'complete' : 'interrupted',
      ...(complete
        ? {}
        : { reason: isTimedOut ? `the time it was given was up; ${count}` : (this.#errors[0] ?? count) }),
      counts: { checks, exchanges },
    });
    journal.close();
  }

  printsToStdio(): boolean {
    return true;
  }

  #progress(title: string): void {
    const done = this.#tests.length;
    if (process.stdout.isTTY) {
      const line = `${done}/${this.#planned}${this.#failures}${this.#timeLeft}${this.#spent}  ${title}`;
      process.stdout.write(`\r\u001b[K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`);
      return;
    }
    const tenth = Math.floor((done * 10) / Math.max(1, this.#planned));
    if (tenth > this.#drawn) {
      this.#drawn = tenth;
      this.#say(this.#standing);
    }
  }

  /** Has what waits longest begin first, and shares the checks out among the lanes of their services. */
  #order(
    suite: Suite,
    checks: ReadonlyMap<TestCase, PlannedCheck>,
    plan: RunPlan & { readonly isShard: boolean },
  ): void {
    const checkOf = (test: TestCase) => ({ ...checks.get(test)!, isAlone: isAlone(test, checks.get(test)!) });
    orderFiles(suite, checkOf, plan);
    // The runner cuts shards out of this order: in another one, one of them would be left with most of those that are alone.
    if (!plan.isShard) gatherAlone(suite, checkOf);
    const { turns, target } = readSettings();
    if (turns === undefined) return;
    const { offers } = resolveTarget(parseTarget(target));
    const isSkipped = (test: TestCase) =>
      readCheckAnnotations(test).needs.some((need) => need !== 'browser' && !offers.has(need));
    const weigh = (test: TestCase) => {
      const check = checks.get(test)!;
      return { api: check.api, seconds: isSkipped(test) ? 0 : costOf(check, plan).seconds };
    };
    const played = suite.allTests().filter((test) => checks.has(test));
    shareLanes(played as (TestCase & LockedCheck)[], weigh, turns);
  }

  async #look(): Promise<void> {
    const { state } = readSettings();
    if (state !== undefined && this.#plan?.money !== undefined) {
      const { calls, total } = await readSpending(state);
      const { calls: most, total: cap } = this.#plan!.money!;
      this.#spent = `, ${calls} of ${most} paying calls, ${Math.round(total)} of ${cap} paid`;
    }
    if (!process.stdout.isTTY) this.#breakSilence();
  }

  #breakSilence(): void {
    if (Date.now() - this.#spoke < QUIET) return;
    const [test] = this.#running;
    this.#say(`${this.#standing}${test === undefined ? '' : `, at: ${test.title}`}`);
  }

  get #failures(): string {
    return this.#failed ? `, ${this.#failed} did not pass` : '';
  }

  get #standing(): string {
    const seconds = Math.round((Date.now() - this.#began) / 1000);
    return `  ${this.#tests.length} of ${this.#planned} checks${this.#failures} (${seconds} s${this.#timeLeft}${this.#spent})`;
  }

  /** About how long it will take yet, in words; empty where nobody knows. */
  get #timeLeft(): string {
    if (this.#plan === undefined || this.#planned === 0) return '';
    const seconds = Math.round(predictSeconds([...this.#waiting.values()], this.#plan));
    return `, about ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`;
  }

  #say(line: string): void {
    this.#spoke = Date.now();
    console.log(line);
  }
}

/** A check as the plan knows it: a law asks no service. */
function planCheck(test: TestCase): PlannedCheck {
  const { title, rules, file } = readCheckAnnotations(test);
  const place = file ?? nameFile(fileOf(test));
  const api = isLaw(test) ? undefined : apiOfCheck({ rules, file: place });
  return { id: checkId(place, title), rules, api };
}

/** Whether a check is alone at its service, as far as the runner shows its locks. */
function isAlone(test: TestCase, { api }: PlannedCheck): boolean {
  const { _locks: locks = [] } = test as { readonly _locks?: readonly string[] };
  return api !== undefined && takesAllLanes(locks, api);
}

/** Whether a check asks no service, by its file; one of the workspace's own does. */
function isLaw(test: TestCase): boolean {
  const place = /(?:^|[\\/])tests[\\/](.*)$/.exec(fileOf(test))?.[1]?.replaceAll('\\', '/');
  return place !== undefined && !APIS.some(({ serverChecks }) => serverChecks.some((path) => place.startsWith(path)));
}

/** The line of a check that the time did not allow for. */
function leftOutLine(test: TestCase): CheckLine {
  const { title, rules, line = test.location.line, file = nameFile(fileOf(test)) } = readCheckAnnotations(test);
  const reason = {
    code: 'time',
    text: 'left out: the time that the run was given (--within) did not allow for it',
  } as const;
  const when = { startedAt: new Date().toISOString(), duration: 0 };
  const id = checkId(file, title);
  return {
    kind: 'check',
    id,
    title,
    file,
    line,
    project: suiteOf(file),
    rules,
    outcome: 'skipped',
    reason,
    failures: [],
    exchanges: 0,
    ...when,
  };
}

/** Takes back what the run left at a target that is not our own sandbox. */
async function returned(): Promise<readonly TakenBackObject[]> {
  const { state, target } = readSettings();
  return state === undefined ? [] : takeBackObjects(resolveTarget(parseTarget(target)), state);
}

/** A trouble thrown while tests were collected carries its own text; anything else is printed as it is. */
function trouble(text: string): string {
  return text.replace(/^(?:Error|Trouble): /, '');
}

/** The line of a check whose worker could not write one, or that is no check of the target (a law). */
function fallback(test: TestCase, result: TestResult): CheckLine {
  const said = readCheckAnnotations(test);
  const { title, rules, line = test.location.line, lie, skip = 'skipped', properties } = said;
  const { file = nameFile(fileOf(test)) } = said;
  const redactor = new Redactor();
  const text = redactor.text(stripVTControlCharacters(result.error?.message ?? '')).split('\n')[0] ?? '';
  const wrong = result.status === 'failed' || result.status === 'timedOut' || result.status === 'interrupted';
  const stalled = readStalledTask(readSettings().pulse, checkId(file, title));
  const code =
    stalled !== undefined || result.status === 'timedOut'
      ? 'timeout'
      : result.status === 'interrupted'
        ? 'interrupted'
        : 'defect';
  return {
    kind: 'check',
    id: checkId(file, title),
    title,
    file,
    line,
    project: suiteOf(file),
    rules,
    outcome: result.status === 'skipped' ? 'skipped' : wrong ? 'broken' : 'pass',
    ...(wrong ? { reason: { code, text: stalled?.text ?? (text || `the check ended ${result.status}`) } } : {}),
    ...(result.status === 'skipped' ? { reason: { code: 'capability', text: skip } as const } : {}),
    failures: [],
    exchanges: 0,
    startedAt: result.startTime.toISOString(),
    duration: result.duration,
    ...(lie === undefined ? {} : { lie }),
    ...(properties.length === 0 ? {} : { properties: redactProperties(properties, (one) => redactor.text(one)) }),
  };
}

/** The test file: a law's own place is that of the function that declares it. */
function fileOf(test: TestCase): string {
  let suite: Suite | undefined = test.parent;
  while (suite !== undefined && suite.type !== 'file') suite = suite.parent;
  return suite?.location?.file ?? test.location.file;
}
