import { createHash, createPublicKey, createVerify, type KeyObject } from 'node:crypto';
import { type ActiveLies, decision } from '../../decision.ts';
import { isLike } from '../../sql-pattern.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';
import { encodeUnreserved, type ReceivedRequest, rebuildSignatureBase, type SignatureContext } from './oauth-base.ts';
import { readOAuthHeader } from './oauth-header.ts';

/** Who may sign: consumer key, public key, and what they are bound to. */
export interface RegisteredSigner {
  readonly consumerKey: string;
  readonly publicKey: () => string;
  readonly requestor: string;
  readonly host: string;
}

const keyIsRegistered = decision({
  rule: 'OA-SIG-02',
  honest: () => true,
  lies: { 'unknown-consumer-key-accepted': () => false },
});

const keyIsWhole = decision({
  rule: 'OA-SIG-02',
  honest: (sent: string, registered: string) => sent === registered,
  lies: {
    'consumer-key-in-other-case-accepted': (sent, registered) => sent.toLowerCase() === registered.toLowerCase(),
    'consumer-key-cut-short-accepted': (sent, registered) => registered.startsWith(sent),
    'consumer-key-read-as-a-pattern': (sent, registered) => isLike(registered, sent),
  },
});

const keyGoesWithItsPair = decision({
  rule: 'OA-SIG-02',
  honest: (signer: RegisteredSigner, _all: readonly RegisteredSigner[]): readonly RegisteredSigner[] => [signer],
  lies: { 'any-registered-key-accepted': (_signer, all) => all },
});

const keyIsBoundToRequestor = decision({
  rule: 'OA-SIG-03',
  honest: (_signer: RegisteredSigner, _first: RegisteredSigner, _subject: string) => true,
  lies: {
    'signer-of-another-requestor-accepted': () => false,
    'requestor-of-a-transfer-read-in-32-bits': ({ requestor }, _first, subject) =>
      Number(subject) % 2 ** 32 !== Number(requestor),
    'signer-with-an-allowlist-accepted-elsewhere': ({ requestor }, first) => requestor === first.requestor,
  },
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
    'signature-method-in-any-case-accepted': (name) => name.toUpperCase() === 'RSA-SHA256',
  },
});

const bodyHash = decision({
  rule: 'OA-SIG-07',
  honest: (body: Buffer) => hashOf(body),
  lies: {
    'body-hash-after-reserialization': (body) => hashOf(reserialized(body)),
    'body-hash-of-the-text-in-latin-1': (body) => hashOf(Buffer.from(body.toString('utf8'), 'latin1')),
    'body-hash-of-the-first-bytes': (body) => hashOf(body.subarray(0, 4096)),
    'hash-of-no-body-empty': (body) => (body.length === 0 ? '' : hashOf(body)),
    // As two halves, each of three bytes, of what is one letter of four.
    'body-hash-of-surrogates': (body) => hashOf(inSurrogates(body)),
    'byte-order-mark-not-hashed': (body) => hashOf(Buffer.from(new TextDecoder().decode(body))),
  },
});

const hashIsBase64 = decision({
  rule: 'OA-SIG-07',
  honest: (sent: string) => sent,
  lies: { 'body-hash-in-hex-accepted': (sent) => (/^[\da-f]{64}$/.test(sent) ? asBase64(sent) : sent) },
});

const hashIsWhole = decision({
  rule: 'OA-ERR-04',
  honest: (sent: string, right: string, _body: Buffer, _known: ReadonlySet<string>) => sent === right,
  lies: {
    'hash-of-an-earlier-body-accepted': (sent, right, _body, known) => sent === right || known.has(sent),
    'body-hash-in-other-case-accepted': (sent, right) => sent.toLowerCase() === right.toLowerCase(),
    'body-hash-compared-at-its-beginning': (sent, right) => sent.slice(0, 20) === right.slice(0, 20),
    'body-hash-by-sha-1-accepted': (sent, right, body) =>
      sent === right || sent === createHash('sha1').update(body).digest('base64'),
    'space-in-front-of-the-body-not-hashed': (sent, right, body) =>
      sent === right || sent === hashOf(Buffer.from(body.toString('utf8').trimStart())),
  },
});

const OTHER_BODY = new GatewayRefusal(401, -19, 'Body hash does not match');

const bodyIsCompared = decision({
  rule: 'OA-ERR-04',
  honest: (_hasAllowlist: boolean): GatewayRefusal | undefined => OTHER_BODY,
  lies: {
    'other-body-accepted': () => undefined,
    'other-body-accepted-behind-an-allowlist': (hasAllowlist) => (hasAllowlist ? undefined : OTHER_BODY),
    'other-body-as-400': () => new GatewayRefusal(400, -19, 'Body hash does not match'),
    'other-body-as-bad-signature': () => new GatewayRefusal(401, -12, 'Body hash does not match'),
  },
});

/** What was seen of the signed requests before; only lies look at it. */
export interface SignedBefore {
  /** Signatures and body hashes that were right. */
  readonly right: Set<string>;
  /** Nonces, as they are told apart. */
  readonly nonces: Set<string>;
  /** What the last -13 showed. */
  context?: SignatureContext;
}

function isNew(nonce: string, { nonces }: SignedBefore): boolean {
  const known = nonces.has(nonce);
  nonces.add(nonce);
  return !known;
}

const nonceIsFresh = decision({
  rule: 'OA-SIG-08',
  honest: (_nonce: string, _before: SignedBefore) => true,
  lies: {
    'fixed-nonce-demanded': (nonce) => nonce === 'nonce',
    'nonces-told-apart-by-their-first-four-letters': (nonce, before) => isNew(nonce.slice(0, 4), before),
    'nonces-told-apart-without-case': (nonce, before) => isNew(nonce.toLowerCase(), before),
    'nonce-must-be-a-uuid': (nonce) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(nonce),
    'nonce-of-letters-and-figures-demanded': (nonce) => /^[\w-]+$/.test(nonce),
  },
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

const signatureIsBase64 = decision({
  rule: 'OA-SIG-21',
  honest: (value: string) => Buffer.from(value, 'base64'),
  lies: { 'signature-read-as-hex': (value) => Buffer.from(value, 'hex') },
});

type Refused = { readonly status: number; readonly code: number } | undefined;
const BAD_SIGNATURE: Refused = { status: 401, code: -13 };

const badSignature = decision({
  rule: 'OA-ERR-05',
  honest: (_signature: string, _right: ReadonlySet<string>, _hasAllowlist: boolean): Refused => BAD_SIGNATURE,
  lies: {
    'bad-signature-accepted': () => undefined,
    'bad-signature-accepted-behind-an-allowlist': (_signature, _right, hasAllowlist) =>
      hasAllowlist ? undefined : BAD_SIGNATURE,
    // Whoever keeps what was verified by the signature alone.
    'signature-accepted-again-for-anything': (signature, right) => (right.has(signature) ? undefined : BAD_SIGNATURE),
    'bad-signature-as-400': () => ({ status: 400, code: -13 }),
    'bad-signature-with-another-code': () => ({ status: 401, code: -12 }),
  },
});

const contextIsOwnWork = decision({
  rule: 'OA-ERR-06',
  honest: (context: SignatureContext, _before: SignedBefore) => context,
  lies: {
    'context-of-another-request': (context) => ({
      ...context,
      signatureBaseString: `POST&${encodeUnreserved('http://localhost/api')}&`,
    }),
    'context-left-from-the-error-before': (context, before) => {
      const shown = before.context ?? context;
      before.context = context;
      return shown;
    },
    'context-parameters-shortened': (context) => ({
      ...context,
      paramString: context.paramString.split('&').slice(1).join('&'),
    }),
  },
});

const contextBaseIsReceived = decision({
  rule: 'OA-ERR-07',
  honest: (context: SignatureContext) => context,
  lies: {
    'context-base-without-port': (context) => withBase(context, context.baseUrl.replace(/:\d+\//, '/')),
    'context-base-with-https': (context) => withBase(context, context.baseUrl.replace(/^http:/, 'https:')),
  },
});

const contextIsWhole = decision({
  rule: 'OA-ERR-10',
  honest: (context: SignatureContext): Record<string, unknown> => ({ context }),
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
 * @param hasAllowlist whether the requestor in the path is behind one
 * @param before what was seen of signed requests so far; this one is added where it is right
 * @throws Refusal as documented: 400 -6, -7, -18; 401 -19, -13; the codes for a wrong key or method are the sandbox's own
 */
export function verifySignedRequest(
  activeLies: ActiveLies,
  request: ReceivedRequest,
  {
    subject,
    host,
    signers,
    before,
    hasAllowlist,
  }: {
    subject: string;
    host: string;
    signers: readonly RegisteredSigner[];
    before: SignedBefore;
    hasAllowlist: boolean;
  },
): void {
  const parameters = readOAuthHeader(activeLies, request.header);
  if (!parameters.get('oauth_signature')) return;
  const value = (name: string) => parameters.get(name) ?? '';
  const signer = signerFor(activeLies, value('oauth_consumer_key'), signers, subject, host);
  if (signer === undefined) throw new GatewayRefusal(401, -12, 'Unknown consumer key');
  const named = (name: string) => parameters.has(name);
  if (named('oauth_signature_method') && !methodIsFixed(activeLies, value('oauth_signature_method')))
    throw new GatewayRefusal(401, -14, 'oauth_signature_method should be RSA-SHA256');
  const known =
    nonceIsFresh(activeLies, value('oauth_nonce'), before) &&
    (!named('oauth_timestamp') || timeIsInSeconds(activeLies, value('oauth_timestamp'))) &&
    (!named('oauth_version') || versionIsOne(activeLies, value('oauth_version')));
  if (!known) throw new GatewayRefusal(401, -15, 'oauth_nonce, oauth_timestamp or oauth_version is not acceptable');
  if (named('oauth_body_hash')) {
    const sent = hashIsBase64(activeLies, value('oauth_body_hash'));
    const isRight = hashIsWhole(activeLies, sent, bodyHash(activeLies, request.body), request.body, before.right);
    const refusal = isRight ? undefined : bodyIsCompared(activeLies, hasAllowlist);
    if (refusal !== undefined) throw refusal.because('other body');
  }
  const context = rebuildSignatureBase(activeLies, request, parameters);
  const signature = signatureIsBase64(activeLies, value('oauth_signature'));
  const verifies = digest(activeLies).some((algorithm) =>
    keyGoesWithItsPair(activeLies, signer, signers).some((one) =>
      createVerify(algorithm).update(context.signatureBaseString, 'utf8').verify(keyOf(one), signature),
    ),
  );
  if (verifies && signedIsAccepted(activeLies)) {
    before.right.add(value('oauth_signature')).add(value('oauth_body_hash'));
    return;
  }
  const refused = badSignature(activeLies, value('oauth_signature'), before.right, hasAllowlist);
  if (refused === undefined) return;
  const told = contextBaseIsReceived(activeLies, contextIsOwnWork(activeLies, context, before));
  const whole = contextIsWhole(activeLies, told);
  throw new GatewayRefusal(refused.status, refused.code, 'Signature does not match', whole, 'wrong signature');
}

function signerFor(
  activeLies: ActiveLies,
  consumerKey: string,
  signers: readonly RegisteredSigner[],
  subject: string,
  host: string,
): RegisteredSigner | undefined {
  const signer = signers.find((one) => keyIsWhole(activeLies, consumerKey, one.consumerKey));
  if (signer === undefined) return keyIsRegistered(activeLies) ? undefined : signers[0];
  if (signer.requestor !== subject && keyIsBoundToRequestor(activeLies, signer, signers[0]!, subject)) return undefined;
  if (signer.host !== host && keyIsBoundToHost(activeLies)) return undefined;
  return signer;
}

function withBase(context: SignatureContext, baseUrl: string): SignatureContext {
  const [method = '', , parameters = ''] = context.signatureBaseString.split('&');
  return { ...context, baseUrl, signatureBaseString: `${method}&${encodeUnreserved(baseUrl)}&${parameters}` };
}

function asBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64');
}

/** Text whose letters of four bytes are written as two of three (CESU-8). */
function inSurrogates(body: Buffer): Buffer {
  const half = (unit: number) => [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
  const write = (letter: string) =>
    letter.length === 1 ? [...Buffer.from(letter)] : [...half(letter.charCodeAt(0)), ...half(letter.charCodeAt(1))];
  return Buffer.from([...body.toString('utf8')].flatMap(write));
}

function reserialized(body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString())));
  } catch {
    return body;
  }
}

const keys = new Map<string, KeyObject>();

function keyOf(signer: RegisteredSigner): KeyObject {
  const pem = signer.publicKey();
  let key = keys.get(pem);
  if (key === undefined) {
    key = createPublicKey(pem);
    keys.set(pem, key);
  }
  return key;
}
