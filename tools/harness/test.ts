import { test as base, type TestDetails, type TestInfo } from '@playwright/test';
import {
  createTargetTime,
  listTargetHosts,
  PromiseFinding,
  RecordingClient,
  type TargetTime,
  takeBackObjects,
} from '#client';
import { projectContract, type TargetNeed } from '#contract';
import { type CheckLine, Journal, Recorder, Redactor } from '#evidence';
import { newNonce } from '#oauth';
import { type Sandbox, startSandbox } from '#sandbox';
import { describeLack, parseTarget, resolveTarget, type Target } from '#target';
import { BROWSER_SWITCHES, findBrowser } from './browser.ts';
import { annotateLie, readCheckAnnotations } from './check-annotations.ts';
import { startConclusions } from './conclusions.ts';
import { embeddedLookup } from './embedded-lookup.ts';
import { BearerRequests } from './gateway/bearer-requests.ts';
import { CallbackInbox } from './gateway/callback-inbox.ts';
import { CardHistoryReader } from './gateway/card-history-reader.ts';
import { CardRegistrations } from './gateway/card-registrations.ts';
import { CustomerBrowser } from './gateway/customer-browser.ts';
import { GatewayClient } from './gateway/gateway-client.ts';
import { HostedForm } from './gateway/hosted-form.ts';
import { IssuerPage } from './gateway/issuer-page.ts';
import { MerchantLookups } from './gateway/merchant-lookups.ts';
import { MerchantThreeDS } from './gateway/merchant-three-ds.ts';
import { SignedTransfers } from './gateway/signed-transfers.ts';
import { TransactionReports } from './gateway/transaction-reports.ts';
import { acquireLock } from './lock.ts';
import { MessageReceiver } from './message-receiver.ts';
import { checkId, suiteOf } from './rule.ts';
import { readSettings } from './settings.ts';
import { collectThrownErrors } from './thrown-errors.ts';
import { CustomerDocuments } from './v1/customer-documents.ts';
import { EventInbox } from './v1/event-inbox.ts';
import { LockedWebhook, NewcomerUser } from './v1/locked-webhook.ts';
import { V1Client } from './v1/v1-client.ts';
import { judgeCheck } from './verdict.ts';

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
export interface CheckFixtures {
  readonly target: Target;
  readonly recorder: Recorder;
  readonly clock: TargetTime;
  readonly client: RecordingClient;
  readonly gateway: GatewayClient;
  /** Lookups and balances of the gateway. */
  readonly lookups: MerchantLookups;
  /** Reader of card history answers. */
  readonly history: CardHistoryReader;
  /** A right request for every bearer operation. */
  readonly requests: BearerRequests;
  /** Signed card-to-card transfers. */
  readonly transfers: SignedTransfers;
  readonly v1: V1Client;
  /** A receiver for callbacks and events, listening. */
  readonly receiver: MessageReceiver;
  /** The caller's side of 3-D Secure. */
  readonly threeDS: MerchantThreeDS;
  /** A customer with a browser. */
  readonly customer: CustomerBrowser;
  /** The issuer's page, as the customer meets it. */
  readonly issuer: IssuerPage;
  /** The gateway's payment form. */
  readonly hostedForm: HostedForm;
  /** Where the gateway's callbacks arrive. */
  readonly callbacks: CallbackInbox;
  /** Registration of cards for later payments. */
  readonly recurring: CardRegistrations;
  /** Transaction reports. */
  readonly reports: TransactionReports;
  /** Documents of the customer; what a check uploads is deleted after it. */
  readonly documents: CustomerDocuments;
  /** The main user's webhook configuration: there is one, nobody else changes it meanwhile, and it is put back. */
  readonly webhook: LockedWebhook;
  /** A user without a webhook configuration. */
  readonly newcomer: NewcomerUser;
  /** Where events arrive: the configuration points at the receiver and is active. */
  readonly inbox: EventInbox;
}

const told = readSettings();
/** Milliseconds, where others or the service have to be waited for. */
const LONG = 600_000;

/**
 * Playwright's test in a worker that checks can follow in: for laws, which ask for no target and are not recorded. With another
 * set of worker fixtures each change from a law to a check would start a worker.
 */
export const lawTest = base.extend<object, { home: Home }>({
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
      if (sandbox === undefined && told.state === undefined) await takeBackObjects(target);
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
      const named = [...listTargetHosts(home.target), ...pages, ...outside, callback?.listen ?? '127.0.0.1'];
      await use({
        ...(executablePath === undefined ? {} : { executablePath }),
        ...(connection.proxy === undefined
          ? {}
          : { proxy: { server: connection.proxy, bypass: '127.0.0.1,localhost' } }),
        args: [
          ...BROWSER_SWITCHES,
          // Redirects and scripts of the pages lead to the target's hosts or nowhere.
          `--host-resolver-rules=MAP * ~NOTFOUND , ${named.map((one) => `EXCLUDE ${one.replace(/:\d+$/, '')}`).join(' , ')}`,
        ],
      });
    },
    { scope: 'worker' },
  ],
});

/** Playwright's test with the project's fixtures; every check is recorded and judged without asking for it. */
const checks = lawTest.extend<CheckFixtures & { record: undefined }>({
  // Set up first and torn down last, so that it sees every failure of the check and of the other fixtures.
  record: [
    async ({ home, recorder }, use, info) => {
      const thrown = collectThrownErrors(info);
      const concluded = startConclusions();
      const { title, rules, needs, file = info.file, line = 0, lie } = readCheckAnnotations(info);
      if (lie !== undefined) {
        home.sandbox?.reset();
        home.sandbox?.tellLies([lie]);
        home.renew();
      }
      const startedAt = new Date();
      const missing = needs.find((need) => !offered(home.target, need));
      const suite = suiteOf(file);
      const absent = suite === 'v1' ? home.target.v1 === undefined : home.target.gateway === undefined;
      const conclude = (what: Pick<CheckLine, 'outcome' | 'failures'> & Partial<CheckLine>) =>
        recorder.finish({
          title,
          file,
          line,
          project: suite,
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
      await use(undefined);
      const claimed = new Set(rules);
      const charged = recorder.violations.find(({ rule }) => claimed.has(rule));
      const result = judgeCheck({ thrown, status: info.status, recorder, claimed, concluded });
      if (info.status === 'skipped' && result.outcome === 'pass') {
        const { skip: reason = 'skipped by the check' } = readCheckAnnotations(info);
        conclude({ outcome: 'skipped', reason: { code: 'capability', text: recorder.redact(reason) }, failures: [] });
      } else {
        conclude({ ...result, ...readProperties(info, recorder) });
      }
      // Found out too late for Playwright's own skip; saying so keeps the worker alive.
      if (result.outcome === 'skipped' && info.errors.length > 0)
        info.fail(true, 'the target does not offer what the check needs');
      for (const error of info.errors) purge(error as Record<string, unknown>, recorder);
      if (lie !== undefined) {
        home.sandbox?.tellLies(told.lies);
        home.sandbox?.reset();
        home.renew();
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
    await use(new Recorder(checkId(file, title), home.redactor, home.journal, told.proof === undefined));
  },
  clock: async ({ home }, use) => use(createTargetTime(home.target)),
  client: async ({ home, recorder, clock }, use) => {
    const folder = home.sandbox === undefined ? told.state : undefined;
    const client = new RecordingClient({
      contract: projectContract(),
      target: home.target,
      recorder,
      time: clock,
      folder,
    });
    await use(client);
    await client.close();
  },
  gateway: async ({ home, client, clock, recorder }, use, info) =>
    use(
      new GatewayClient({
        target: home.target,
        client,
        time: clock,
        recorder,
        seed: `${told.seed} ${readCheckAnnotations(info).title}`,
      }),
    ),
  history: async ({ home }, use, info) => {
    info.skip(
      home.target.gateway?.wire.read.history === undefined,
      'the target file does not say where a card history answer holds what (gateway.wire.read.history)',
    );
    await use(new CardHistoryReader(home.target));
  },
  requests: async ({ gateway, home }, use) => use(new BearerRequests(gateway, home.target)),
  transfers: async ({ gateway, home, clock }, use) =>
    use(new SignedTransfers({ gateway, target: home.target, now: clock.now, nonce: newNonce })),
  lookups: async ({ gateway, home }, use) => use(new MerchantLookups(gateway, home.target)),
  v1: async ({ home, client, clock, recorder }, use, info) =>
    use(
      new V1Client({
        target: home.target,
        client,
        time: clock,
        recorder,
        seed: `${told.seed} ${readCheckAnnotations(info).title}`,
      }),
    ),
  receiver: [
    async ({ home, recorder }, use) => {
      // A port that is fixed can be bound once; other workers wait.
      const { port = 0 } = home.target.callback ?? {};
      const free = port === 0 ? () => {} : await acquireLock(`port ${port}`);
      try {
        const receiver = await MessageReceiver.open(home.target, recorder);
        await use(receiver);
        await receiver.close();
        if (receiver.failure !== undefined) throw receiver.failure;
      } finally {
        free();
      }
    },
    { timeout: LONG },
  ],
  threeDS: async ({ home, gateway, receiver, recorder, clock }, use, info) => {
    if (!clock.steered) info.setTimeout(LONG);
    await use(new MerchantThreeDS({ gateway, receiver, recorder, target: home.target }));
  },
  customer: async ({ home, page, receiver, recorder, clock }, use, info) => {
    if (!clock.steered) info.setTimeout(LONG);
    const hurried = readCheckAnnotations(info).lie !== undefined;
    const customer = await CustomerBrowser.open({ page, receiver, recorder, target: home.target, hurried });
    await use(customer);
    customer.stopRecording();
  },
  issuer: async ({ home, customer }, use) => use(new IssuerPage(customer, home.target)),
  hostedForm: async ({ home, gateway, customer, receiver }, use) =>
    use(new HostedForm({ gateway, customer, receiver, target: home.target })),
  callbacks: [
    async ({ home, gateway, receiver, recorder, clock }, use, info) => {
      if (!clock.steered) info.setTimeout(LONG);
      const path = `/callback-${recorder.check}`;
      const callbacks = await CallbackInbox.open({ target: home.target, time: clock, gateway, receiver, path });
      await use(callbacks);
      callbacks.close();
    },
    { timeout: LONG },
  ],
  recurring: async ({ home, gateway, recorder }, use) => use(new CardRegistrations(gateway, recorder, home.target)),
  reports: async ({ home, gateway, clock }, use) => use(new TransactionReports(gateway, clock, home.target)),
  documents: async ({ v1, recorder }, use) => {
    const documents = new CustomerDocuments(v1, recorder);
    await use(documents);
    await documents.removeLeftovers();
  },
  // Others may have to be waited for, which is no time of the check.
  webhook: [
    async ({ home, v1, recorder }, use) => {
      const hide = (secret: string) => home.redactor.add(secret);
      const webhook = await LockedWebhook.open({ target: home.target, v1, recorder, hide });
      await use(webhook);
      await webhook.restore();
    },
    { timeout: 600_000 },
  ],
  newcomer: [
    async ({ home, v1, recorder }, use) => {
      const hide = (secret: string) => home.redactor.add(secret);
      const newcomer = await NewcomerUser.open({ target: home.target, v1, recorder, hide });
      await use(newcomer);
      await newcomer.release();
    },
    { timeout: 600_000 },
  ],
  inbox: async ({ home, clock, webhook, receiver, v1 }, use, info) => {
    if (!clock.steered) info.setTimeout(600_000);
    const inbox = new EventInbox({ target: home.target, time: clock, webhook, receiver, v1 });
    receiver.expectedEvent = 'transactionEvent';
    await inbox.configure();
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
    const { rules } = readCheckAnnotations({ title, annotations: said });
    once(title, details, body);
    for (const { name, rule } of plan) {
      if (!(told.full ? rules.some((id) => isBeside(id, rule)) : rules.includes(rule))) continue;
      const lied = annotateLie(title, name);
      once(lied.title, { ...details, annotation: [...said, ...lied.annotations] }, body);
    }
  };
  return new Proxy(once, { apply: (_target, _self, args: Parameters<typeof each>) => each(...args) });
}

/** Whether two rules are about the same service: a lie of one service does not show at the other. */
function isBeside(one: string, other: string): boolean {
  return one.startsWith('V1-') === other.startsWith('V1-');
}

/** Takes secrets out of an error of Playwright's and of its causes: it goes to the terminal past the journal. */
function purge(error: Record<string, unknown>, recorder: Recorder, depth = 0): void {
  for (const [key, value] of Object.entries(error)) {
    if (typeof value === 'string') error[key] = recorder.redact(value);
    else if (typeof value === 'object' && value !== null && depth < 5)
      purge(value as Record<string, unknown>, recorder, depth + 1);
  }
}

function offered(target: Target, need: TargetNeed): boolean {
  return need === 'browser' ? findBrowser() !== undefined : target.offers.has(need);
}

function readProperties(info: TestInfo, recorder: Recorder): Pick<CheckLine, 'properties'> {
  const { properties } = readCheckAnnotations(info);
  if (properties.length === 0) return {};
  return {
    properties: properties.map((one) => ({ ...one, ...(one.case ? { case: recorder.redact(one.case) } : {}) })),
  };
}
