import type { Need } from '#contract';

/** A JSON value of a request template, with `${name}` placeholders. */
export type Template = string | number | boolean | null | readonly Template[] | { readonly [key: string]: Template };

/** Credentials of a requestor. */
export interface Requestor {
  readonly id: number;
  readonly token: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Other base address that its token is issued for. */
  readonly address?: string;
  /** Client addresses on and off its allowlist. */
  readonly allowed?: string;
  readonly refused?: string;
}

/** A login whose token opens balances and reports. */
export interface Login {
  readonly login: string;
  readonly token: string;
}

/** A test card and what the service does with it. */
export interface Card {
  readonly number: string;
  readonly code: string;
  /** Two digits. */
  readonly month: string;
  /** Four digits. */
  readonly year: string;
  readonly holder: string;
}

/** Behaviours that a target can have a test card for. */
export const BEHAVIOURS = [
  'approved',
  'declined',
  'filtered',
  'error',
  'pending',
  'unknown',
  'chain',
  'credit',
  'method',
  'challenge',
  'pareq',
  'frictionless',
  'unlisted',
  'unlisted2',
  'history',
  'nohistory',
] as const;

/** One of {@link BEHAVIOURS}. */
export type Behaviour = (typeof BEHAVIOURS)[number];

/** An HTTP request that steers the target (advance its clock, set a later state). */
export interface Control {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Template;
}

/** What the documents do not show about the gateway's wire. */
export interface Wire {
  /** How an amount in minor units is written. */
  readonly amount: 'decimal-string' | 'decimal-number' | 'minor-number' | 'minor-string';
  readonly order: Template;
  readonly customer: Template;
  readonly browser: Template;
  readonly urls: Template;
  /** Merged beside `order` when card data is sent. */
  readonly card: Template;
  /** Merged beside `order` when a registered card is sent. */
  readonly registered: Template;
  readonly transfer?: Template;
  /** Where the caller's own order id goes besides its documented place. */
  readonly extra?: Readonly<Record<string, Template>>;
  readonly names: { readonly cres: string; readonly pares: string };
  /** JSON Pointers into a response body, or `header:name`. */
  readonly read: {
    readonly orderSystemId: string;
    readonly correlationId: string;
    readonly cardId: string;
    /** Below one transaction entry. */
    readonly transaction: { readonly type: string; readonly amount: string; readonly state?: string };
    readonly history?: Readonly<Record<string, string>>;
  };
  /** What a transaction entry of each kind says of its type. */
  readonly types: Readonly<
    Record<'authorization' | 'capture' | 'sale' | 'reversal' | 'verification', readonly string[]>
  >;
  readonly recurring?: { readonly path: string; readonly body: Template };
  readonly report?: {
    readonly path: string;
    readonly body?: Template;
    /** Pointer to the rows, then pointers below one row. */
    readonly rows: string;
    readonly row: { readonly orderSystemId: string; readonly reason?: string; readonly type?: string };
  };
  readonly provider: { readonly name: string; readonly from: string; readonly to: string };
}

/** What the documents do not show about the v1 wire. */
export interface V1Wire {
  readonly payer: Template;
  readonly recipient: Template;
  /** Header or body pointer that carries the token in a delivery: `header:x-token` or `/token`. */
  readonly token?: string;
  readonly paging?: Readonly<Record<string, string>>;
}

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
          Partial<Record<'main' | 'second' | 'multicurrency' | 'allowlisted' | 'elsewhere', Requestor>>
        > & { readonly main: Requestor };
        readonly merchant?: Login;
        readonly secondMerchant?: Login;
        readonly manager?: Login;
        readonly balance?: string;
        readonly client?: { readonly id: string; readonly token: string };
        readonly oauth?: {
          readonly requestor: number;
          readonly consumerKey: string;
          readonly privateKey: string;
          readonly passphrase?: string;
        };
        readonly wire: Wire;
        readonly cards: Readonly<Partial<Record<Behaviour, Card>>>;
        readonly form?: Selectors;
        readonly acs?: Selectors;
      }
    | undefined;
  readonly v1:
    | {
        readonly address: string;
        readonly token: string;
        readonly unprivileged?: string;
        readonly account: string;
        readonly secondAccount?: string;
        readonly customer?: string;
        readonly wire: V1Wire;
        readonly ibans: Readonly<Partial<Record<'valid' | 'unlisted' | 'broken', string>>>;
      }
    | undefined;
  readonly control: Readonly<
    Partial<Record<'now' | 'advance' | 'later' | 'chargeback' | 'callback' | 'trigger', Control>>
  >;
  readonly callback?: { readonly listen: string; readonly port?: number; readonly public?: string };
  readonly manners: Manners;
  /** Every secret the file resolved, for the redactor. */
  readonly secrets: readonly string[];
  /** What its checks may rely on. */
  readonly offers: ReadonlySet<Need>;
}

/** CSS selectors of a page a customer sees. */
export interface Selectors {
  readonly number?: string;
  readonly code?: string;
  readonly month?: string;
  readonly year?: string;
  readonly holder?: string;
  readonly answer?: string;
  readonly submit: string;
  readonly cancel?: string;
}

/** How the suite behaves towards the target. Times in seconds. */
export interface Manners {
  readonly pollGap: number;
  readonly pollLimit: number;
  readonly timeout: number;
  /** Whether the rate limit may be exhausted on purpose. */
  readonly exhaust: boolean;
  readonly money: { readonly calls: number; readonly total: number };
}
