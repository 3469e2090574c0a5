import type { KeyObject } from 'node:crypto';

/** A parameter, decoded. */
export type ParameterPair = readonly [name: string, value: string];

/** What is to be signed: method, URL and body exactly as they will be sent. */
export interface SigningRequest {
  readonly method: string;
  /** Absolute http or https URL, in the form in which it goes out. */
  readonly url: string;
  /** Text is sent, and hashed, as UTF-8. */
  readonly body?: string | Uint8Array | undefined;
}

/** Who signs. A KeyObject, so that no print of these credentials shows the key. */
export interface SigningCredentials {
  readonly consumerKey: string;
  readonly key: KeyObject;
}

/** Every intermediate value of one signing, in the order in which they come about. */
export interface SigningSteps {
  readonly bodyHash: string;
  /** The six protocol parameters. */
  readonly parameters: readonly ParameterPair[];
  /** What the URL's query adds, in the order as sent. */
  readonly query: readonly ParameterPair[];
  readonly parameterString: string;
  readonly baseUri: string;
  readonly baseString: string;
  readonly signature: string;
}

/** Name of a step. */
export type StepName = keyof SigningSteps;

/** The steps, and the parameters that the header is written from. */
export interface SigningStages extends SigningSteps {
  readonly header: readonly ParameterPair[];
}

/** A change to what a step gave; later steps go on with the changed value. This is how a test sends a wrong request. */
export type StepAlterations = { readonly [S in keyof SigningStages]?: (value: SigningStages[S]) => SigningStages[S] };

/** `encoded`: all values percent-encoded; `raw`: body hash and signature stand as plain base64. */
export type HeaderStyle = 'encoded' | 'raw';

/** What a signature depends on beside request and credentials. */
export interface SigningCircumstances {
  /** Milliseconds since 1970, like Date.now, which is the default. */
  readonly clock?: (() => number) | undefined;
  /** Default: {@link newNonce}. */
  readonly nonce?: (() => string) | undefined;
  readonly style?: HeaderStyle | undefined;
  readonly alter?: StepAlterations | undefined;
}

/** The value of the Authorization header and how it came about. */
export interface SignedHeader {
  readonly header: string;
  readonly steps: SigningSteps;
}
