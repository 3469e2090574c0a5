import { createHash, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import Mastercard from 'mastercard-oauth1-signer';
import OAuth from 'oauth-1.0a';
import {
  localiseDifference,
  type ParameterPair,
  type SigningRequest,
  type SigningSteps,
  writeBaseString,
} from '#oauth';
import { anyOrigin, anyPairs, anyPath, anyText, anyWriting, writeQuery } from './arbitraries.ts';

/** What another signer makes of a request and given protocol parameters. */
export interface SignerOpinion {
  readonly bodyHash: string;
  readonly parameterString: string;
  readonly baseUri: string;
  readonly baseString: string;
  readonly sign: () => string;
  readonly writeHeader: (signature: string) => string;
}

export type TextRequest = SigningRequest & { readonly body: string };

/** A published signer, asked step by step through its own functions. */
export type PublishedSigner = (
  request: TextRequest,
  parameters: readonly ParameterPair[],
  key: KeyObject,
) => SignerOpinion;

/** The parts of mastercard-oauth1-signer that its types leave out. */
interface Inner {
  getBodyHash(body: string): string;
  extractQueryParams(url: string): Map<string, Set<string>>;
  toOAuthParamString(query: Map<string, Set<string>>, fields: Map<string, string>): string;
  getBaseUriString(url: string): string;
  getSignatureBaseString(method: string, baseUri: string, parameterString: string): string;
  signSignatureBaseString(baseString: string, key: string): string;
  getAuthorizationString(fields: Map<string, string>): string;
}

const mastercard: PublishedSigner = ({ method, url, body }, parameters, key) => {
  const inner = Mastercard as unknown as Inner;
  const fields = new Map(parameters);
  const parameterString = inner.toOAuthParamString(inner.extractQueryParams(url), fields);
  const baseUri = inner.getBaseUriString(url);
  const baseString = inner.getSignatureBaseString(method, baseUri, parameterString);
  return {
    bodyHash: inner.getBodyHash(body),
    parameterString,
    baseUri,
    baseString,
    sign: () => inner.signSignatureBaseString(baseString, pem(key)),
    writeHeader: (signature) =>
      inner.getAuthorizationString(new Map([...fields, ['oauth_signature', encodeURIComponent(signature)]])),
  };
};

const oauth10a: PublishedSigner = ({ method, url, body }, parameters, key) => {
  const signer = new OAuth({
    consumer: { key: new Map(parameters).get('oauth_consumer_key')!, secret: '' },
    signature_method: 'RSA-SHA256',
    hash_function: (baseString) => sign('sha256', Buffer.from(baseString), key).toString('base64'),
    body_hash_function: (content) => createHash('sha256').update(content).digest('base64'),
  });
  // Its authorize() puts an empty object in the place of an empty body.
  const request = { method, url, data: body || {}, includeBodyHash: true };
  const fields = () => Object.fromEntries(parameters) as unknown as OAuth.Data;
  return {
    bodyHash: signer.getBodyHash(request, ''),
    parameterString: signer.getParameterString(request, fields()),
    baseUri: signer.getBaseUrl(url),
    baseString: signer.getBaseString(request, fields()),
    sign: () => signer.getSignature(request, undefined, fields()),
    writeHeader: (signature) =>
      signer.toHeader({ ...fields(), oauth_signature: signature } as OAuth.Authorization).Authorization,
  };
};

/** By the names they are published under. */
export const PUBLISHED_SIGNERS: Readonly<Record<string, PublishedSigner>> = {
  'mastercard-oauth1-signer': mastercard,
  'oauth-1.0a': oauth10a,
};

const pems = new Map<KeyObject, string>();

function pem(key: KeyObject): string {
  const known = pems.get(key) ?? (key.export({ type: 'pkcs8', format: 'pem' }) as string);
  pems.set(key, known);
  return known;
}

const NAMES = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Requests that say something to all three. Left out, because no section decides: parameters without a name, `?` and `=` unencoded
 * within a query, and names that every JavaScript object has.
 */
export const anyCommonRequest = fc
  .record({
    method: fc.constantFrom('POST', 'get', 'Put'),
    at: anyOrigin,
    user: fc.constantFrom('', '', 'user:word@'),
    path: anyPath,
    query: fc.option(
      fc.tuple(
        anyPairs.map((given) => given.filter(([key]) => key !== '' && !NAMES.has(key) && !key.startsWith('oauth_'))),
        anyWriting,
      ),
    ),
    fragment: fc.constantFrom('', '', '#a'),
    body: fc.oneof(fc.json(), anyText),
    consumerKey: fc.stringMatching(/^[A-Za-z0-9._~!*'()-]{1,12}$/),
  })
  .map(({ method, at, user, path: where, query, fragment, body, consumerKey }) => {
    const tail = query === null || query[0].length === 0 ? fragment : `?${writeQuery(...query)}`;
    return { method, url: at.replace('://', `://${user}`) + where + tail, body, consumerKey };
  });

/** Each step by itself: what went wrong before it is handed on to it. */
export function findDisagreements(sent: TextRequest, steps: SigningSteps, theirs: SignerOpinion): string[] {
  const { parameterString, baseUri, baseString } = theirs;
  const handedOn = {
    ...steps,
    parameterString,
    baseUri,
    baseString: writeBaseString(sent.method, baseUri, parameterString),
  };
  return [
    localiseDifference(steps, { bodyHash: theirs.bodyHash }, sent),
    localiseDifference(steps, { paramString: parameterString }),
    localiseDifference(steps, { baseUrl: baseUri }),
    localiseDifference(handedOn, { signatureBaseString: baseString, paramString: parameterString, baseUrl: baseUri }),
  ].flatMap((each) => (each ? [each.cause, ...each.also].map((cause) => `${each.step} ${cause}`) : []));
}
