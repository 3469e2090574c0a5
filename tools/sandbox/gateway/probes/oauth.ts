import { createHash, createSign } from 'node:crypto';
import { error, probe, shape } from './probe.ts';
import type { Came, Wire } from './wire.ts';

const SIX = [
  'oauth_body_hash',
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_version',
] as const;

/** How a signed request departs from the usual one; `after` changes parameters once they are signed. */
interface Signing {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly sentBody?: string;
  readonly query?: string;
  /** Query parameters as they enter the signature, encoded, in `name=value` form. */
  readonly folded?: readonly string[];
  readonly requestor?: number;
  readonly elsewhere?: boolean;
  readonly host?: string;
  /** Authority as it enters the signature. */
  readonly signedHost?: string;
  readonly digest?: string;
  readonly raw?: boolean;
  readonly spaced?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

let drawn = 0;

/** Signs a transfer step by step as the document says, written apart from the verifier, and sends it. */
export async function signed(wire: Wire, signing: Signing = {}): Promise<Came> {
  const { oauth } = wire.credentials;
  const base = new URL(signing.elsewhere ? wire.sandbox.elsewhere : wire.sandbox.gateway);
  const path = `/payments/transfer/${signing.requestor ?? oauth.requestor}`;
  const body = signing.body ?? '{ "order": {"orderAmount": "1.00",  "orderCurrencyCode":"EUR"} }';
  const parameters: Record<string, string> = {
    oauth_body_hash: createHash('sha256').update(body).digest('base64'),
    oauth_consumer_key: oauth.consumerKey,
    oauth_nonce: `n${++drawn}`,
    oauth_signature_method: 'RSA-SHA256',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_version: '1.0',
    ...signing.parameters,
  };
  const pairs = [
    ...Object.entries(parameters).map(([name, value]) => `${name}=${percent(value)}`),
    ...(signing.folded ?? []),
  ];
  const address = `http://${signing.signedHost ?? base.host}/api${path}`;
  const text = ['POST', percent(address), percent(pairs.sort().join('&'))].join('&');
  const signature = createSign(signing.digest ?? 'RSA-SHA256')
    .update(text)
    .sign(oauth.privateKey, 'base64');
  const sent = Object.entries({ ...parameters, oauth_signature: signature, ...signing.after }).reverse();
  const header = sent
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}="${signing.raw ? value : percent(value)}"`)
    .join(signing.spaced ? ' , ' : ',');
  return wire.send(path + (signing.query ?? ''), signing.sentBody ?? body, {
    base: base.href,
    token: undefined,
    headers: { authorization: `OAuth ${header}`, ...(signing.host && { host: signing.host }), ...signing.headers },
  });
}

const port = (wire: Wire) => new URL(wire.sandbox.gateway).port;
const passes =
  (signing: Signing = {}) =>
  async (wire: Wire) =>
    (await signed(wire, signing)).status;
const refuses =
  (...signings: ((wire: Wire) => Signing)[]) =>
  async (wire: Wire) => {
    const refused = [];
    for (const signing of signings) refused.push((await signed(wire, signing(wire))).status >= 400);
    return refused;
  };
const tampered = { after: { oauth_nonce: 'another' } };

/** The signing of transfers. */
export const oauth = [
  probe('GW-TRF-01', [200, 'application/json', 'string'], async (wire) => shape(await signed(wire))),
  probe('OA-SIG-01', 200, passes()),
  probe(
    'OA-SIG-02',
    [true],
    refuses(() => ({ parameters: { oauth_consumer_key: 'nobody' } })),
  ),
  probe(
    'OA-SIG-03',
    [true],
    refuses(() => ({ requestor: 1001 })),
  ),
  probe(
    'OA-SIG-04',
    [true],
    refuses(() => ({ elsewhere: true })),
  ),
  probe('OA-SIG-05', [200, true, true], async (wire) => [
    await passes()(wire),
    ...(await refuses(
      () => ({ digest: 'RSA-SHA1' }),
      () => ({ digest: 'RSA-SHA512' }),
    )(wire)),
  ]),
  probe(
    'OA-SIG-06',
    [true, true],
    refuses(
      () => ({ parameters: { oauth_signature_method: 'HMAC-SHA256' } }),
      () => ({ parameters: { oauth_signature_method: 'RSA-SHA1' } }),
    ),
  ),
  probe('OA-SIG-07', 200, passes()),
  probe('OA-SIG-08', [200, 200], async (wire) => [await passes()(wire), await passes()(wire)]),
  probe('OA-SIG-09', 200, passes()),
  probe('OA-SIG-10', 200, passes()),
  probe('OA-SIG-11', 200, passes({ query: '?a=1&z=2', folded: ['a=1', 'z=2'] })),
  probe('OA-SIG-12', 200, passes({ parameters: { oauth_nonce: "a*b c~d/e'f(g)!é" } })),
  probe('OA-SIG-13', 200, passes()),
  probe('OA-SIG-14', [200, 200, 401], async (wire) => [
    await passes({ query: '?b=2&a=x%20y', folded: ['b=2', 'a=x%20y'] })(wire),
    await passes({ query: '?a=2&a=1', folded: ['a=2', 'a=1'] })(wire),
    await passes({ query: '?a=1' })(wire),
  ]),
  probe('OA-SIG-15', 200, passes()),
  probe('OA-SIG-16', 200, (wire) =>
    passes({ host: `LocalHost:${port(wire)}`, signedHost: `localhost:${port(wire)}` })(wire),
  ),
  probe('OA-SIG-17', [200, 200], async (wire) => [
    await passes()(wire),
    await passes({ host: 'gateway.test:80', signedHost: 'gateway.test' })(wire),
  ]),
  probe('OA-SIG-18', 200, passes()),
  probe('OA-SIG-19', 200, passes({ query: '?a=1', folded: ['a=1'] })),
  probe('OA-SIG-20', 200, passes()),
  probe('OA-SIG-21', 200, passes()),
  probe('OA-SIG-22', [200, 200], async (wire) => [await passes()(wire), await passes({ spaced: true })(wire)]),
  probe('OA-SIG-23', 200, passes()),
  probe('OA-SIG-24', Array(8).fill(200), async (wire) => {
    const statuses = [];
    for (let time = 0; time < 8; time += 1) statuses.push(await passes({ raw: true })(wire));
    return statuses;
  }),
  probe('OA-ERR-01', [400, -6, 'No Authorization header'], async (wire) =>
    error(await wire.send('/payments/transfer/1006', '{}', { token: undefined })),
  ),
  probe('OA-ERR-02', [400, -7], async (wire) =>
    error(await wire.send('/payments/transfer/1006', '{}', { token: 'x' })).slice(0, 2),
  ),
  probe(
    'OA-ERR-03',
    SIX.map(() => [400, -18]),
    async (wire) => {
      const seen = [];
      for (const name of SIX) seen.push(error(await signed(wire, { after: { [name]: undefined } })).slice(0, 2));
      return seen;
    },
  ),
  probe('OA-ERR-04', [401, -19], async (wire) =>
    error(await signed(wire, { sentBody: '{"order":{"orderAmount":"2.00"}}' })).slice(0, 2),
  ),
  probe('OA-ERR-05', [401, -13], async (wire) => error(await signed(wire, tampered)).slice(0, 2)),
  probe('OA-ERR-06', [true, true], async (wire) => {
    const { baseUrl, paramString, signatureBaseString } = (await signed(wire, tampered)).body.context;
    const whole = ['POST', percent(baseUrl), percent(paramString)].join('&');
    return [signatureBaseString === whole, paramString.startsWith('oauth_body_hash=')];
  }),
  probe('OA-ERR-07', true, async (wire) => {
    const { baseUrl } = (await signed(wire, tampered)).body.context;
    return baseUrl === `${wire.sandbox.gateway}/payments/transfer/1006`;
  }),
  probe('OA-ERR-08', [200, [401, -20]], async (wire) => {
    const { id, consumerKey } = wire.credentials.allowlisted;
    const from = (address: string): Signing => ({
      requestor: id,
      parameters: { oauth_consumer_key: consumerKey },
      headers: { 'x-forwarded-for': address },
    });
    return [await passes(from('203.0.113.7'))(wire), error(await signed(wire, from('198.51.100.9'))).slice(0, 2)];
  }),
  probe(
    'OA-ERR-09',
    SIX.map((name) => [name]),
    async (wire) => {
      const seen = [];
      for (const name of SIX) seen.push((await signed(wire, { after: { [name]: undefined } })).body.invalidParams);
      return seen;
    },
  ),
  probe('OA-ERR-10', ['baseUrl', 'paramString', 'signatureBaseString'], async (wire) =>
    Object.keys((await signed(wire, tampered)).body.context ?? {}),
  ),
];

function percent(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte)) && byte < 128
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}
