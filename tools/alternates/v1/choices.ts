import type { AlternateStyle } from '../server.ts';

/** A message as a webhook sends it: what happened, to what, and what its receiver is to know it by. */
export interface AlternateWebhookMessage {
  readonly id: string;
  readonly family: 'account' | 'transaction' | 'virtual-iban';
  readonly subject: string;
  readonly state: string;
  readonly attempt: number;
  readonly token: string;
}

/** Everything that the document of the v1 API leaves to a service. */
export interface V1AlternateChoices extends AlternateStyle {
  readonly name: string;
  /** Where its clock starts; undefined: now. */
  readonly start?: string;
  /** Media type of its JSON, and what stands in its place where there is no body. */
  readonly media: string;
  readonly emptyMedia?: string;
  readonly uuids: 'lower' | 'upper' | 'alphanumeric';
  /** A moment as it writes it. */
  readonly moment: (milliseconds: number) => string;
  /** Members of a transaction that it never shows, and values of those it makes up. */
  readonly hides: readonly string[];
  readonly shows: Readonly<Record<string, unknown>>;
  readonly rails: Readonly<Record<'sepa' | 'swift', string>>;
  readonly status: string;
  readonly documentStatus: string;
  readonly user: unknown;
  /** What a list says about itself, and where, as a target file says it. */
  readonly list: (total: number, page: number, perPage: number) => Readonly<Record<string, unknown>>;
  readonly paging?: { readonly total?: string; readonly lastPage?: string };
  /** Request templates: parties of a transfer, an upload. */
  readonly payer: Readonly<Record<string, unknown>>;
  readonly recipient: Readonly<Record<string, unknown>>;
  readonly swift?: Readonly<Record<string, unknown>>;
  readonly document: Readonly<Record<string, unknown>>;
  /** A page past the last one. */
  readonly beyond: 200 | 404;
  /** What it says to an X-Request-ID that came before. */
  readonly repeated: 'same' | 409 | 422;
  /** What it says to a uuid that is none, and to an account nobody has. */
  readonly malformed: 400 | 404 | 422;
  readonly unknownAccount: 403 | 404 | 422;
  readonly errorExtra: Readonly<Record<string, unknown>>;
  readonly wording: (what: string) => readonly string[];
  readonly window: 'fixed' | 'aligned' | 'sliding';
  readonly ibans: 'check digits' | 'form';
  readonly badIban: 200 | 422;
  readonly fileNames: 'equal' | 'contain';
  readonly attachment: 'needed' | 'optional';
  readonly passportSides: 'taken' | 'refused';
  /** What it makes of a sort direction of asc. */
  readonly ascending: 'asc' | 'refused' | 'ignored';
  readonly secondWebhook: 'same' | 409 | 422;
  readonly nulls: 'shown' | 'left out';
  readonly masked: (token: string) => string | undefined;
  /** Whether the answers to POST and PUT show the token. */
  readonly writesToken: boolean;
  readonly deliver: (message: AlternateWebhookMessage) => { headers: Record<string, string>; body: unknown };
  /** Where the token and the message's id stand in that, as a target file says it. */
  readonly tokenAt: string;
  readonly messageAt: string;
  /** Seconds before each further attempt; the last goes on. */
  readonly retryDelays: readonly number[];
  /** Milliseconds by which a further attempt comes behind the clock, as from a queue of its own; absent: none. */
  readonly resendsBehind?: number;
  /** Answers beside 202 that end a message. */
  readonly acceptedStatuses: readonly number[];
  /** Seconds that a receiver has for its answer. */
  readonly patience: number;
  /** Seconds after which a transaction goes on by itself; 0: never. */
  readonly completesAfter: number;
  readonly clockAt: string;
  /** Most seconds until a list shows what was made, of each another part; absent: none. */
  readonly listedAfter?: number;
  /** How many documents of earlier days an account has; absent: none. */
  readonly oldDocuments?: number;
  /** Whether its accounts hold any money; absent: enough. */
  readonly funds?: 'enough' | 'none';
  /** Which of its clocks can be set forward: all, or only the one that its rate limit goes by; absent: all. */
  readonly lever?: 'everything' | 'limits';
}

/** A placeholder of a target file. */
const slot = (name: string) => `\${${name}}`;
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const shifted = (hours: number, zone: string) => (milliseconds: number) =>
  `${iso(milliseconds + hours * 3_600_000).slice(0, 19)}${zone}`;

/** Three services that keep the document and agree in nothing else. */
export const V1_ALTERNATES: readonly V1AlternateChoices[] = [
  {
    name: 'terse',
    extra: {},
    backwards: true,
    media: 'application/json;charset="UTF-8"',
    uuids: 'upper',
    moment: (milliseconds) => `${iso(milliseconds).slice(0, 19)}Z`,
    hides: ['created_at', 'payer', 'recipient', 'aml_status', 'operation_date_time', 'direction', 'document_number'],
    shows: {},
    rails: { sepa: 'SEPA_INSTANT', swift: 'SWIFT' },
    status: 'processing',
    documentStatus: 'approved',
    user: ['api-user-7', 'Europe'],
    list: () => ({}),
    payer: { ultimate: { name: 'The Owner' }, reference: 7 },
    recipient: { name: 'Somebody Else', iban: slot('iban'), address: 'Far Away 1' },
    document: {
      type: 'drivers_license',
      file_name: slot('fileName'),
      attachment: { content: 'JVBERi0xLjQK', page_type: 'back' },
    },
    beyond: 404,
    repeated: 409,
    malformed: 404,
    unknownAccount: 404,
    errorExtra: {},
    wording: () => [],
    window: 'sliding',
    ibans: 'form',
    badIban: 422,
    fileNames: 'contain',
    attachment: 'needed',
    passportSides: 'refused',
    ascending: 'refused',
    secondWebhook: 409,
    nulls: 'left out',
    masked: () => undefined,
    writesToken: false,
    deliver: ({ id, subject, state, token }) => ({
      headers: { Authorization: `Bearer ${token}`, 'X-Message': id },
      body: { [subject]: state },
    }),
    tokenAt: 'header:Authorization',
    messageAt: 'header:X-Message',
    retryDelays: [1, 10, 100],
    resendsBehind: 600,
    acceptedStatuses: [200],
    patience: 1,
    completesAfter: 0,
    clockAt: '/unix',
  },
  {
    name: 'talkative',
    extra: { _links: { self: '/somewhere' }, meta_version: '2', labels: [] },
    backwards: false,
    start: '2025-06-15T08:30:00Z',
    media: 'Application/JSON ; charset=utf-8',
    emptyMedia: 'text/html; charset=UTF-8',
    uuids: 'alphanumeric',
    moment: shifted(2, '+02:00'),
    hides: [],
    shows: {
      aml_status: 'in_review',
      payment_urgency: null,
      verification_of_payee: 'CLOSE_MATCH',
      document_number: null,
    },
    rails: { sepa: 'SEPA', swift: 'INTERNATIONAL' },
    status: 'completed',
    documentStatus: 'in_review',
    user: { data: { user: { login: 'someone', rights: ['read', 'write'] } } },
    list: (total, page, perPage) => ({
      pagination: { total, current_page: page, pages: Math.ceil(total / perPage) },
      links: { next: null },
    }),
    paging: { total: '/pagination/total', lastPage: '/pagination/pages' },
    payer: {},
    recipient: { name: 'Zoë Ünal', iban: slot('iban'), country_code: 'DE', ultimate: { name: 'Zoë' } },
    swift: { name: 'Zoë Ünal', iban: slot('iban'), bank: { bic: 'CHASUS33XXX', name: 'A Bank', country_code: 'US' } },
    document: { type: 'passport', file_name: slot('fileName'), description: 'Without a picture' },
    beyond: 200,
    repeated: 'same',
    malformed: 422,
    unknownAccount: 403,
    errorExtra: { http_status: 'failed', trace: 'a1b2', documentation: 'https://errors.example/1' },
    wording: (what) => [`Please look at ${what}.`, 'Something else about it.'],
    window: 'aligned',
    ibans: 'check digits',
    badIban: 200,
    fileNames: 'equal',
    attachment: 'optional',
    passportSides: 'taken',
    ascending: 'asc',
    secondWebhook: 'same',
    nulls: 'shown',
    masked: (token) => `${'*'.repeat(token.length - 4)}${token.slice(-4)}`,
    writesToken: true,
    deliver: ({ id, family, subject, state, attempt, token }) => ({
      headers: {},
      body: {
        envelope: { key: id, attempt, secret: token },
        happened: { family, now: state, thing: { identifier: subject.toLowerCase(), alias: subject } },
      },
    }),
    tokenAt: '/envelope/secret',
    messageAt: '/envelope/key',
    retryDelays: [30, 60, 3600],
    acceptedStatuses: [],
    patience: 0.4,
    completesAfter: 5,
    listedAfter: 7,
    clockAt: '/time/now',
  },
  {
    name: 'wary',
    extra: { nullable: null },
    backwards: true,
    media: 'application/json',
    emptyMedia: 'application/json',
    uuids: 'lower',
    moment: shifted(-5, '.123456-05:00'),
    hides: ['amount', 'currency', 'payment_details', 'operation_date_unix', 'end_to_end_ident', 'status'],
    shows: { transaction_type: 'payment', payment_urgency: 'URGENT', parent_transaction_uuid: null },
    rails: { sepa: 'sepa', swift: 'swift' },
    status: 'pending',
    documentStatus: 'pending',
    user: { id: 7, permissions: { '*': true } },
    list: (total, page, perPage) => ({ total: String(total), has_more: total > page * perPage }),
    paging: { total: '/total' },
    payer: { ultimate: {} },
    recipient: { iban: slot('iban') },
    document: {
      type: 'identity_card',
      file_name: slot('fileName'),
      description: '',
      attachment: { content: 'R0lGODlhAQABAAAAACw=', page_type: 'front' },
    },
    beyond: 200,
    repeated: 422,
    malformed: 400,
    unknownAccount: 422,
    errorExtra: { request: { state: 'refused' } },
    wording: (what) => [what],
    window: 'fixed',
    ibans: 'check digits',
    badIban: 422,
    fileNames: 'contain',
    attachment: 'optional',
    passportSides: 'refused',
    ascending: 'ignored',
    secondWebhook: 422,
    nulls: 'shown',
    masked: () => '***',
    writesToken: true,
    deliver: ({ id, family, subject, state, token }) => ({
      headers: { 'X-Hook-Secret': token },
      body: [{ type: `${family}.${state}`, data: { uuid: subject, token: token.length }, nonce: id }],
    }),
    tokenAt: 'header:x-hook-secret',
    messageAt: '/0/nonce',
    retryDelays: [5],
    acceptedStatuses: [200, 201, 404],
    patience: 0.6,
    completesAfter: 0,
    clockAt: '/iso',
  },
];
