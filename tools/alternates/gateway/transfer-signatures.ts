import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import type { AlternateDefects } from '../defects.ts';
import type { AlternateRequest } from '../server.ts';
import type { GatewayAlternateChoices } from './choices.ts';
import { GatewayAlternateError } from './gateway-error.ts';

const SIX = ['body_hash', 'consumer_key', 'nonce', 'signature_method', 'timestamp', 'version'].map(
  (name) => `oauth_${name}`,
);

/** One pair for all services of this process: making one is what takes the most time. */
let pair: { publicKey: KeyObject; privateKey: KeyObject } | undefined;

type Pair = readonly [string, string];

/** Looks at the signatures of transfers, by RFC 5849 and what the document adds to it. */
export class TransferSignatures {
  readonly #choices: GatewayAlternateChoices;
  readonly #defects: AlternateDefects;
  readonly #publicKey: KeyObject;
  /** Consumer key by requestor. */
  readonly #registered: ReadonlyMap<string, string>;
  /** The caller's private key, PEM. */
  readonly privateKey: string;

  /** @param registered consumer keys by requestor id; all belong to the one key */
  constructor(choices: GatewayAlternateChoices, registered: ReadonlyMap<string, string>, defects: AlternateDefects) {
    this.#choices = choices;
    this.#defects = defects;
    this.#registered = registered;
    pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { form, passphrase } = choices.journeys.oauth;
    const locked = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
    this.privateKey = String(pair.privateKey.export({ type: form, format: 'pem', ...locked } as never));
    this.#publicKey = pair.publicKey;
  }

  /** The header's own parameters. @throws Fault for a header that is none, or lacks one of the six */
  parameters({ headers }: AlternateRequest): ReadonlyMap<string, string> {
    const said = headers.authorization ?? '';
    if (said === '') throw new GatewayAlternateError(400, -6, 'No Authorization header');
    if (!said.startsWith('OAuth '))
      throw new GatewayAlternateError(400, -7, "Authorization header should start with 'OAuth '");
    const found = new Map<string, string>();
    for (const [, name, value] of said.slice(6).matchAll(/\s*([^=,\s]+)\s*=\s*"([^"]*)"\s*(?:,|$)/g))
      if (name !== 'realm') found.set(plain(name!), plain(value!));
    const missing = SIX.filter((name) => !found.has(name));
    if (missing.length > 0) throw new GatewayAlternateError(400, -18, `Absent: ${missing.join()}`, missing);
    return found;
  }

  /** @throws Fault unless the request is signed for this requestor */
  check(asked: AlternateRequest, parameters: ReadonlyMap<string, string>, requestor: string): void {
    const { others } = this.#choices.journeys.oauth;
    const other = (what: string) => new GatewayAlternateError(others[0], others[1], `Not ours: ${what}`);
    const of = (name: string) => parameters.get(`oauth_${name}`)!;
    if (this.#registered.get(requestor) !== of('consumer_key')) throw other('consumer key');
    if (of('signature_method') !== 'RSA-SHA256' || of('version') !== '1.0') throw other('method or version');
    const hash = createHash('sha256').update(asked.raw).digest('base64');
    if (hash !== of('body_hash') && !this.#defects.has('any body hash will do'))
      throw new GatewayAlternateError(401, -19, 'The body is another one');
    const [path, query = ''] = asked.target.split(/\?(.*)/s);
    const signed: Pair[] = [...parameters].filter(([name]) => name !== 'oauth_signature');
    const paramString = [...signed, ...pairs(query)]
      .map(([name, value]) => [encoded(name), encoded(value)] as const)
      .sort(([a, b], [c, d]) => order(a, c) || order(b, d))
      .map((one) => one.join('='))
      .join('&');
    const host = (asked.headers.host ?? '').toLowerCase().replace(/:80$/, '');
    const baseUrl = `http://${host}${path}`;
    const signatureBaseString = [asked.method.toUpperCase(), encoded(baseUrl), encoded(paramString)].join('&');
    const signature = Buffer.from(parameters.get('oauth_signature') ?? '', 'base64');
    if (verify('sha256', Buffer.from(signatureBaseString), this.#publicKey, signature)) return;
    throw new GatewayAlternateError(401, -13, 'The signature is another one', [], {
      baseUrl,
      paramString,
      signatureBaseString,
    });
  }
}

/** Names and values of a query, as a form has them. */
function pairs(query: string): Pair[] {
  return query
    .split('&')
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', value = ''] = one.split(/=(.*)/s).map((part) => plain(part.replaceAll('+', ' ')));
      return [name, value] as const;
    });
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** All but the unreserved characters as the octets of their UTF-8. */
function encoded(text: string): string {
  return [...Buffer.from(text)]
    .map((octet) => {
      const sign = String.fromCharCode(octet);
      return /[A-Za-z0-9._~-]/.test(sign) ? sign : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
