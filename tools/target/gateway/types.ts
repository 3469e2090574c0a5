import type { RequestTemplate } from '../types.ts';

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
  'badscore',
] as const;

/** One of {@link CARD_BEHAVIOURS}. */
export type TargetCardBehaviour = (typeof CARD_BEHAVIOURS)[number];

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

/** What the suite knows about a gateway beyond its document. */
export interface GatewayTarget {
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
  /** Address of the published interface description. */
  readonly description?: string;
  readonly client?: { readonly id: string; readonly token: string };
  readonly oauth?: {
    readonly requestor: number;
    readonly consumerKey: string;
    readonly privateKey: string;
    readonly passphrase?: string;
    /** Another key that is registered under a consumer key of its own. */
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
