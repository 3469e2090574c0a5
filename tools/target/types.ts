import type { TargetNeed } from '#contract';

/** A JSON value of a request template, with `${name}` placeholders. */
export type RequestTemplate =
  | string
  | number
  | boolean
  | null
  | readonly RequestTemplate[]
  | { readonly [key: string]: RequestTemplate };

/** How an amount of 10.00 is written: `"10.00"`, `10`, `1000` or `"1000"`. */
export type AmountStyle = 'decimal-string' | 'decimal-number' | 'minor-number' | 'minor-string';

/** Credentials of a requestor. */
export interface TargetRequestor {
  readonly id: number;
  readonly token: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Other base address that its token is issued for. */
  readonly address?: string;
  /** Client addresses on and off its allowlist. */
  readonly allowed?: string;
  readonly refused?: string;
  /** Signs its transfers, together with the private key of `oauth`. */
  readonly consumerKey?: string;
}

/** A login whose token opens balances and reports. */
export interface TargetLogin {
  readonly login: string;
  readonly token: string;
}

/** A test card and what the service does with it. */
export interface TargetCard {
  readonly number: string;
  readonly code: string;
  /** Two digits. */
  readonly month: string;
  /** Four digits. */
  readonly year: string;
  readonly holder: string;
  /** Minor units; where the service lets the amount decide, the only one that gives the behaviour. */
  readonly amount?: number;
}

/** Behaviours that a target can have a test card for. */
export const CARD_BEHAVIOURS = [
  'approved',
  'declined',
  'inactive',
  'filtered',
  'error',
  'pending',
  'unknown',
  'chain',
  'debit',
  'credit',
  'method',
  'challenge',
  'pareq',
  'frictionless',
  'listed',
  'unlisted',
  'unlisted2',
  'history',
  'nohistory',
] as const;

/** One of {@link CARD_BEHAVIOURS}. */
export type TargetCardBehaviour = (typeof CARD_BEHAVIOURS)[number];

/** An HTTP request that steers the target (advance its clock, set a later state). */
export interface ControlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestTemplate;
  /** `now` only: pointer to the time in the answer, as ISO 8601 or Unix seconds or milliseconds. */
  readonly read?: string;
}

/** Kinds of transactions that a target file gives names to. */
export type NamedTransactionKind =
  | 'authorization'
  | 'capture'
  | 'sale'
  | 'reversal'
  | 'verification'
  | 'transfer'
  | 'chargeback';

/** What the documents do not show about the gateway's wire. */
export interface TargetGatewayWire {
  /** How an amount is written in requests. */
  readonly amount: AmountStyle;
  /** How it is written in answers. */
  readonly amountRead: AmountStyle;
  readonly order: RequestTemplate;
  readonly customer: RequestTemplate;
  readonly browser: RequestTemplate;
  readonly urls: RequestTemplate;
  /** Merged into the body, however deep, when card data is sent. */
  readonly card: RequestTemplate;
  /** Merged into the body when a registered card is sent. */
  readonly registered: RequestTemplate;
  /** Merged into the body of a card history lookup; null leaves a member out that would be empty. */
  readonly history: RequestTemplate;
  /** Whole body of a card-to-card transfer. */
  readonly transfer?: RequestTemplate;
  /** By operation id: merged into the body beside what is documented. */
  readonly extra?: Readonly<Record<string, RequestTemplate>>;
  /** Member names (or pointers into the body) that carry the CRes and the PaRes value. */
  readonly names: { readonly cres: string; readonly pares: string };
  /** JSON Pointers into a response body, or `header:name`. */
  readonly read: {
    readonly orderSystemId: string;
    readonly correlationId: string;
    readonly cardId: string;
    /** What a report on the 3DS Method names as threeDSServerTransID, in the answer that asks for the method. */
    readonly threeDSServerTransID: string;
    /** Below one transaction entry. */
    readonly transaction: {
      readonly type: string;
      readonly amount: string;
      readonly state?: string;
      /** Values of `state` that say that the transaction went through. */
      readonly approved: readonly string[];
    };
    /** Into a card history answer. */
    readonly history?: Readonly<Partial<Record<CardHistoryField, string>>>;
  };
  /** What a transaction entry of each kind says of its type. */
  readonly types: Readonly<Record<NamedTransactionKind, readonly string[]>>;
  readonly recurring?: { readonly method: string; readonly path: string; readonly body?: RequestTemplate };
  readonly report?: {
    readonly method: string;
    readonly path: string;
    readonly body?: RequestTemplate;
    /** Pointer to the rows, then pointers below one row. */
    readonly rows: string;
    readonly row: { readonly orderSystemId: string; readonly reason?: string; readonly type?: string };
  };
  /** An exchange rate that the provider quotes. */
  readonly provider?: { readonly name: string; readonly from: string; readonly to: string };
}

/** What a card history answer tells, for deposits and for withdrawals. */
export const CARD_HISTORY_FIELDS = [
  'depositsFound',
  'depositsDays',
  'depositsScore',
  'depositsSeveral',
  'withdrawalsFound',
  'withdrawalsDays',
  'withdrawalsScore',
  'withdrawalsSeveral',
] as const;

/** One of {@link CARD_HISTORY_FIELDS}. */
export type CardHistoryField = (typeof CARD_HISTORY_FIELDS)[number];

/** What the documents do not show about the v1 wire. */
export interface TargetV1Wire {
  readonly payer: RequestTemplate;
  readonly recipient: RequestTemplate;
  /** Recipient of a SWIFT transfer. */
  readonly swift: RequestTemplate;
  /** Body of an upload that is in order. */
  readonly document: RequestTemplate;
  /** Where a delivery carries the token: `header:x-token` or `/token`; absent: anywhere in it. */
  readonly token?: string;
  /** Where a delivery says which message it is, the same in all attempts to deliver it. */
  readonly message?: string;
  /** Where a list answer tells how many entries and pages there are; what is learned from it is put on record, nothing is asserted. */
  readonly paging?: { readonly total?: string; readonly lastPage?: string };
}

/** How connections are made. */
export interface ConnectionSettings {
  /** PEM of authorities trusted besides the usual ones. */
  readonly ca?: string;
  /** PEM of our certificate, its key, and the passphrase of that key. */
  readonly certificate?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** Address of an HTTP proxy; loopback addresses are called without it. */
  readonly proxy?: string;
}

/** Control actions a target file may describe. */
export const CONTROL_NAMES = [
  'now',
  'advance',
  'later',
  'finish',
  'chargeback',
  'callback',
  'accountEvent',
  'virtualIbanEvent',
  'complete',
  'fail',
  'forget',
] as const;

/** One of {@link CONTROL_NAMES}. */
export type ControlName = (typeof CONTROL_NAMES)[number];

/** Everything the suite knows about a server beyond the documents: complete, resolved, frozen. */
export interface Target {
  readonly name: string;
  readonly kind: 'embedded' | 'mock' | 'sandbox' | 'production';
  readonly file: string;
  readonly sha256: string;
  readonly gateway:
    | {
        readonly address: string;
        readonly requestors: Readonly<
          Partial<Record<'main' | 'second' | 'multicurrency' | 'allowlisted' | 'elsewhere', TargetRequestor>>
        > & { readonly main: TargetRequestor };
        readonly merchant?: TargetLogin;
        readonly secondMerchant?: TargetLogin;
        readonly manager?: TargetLogin;
        readonly balance?: string;
        /** Names of the balances to look at, where the service's own list is not to be gone by. */
        readonly balances?: readonly string[];
        /** Host name, with a port where there is one, by which the same service is called as well. */
        readonly alias?: string;
        readonly client?: { readonly id: string; readonly token: string };
        readonly oauth?: {
          readonly requestor: number;
          readonly consumerKey: string;
          readonly privateKey: string;
          readonly passphrase?: string;
          /** Another key that is registered under a consumer key of its own, for any requestor. */
          readonly second?: {
            readonly requestor: number;
            readonly consumerKey: string;
            readonly privateKey: string;
            readonly passphrase?: string;
          };
        };
        readonly wire: TargetGatewayWire;
        readonly cards: Readonly<Partial<Record<TargetCardBehaviour, TargetCard>>>;
        readonly form?: PageSelectors;
        readonly acs?: PageSelectors;
      }
    | undefined;
  readonly v1:
    | {
        readonly address: string;
        readonly token: string;
        readonly unprivileged?: string;
        /** Token of a user that has no webhook configuration. */
        readonly newcomer?: string;
        /** Token of the webhook configuration that was there before the run; needed to put it back. */
        readonly webhookToken?: string;
        readonly account: string;
        readonly secondAccount?: string;
        readonly customer?: string;
        readonly wire: TargetV1Wire;
        readonly ibans: Readonly<Partial<Record<'valid' | 'unlisted' | 'broken', string>>>;
      }
    | undefined;
  readonly connection: ConnectionSettings;
  readonly control: Readonly<Partial<Record<ControlName, ControlRequest>>>;
  readonly callback?: {
    readonly listen: string;
    readonly port?: number;
    readonly public?: string;
    /** The public address is set for the requestor in a console, so that requests need not name it. */
    readonly registered?: boolean;
  };
  /** Hosts (name or name:port) that a customer's browser may visit besides those of the addresses. */
  readonly pages: readonly string[];
  readonly manners: TargetManners;
  /** Every secret the file resolved, for the redactor. */
  readonly secrets: readonly string[];
  /** What its checks may rely on. */
  readonly offers: ReadonlySet<TargetNeed>;
}

/** CSS selectors of a page a customer sees. */
export interface PageSelectors {
  readonly number?: string;
  readonly code?: string;
  readonly month?: string;
  readonly year?: string;
  readonly holder?: string;
  readonly answer?: string;
  /** What to type into `answer`. */
  readonly text?: string;
  readonly submit: string;
  readonly cancel?: string;
}

/** How the suite behaves towards the target. Times in seconds. */
export interface TargetManners {
  readonly pollGap: number;
  readonly pollLimit: number;
  readonly timeout: number;
  /** How long a customer waits for a page to come up or to lead on. */
  readonly patience: number;
  /** Whether the rate limit may be exhausted on purpose. */
  readonly exhaust: boolean;
  readonly money: { readonly calls: number; readonly total: number };
}
