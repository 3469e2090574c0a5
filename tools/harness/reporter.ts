import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { type TakenBackObject, takeBackObjects } from '#client';
import { type CheckLine, Journal, type Line, type Redacted, Redactor, readJournal } from '#evidence';
import { nameFile } from '#folders';
import { parseTarget, resolveTarget } from '#target';
import { CHECK_FAILED, readCheckAnnotations, redactProperties } from './check-annotations.ts';
import { followParent } from './parent-leash.ts';
import { checkId, suiteOf } from './rule.ts';
import { readSettings } from './settings.ts';
import { readStalledTask } from './worker-pulse.ts';

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

  constructor() {
    followParent();
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#planned = suite.allTests().length;
    this.#began = Date.now();
    if (process.stdout.isTTY) return;
    this.#say(`running ${this.#planned} checks`);
    this.#pulse = setInterval(() => this.#breakSilence(), 1000).unref();
  }

  onTestBegin(test: TestCase): void {
    this.#running.add(test);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#tests.push({ test, result });
    this.#running.delete(test);
    const isKnown = test.annotations.some(({ description }) => description === CHECK_FAILED);
    if (isKnown || (result.status !== 'skipped' && result.status !== test.expectedStatus)) this.#failed += 1;
    this.#progress(test.title);
  }

  onError(error: { message?: string; value?: string }): void {
    this.#errors.push(new Redactor().text(stripVTControlCharacters(error.message ?? error.value ?? 'unknown error')));
  }

  async onEnd(result: FullResult): Promise<void> {
    clearInterval(this.#pulse);
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
    for (const error of this.#errors) console.error(trouble(error));
    if (this.#run === undefined) return;
    const lines = readJournal(this.#run);
    const known = new Set(lines.filter((line) => line.kind === 'check').map(({ id, lie }) => `${id} ${lie ?? ''}`));
    const journal = new Journal(this.#run);
    const write = (line: Line) => journal.write(line as Redacted<Line>);
    let checks = known.size;
    for (const { test, result: one } of this.#tests) {
      const { title, file = nameFile(fileOf(test)), lie } = readCheckAnnotations(test);
      if (known.has(`${checkId(file, title)} ${lie ?? ''}`)) continue;
      write(fallback(test, one));
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
      this.#planned > 0;
    write({
      kind: 'end',
      finishedAt: new Date().toISOString(),
      status: complete ? 'complete' : 'interrupted',
      ...(complete
        ? {}
        : { reason: isTimedOut ? `the time it was given was up; ${count}` : (this.#errors[0] ?? count) }),
      counts: { checks, exchanges: lines.filter(({ kind }) => kind === 'exchange').length },
    });
    journal.close();
  }

  printsToStdio(): boolean {
    return true;
  }

  #progress(title: string): void {
    const done = this.#tests.length;
    if (process.stdout.isTTY) {
      const line = `${done}/${this.#planned}${this.#failures}  ${title}`;
      process.stdout.write(`\r\u001b[K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`);
      return;
    }
    const tenth = Math.floor((done * 10) / Math.max(1, this.#planned));
    if (tenth > this.#drawn) {
      this.#drawn = tenth;
      this.#say(this.#standing);
    }
  }

  #breakSilence(): void {
    if (Date.now() - this.#spoke < QUIET) return;
    const [test] = this.#running;
    this.#say(`${this.#standing}${test === undefined ? '' : `, at: ${test.title}`}`);
  }

  get #failures(): string {
    return this.#failed ? `, ${this.#failed} failed` : '';
  }

  get #standing(): string {
    const seconds = Math.round((Date.now() - this.#began) / 1000);
    return `  ${this.#tests.length} of ${this.#planned} checks${this.#failures} (${seconds} s)`;
  }

  #say(line: string): void {
    this.#spoke = Date.now();
    console.log(line);
  }
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
