import { test as base, type TestDetails, type TestInfo } from '@playwright/test';
import { Client, Finding, hosts, type Time, takeBack, time } from '#client';
import { contract, type Need } from '#contract';
import { type CheckLine, type Failure, Journal, Recorder, Redactor } from '#evidence';
import { newNonce } from '#oauth';
import { type Sandbox, startSandbox } from '#sandbox';
import { lacking, parseTarget, resolveTarget, type Target } from '#target';
import { findBrowser, SWITCHES } from './browser.ts';
import { Callbacks } from './callbacks.ts';
import { Customer } from './customer.ts';
import { Documents } from './documents.ts';
import { embeddedLookup } from './embedded.ts';
import { Gateway } from './gateway.ts';
import { History } from './history.ts';
import { HostedForm } from './hosted-form.ts';
import { Inbox } from './inbox.ts';
import { Issuer } from './issuer.ts';
import { lock } from './lock.ts';
import { Lookups } from './lookups.ts';
import { Receiver } from './receiver.ts';
import { Recurring } from './recurring.ts';
import { Reports } from './reports.ts';
import { Requests } from './requests.ts';
import { checkId, suiteOf } from './rule.ts';
import { settings } from './settings.ts';
import { ThreeDS } from './three-ds.ts';
import { Transfers } from './transfers.ts';
import { V1 } from './v1.ts';
import { outcome, strip } from './verdict.ts';
import { Newcomer, Webhook } from './webhook.ts';

/** What a worker keeps for all its checks. */
interface Home {
  readonly target: Target;
  /** Reads the target anew: a lie may change what the sandbox issues. */
  renew(): void;
  readonly sandbox: Sandbox | undefined;
  readonly redactor: Redactor;
  readonly journal: Journal | undefined;
}

/** What a check may ask for. */
export interface Fixtures {
  readonly target: Target;
  readonly recorder: Recorder;
  readonly clock: Time;
  readonly client: Client;
  readonly gateway: Gateway;
  /** Lookups and balances of the gateway. */
  readonly lookups: Lookups;
  /** Reader of card history answers. */
  readonly history: History;
  /** A right request for every bearer operation. */
  readonly requests: Requests;
  /** Signed card-to-card transfers. */
  readonly transfers: Transfers;
  readonly v1: V1;
  /** A receiver for callbacks and events, listening. */
  readonly receiver: Receiver;
  /** The caller's side of 3-D Secure. */
  readonly threeDS: ThreeDS;
  /** A customer with a browser. */
  readonly customer: Customer;
  /** The issuer's page, as the customer meets it. */
  readonly issuer: Issuer;
  /** The gateway's payment form. */
  readonly hostedForm: HostedForm;
  /** Where the gateway's callbacks arrive. */
  readonly callbacks: Callbacks;
  /** Registration of cards for later payments. */
  readonly recurring: Recurring;
  /** Transaction reports. */
  readonly reports: Reports;
  /** Documents of the customer; what a check uploads is deleted after it. */
  readonly documents: Documents;
  /** The main user's webhook configuration: there is one, nobody else changes it meanwhile, and it is put back. */
  readonly webhook: Webhook;
  /** A user without a webhook configuration. */
  readonly newcomer: Newcomer;
  /** Where events arrive: the configuration points at the receiver and is active. */
  readonly inbox: Inbox;
}

const told = settings();
/** Milliseconds, where others or the service have to be waited for. */
const LONG = 600_000;

/**
 * Playwright's test in a worker that checks can follow in: for laws, which ask for no target and are not recorded. With another
 * set of worker fixtures each change from a law to a check would start a worker.
 */
export const bare = base.extend<object, { home: Home }>({
  home: [
    async ({}, use) => {
      const written = parseTarget(told.target);
      const embedded = written.root.kind === 'embedded';
      const sandbox = embedded
        ? await startSandbox({
            control: true,
            lies: told.lies,
            seed: String(told.seed),
            variation: written.root.variation,
          })
        : undefined;
      const redactor = new Redactor();
      const resolve = () => {
        const resolved = resolveTarget(written, sandbox ? { embedded: embeddedLookup(sandbox) } : {});
        for (const secret of resolved.secrets) redactor.add(secret);
        return resolved;
      };
      let target = resolve();
      for (const { number } of Object.values(target.gateway?.cards ?? {})) redactor.addCard(number);
      for (const name of Object.values(target.gateway?.wire.names ?? {}))
        redactor.addKey(name.split('/').at(-1) ?? name);
      const journal = told.run === undefined ? undefined : new Journal(told.run);
      await use({
        get target() {
          return target;
        },
        renew() {
          target = resolve();
        },
        sandbox,
        redactor,
        journal,
      });
      // A sandbox of our own is thrown away; a run with several workers is tidied up by the reporter when all have ended.
      if (sandbox === undefined && told.state === undefined) await takeBack(target);
      journal?.close();
      await sandbox?.close();
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ home }, use) => {
      const executablePath = findBrowser();
      const { connection, pages, callback } = home.target;
      const outside = callback?.public === undefined ? [] : [new URL(callback.public).host];
      const named = [...hosts(home.target), ...pages, ...outside, callback?.listen ?? '127.0.0.1'];
      await use({
        ...(executablePath === undefined ? {} : { executablePath }),
        ...(connection.proxy === undefined
          ? {}
          : { proxy: { server: connection.proxy, bypass: '127.0.0.1,localhost' } }),
        args: [
          ...SWITCHES,
          // Redirects and scripts of the pages lead to the target's hosts or nowhere.
          `--host-resolver-rules=MAP * ~NOTFOUND , ${named.map((one) => `EXCLUDE ${one.replace(/:\d+$/, '')}`).join(' , ')}`,
        ],
      });
    },
    { scope: 'worker' },
  ],
});

/** Playwright's test with the project's fixtures; every check is recorded and judged without asking for it. */
const checks = bare.extend<Fixtures & { record: undefined }>({
  // Set up first and torn down last, so that it sees every failure of the check and of the other fixtures.
  record: [
    async ({ home, recorder }, use, info) => {
      const lie = annotations(info, 'lie')[0];
      if (lie !== undefined) {
        home.sandbox?.reset();
        home.sandbox?.tell([lie]);
        home.renew();
      }
      const startedAt = new Date();
      const missing = annotations(info, 'need').find((need) => !offered(home.target, need as Need));
      const [file = info.file, line = '0'] = (annotations(info, 'at')[0] ?? '').split(/:(?=\d+$)/);
      const suite = suiteOf(file);
      const absent = suite === 'v1' ? home.target.v1 === undefined : home.target.gateway === undefined;
      const conclude = (what: Pick<CheckLine, 'outcome' | 'failures'> & Partial<CheckLine>) =>
        recorder.finish({
          title: titleOf(info),
          file,
          line: Number(line),
          project: suite,
          rules: annotations(info, 'rule'),
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
        const { code, text } = lacking(missing as Need);
        skip(code, text);
      }
      await use(undefined);
      const claimed = new Set(annotations(info, 'rule'));
      const charged = recorder.violations.find(({ rule }) => claimed.has(rule));
      const result = outcome(info, recorder, claimed);
      if (info.status === 'skipped' && result.outcome === 'pass') {
        const reason = info.annotations.find(({ type }) => type === 'skip')?.description ?? 'skipped by the check';
        conclude({ outcome: 'skipped', reason: { code: 'capability', text: recorder.redact(reason) }, failures: [] });
      } else {
        conclude({ ...result, ...properties(info, recorder) });
      }
      // Found out too late for Playwright's own skip; saying so keeps the worker alive.
      if (result.outcome === 'skipped') info.fail(true, 'the target does not offer what the check needs');
      for (const error of info.errors) purge(error as Record<string, unknown>, recorder);
      if (lie !== undefined) {
        home.sandbox?.tell(told.lies);
        home.sandbox?.reset();
        home.renew();
        // A failure is what a proof hopes for; saying so keeps the worker alive for the next lie.
        if (info.errors.length > 0) info.fail(true, 'the lie was caught');
      } else if (charged !== undefined) {
        // An error that is merely put on the list does not fail a check in Playwright's eyes.
        throw new Finding(recorder.redact(charged.expected), recorder.redact(charged.actual));
      }
    },
    { auto: true },
  ],

  target: async ({ home }, use) => use(home.target),
  recorder: async ({ home }, use, info) => {
    const at = annotations(info, 'at')[0]?.replace(/:\d+$/, '') ?? info.file;
    await use(new Recorder(checkId(at, titleOf(info)), home.redactor, home.journal, told.proof === undefined));
  },
  clock: async ({ home }, use) => use(time(home.target)),
  client: async ({ home, recorder, clock }, use) => {
    const folder = home.sandbox === undefined ? told.state : undefined;
    const client = new Client({ contract: contract(), target: home.target, recorder, time: clock, folder });
    await use(client);
    await client.close();
  },
  gateway: async ({ home, client, clock, recorder }, use, info) =>
    use(new Gateway({ target: home.target, client, time: clock, recorder, seed: `${told.seed} ${titleOf(info)}` })),
  history: async ({ home }, use, info) => {
    info.skip(
      home.target.gateway?.wire.read.history === undefined,
      'the target file does not say where a card history answer holds what (gateway.wire.read.history)',
    );
    await use(new History(home.target));
  },
  requests: async ({ gateway, home }, use) => use(new Requests(gateway, home.target)),
  transfers: async ({ gateway, home, clock }, use) =>
    use(new Transfers({ gateway, target: home.target, now: clock.now, nonce: newNonce })),
  lookups: async ({ gateway, home }, use) => use(new Lookups(gateway, home.target)),
  v1: async ({ home, client, clock, recorder }, use, info) =>
    use(new V1({ target: home.target, client, time: clock, recorder, seed: `${told.seed} ${titleOf(info)}` })),
  receiver: [
    async ({ home, recorder }, use) => {
      // A port that is fixed can be bound once; other workers wait.
      const { port = 0 } = home.target.callback ?? {};
      const free = port === 0 ? () => {} : await lock(`port ${port}`);
      try {
        const receiver = await Receiver.open(home.target, recorder);
        await use(receiver);
        await receiver.close();
      } finally {
        free();
      }
    },
    { timeout: LONG },
  ],
  threeDS: async ({ home, gateway, receiver, recorder, clock }, use, info) => {
    if (!clock.steered) info.setTimeout(LONG);
    await use(new ThreeDS({ gateway, receiver, recorder, target: home.target }));
  },
  customer: async ({ home, page, receiver, recorder, clock }, use, info) => {
    if (!clock.steered) info.setTimeout(LONG);
    const hurried = annotations(info, 'lie').length > 0;
    const customer = await Customer.open({ page, receiver, recorder, target: home.target, hurried });
    await use(customer);
    customer.leave();
  },
  issuer: async ({ home, customer }, use) => use(new Issuer(customer, home.target)),
  hostedForm: async ({ home, gateway, customer, receiver }, use) =>
    use(new HostedForm({ gateway, customer, receiver, target: home.target })),
  callbacks: [
    async ({ home, gateway, receiver, recorder, clock }, use, info) => {
      if (!clock.steered) info.setTimeout(LONG);
      const path = `/callback-${recorder.check}`;
      const callbacks = await Callbacks.open({ target: home.target, time: clock, gateway, receiver, path });
      await use(callbacks);
      callbacks.close();
    },
    { timeout: LONG },
  ],
  recurring: async ({ home, gateway, recorder }, use) => use(new Recurring(gateway, recorder, home.target)),
  reports: async ({ home, gateway, clock }, use) => use(new Reports(gateway, clock, home.target)),
  documents: async ({ v1, recorder }, use) => {
    const documents = new Documents(v1, recorder);
    await use(documents);
    await documents.close();
  },
  // Others may have to be waited for, which is no time of the check.
  webhook: [
    async ({ home, v1, recorder }, use) => {
      const hide = (secret: string) => home.redactor.add(secret);
      const webhook = await Webhook.open({ target: home.target, v1, recorder, hide });
      await use(webhook);
      await webhook.close();
    },
    { timeout: 600_000 },
  ],
  newcomer: [
    async ({ home, v1, recorder }, use) => {
      const hide = (secret: string) => home.redactor.add(secret);
      const newcomer = await Newcomer.open({ target: home.target, v1, recorder, hide });
      await use(newcomer);
      await newcomer.close();
    },
    { timeout: 600_000 },
  ],
  inbox: async ({ home, clock, webhook, receiver, v1 }, use, info) => {
    if (!clock.steered) info.setTimeout(600_000);
    const inbox = new Inbox({ target: home.target, time: clock, webhook, receiver, v1 });
    receiver.event = 'transactionEvent';
    await inbox.open();
    await use(inbox);
    receiver.answer = () => 202;
  },
});

/**
 * Playwright's test with the project's fixtures; in a proof each check stands once as it is, where it has to be green, and once
 * for every lie about the rules it claims.
 */
export const test: typeof checks = told.proof === undefined ? checks : multiplied(checks, told.proof);

function multiplied(once: typeof checks, plan: NonNullable<typeof told.proof>): typeof checks {
  const each = (title: string, details: TestDetails, body: Parameters<typeof checks>[2]) => {
    const said = [details.annotation ?? []].flat();
    const claimed = new Set(said.filter(({ type }) => type === 'rule').map(({ description = '' }) => description));
    once(title, details, body);
    for (const { name, rule } of plan) {
      if (!(told.full ? [...claimed].some((id) => isBeside(id, rule)) : claimed.has(rule))) continue;
      once(`${title} [${name}]`, { ...details, annotation: [...said, { type: 'lie', description: name }] }, body);
    }
  };
  return new Proxy(once, { apply: (_target, _self, args: Parameters<typeof each>) => each(...args) });
}

/** Whether two rules are about the same service: a lie of one service does not show at the other. */
function isBeside(one: string, other: string): boolean {
  return one.startsWith('V1-') === other.startsWith('V1-');
}

function annotations(info: TestInfo, type: string): string[] {
  return info.annotations.filter((one) => one.type === type).map(({ description }) => description ?? '');
}

/** Takes secrets out of an error of Playwright's and of its causes: it goes to the terminal past the journal. */
function purge(error: Record<string, unknown>, recorder: Recorder, depth = 0): void {
  for (const [key, value] of Object.entries(error)) {
    if (typeof value === 'string') error[key] = recorder.redact(value);
    else if (typeof value === 'object' && value !== null && depth < 5)
      purge(value as Record<string, unknown>, recorder, depth + 1);
  }
}

/** The check's own title, without the lie a proof adds. */
function titleOf(info: TestInfo): string {
  const lie = annotations(info, 'lie')[0];
  return lie === undefined ? info.title : info.title.replace(` [${lie}]`, '');
}

function offered(target: Target, need: Need): boolean {
  return need === 'browser' ? findBrowser() !== undefined : target.offers.has(need);
}

function properties(info: TestInfo, recorder: Recorder): Pick<CheckLine, 'properties'> | object {
  const found = annotations(info, 'property').map(
    (text) => JSON.parse(recorder.redact(text)) as NonNullable<CheckLine['properties']>[number],
  );
  return found.length === 0 ? {} : { properties: found };
}

export type { Failure };
export { strip };
