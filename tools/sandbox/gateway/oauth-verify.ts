import { createHash, createPublicKey, createVerify, type KeyObject } from 'node:crypto';
import { decision, type Faults } from '../decision.ts';
import { readOAuthHeader } from './oauth-header.ts';
import { Refusal } from './refusal.ts';

/** A signed request as it arrived. */
export interface SignedRequest {
  readonly method: string;
  /** Scheme and authority as sent. */
  readonly origin: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly body: Buffer;
  readonly header: string | undefined;
}

/** Who may sign: consumer key, public key, and what they are bound to. */
export interface Signer {
  readonly consumerKey: string;
  readonly publicKey: () => string;
  readonly requestor: string;
  readonly host: string;
}

type Pair = readonly [name: string, value: string];

const keyIsRegistered = decision({
  rule: 'OA-SIG-02',
  honest: () => true,
  lies: { 'unknown-consumer-key-accepted': () => false },
});

const keyIsBoundToRequestor = decision({
  rule: 'OA-SIG-03',
  honest: () => true,
  lies: { 'signer-of-another-requestor-accepted': () => false },
});

const keyIsBoundToHost = decision({
  rule: 'OA-SIG-04',
  honest: () => true,
  lies: { 'signer-of-another-host-accepted': () => false },
});

const signedIsAccepted = decision({
  rule: 'OA-SIG-01',
  honest: () => true,
  lies: { 'signed-transfer-refused': () => false },
});

const digest = decision({
  rule: 'OA-SIG-05',
  honest: (): readonly string[] => ['RSA-SHA256'],
  lies: {
    'sha1-signature-accepted': () => ['RSA-SHA256', 'RSA-SHA1'],
    'sha512-signature-accepted': () => ['RSA-SHA256', 'RSA-SHA512'],
    'signature-verified-with-sha1': () => ['RSA-SHA1'],
  },
});

const methodIsFixed = decision({
  rule: 'OA-SIG-06',
  honest: (name: string) => name === 'RSA-SHA256',
  lies: {
    'any-signature-method-accepted': () => true,
    'hmac-method-accepted': (name) => /^(RSA|HMAC)-SHA256$/.test(name),
  },
});

const bodyHash = decision({
  rule: 'OA-SIG-07',
  honest: (body: Buffer) => hashOf(body),
  lies: { 'body-hash-after-reserialization': (body) => hashOf(reserialized(body)) },
});

const bodyIsCompared = decision({
  rule: 'OA-ERR-04',
  honest: (): Refusal | undefined => new Refusal(401, -19, 'Body hash does not match'),
  lies: {
    'other-body-accepted': () => undefined,
    'other-body-as-400': () => new Refusal(400, -19, 'Body hash does not match'),
    'other-body-as-bad-signature': () => new Refusal(401, -12, 'Body hash does not match'),
  },
});

const nonceIsFresh = decision({
  rule: 'OA-SIG-08',
  honest: (_nonce: string) => true,
  lies: { 'fixed-nonce-demanded': (nonce) => nonce === 'nonce' },
});

const timeIsInSeconds = decision({
  rule: 'OA-SIG-09',
  honest: (timestamp: string) => /^\d{1,15}$/.test(timestamp),
  lies: { 'timestamp-in-milliseconds': (timestamp) => /^\d{13}$/.test(timestamp) },
});

const versionIsOne = decision({
  rule: 'OA-SIG-10',
  honest: (version: string) => version === '1.0',
  lies: { 'version-without-decimal': (version) => version === '1' },
});

const sorted = decision({
  rule: 'OA-SIG-11',
  honest: (pairs: readonly Pair[]) => [...pairs].sort(byEncoded),
  lies: {
    'parameters-in-order-of-arrival': (pairs) => [...pairs],
    'parameters-in-reverse': (pairs) => [...pairs].sort(byEncoded).reverse(),
  },
});

const encoded = decision({
  rule: 'OA-SIG-12',
  honest: encode,
  lies: {
    'asterisk-not-encoded': (value) => encode(value).replaceAll('%2A', '*'),
    'space-encoded-as-plus': (value) => encode(value).replaceAll('%20', '+'),
    'lower-case-escapes': (value) => encode(value).replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    'tilde-encoded': (value) => encode(value).replaceAll('~', '%7E'),
    'slash-not-encoded': (value) => encode(value).replaceAll('%2F', '/'),
  },
});

const joined = decision({
  rule: 'OA-SIG-13',
  honest: (pairs: readonly string[]) => pairs.join('&'),
  lies: { 'parameters-joined-by-commas': (pairs) => pairs.join(',') },
});

const queryIsFolded = decision({
  rule: 'OA-SIG-14',
  honest: (pairs: readonly Pair[]) => pairs,
  lies: {
    'query-left-out-of-signature': () => [],
    'repeated-query-parameters-collapsed': (pairs) => [...new Map(pairs)],
  },
});

const baseString = decision({
  rule: 'OA-SIG-15',
  honest: (method: string, base: string, parameters: string) =>
    `${method.toUpperCase()}&${encode(base)}&${encode(parameters)}`,
  lies: {
    'method-in-lower-case': (method, base, parameters) =>
      `${method.toLowerCase()}&${encode(base)}&${encode(parameters)}`,
    'base-string-without-encoding': (method, base, parameters) => `${method.toUpperCase()}&${base}&${parameters}`,
  },
});

const authorityIsLowered = decision({
  rule: 'OA-SIG-16',
  honest: (origin: string) => origin.toLowerCase(),
  lies: { 'host-kept-as-sent': (origin) => origin, 'host-in-upper-case': (origin) => origin.toUpperCase() },
});

const defaultPortIsOmitted = decision({
  rule: 'OA-SIG-17',
  honest: (origin: string) => origin.replace(/^(http:\/\/.+):80$/, '$1').replace(/^(https:\/\/.+):443$/, '$1'),
  lies: {
    'default-port-kept': (origin) => (/:\d+$/.test(origin) ? origin : `${origin}:80`),
    'every-port-left-out': (origin) => origin.replace(/:\d+$/, ''),
  },
});

const pathIsKept = decision({
  rule: 'OA-SIG-18',
  honest: (path: string) => path,
  lies: { 'path-with-slash-appended': (path) => `${path}/`, 'path-without-api': (path) => path.replace(/^\/api/, '') },
});

const queryIsNoPartOfBase = decision({
  rule: 'OA-SIG-19',
  honest: (path: string, _url: string) => path,
  lies: { 'base-with-query': (_path, url) => url, 'base-with-question-mark': (path) => `${path}?` },
});

const calledAddress = decision({
  rule: 'OA-SIG-20',
  honest: (base: string) => base,
  lies: { 'base-from-configured-address': (base) => base.replace(/^http:\/\/[^/]+/, 'https://gateway.example') },
});

const signatureIsBase64 = decision({
  rule: 'OA-SIG-21',
  honest: (value: string) => Buffer.from(value, 'base64'),
  lies: { 'signature-read-as-hex': (value) => Buffer.from(value, 'hex') },
});

const badSignature = decision({
  rule: 'OA-ERR-05',
  honest: (): { status: number; code: number } | undefined => ({ status: 401, code: -13 }),
  lies: {
    'bad-signature-accepted': () => undefined,
    'bad-signature-as-400': () => ({ status: 400, code: -13 }),
    'bad-signature-with-another-code': () => ({ status: 401, code: -12 }),
  },
});

interface Context {
  baseUrl: string;
  paramString: string;
  signatureBaseString: string;
}

const contextIsOwnWork = decision({
  rule: 'OA-ERR-06',
  honest: (context: Context) => context,
  lies: {
    'context-of-another-request': (context) => ({
      ...context,
      signatureBaseString: `POST&${encode('http://localhost/api')}&`,
    }),
    'context-parameters-shortened': (context) => ({
      ...context,
      paramString: context.paramString.split('&').slice(1).join('&'),
    }),
  },
});

const contextBaseIsReceived = decision({
  rule: 'OA-ERR-07',
  honest: (context: Context) => context,
  lies: {
    'context-base-without-port': (context) => withBase(context, context.baseUrl.replace(/:\d+\//, '/')),
    'context-base-with-https': (context) => withBase(context, context.baseUrl.replace(/^http:/, 'https:')),
  },
});

const contextIsWhole = decision({
  rule: 'OA-ERR-10',
  honest: (context: Context): Record<string, unknown> => ({ context }),
  lies: {
    'bad-signature-without-context': () => ({}),
    'context-without-base-url': ({ baseUrl: _, ...context }) => ({ context }),
    'context-without-parameter-string': ({ paramString: _, ...context }) => ({ context }),
    'context-without-base-string': ({ signatureBaseString: _, ...context }) => ({ context }),
  },
});

/**
 * Verifies a signed request from what arrived alone (RFC 5849 sections 3.4.1 and 3.5.1, and the body hash extension).
 * @param subject requestor id in the path
 * @param host which of the gateway's hosts it arrived at
 * @throws Refusal as documented: 400 -6, -7, -18; 401 -19, -13; the codes for a wrong key or method are the sandbox's own
 */
export function verifySigned(
  faults: Faults,
  request: SignedRequest,
  { subject, host, signers }: { subject: string; host: string; signers: readonly Signer[] },
): void {
  const parameters = readOAuthHeader(faults, request.header);
  const value = (name: string) => parameters.get(name) ?? '';
  const signer = signerFor(faults, value('oauth_consumer_key'), signers, subject, host);
  if (signer === undefined) throw new Refusal(401, -12, 'Unknown consumer key');
  const named = (name: string) => parameters.has(name);
  if (named('oauth_signature_method') && !methodIsFixed(faults, value('oauth_signature_method')))
    throw new Refusal(401, -14, 'oauth_signature_method should be RSA-SHA256');
  const known =
    nonceIsFresh(faults, value('oauth_nonce')) &&
    (!named('oauth_timestamp') || timeIsInSeconds(faults, value('oauth_timestamp'))) &&
    (!named('oauth_version') || versionIsOne(faults, value('oauth_version')));
  if (!known) throw new Refusal(401, -15, 'oauth_nonce, oauth_timestamp or oauth_version is not acceptable');
  if (named('oauth_body_hash') && value('oauth_body_hash') !== bodyHash(faults, request.body)) {
    const refusal = bodyIsCompared(faults);
    if (refusal !== undefined) throw refusal;
  }
  const context = rebuild(faults, request, parameters);
  const signature = signatureIsBase64(faults, value('oauth_signature'));
  const key = keyOf(signer);
  const verifies = digest(faults).some((algorithm) =>
    createVerify(algorithm).update(context.signatureBaseString, 'utf8').verify(key, signature),
  );
  if (verifies && signedIsAccepted(faults)) return;
  const refused = badSignature(faults);
  if (refused === undefined) return;
  const told = contextBaseIsReceived(faults, contextIsOwnWork(faults, context));
  throw new Refusal(refused.status, refused.code, 'Signature does not match', contextIsWhole(faults, told));
}

function signerFor(
  faults: Faults,
  consumerKey: string,
  signers: readonly Signer[],
  subject: string,
  host: string,
): Signer | undefined {
  const signer = signers.find((one) => one.consumerKey === consumerKey);
  if (signer === undefined) return keyIsRegistered(faults) ? undefined : signers[0];
  if (signer.requestor !== subject && keyIsBoundToRequestor(faults)) return undefined;
  if (signer.host !== host && keyIsBoundToHost(faults)) return undefined;
  return signer;
}

/** The three things that -13 shows, computed from the request as it arrived. */
function rebuild(faults: Faults, request: SignedRequest, parameters: ReadonlyMap<string, string>): Context {
  const [path = '', ...rest] = request.url.split('?');
  const query = rest.join('?');
  const pairs: Pair[] = [...parameters].filter(([name]) => name !== 'oauth_signature');
  const all = [...pairs, ...queryIsFolded(faults, [...new URLSearchParams(query)])];
  const paramString = joined(
    faults,
    sorted(faults, all).map(([name, value]) => `${encoded(faults, name)}=${encoded(faults, value)}`),
  );
  const origin = defaultPortIsOmitted(faults, authorityIsLowered(faults, request.origin));
  const base = calledAddress(faults, origin + queryIsNoPartOfBase(faults, pathIsKept(faults, path), request.url));
  return { baseUrl: base, paramString, signatureBaseString: baseString(faults, request.method, base, paramString) };
}

function withBase(context: Context, baseUrl: string): Context {
  const [method = '', , parameters = ''] = context.signatureBaseString.split('&');
  return { ...context, baseUrl, signatureBaseString: `${method}&${encode(baseUrl)}&${parameters}` };
}

/** RFC 5849 section 3.4.1.3.2: by encoded name, then by encoded value, byte by byte. */
function byEncoded(a: Pair, b: Pair): number {
  return compare(encode(a[0]), encode(b[0])) || compare(encode(a[1]), encode(b[1]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** RFC 3986 unreserved characters stay; everything else is escaped (RFC 5849 section 3.6). */
function encode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64');
}

function reserialized(body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString())));
  } catch {
    return body;
  }
}

const keys = new Map<string, KeyObject>();

function keyOf(signer: Signer): KeyObject {
  const pem = signer.publicKey();
  let key = keys.get(pem);
  if (key === undefined) {
    key = createPublicKey(pem);
    keys.set(pem, key);
  }
  return key;
}
