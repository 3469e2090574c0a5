import { createHash, type KeyObject, verify } from 'node:crypto';

/**
 * A server's side of RFC 5849, written from its text alone: nothing of the signer is used here, so that the two can disagree.
 * It works on bytes (latin1 strings, one character a byte), where the signer works on text.
 */
export interface VerifiableRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Buffer;
  readonly authorization: string;
}

export interface RecomputedSteps {
  readonly baseUri: string;
  readonly parameterString: string;
  readonly baseString: string;
}

const REQUIRED = ['body_hash', 'consumer_key', 'nonce', 'signature_method', 'timestamp', 'version', 'signature'];

/** Section 3.2: `accepted`, or the first reason for a refusal. */
export function verifyRequest(received: VerifiableRequest, consumerKey: string, publicKey: KeyObject): string {
  const fields = readFields(received.authorization);
  if (fields === undefined) return 'unreadable header';
  const values = new Map(fields);
  if (values.size !== fields.length) return 'repeated parameter';
  const missing = REQUIRED.find((name) => !values.has(`oauth_${name}`));
  if (missing) return `missing oauth_${missing}`;
  if (values.get('oauth_signature_method') !== 'RSA-SHA256') return 'signature method';
  if (values.get('oauth_version') !== '1.0') return 'version';
  if (!/^[1-9]\d*$/.test(values.get('oauth_timestamp')!)) return 'timestamp';
  if (values.get('oauth_consumer_key') !== Buffer.from(consumerKey).toString('latin1')) return 'consumer key';
  if (values.get('oauth_body_hash') !== createHash('sha256').update(received.body).digest('base64')) return 'body hash';
  const signature = Buffer.from(values.get('oauth_signature')!, 'base64');
  if (signature.toString('base64') !== values.get('oauth_signature')) return 'signature notation';
  const { baseString } = recomputeSteps(received.method, received.url, fields);
  return verify('RSA-SHA256', Buffer.from(baseString), publicKey, signature) ? 'accepted' : 'signature';
}

/** Section 3.4.1 from its three parts; names and values of `fields` are bytes. */
export function recomputeSteps(
  method: string,
  url: string,
  fields: readonly (readonly [string, string])[],
): RecomputedSteps {
  const baseUri = baseUriOf(url);
  const signed = [...fields, ...queryOf(url)].filter(([name]) => name !== 'oauth_signature' && name !== 'realm');
  const encoded = signed.map(([name, value]) => ({ name: encodeOctets(name), value: encodeOctets(value) }));
  encoded.sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value));
  const parameterString = encoded.map(({ name, value }) => `${name}=${value}`).join('&');
  return {
    baseUri,
    parameterString,
    baseString: `${method.toUpperCase()}&${encodeOctets(baseUri)}&${encodeOctets(parameterString)}`,
  };
}

/** Section 3.6, one byte at a time. */
export function encodeOctets(bytes: string): string {
  let out = '';
  for (const byte of Buffer.from(bytes, 'latin1')) {
    const letter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
    const digit = byte >= 0x30 && byte <= 0x39;
    const mark = byte === 0x2d || byte === 0x2e || byte === 0x5f || byte === 0x7e;
    out +=
      letter || digit || mark
        ? String.fromCharCode(byte)
        : `%${(byte < 16 ? '0' : '') + byte.toString(16).toUpperCase()}`;
  }
  return out;
}

/** The UTF-8 bytes of a text, one character a byte. */
export function utf8Bytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Section 3.4.1.2, by hand from left to right. */
function baseUriOf(url: string): string {
  let [scheme, rest] = [url.slice(0, url.indexOf(':')).toLowerCase(), url.slice(url.indexOf('://') + 3)];
  rest = rest.split('#')[0]!.split('?')[0]!;
  const slash = rest.indexOf('/');
  const path = slash < 0 ? '/' : rest.slice(slash);
  let authority = slash < 0 ? rest : rest.slice(0, slash);
  authority = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const colon = authority.lastIndexOf(':');
  if (colon > authority.lastIndexOf(']')) {
    const port = authority.slice(colon + 1).replace(/^0+(?=\d)/, '');
    authority = authority.slice(0, colon);
    if (port !== '' && port !== { http: '80', https: '443' }[scheme]) authority += `:${port}`;
  }
  return `${scheme}://${authority}${path}`;
}

/** Section 3.4.1.3.1, the part on the query. */
function queryOf(url: string): [string, string][] {
  const mark = url.split('#')[0]!.indexOf('?');
  if (mark < 0) return [];
  const fields: [string, string][] = [];
  for (const piece of url
    .split('#')[0]!
    .slice(mark + 1)
    .split('&')) {
    if (piece.length === 0) continue;
    const [name, ...values] = piece.split('=');
    fields.push([undo(name!.split('+').join(' ')), undo(values.join('=').split('+').join(' '))]);
  }
  return fields;
}

/** Section 3.5.1 for headers as they are usually written: the realm dropped, each value in double quotes. */
function readFields(header: string): [string, string][] | undefined {
  if (!header.startsWith('OAuth ')) return undefined;
  const fields: [string, string][] = [];
  for (const part of header.slice(6).split(',')) {
    const match = /^\s*([A-Za-z_]+)="([^"\\]*)"\s*$/.exec(part);
    if (!match) return undefined;
    if (match[1] !== 'realm') fields.push([undo(match[1]!), undo(match[2]!)]);
  }
  return fields;
}

/** Escapes to bytes; anything else is its own UTF-8. */
function undo(text: string): string {
  return utf8Bytes(text).replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}
