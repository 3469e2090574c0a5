import { _baseTest as bare, chromium, type Fixtures, type TestDetails, type TestInfo } from '@playwright/test';
import { browserBehind, findBrowser } from '#browser';
import {
  acquireLock,
  closeControl,
  createTargetTime,
  listTargetAddresses,
  PromiseFinding,
  RecordingClient,
  takeBackObjects,
} from '#client';
import { partLies, projectContract, type TargetNeed } from '#contract';
import { type CheckLine, checkId, Journal, joinDigestExchange, Recorder, Redactor } from '#evidence';
import { startSandbox } from '#sandbox';
import { describeLack, parseTarget, resolveTarget, secretsOf, type Target } from '#target';
import { BrowserWindow } from './browser-window.ts';
import { annotateLie, CHECK_FAILED, readCheckAnnotations, redactProperties } from './check-annotations.ts';
import { startStory } from './check-story.ts';
import { startConclusions } from './conclusions.ts';
import { embeddedLookup } from './embedded-lookup.ts';
import { type CommonFixtures, LONG_MILLISECONDS, type WorkerFixtures } from './fixture-types.ts';
import { MessageReceiver } from './message-receiver.ts';
import { endWithParent } from './orphan-watch.ts';
import { PageProxy, withPort } from './page-proxy.ts';
import { stepsOfCheck, tellUntruth } from './proof-plan.ts';
import { restrainHeap } from './restrain-heap.ts';
import { apiOfCheck, suiteOf } from './rule.ts';
import { readRunPlan } from './run-plan.ts';
import { SERVICE_FIXTURES, type ServiceFixtures } from './services.ts';
import { readSettings } from './settings.ts';
import { collectThrownErrors } from './thrown-errors.ts';
import { judgeCheck } from './verdict.ts';
import { WorkerPulse } from './worker-pulse.ts';

const told = readSettings();
const plan = readRunPlan();
/** Lies about rules of the workspace's own are told at the wire, the others by the sandbox. */
const untruths = partLies(projectContract().own, told.lies);
/** Mutants at which a check of this worker turned red: the others need not be asked any more. */
const caughtMutants = new Set<string>();

/**
 * Playwright's test in a worker that checks can follow in: for laws, which ask for no target and are not recorded. With another
 * set of worker fixtures each change from a law to a check would start a worker. The runner's own fixtures are left out: what they prepare
 * for every test, a trace and the options of a page, no check uses, and a page or a request of theirs would go past the record.
 */
export const lawTest = bare.extend<object, WorkerFixtures>({
  home: [
    async ({}, use) => {
      restrainHeap();
      const endWatch = endWithParent();
      const written = parseTarget(told.target);
      const embedded = written.root.kind === 'embedded';
      const sandbox = embedded
        ? await startSandbox({
            control: true,
            ...untruths,
            seed: String(told.seed),
            variation: written.root.variation,
          })
        : undefined;
      const redactor = new Redactor();
      const leaveExchange = await joinDigestExchange(told.digests, redactor);
      const resolve = () => {
        const resolved = resolveTarget(written, sandbox ? { embedded: embeddedLookup(sandbox) } : {});
        redactor.register(secretsOf(resolved));
        return resolved;
      };
      let target = resolve();
      const journal = told.run === undefined ? undefined : new Journal(told.run);
      const pulse = new WorkerPulse(told.pulse);
      const pageProxy = await openPageProxy(target);
      await use({
        get target() {
          return target;
        },
        async renew() {
          await closeControl(target);
          target = resolve();
        },
        sandbox,
        redactor,
        journal,
        pulse,
        pageProxy,
      });
      pulse.close();
      await closeControl(target);
      await pageProxy.close();
      // A sandbox of our own is thrown away; a run with several workers is tidied up by the reporter when all have ended.
      if (sandbox === undefined && told.state === undefined) await takeBackObjects(target);
      journal?.close();
      await sandbox?.close();
      await leaveExchange();
      endWatch();
    },
    { scope: 'worker' },
  ],
  browserWindow: [
    async ({ home }, use) => {
      const executablePath = findBrowser();
      const browser = await chromium.launch({
        ...(executablePath === undefined ? {} : { executablePath }),
        ...browserBehind(home.pageProxy.address),
        // The runner ends its workers itself.
        handleSIGINT: false,
      });
      await use(new BrowserWindow(browser, home.sandbox !== undefined));
      await browser.close();
    },
    { scope: 'worker' },
  ],
});

/** What every check has; it is recorded and judged without asking for it. */
const COMMON_FIXTURES: Fixtures<CommonFixtures & { record: undefined }, object, object, WorkerFixtures> = {
  // Set up first and torn down last, so that it sees every failure of the check and of the other fixtures.
  record: [
    async ({ home, recorder }, use, info) => {
      const thrown = collectThrownErrors(info);
      const concluded = startConclusions();
      startStory();
      const { title, rules, needs, file = info.file, line = 0, lie } = readCheckAnnotations(info);
      info.skip(told.mutants && lie !== undefined && caughtMutants.has(lie), 'the mutant is caught');
      const startedAt = new Date();
      const missing = needs.find((need) => !offered(home.target, need));
      const absent = home.target[apiOfCheck({ rules, file })] === undefined;
      const conclude = (what: Pick<CheckLine, 'outcome' | 'failures'> & Partial<CheckLine>) =>
        recorder.finish({
          title,
          file,
          line,
          project: suiteOf(file),
          rules,
          startedAt: startedAt.toISOString(),
          duration: Math.round(Date.now() - startedAt.getTime()),
          ...(lie === undefined ? {} : { lie }),
          ...what,
        });
      const skip = (code: NonNullable<CheckLine['reason']>['code'], text: string) => {
        conclude({ outcome: 'skipped', reason: { code, text } as NonNullable<CheckLine['reason']>, failures: [] });
        info.skip(true, text);
      };
      if (absent) skip('service', `the target ${home.target.name} does not offer this service`);
      else if (missing !== undefined) {
        const { code, text } = describeLack(missing);
        skip(code, text);
      }
      // What was told before a skip would be told to the next check as well.
      if (lie !== undefined) {
        home.sandbox?.reset();
        tellUntruth(home.sandbox, told.proof ?? [], lie);
        await home.renew();
      }
      await use(undefined);
      // Against a mutant, what the contract sees counts whatever the check claims: no page will attribute it later.
      const seen = told.mutants ? recorder.violations.map(({ rule: id }) => id) : [];
      const claimed = new Set([...rules, ...seen]);
      const charged = recorder.violations.find(({ rule }) => claimed.has(rule));
      const result = judgeCheck({ thrown, status: info.status, recorder, claimed, concluded });
      if (told.mutants && lie !== undefined && result.outcome === 'fail') caughtMutants.add(lie);
      // What was not changed cannot have been seen: such a check says nothing about the mutant.
      const isIdle = told.mutants && result.outcome === 'pass' && home.sandbox?.hasMutated === false;
      // A check that skips itself says why; that nothing was held against it until then says less.
      if (info.status === 'skipped' && thrown.length === 0 && ['pass', 'skipped'].includes(result.outcome)) {
        const { skip: reason = 'skipped by the check' } = readCheckAnnotations(info);
        conclude({ outcome: 'skipped', reason: { code: 'capability', text: recorder.redact(reason) }, failures: [] });
      } else if (isIdle) {
        conclude({ outcome: 'skipped', reason: { code: 'unseen', text: 'the mutant changed nothing' }, failures: [] });
      } else {
        conclude({ ...result, ...readProperties(info, recorder) });
      }
      // Found out too late for Playwright's own skip; saying so keeps the worker alive.
      if (result.outcome === 'skipped' && info.errors.length > 0)
        info.fail(true, 'the target does not offer what the check needs');
      // The journal has what came of it. A worker that was told to wait no longer is not one to go on with.
      const isOver = told.run !== undefined && lie === undefined && info.status !== 'timedOut';
      const isRed = result.outcome !== 'skipped' && (info.errors.length > 0 || charged !== undefined);
      if (isOver && isRed) info.fail(true, CHECK_FAILED);
      for (const error of info.errors) purge(error as Record<string, unknown>, recorder);
      if (lie !== undefined) {
        home.sandbox?.tellLies(untruths.lies);
        home.sandbox?.mutate(undefined);
        home.sandbox?.reset();
        await home.renew();
        // A failure is what a proof hopes for; saying so keeps the worker alive for the next lie.
        if (info.errors.length > 0) info.fail(true, 'the lie was caught');
      } else if (charged !== undefined) {
        // An error that is merely put on the list does not fail a check in Playwright's eyes.
        throw new PromiseFinding(recorder.redact(charged.expected), recorder.redact(charged.actual));
      }
    },
    { auto: true },
  ],

  target: async ({ home }, use) => use(home.target),
  recorder: async ({ home }, use, info) => {
    const { title, file = info.file } = readCheckAnnotations(info);
    const id = checkId(file, title);
    await use(new Recorder(id, home.redactor, home.journal, told.proof === undefined, recordedOf(id)));
  },
  clock: async ({ home }, use, info) => {
    const time = createTargetTime(home.target, apiOfCheck({ file: info.file, ...readCheckAnnotations(info) }));
    // Where the clock is not known to move, polls take real time, and so does the end of a window of the rate limit.
    const isSteered = time.lever('records') === 'moves' && time.lever('limits') === 'moves';
    if (!isSteered) info.setTimeout(LONG_MILLISECONDS);
    await use(time);
  },
  client: async ({ home, recorder }, use) => {
    const folder = home.sandbox === undefined ? told.state : undefined;
    const client = new RecordingClient({
      contract: projectContract(),
      target: home.target,
      recorder,
      folder,
      sharers: told.sharers,
      onAnswer: noteTask(home.pulse, recorder),
    });
    await use(client);
    await client.close();
  },
  together: async ({ client }, use, info) => {
    const api = apiOfCheck({ file: info.file, ...readCheckAnnotations(info) });
    await use((calls) => client.sendTogether(api, calls));
  },
  receiver: [
    async ({ home, recorder }, use, info) => {
      // A port that is fixed can be bound once; other workers wait.
      const { port = 0 } = home.target.callback ?? {};
      const free = port === 0 ? () => {} : await acquireLock(`port ${port}`);
      try {
        const receiver = await MessageReceiver.open(home.target, recorder, {
          api: apiOfCheck({ file: info.file, ...readCheckAnnotations(info) }),
          onMessage: noteTask(home.pulse, recorder),
        });
        const forbid = home.pageProxy.allow(withPort(receiver.address));
        await use(receiver);
        forbid();
        await receiver.close();
        if (receiver.failure !== undefined) throw receiver.failure;
      } finally {
        free();
      }
    },
    { timeout: LONG_MILLISECONDS },
  ],
};

const checks = lawTest.extend(withoutSteps(COMMON_FIXTURES)).extend<ServiceFixtures>(withoutSteps(SERVICE_FIXTURES));

/**
 * Playwright's test with the project's fixtures; in a proof each check stands once as it is, where it has to be green, and once
 * for every lie about the rules it claims.
 */
export const test: typeof checks = told.proof === undefined ? checks : multiplied(checks, told.proof);

/**
 * Fixtures that the runner keeps no account of: two steps a fixture, each with the stack it was called from, cost a check more than most
 * fixtures do, and nobody reads them.
 */
function withoutSteps<Table extends object>(table: Table): Table {
  const each = Object.entries(table).map(([name, fixture]) => {
    const [make, options] = Array.isArray(fixture) ? fixture : [fixture, {}];
    return [name, [make, { ...options, box: 'self' }]];
  });
  return Object.fromEntries(each) as Table;
}

function multiplied(once: typeof checks, plan: NonNullable<typeof told.proof>): typeof checks {
  const each = (title: string, details: TestDetails, body: Parameters<typeof checks>[2]) => {
    const said = [details.annotation ?? []].flat();
    const check = readCheckAnnotations({ title, annotations: said });
    if (!told.mutants) once(title, details, body);
    for (const { name } of stepsOfCheck(plan, told.full, check)) {
      const lied = annotateLie(title, name);
      once(lied.title, { ...details, annotation: [...said, ...lied.annotations] }, body);
    }
  };
  return new Proxy(once, {
    get: (target, name) =>
      name === 'extend' ? (more: object) => multiplied(target.extend(more), plan) : Reflect.get(target, name),
    apply: (_target, _self, args: Parameters<typeof each>) => each(...args),
  });
}

/** Takes secrets out of an error of Playwright's and of its causes: it goes to the terminal past the journal. */
function purge(error: Record<string, unknown>, recorder: Recorder, depth = 0): void {
  for (const [key, value] of Object.entries(error)) {
    if (typeof value === 'string') error[key] = recorder.redact(value);
    else if (typeof value === 'object' && value !== null && depth < 5)
      purge(value as Record<string, unknown>, recorder, depth + 1);
  }
}

/** Exchanges on record of a check from before its run was continued. */
function recordedOf(check: string): number {
  return plan?.recorded[check] ?? 0;
}

function offered(target: Target, need: TargetNeed): boolean {
  return need === 'browser' ? findBrowser() !== undefined : target.offers.has(need);
}

/** Lets a browser go where the target file says, and to the receiver at its public address. */
function openPageProxy(target: Target): Promise<PageProxy> {
  const { connection, pages, callback } = target;
  const addresses = [...listTargetAddresses(target), ...(callback?.public === undefined ? [] : [callback.public])];
  return PageProxy.open({ hosts: [...addresses.map(withPort), ...pages], outside: connection.proxy });
}

/** Says which exchange the worker is about to deal with. */
function noteTask(pulse: WorkerPulse, recorder: Recorder): (what: string) => void {
  return (what) =>
    pulse.note({ check: recorder.check, text: `exchange ${recorder.check}.${recorder.count + 1}, ${what}` });
}

function readProperties(info: TestInfo, recorder: Recorder): Pick<CheckLine, 'properties'> {
  const { properties } = readCheckAnnotations(info);
  if (properties.length === 0) return {};
  return { properties: redactProperties(properties, (text) => recorder.redact(text)) };
}
