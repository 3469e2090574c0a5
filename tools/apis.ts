/** What the engine knows about a service and its document: one row a service, data only. */
export interface ApiRow {
  /** Name in code, files and results; also that of its spec, its document, its folders and its section of a target file. */
  readonly name: string;
  /** What it is, in words. */
  readonly title: string;
  /** The same where there is little room. */
  readonly shortTitle: string;
  /** First part of its rule ids. */
  readonly rulePrefixes: readonly string[];
  /** First part of the ids of its holes and readings. */
  readonly holePrefix: string;
  /** Its spec below `specs/`. */
  readonly spec: string;
  /** Its document in a folder of documents. */
  readonly document: string;
  /** Folders below `tests/` with the checks of its rules. */
  readonly testFolders: readonly string[];
  /** Folders and files below `tests/` whose checks ask a server something; a file without its ending, which is another one when compiled. */
  readonly serverChecks: readonly string[];
  /** Members of its answers that say most, with the words that show each; `*` stands for the value. */
  readonly replyWords: Readonly<Record<string, string>>;
  /** Control actions of its own that a target file may describe. */
  readonly controls: readonly string[];
  /** What a target can offer of it. */
  readonly needs: readonly string[];
  /** The need that a target offers as soon as it has this service. */
  readonly mainNeed: string;
}

/** Every service, in the order of results and pages. */
export const APIS = [
  {
    name: 'gateway',
    title: 'card payment gateway',
    shortTitle: 'card payment gateway',
    rulePrefixes: ['GW', 'OA'],
    holePrefix: 'GW',
    spec: 'gateway.yaml',
    document: 'gateway.md',
    testFolders: ['gateway', 'oauth'],
    serverChecks: ['gateway/', 'oauth/errors.spec.', 'oauth/signing.spec.'],
    replyWords: { errorCode: 'errorCode *', errorMessage: '"*"', orderState: 'orderState *' },
    controls: ['later', 'finish', 'chargeback', 'callback', 'gatewayFault'],
    needs: [
      'requestor',
      'requestor.second',
      'requestor.multicurrency',
      'requestor.allowlist',
      'host.second',
      'merchant',
      'merchant.second',
      'manager',
      'client',
      'oauth',
      'card.approved',
      'card.declined',
      'card.inactive',
      'card.filtered',
      'card.error',
      'card.pending',
      'card.unknown',
      'card.chain',
      'card.debit',
      'card.credit',
      'card.method',
      'card.challenge',
      'card.pareq',
      'card.frictionless',
      'card.unlisted',
      'card.history',
      'card.nohistory',
      'card.badscore',
      'recurring',
      'report',
      'form',
      'callback',
      'later',
      'gateway.fault',
      'gateway.description',
    ],
    mainNeed: 'requestor',
  },
  {
    name: 'v1',
    title: 'account, transfer and webhook service',
    shortTitle: 'v1 service',
    rulePrefixes: ['V1'],
    holePrefix: 'V1',
    spec: 'v1.yaml',
    document: 'v1.md',
    testFolders: ['v1'],
    serverChecks: ['v1/'],
    replyWords: { message: 'message *' },
    controls: ['accountEvent', 'virtualIbanEvent', 'complete', 'fail', 'forget', 'v1Fault'],
    needs: [
      'v1',
      'v1.unprivileged',
      'v1.user',
      'account',
      'account.second',
      'customer',
      'iban.valid',
      'iban.unlisted',
      'iban.broken',
      'receiver',
      'trigger',
      'v1.fault',
      'exhaustion',
    ],
    mainNeed: 'v1',
  },
] as const satisfies readonly ApiRow[];

/** Which service a rule, hole or operation belongs to. */
export type Api = (typeof APIS)[number]['name'];

/** What a target can offer of a service. */
export type ApiNeed = (typeof APIS)[number]['needs'][number];

/** Names of the services. */
export const API_NAMES: readonly Api[] = APIS.map(({ name }) => name);

/** First parts of all rule ids. */
export const RULE_PREFIXES: readonly string[] = APIS.flatMap(({ rulePrefixes }) => rulePrefixes);

/** A rule id as advice shows one. */
export const EXAMPLE_RULE = 'GW-CAP-03';

/** The service that a description is taken for when its file name says none. */
export const UNNAMED_API: Api = 'v1';

/** Something of each service, by its name. */
export function byApi<One>(make: (row: (typeof APIS)[number]) => One): Record<Api, One> {
  return Object.fromEntries(APIS.map((row) => [row.name, make(row)])) as Record<Api, One>;
}
