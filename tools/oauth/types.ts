import type { KeyObject } from 'node:crypto';

/** A parameter, decoded. */
export type Pair = readonly [name: string, value: string];

/** What is to be signed: method, URL and body exactly as they will be sent. */
export interface Request {
  readonly method: string;
  /** Absolute http or https URL, in the form in which it goes out. */
  readonly url: string;
  /** Text is sent, and hashed, as UTF-8. */
  readonly body?: string | Uint8Array | undefined;
}

/** Who signs. A KeyObject, so that no print of these credentials shows the key. */
export interface Credentials {
  readonly consumerKey: string;
  readonly key: KeyObject;
}

/** Every intermediate value of one signing, in the order in which they come about. */
export interface Steps {
  readonly bodyHash: string;
  /** The six protocol parameters. */
  readonly parameters: readonly Pair[];
  /** What the URL's query adds, in the order as sent. */
  readonly query: readonly Pair[];
  readonly parameterString: string;
  readonly baseUri: string;
  readonly baseString: string;
  readonly signature: string;
}

/** Name of a step. */
export type StepName = keyof Steps;

/** The steps, and the parameters that the header is written from. */
export interface Stages extends Steps {
  readonly header: readonly Pair[];
}

/** A change to what a step gave; later steps go on with the changed value. This is how a test sends a wrong request. */
export type Alterations = { readonly [S in keyof Stages]?: (value: Stages[S]) => Stages[S] };

/** `encoded`: all values percent-encoded; `raw`: body hash and signature stand as plain base64. */
export type HeaderStyle = 'encoded' | 'raw';

/** What a signature depends on beside request and credentials. */
export interface Circumstances {
  /** Milliseconds since 1970, like Date.now, which is the default. */
  readonly clock?: (() => number) | undefined;
  /** Default: {@link newNonce}. */
  readonly nonce?: (() => string) | undefined;
  readonly style?: HeaderStyle | undefined;
  readonly alter?: Alterations | undefined;
}

/** The value of the Authorization header and how it came about. */
export interface Signed {
  readonly header: string;
  readonly steps: Steps;
}
