import { createSign } from 'node:crypto';
import fc from 'fast-check';
import { assertProperty, expect, requireTargetLine, rule, type TransferChange, test, UnofferedError } from '#harness';
import { havingParameter, loadKey, percentEncode, type StepAlterations, withoutParameter } from '#oauth';

/** A query whose names stand before and after those of the protocol, in no order; some of the names differ in case only. */
const SCATTERED = 'z=1&B=2&a=3&oauty=4&A=5&n=6';
/** What encoders get wrong, each with a character beside it that they get right. */
const ODD = "a*b c~d!e'f(g)h+i/j=k&l%m-n_o.p,q:r@sé";

test('accepts a transfer that is signed step by step as described', rule('OA-SIG-01'), async ({ transfers }) => {
  await transfers.sendAccepted();
});

test(
  'accepts a transfer that is signed as described weeks later',
  rule('OA-SIG-01', { needs: ['clock'] }),
  async ({ gateway, transfers }) => {
    await transfers.sendAccepted();
    await gateway.sleep(40 * 86_400);
    await transfers.sendAccepted();
  },
);

test('refuses a consumer key that nobody registered', rule('OA-SIG-02'), async ({ transfers, target }) => {
  const { consumerKey: own } = transfers;
  const { oauth, requestors } = target.gateway!;
  const registered = [own, oauth!.second?.consumerKey, requestors.allowlisted?.consumerKey];
  const turned = own.replace(/[a-z]/i, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()));
  for (const [how, consumerKey] of [
    ['with one character more', `${own}x`],
    ['without its last character', own.slice(0, -1)],
    ['with a letter in the other case', turned],
    ['with what stands for any letters in SQL', `${own.slice(0, -4)}%`],
    ['another one', 'nobody'],
  ] as const) {
    if (registered.includes(consumerKey)) continue;
    expect((await transfers.send({ consumerKey })).reply, how).toBeKeptOut();
  }
});

test('refuses a signature under the consumer key of another key', rule('OA-SIG-02'), async ({ transfers, target }) => {
  const { consumerKey, ...second } = requireTargetLine(target.gateway!.oauth!.second, 'gateway.oauth.second');
  const key = loadKey(second.privateKey, second.passphrase);
  await transfers.sendAccepted({ requestor: second.requestor, consumerKey, key });
  expect((await transfers.send({ requestor: second.requestor, consumerKey })).reply).toBeKeptOut();
  expect((await transfers.send({ key })).reply).toBeKeptOut();
});

test('refuses the signature of one requestor at another', rule('OA-SIG-03'), async ({ transfers, target }) => {
  await transfers.sendAccepted();
  const { main, second } = target.gateway!.requestors;
  // The key may be registered for either.
  const other = second!.id === target.gateway!.oauth!.requestor ? main : second!;
  expect((await transfers.send({ requestor: other.id })).reply).toBeKeptOut();
  // Of which a number of 32 bits holds the right one.
  const beyond = Number(target.gateway!.oauth!.requestor) + 2 ** 32;
  expect((await transfers.send({ requestor: beyond })).reply, 'an id beyond 32 bits').not.toAnswer(200);
  const { allowlisted } = target.gateway!.requestors;
  const consumerKey = allowlisted?.consumerKey;
  if (consumerKey === undefined || allowlisted?.id === target.gateway!.oauth!.requestor) return;
  if (consumerKey !== transfers.consumerKey) expect((await transfers.send({ consumerKey })).reply).toBeKeptOut();
});

test('refuses credentials for one host at another', rule('OA-SIG-04'), async ({ transfers, target }) => {
  await transfers.sendAccepted();
  const { elsewhere } = target.gateway!.requestors;
  expect((await transfers.send({ address: elsewhere!.address! })).reply).toBeKeptOut();
});

test('takes SHA256withRSA and no other digest', rule('OA-SIG-05'), async ({ transfers, target }) => {
  await transfers.sendAccepted();
  const { privateKey, passphrase } = target.gateway!.oauth!;
  const key = loadKey(privateKey, passphrase);
  for (const digest of ['RSA-SHA1', 'RSA-SHA384', 'RSA-SHA512']) {
    let text = '';
    const alter: StepAlterations = {
      baseString: (right) => {
        text = right;
        return right;
      },
      signature: () => createSign(digest).update(text).sign(key, 'base64'),
    };
    expect((await transfers.send({ alter })).reply, digest).toBeKeptOut();
  }
});

test('takes RSA-SHA256 and no other signature method', rule('OA-SIG-06'), async ({ transfers }) => {
  await transfers.sendAccepted();
  for (const method of ['HMAC-SHA256', 'HMAC-SHA1', 'RSA-SHA1', 'RSA-SHA512', 'PLAINTEXT', 'rsa-sha256']) {
    const { reply } = await transfers.send({
      alter: { parameters: havingParameter('oauth_signature_method', method) },
    });
    expect(reply, method).toBeKeptOut();
  }
});

test('hashes the bytes of the body as they were sent', rule('OA-SIG-07'), async ({ transfers }) => {
  const spaced = (right: string) => ` ${JSON.stringify(JSON.parse(right), null, '\t')}\r\n`;
  const turned = (right: string) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(right) as object).reverse()), null, 1);
  const escaped = (right: string) => right.replace(/[a-z]/, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
  for (const body of [spaced, turned, escaped]) await transfers.sendAccepted({ body });
  for (const body of [spaced, turned, escaped]) {
    const change: TransferChange = { body: (right) => JSON.stringify(JSON.parse(body(right))), sent: body };
    expect((await transfers.send(change)).reply, body.name).toBeKeptOut();
  }
  // Whether such a member or such a length is taken is open; what is wrong with it is not its signature.
  const accented = (right: string) => JSON.stringify({ note: 'é–ü😀', ...JSON.parse(right) });
  const long = (right: string) => right + ' '.repeat(20_000);
  const marked = (right: string) => `\uFEFF${right}`;
  const empty = () => '';
  const inHex = (right: string) => Buffer.from(right, 'base64').toString('hex');
  expect((await transfers.send({ alter: { bodyHash: inHex } })).reply, 'in hex').toBeKeptOut();
  for (const body of [accented, long, marked, empty])
    expect((await transfers.send({ body })).reply, body.name).not.toAnswer(401);
});

test('takes a nonce of its own with every request', rule('OA-SIG-08'), async ({ transfers }, info) => {
  await transfers.sendAccepted();
  const { request, header } = await transfers.sendAccepted();
  // Whether one may be used again is not said; what happens is put on record.
  const again = await transfers.send({ body: () => String(request.body), header: () => header });
  info.annotations.push({ type: 'observed', description: `a nonce used again: status ${again.reply.status}` });
});

test('takes a nonce of any make', rule('OA-SIG-08'), async ({ transfers }) => {
  await transfers.sendAccepted();
  const inHex = (right: string) => Buffer.from(right).toString('hex').slice(-32);
  const inFigures = (right: string) => String(BigInt(`0x${inHex(right)}`)).slice(0, 18);
  // With all that has to be encoded of base64, whatever is drawn.
  const inBase64 = (right: string) => `+/${Buffer.from(right).toString('base64')}==`;
  for (const nonce of [inHex, inFigures, inBase64])
    await transfers.sendAccepted({ alter: { parameters: havingParameter('oauth_nonce', nonce) } });
});

test('tells nonces apart that differ in their last letter alone', rule('OA-SIG-08'), async ({ transfers }) => {
  await transfers.sendAccepted();
  let start: string | undefined;
  for (const end of ['a', 'b', 'B']) {
    const nonce = (right: string) => {
      start ??= Buffer.from(right).toString('hex').slice(-31);
      return start + end;
    };
    await transfers.sendAccepted({ alter: { parameters: havingParameter('oauth_nonce', nonce) } });
  }
});

for (const count of [2, 5])
  test(
    `takes ${count} transfers at once that were signed in the same second`,
    rule('OA-SIG-08'),
    async ({ transfers, together }) => {
      const readTime = await transfers.findSigningTime();
      const now = String(Math.floor((await readTime()) / 1000));
      const alter = { parameters: havingParameter('oauth_timestamp', now) };
      await together(Array.from({ length: count }, () => () => transfers.sendAccepted({ alter })));
    },
  );

test('takes the time in whole seconds', rule('OA-SIG-09'), async ({ transfers }, info) => {
  await transfers.sendAccepted();
  const readTime = await transfers.findSigningTime();
  const now = Math.floor((await readTime()) / 1000);
  // How old or how far ahead it may be is not said either.
  for (const shift of [-86_400, -600, 600]) {
    const { reply } = await transfers.send({
      alter: { parameters: havingParameter('oauth_timestamp', String(now + shift)) },
    });
    info.annotations.push({ type: 'observed', description: `a time off by ${shift} s: status ${reply.status}` });
  }
});

test('takes version 1.0', rule('OA-SIG-10'), async ({ transfers }) => {
  await transfers.sendAccepted({ alter: { parameters: havingParameter('oauth_version', '1.0') } });
});

test('sorts the parameters by name', rule('OA-SIG-11'), async ({ transfers }) => {
  await transfers.sendAccepted({ query: SCATTERED });
  const reversed = (right: string) => right.split('&').reverse().join('&');
  const asArrived = (right: string) => {
    const [own, query] = [right.split('&').filter((one) => one.startsWith('oauth_')), SCATTERED.split('&')];
    return [...own, ...query].join('&');
  };
  for (const parameterString of [reversed, asArrived]) {
    const { reply } = await transfers.send({ alter: { parameterString }, query: SCATTERED });
    expect(reply, parameterString.name).toBeKeptOut();
  }
  // Those of one name go by their values, which are text (RFC 5849 section 3.4.1.3.2).
  await transfers.sendAccepted({ query: 'a=10&a=9' });
});

test('encodes all but the unreserved characters', rule('OA-SIG-12'), async ({ transfers }) => {
  await transfers.sendAccepted({ query: `note=${percentEncode(ODD)}` });
  // The same, as far as a URL may hold it unencoded.
  await transfers.sendAccepted({ query: "note=*~!'()-._" });
  const slips: readonly ((right: string) => string)[] = [
    (right) => right.replaceAll('%2A', '*'),
    (right) => right.replaceAll('%20', '+'),
    (right) => right.replaceAll('%2F', '/'),
    (right) => right.replaceAll('~', '%7E'),
    (right) => right.replace(/%(?:21|27|28|29)/g, (code) => decodeURIComponent(code)),
    (right) => right.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
  ];
  for (const parameterString of slips) {
    const { reply } = await transfers.send({ alter: { parameterString }, query: `note=${percentEncode(ODD)}` });
    expect(reply, String(parameterString)).toBeKeptOut();
  }
});

test('joins the parameters with ampersands', rule('OA-SIG-13'), async ({ transfers }) => {
  await transfers.sendAccepted();
  const { reply } = await transfers.send({ alter: { parameterString: (right) => right.replaceAll('&', ',') } });
  expect(reply).toBeKeptOut();
});

test('counts every query parameter among the signed ones', rule('OA-SIG-14'), async ({ transfers }) => {
  await transfers.sendAccepted();
  for (const query of [
    'b=2',
    'b=2&a=x%20y',
    'a=1&a=2',
    'a=2&a=1',
    'a=1&a=1',
    'a=',
    'a&b=2',
    'a=b=c',
    'a=%c3%a9%7e',
    SCATTERED,
  ]) {
    await transfers.sendAccepted({ query });
    expect((await transfers.send({ alter: { query: () => [] }, query })).reply, query).toBeKeptOut();
  }
});

test('takes any query that is signed', rule('OA-SIG-14'), async ({ transfers }, info) => {
  const text = (least: number) =>
    fc.string({ unit: fc.constantFrom(..."aZ09-._~ *!'()/=&%+é"), minLength: least, maxLength: 6 });
  const name = fc.oneof(fc.constantFrom('a', 'A', 'a1', 'p', 'z'), text(1));
  const pairs = fc.array(fc.tuple(name, text(0)), { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(pairs, async (drawn) => {
    await transfers.sendAccepted({ query: drawn.map((pair) => pair.map(percentEncode).join('=')).join('&') });
  });
  await assertProperty(info, 'a transfer with a query is accepted when the query is signed', property, { runs: 10 });
});

test('puts method, address and parameters together, each encoded', rule('OA-SIG-15'), async ({ transfers }) => {
  await transfers.sendAccepted({ query: 'a=%2525' });
  const inSmall = (right: string) => right.replace('POST', 'post');
  const unencoded = (right: string) => right.split('&').map(decodeURIComponent).join('&');
  for (const baseString of [inSmall, unencoded]) {
    expect((await transfers.send({ alter: { baseString } })).reply, baseString.name).toBeKeptOut();
  }
});

test('writes scheme and authority of the address in lower case', rule('OA-SIG-16'), async ({ transfers, target }) => {
  const { address, alias } = target.gateway!;
  const { host, hostname, port } = new URL(address);
  await transfers.sendAccepted();
  // An address in figures has no case; this machine has a name as well.
  const named = /^127\./.test(hostname) ? `LocalHost${port && ':'}${port}` : host;
  const raisedHost = alias?.toUpperCase() ?? (named === host ? host.toUpperCase() : named);
  const isTried = /[a-z]/i.test(raisedHost) && (await transfers.sendAcceptedToHost(raisedHost));
  const raised = (right: string) => right.replace(/^[^/]*\/\/[^/]*/, (origin) => origin.toUpperCase());
  expect((await transfers.send({ alter: { baseUri: raised } })).reply).toBeKeptOut();
  if (!isTried)
    throw new UnofferedError('capability', 'the service goes by no host in letters; gateway.alias would name one');
});

test('leaves out the port of the scheme and no other', rule('OA-SIG-17'), async ({ transfers, target, recorder }) => {
  const { protocol, hostname, port } = new URL(target.gateway!.address);
  const standard = protocol === 'https:' ? 443 : 80;
  await transfers.sendAccepted();
  const followed = [];
  for (const host of [hostname, `${hostname}:${standard}`, `${hostname}:8444`])
    followed.push(await transfers.sendAcceptedToHost(host));
  if (!followed.includes(true)) recorder.leaveOut('the gateway does not go by the name that a request calls it by');
  const changed = (right: string) =>
    right.replace(`${hostname}${port && `:${port}`}`, port ? hostname : `${hostname}:${standard}`);
  expect((await transfers.send({ alter: { baseUri: changed } })).reply).toBeKeptOut();
});

test('takes the path of the address as it was sent', rule('OA-SIG-18'), async ({ transfers }) => {
  await transfers.sendAccepted();
  const slips: readonly ((right: string) => string)[] = [
    (right) => `${right}/`,
    (right) => right.replace('/api/', '/'),
    (right) => right.replace('/payments/', '/Payments/'),
  ];
  for (const baseUri of slips) {
    expect((await transfers.send({ alter: { baseUri } })).reply, String(baseUri)).toBeKeptOut();
  }
});

test('leaves the query out of the address', rule('OA-SIG-19'), async ({ transfers }) => {
  await transfers.sendAccepted();
  await transfers.sendAccepted({ query: 'a=1' });
  for (const tail of ['?a=1', '?']) {
    const change: TransferChange = { alter: { baseUri: (right) => right + tail }, query: 'a=1' };
    expect((await transfers.send(change)).reply, tail).toBeKeptOut();
  }
});

test('goes by the address that was called', rule('OA-SIG-20'), async ({ transfers }) => {
  await transfers.sendAccepted();
  const elsewhere = (right: string) => right.replace(/^[^/]*\/\/[^/]*/, 'https://gateway.invalid');
  expect((await transfers.send({ alter: { baseUri: elsewhere } })).reply).toBeKeptOut();
});

test('reads the signature as base64', rule('OA-SIG-21'), async ({ transfers }) => {
  await transfers.sendAccepted();
  const inHex = (right: string) => Buffer.from(right, 'base64').toString('hex');
  expect((await transfers.send({ alter: { signature: inHex } })).reply).toBeKeptOut();
});

test('takes the seven parameters quoted, with commas between', rule('OA-SIG-22'), async ({ transfers }) => {
  await transfers.sendAccepted({ header: (right) => right.replaceAll(/",\s*/g, '",') });
  await transfers.sendAccepted({ header: (right) => right.replaceAll(/",\s*/g, '", ') });
});

test('takes the seven parameters in any order', rule('OA-SIG-22'), async ({ transfers }) => {
  const pairs = (right: string) => right.replace('OAuth ', '').split(/,\s*/).sort();
  await transfers.sendAccepted({ header: (right) => `OAuth ${pairs(right).join(', ')}` });
  await transfers.sendAccepted({ header: (right) => `OAuth ${pairs(right).reverse().join(', ')}` });
});

test('takes no transfer that is not signed', rule('OA-SIG-22'), async ({ transfers }) => {
  await transfers.sendAccepted();
  for (const header of [withoutParameter('oauth_signature'), havingParameter('oauth_signature', '')])
    expect((await transfers.send({ alter: { header } })).reply).toBeKeptOut();
});

test('takes percent-encoded values in the header', rule('OA-SIG-23'), async ({ transfers }) => {
  await transfers.sendAccepted({ style: 'encoded' });
  // An escape says the same in small letters (RFC 3986 section 2.1).
  const inSmall = (right: string) => right.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  await transfers.sendAccepted({ style: 'encoded', header: inSmall });
  // Of what looks like an escape itself, only the outer one is to be undone.
  const nonce = (right: string) => `${Buffer.from(right).toString('hex').slice(-31)}%41`;
  await transfers.sendAccepted({ style: 'encoded', alter: { parameters: havingParameter('oauth_nonce', nonce) } });
});

test('takes raw base64 in the header', rule('OA-SIG-24'), async ({ transfers }) => {
  // Plus signs, slashes and equals signs are what could be misread; three signatures have them all.
  for (let times = 0; times < 3; times += 1) await transfers.sendAccepted({ style: 'raw' });
});
