/** Made from targets/target.schema.json by `npm run shapes`; change the schema instead. */

/**
 * http(s) address, or a reference to one.
 */
type Address = string;
/**
 * A number, or env:NAME, file:PATH or embedded:NAME.
 */
type Integer = string | number;
/**
 * env:NAME, file:PATH (relative to this file) or, for the embedded sandbox, embedded:NAME; never the secret itself.
 */
type Secret = string;
/**
 * ISO 4217 code; default EUR.
 */
type Currency = string;
/**
 * A literal, or env:NAME, file:PATH or embedded:NAME.
 */
type Value = string | number;
/**
 * Request members. ${name} is filled in (targets/README.md lists the names); a member whose placeholder has no value is left out.
 */
type Template =
  | {
      [k: string]: unknown;
    }
  | string
  | null;
/**
 * JSON Pointer into the body, or header:NAME.
 */
type Pointer = string;
/**
 * A uuid (five groups of 8, 4, 4, 4 and 12 letters and digits), or env:NAME, file:PATH or embedded:NAME.
 */
type Uuid = string;
/**
 * A day, in quotes: "2026-03-31".
 */
type Day = string;
/**
 * Texts, the most usual first.
 *
 * @minItems 1
 */
type Texts = [string, ...string[]];

/**
 * All that the suite knows about a server beyond the documents. targets/README.md explains every line.
 */
interface AssayTarget {
  /**
   * What reports call this target.
   */
  name: string;
  /**
   * What it is. production is refused unless iKnowThisMovesMoney: true stands in the file as well.
   */
  kind: 'embedded' | 'mock' | 'sandbox' | 'production';
  /**
   * embedded only: the sandbox does as this variation where the documents leave it free.
   */
  variation?: {
    /**
     * What the variations are drawn from.
     */
    seed: number;
    /**
     * Which of them, counted from 1.
     */
    number: number;
  };
  /**
   * The second of the two places in which a production target must say so.
   */
  iKnowThisMovesMoney?: boolean;
  /**
   * The card payment gateway.
   */
  gateway?: {
    address: Address;
    /**
     * Requestors with their tokens.
     */
    requestors: {
      main: Requestor;
      second?: Requestor;
      multicurrency?: Requestor;
      allowlisted?: Requestor;
      elsewhere?: Requestor;
    };
    merchant?: Login;
    secondMerchant?: Login;
    manager?: Login;
    /**
     * Name of the balance that balance checks read; without it the first one of the merchant.
     */
    balance?: string;
    /**
     * Names of the merchant's balances to look at; without it the first three that the service lists.
     *
     * @minItems 1
     */
    balances?: [string, ...string[]];
    alias?: Value;
    description?: Address;
    /**
     * Client id of card info lookups.
     */
    client?: {
      id: Value;
      token: Secret;
    };
    /**
     * Signing credentials of card-to-card transfers.
     */
    oauth?: {
      requestor?: Integer;
      consumerKey: Secret;
      privateKey: Secret;
      passphrase?: Secret;
      /**
       * Another key, registered under a consumer key of its own.
       */
      second?: {
        requestor?: Integer;
        consumerKey: Secret;
        privateKey: Secret;
        passphrase?: Secret;
      };
    };
    /**
     * What the documents do not show; every line has a default that fits the gateway's usual clients.
     */
    wire?: {
      /**
       * How 10.00 is written in requests: "10.00", 10, 1000 or "1000".
       */
      amount?: 'decimal-string' | 'decimal-number' | 'minor-number' | 'minor-string';
      /**
       * How 10.00 is written in answers; default: as in requests.
       */
      amountRead?: 'decimal-string' | 'decimal-number' | 'minor-number' | 'minor-string';
      order?: Template;
      customer?: Template;
      browser?: Template;
      urls?: Template;
      card?: Template;
      registered?: Template;
      history?: Template;
      transfer?: Template;
      /**
       * By operation: merged into its body beside what is documented.
       */
      extra?: {
        sale?: Template;
        saleForm?: Template;
        auth?: Template;
        authForm?: Template;
        accountVerification?: Template;
        capture?: Template;
        reversal?: Template;
      };
      /**
       * Names of the members that carry CRes and PaRes.
       */
      names?: {
        /**
         * Member, or pointer into the body, that carries the CRes value.
         */
        cres?: string;
        /**
         * Member, or pointer into the body, that carries the PaRes value.
         */
        pares?: string;
      };
      /**
       * Where answers hold what later requests need.
       */
      read?: {
        orderSystemId?: Pointer;
        correlationId?: Pointer;
        cardId?: Pointer;
        threeDSServerTransID?: Pointer;
        /**
         * Pointers below one entry of transactions.
         */
        transaction?: {
          type?: Pointer;
          amount?: Pointer;
          state?: Pointer;
          /**
           * Values of state that say that it went through; default APPROVED.
           *
           * @minItems 1
           */
          approved?: [string | number | boolean, ...(string | number | boolean)[]];
        };
        /**
         * Where a card history answer tells, for deposits and withdrawals: found, days, score, several sources.
         */
        history?: {
          depositsFound?: Pointer;
          depositsDays?: Pointer;
          depositsScore?: Pointer;
          depositsSeveral?: Pointer;
          withdrawalsFound?: Pointer;
          withdrawalsDays?: Pointer;
          withdrawalsScore?: Pointer;
          withdrawalsSeveral?: Pointer;
        };
      };
      /**
       * What entries of transactions say of their type.
       */
      types?: {
        /**
         * Values of a transaction's type that mean an authorization.
         *
         * @minItems 1
         */
        authorization?: [string | number, ...(string | number)[]];
        /**
         * Values of a transaction's type that mean a capture.
         *
         * @minItems 1
         */
        capture?: [string | number, ...(string | number)[]];
        /**
         * Values of a transaction's type that mean a sale.
         *
         * @minItems 1
         */
        sale?: [string | number, ...(string | number)[]];
        /**
         * Values of a transaction's type that mean a reversal, void or refund.
         *
         * @minItems 1
         */
        reversal?: [string | number, ...(string | number)[]];
        /**
         * Values of a transaction's type that mean an account verification.
         *
         * @minItems 1
         */
        verification?: [string | number, ...(string | number)[]];
        /**
         * Values of a transaction's type that mean a card-to-card transfer.
         *
         * @minItems 1
         */
        transfer?: [string | number, ...(string | number)[]];
        /**
         * Values of a transaction's type that mean a chargeback.
         *
         * @minItems 1
         */
        chargeback?: [string | number, ...(string | number)[]];
      };
      /**
       * How the card of an approved order is registered.
       */
      recurring?: {
        /**
         * HTTP method.
         */
        method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
        /**
         * Path below the gateway's address, query included, with placeholders.
         */
        path: string;
        body?: Template;
      };
      /**
       * How a transaction report is read.
       */
      report?: {
        /**
         * HTTP method.
         */
        method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
        /**
         * Path below the gateway's address, query included, with placeholders.
         */
        path: string;
        body?: Template;
        rows: Pointer;
        /**
         * Pointers below one row.
         */
        row: {
          orderSystemId: Pointer;
          reason?: Pointer;
          type?: Pointer;
        };
      };
      /**
       * An exchange rate the service quotes.
       */
      provider?: {
        /**
         * exchangeProvider.
         */
        name: string;
        from: Currency;
        to: Currency;
      };
    };
    /**
     * Test cards by what the service does with them.
     */
    cards?: {
      approved?: Card;
      declined?: Card;
      inactive?: Card;
      filtered?: Card;
      error?: Card;
      pending?: Card;
      unknown?: Card;
      chain?: Card;
      debit?: Card;
      credit?: Card;
      method?: Card;
      challenge?: Card;
      pareq?: Card;
      frictionless?: Card;
      listed?: Card;
      unlisted?: Card;
      unlisted2?: Card;
      history?: Card;
      nohistory?: Card;
      badscore?: Card;
    };
    form?: Selectors;
    acs?: Selectors;
  };
  /**
   * The account, transfer and webhook service.
   */
  v1?: {
    address: Address;
    token: Secret;
    unprivileged?: Secret;
    newcomer?: Secret;
    /**
     * API tokens of further such users; one is used up by each kind of creation.
     *
     * @minItems 1
     */
    newcomers?: [Secret, ...Secret[]];
    /**
     * A history that stays as it is: so many transactions from the first day to the last.
     */
    history?: {
      account?: Uuid;
      from: Day;
      to: Day;
      /**
       * How many there are from the first day to the last.
       */
      count: number;
      /**
       * Whether a list up to a day shows that day's transactions.
       */
      lastDay?: 'counts' | 'does not count';
    };
    webhookToken?: Secret;
    account: Uuid;
    secondAccount?: Uuid;
    customer?: Uuid;
    /**
     * What the document does not show.
     */
    wire?: {
      payer?: Template;
      recipient?: Template;
      swift?: Template;
      document?: Template;
      token?: Pointer;
      message?: Pointer;
      /**
       * Characters that payment_details and end_to_end_ident may hold; default: the SEPA set.
       */
      characters?: string;
      /**
       * Texts that a transfer may carry, by field; the first is sent where any will do, one of full length where the limit is looked at.
       */
      samples?: {
        payment_details?: Texts;
        payment_code?: Texts;
        end_to_end_ident?: Texts;
      };
      /**
       * Pointers into a list answer; compared with what is listed and put on record, never asserted.
       */
      paging?: {
        total?: Pointer;
        lastPage?: Pointer;
      };
    };
    /**
     * IBANs by what a lookup says of them.
     */
    ibans?: {
      /**
       * IBAN of a bank the service knows.
       */
      valid?: string;
      /**
       * IBAN of right form whose bank it does not know.
       */
      unlisted?: string;
      /**
       * Something whose form is not that of an IBAN.
       */
      broken?: string;
      further?: Texts;
    };
  };
  /**
   * TLS and proxy, for all addresses of this file.
   */
  connection?: {
    ca?: Secret;
    certificate?: Secret;
    key?: Secret;
    passphrase?: Secret;
    /**
     * Address of an HTTP proxy, e.g. env:HTTPS_PROXY.
     */
    proxy?: string;
    /**
     * Another IP address of this machine, by which the service sees another caller: limits that belong to an address are counted apart.
     */
    secondAddress?: string;
  };
  /**
   * What runs are signed with. Without it a run is signed with a key made for it alone, which shows integrity and not who signed.
   */
  signing?: {
    key: Secret;
    certificate: Secret;
    passphrase?: Secret;
    /**
     * Address of a time stamping authority (RFC 3161) that is asked for the time of each signature.
     */
    timestamp?: string;
  };
  /**
   * Requests that steer the service; each is optional.
   */
  control?: {
    now?: Control;
    advance?: Control;
    later?: Control;
    finish?: Control;
    chargeback?: Control;
    callback?: Control;
    accountEvent?: Control;
    virtualIbanEvent?: Control;
    complete?: Control;
    fail?: Control;
    forget?: Control;
    gatewayFault?: Control;
    v1Fault?: Control;
  };
  /**
   * Where callbacks and events are received.
   */
  callback?: {
    /**
     * Address this machine binds.
     */
    listen?: string;
    /**
     * 0 takes a free one; where public is given it must be the port that public leads to.
     */
    port?: number;
    public?: Address;
    /**
     * The public address is set in a console; requests need not name it.
     */
    registered?: boolean;
  };
  /**
   * Hosts that a customer's browser may visit besides those of the addresses: hosted form, issuer.
   */
  pages?: string[];
  /**
   * How the suite behaves towards the service.
   */
  manners?: {
    /**
     * Seconds between two polls of an order.
     */
    pollGap?: number;
    /**
     * Polls of an order before giving up.
     */
    pollLimit?: number;
    /**
     * Seconds that an answer may take, to its last byte.
     */
    timeout?: number;
    /**
     * Seconds that a customer waits for a page to come up or to lead on.
     */
    patience?: number;
    /**
     * Seconds of real time that a message, or the next attempt to deliver it, may take; default pollGap times pollLimit.
     */
    delivery?: number;
    /**
     * Whether the rate limit may be used up on purpose; nobody else behind your address can call the service meanwhile.
     */
    exhaust?: boolean;
    /**
     * How many checks may ask the service at the same time; default 8, and 1 of a production target.
     */
    parallel?: number;
    /**
     * Cap on a run; a check that would pass it is skipped.
     */
    money?: {
      /**
       * Most calls that move money.
       */
      calls?: number;
      /**
       * Most that is paid in all, in major units.
       */
      total?: number;
    };
  };
}
/**
 * A requestor as the console shows it.
 */
interface Requestor {
  id: Integer;
  token: Secret;
  currency?: Currency;
  address?: Address;
  /**
   * Client address on its allowlist.
   */
  allowed?: string;
  /**
   * Client address off its allowlist.
   */
  refused?: string;
  consumerKey?: Secret;
}
/**
 * A login with its token.
 */
interface Login {
  login: Value;
  token: Secret;
}
/**
 * A test card.
 */
interface Card {
  /**
   * Card number, in quotes.
   */
  number: string;
  /**
   * Verification code, in quotes.
   */
  code: string;
  /**
   * Month it expires in, two digits in quotes.
   */
  month: string;
  /**
   * Year it expires in, four digits in quotes.
   */
  year: string;
  /**
   * Name on it; default ADA TEST.
   */
  holder?: string;
  /**
   * Where the amount decides what happens: the one that brings this behaviour about, e.g. "66.60".
   */
  amount?: string;
}
/**
 * CSS selectors of a page the customer sees.
 */
interface Selectors {
  /**
   * Card number.
   */
  number?: string;
  /**
   * Verification code.
   */
  code?: string;
  /**
   * Month.
   */
  month?: string;
  /**
   * Year.
   */
  year?: string;
  /**
   * Name on the card.
   */
  holder?: string;
  /**
   * Field for the customer's answer.
   */
  answer?: string;
  /**
   * What to type into answer, e.g. the one-time code of the test cards.
   */
  text?: string;
  /**
   * Button that goes on.
   */
  submit: string;
  /**
   * Button that cancels or refuses.
   */
  cancel?: string;
}
/**
 * An HTTP request.
 */
interface Control {
  /**
   * HTTP method.
   */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Whole address, with placeholders; its host counts as one of the target's.
   */
  url: string;
  /**
   * Headers to send; values may be env: or file:.
   */
  headers?: {
    [k: string]: string;
  };
  body?: Template;
  read?: Pointer;
  /**
   * advance only: which clocks it moves (dates and states of records, messages and their repetition, windows of limits); without it each is tried and looked at.
   */
  moves?: ('records' | 'deliveries' | 'limits')[];
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What targets/target.schema.json describes. */
export type WrittenTargetFile = DeepReadonly<AssayTarget>;
