import { createHash } from 'node:crypto';
import {
  type ApiReply,
  BROKEN_SIGNATURE,
  expect,
  type GatewayClient,
  mixCalls,
  PromiseFinding,
  REFUSED_TRANSFERS,
  readRefusalContext,
  requireSeenAddress,
  requireTargetLine,
  rule,
  type SentTransfer,
  type SignedTransfers,
  type Target,
  type TransferChange,
  test,
} from '#harness';
import { havingParameter, localiseDifference, SIGNED_PARAMETERS, withoutParameter, writeBaseString } from '#oauth';
import { testSigner } from './support/test-keys.ts';

/** Requests whose signature does not verify, each for one reason. */
const UNVERIFIABLE: Readonly<Record<string, TransferChange>> = {
  'a changed signature': BROKEN_SIGNATURE,
  "a stranger's key": { key: testSigner.key },
  'another method': { method: 'GET' },
  // A nonce that was used and a time long past may be refused for what they are, with codes that are not shown.
  'another nonce': { alter: { header: havingParameter('oauth_nonce', (right) => right.replace(/.$/, otherThan)) } },
  'another time': { alter: { header: havingParameter('oauth_timestamp', (right) => String(Number(right) + 1)) } },
  'another address': { alter: { baseUri: (right) => right.replace('/transfer/', '/sale/') } },
  'a query that was not signed': { query: 'a=1', alter: { query: () => [] } },
  'a query that is not there': { alter: { query: () => [['a', '1']] } },
};

/**
 * Sends a transfer that is to be refused, and the very same request once more. What is told then is open: its nonce may count as used.
 * @returns the first answer
 */
async function sendTwice(transfers: SignedTransfers, change: TransferChange, what?: string): Promise<ApiReply> {
  const { reply, resend } = await transfers.send(change);
  expect(await resend(), what).not.toAnswer(200);
  return reply;
}

test('answers 400 and -6 to a transfer without Authorization header', rule('OA-ERR-01'), async ({ transfers }) => {
  expect(await sendTwice(transfers, { header: () => undefined })).toBeError(400, -6);
});

test('answers 400 and -7 to another scheme than OAuth', rule('OA-ERR-02'), async ({ transfers, gateway }) => {
  const headers: readonly ((right: string) => string)[] = [
    () => `Bearer ${gateway.requestor.token}`,
    (right) => right.replace('OAuth ', 'Basic '),
    (right) => right.replace('OAuth ', 'OAuth'),
  ];
  for (const header of headers) {
    expect(await sendTwice(transfers, { header }, String(header)), String(header)).toBeError(400, -7);
  }
});

test('opens no transfer to the access token of its requestor', rule('OA-ERR-02'), async ({ transfers, target }) => {
  const { elsewhere: _, allowlisted: __, ...requestors } = target.gateway!.requestors;
  for (const [name, one] of Object.entries(requestors)) {
    if (one === undefined) continue;
    const { reply } = await transfers.send({ requestor: one.id, header: () => `Bearer ${one.token}` });
    // Which requestors may transfer at all is not said, so neither is how another is refused.
    if (one.id === target.gateway!.oauth!.requestor) expect(reply, name).toBeError(400, -7);
    else expect(reply, name).not.toAnswer(200);
  }
});

test('answers 400 and -18 to a transfer that lacks one of the six', rule('OA-ERR-03'), async ({ transfers }) => {
  for (const name of SIGNED_PARAMETERS) {
    const reply = await sendTwice(transfers, { alter: { parameters: withoutParameter(name) } }, name);
    expect(reply, name).toBeError(400, -18);
  }
});

test('names the one parameter that is missing', rule('OA-ERR-09'), async ({ transfers }) => {
  for (const name of SIGNED_PARAMETERS) {
    const { reply } = await transfers.send({ alter: { parameters: withoutParameter(name) } });
    const told = JSON.stringify(reply.object.invalidParams) ?? '';
    expect({ missing: name, named: SIGNED_PARAMETERS.filter((one) => told.includes(one)) }).toEqual({
      missing: name,
      named: [name],
    });
  }
});

test('answers 401 and -19 to another body than was hashed', rule('OA-ERR-04'), async ({ transfers }) => {
  const changes: Readonly<Record<string, TransferChange>> = {
    'written anew': { sent: (hashed) => JSON.stringify(JSON.parse(hashed), null, 2) },
    'one byte more': { sent: (hashed) => `${hashed}\n` },
    'one byte in front': { sent: (hashed) => `\n${hashed}` },
    'one more member': { sent: (hashed) => hashed.replace('{', '{"added":1,') },
    'the hash of nothing': { alter: { bodyHash: () => '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' } },
    'a hash that begins alike': { alter: { bodyHash: (right) => right.replace(/(?<=^.{40})./, otherThan) } },
    'a hash with a letter in the other case': { alter: { bodyHash: (right) => right.replace(/[a-z]/i, inOtherCase) } },
  };
  for (const [name, change] of Object.entries(changes))
    expect(await sendTwice(transfers, change, name), name).toBeError(401, -19);
  const { steps } = await transfers.sendAccepted();
  const ofEarlier = await transfers.send({ alter: { bodyHash: () => steps.bodyHash } });
  expect(ofEarlier.reply, 'the hash of an earlier body').toBeError(401, -19);
  // The draft that the header is extended by has it made by SHA-1.
  let hashed = '';
  const body = (right: string) => {
    hashed = right;
    return right;
  };
  const bodyHash = () => createHash('sha1').update(hashed).digest('base64');
  expect((await transfers.send({ body, alter: { bodyHash } })).reply, 'a hash by SHA-1').toBeError(401, -19);
});

test('answers 401 and -13 to a signature that does not verify', rule('OA-ERR-05'), async ({ transfers }) => {
  for (const [name, change] of Object.entries(UNVERIFIABLE))
    expect(await sendTwice(transfers, change, name), name).toBeError(401, -13);
});

test(
  'tells a transfer from others that come at once and are wrong',
  rule('OA-ERR-04', 'OA-ERR-05'),
  async ({ transfers, together }) => {
    await transfers.sendAccepted();
    for (const [promise, change, code] of [
      ['OA-ERR-04', { sent: (hashed: string) => `${hashed}\n` }, -19],
      ['OA-ERR-05', BROKEN_SIGNATURE, -13],
    ] as const) {
      const { others } = await mixCalls(
        together,
        () => transfers.send(),
        () => transfers.send(change),
      );
      for (const { reply } of others) expect(reply, promise).toBeError(401, code);
    }
  },
);

test(
  'carries out no transfer that it refuses',
  rule(...REFUSED_TRANSFERS.map(({ promise }) => promise)),
  async ({ transfers, gateway, target }) => {
    const { oauth, requestors } = target.gateway!;
    const signing = Object.values(requestors).find((one) => one.id === oauth!.requestor);
    test.skip(
      signing === undefined && !target.offers.has('requestor.allowlist'),
      'of no requestor that signs transfers is the token known, or what address it has to come from',
    );
    const { id, token } = signing ?? requestors.allowlisted!;
    const right: TransferChange = signing ? {} : await allowedTransfer(gateway, target);
    for (const { promise, status, change } of REFUSED_TRANSFERS) {
      const { reply, request, resend } = await transfers.send({ ...right, ...change });
      expect(reply, promise).toBeError(status);
      await resend();
      await gateway.sleepPollGap();
      const [, orderMerchantId] = /"orderMerchantId":"([^"]+)"/.exec(String(request.body)) ?? [];
      const asked = { path: { requestorId: id }, token, headers: right.headers ?? {} };
      const found = await gateway.send('status', { ...asked, body: { orderMerchantId } });
      expect(found.status === 200 ? (found.object.transactions ?? []) : [], promise).toEqual([]);
    }
  },
);

test('takes no signature again for a request that it was not made for', rule('OA-ERR-05'), async ({ transfers }) => {
  const { header, request } = await transfers.sendAccepted();
  const others: Readonly<Record<string, string>> = {
    'another nonce': header.replace(/(?<=oauth_nonce="[^"]*).(?=")/, otherThan),
    'another time': header.replace(/(?<=oauth_timestamp="[^"]*).(?=")/, (digit) => String((Number(digit) + 1) % 10)),
  };
  for (const [name, other] of Object.entries(others)) {
    const { reply } = await transfers.send({ body: () => String(request.body), header: () => other });
    // Whether all this came before may be looked at first, and the answer to that is not shown.
    expect(reply.status, name).not.toBe(200);
  }
});

test('shows the base string that it made of what it received', rule('OA-ERR-06'), async ({ transfers }) => {
  for (const change of [BROKEN_SIGNATURE, { ...BROKEN_SIGNATURE, query: 'b=2&a=x%20y&a=*' }]) {
    const { parts, sent } = shown(await transfers.send(change));
    const { baseUrl = '', paramString = '', signatureBaseString } = parts;
    if (signatureBaseString !== writeBaseString('POST', baseUrl, paramString))
      throw new PromiseFinding('a base string made of the baseUrl and paramString beside it', 'another one');
    const difference = localiseDifference(sent.steps, { paramString });
    if (difference !== undefined) throw new PromiseFinding('the parameter string of the request', difference.why);
  }
});

test('shows the address as it was called', rule('OA-ERR-07'), async ({ transfers }) => {
  for (const change of [BROKEN_SIGNATURE, { ...BROKEN_SIGNATURE, query: 'a=1' }]) {
    const { parts, sent } = shown(await transfers.send(change));
    expect(parts.baseUrl).toBe(sent.steps.baseUri);
  }
});

test('shows address, parameters and base string with a -13', rule('OA-ERR-10'), async ({ transfers }) => {
  for (const name of ['a changed signature', 'another method', 'a query that was not signed']) {
    const { reply } = await transfers.send(UNVERIFIABLE[name]);
    expect(reply, name).toBeError(401, -13);
    expect(Object.keys(readRefusalContext(reply)).sort(), name).toEqual([
      'baseUrl',
      'paramString',
      'signatureBaseString',
    ]);
  }
});

/** What a transfer of the requestor behind the allowlist has that others do not. */
async function behindAllowlist(gateway: GatewayClient, target: Target, header: 'x-forwarded-for' | 'x-real-ip') {
  const { oauth, requestors } = target.gateway!;
  const { id, allowed, refused, consumerKey: own } = requestors.allowlisted!;
  await requireSeenAddress(gateway, requestors.allowlisted!, header);
  const consumerKey = requireTargetLine(
    own ?? (id === oauth!.requestor ? oauth!.consumerKey : undefined),
    'gateway.requestors.allowlisted.consumerKey',
  );
  const from = (address: string): TransferChange => ({ requestor: id, consumerKey, headers: { [header]: address } });
  return { from, allowed: allowed!, refused: refused! };
}

/** What is different about a transfer of the requestor behind the allowlist that comes from an allowed address. */
async function allowedTransfer(gateway: GatewayClient, target: Target): Promise<TransferChange> {
  const { from, allowed } = await behindAllowlist(gateway, target, 'x-forwarded-for');
  return from(allowed);
}

test(
  "refuses a transfer from outside of the requestor's allowlist",
  rule('OA-ERR-08'),
  async ({ transfers, gateway, target }) => {
    const { from, allowed, refused } = await behindAllowlist(gateway, target, 'x-forwarded-for');
    for (const address of [allowed, `10.1.2.3, ${allowed}`]) await transfers.sendAccepted(from(address));
    for (const address of [
      refused,
      `${refused}, ${allowed}`,
      `10.1.2.3, ${refused}`,
      `192.168.7.7, ${refused}, ${allowed}`,
    ])
      expect(await sendTwice(transfers, from(address), address), address).toBeError(401, -20);
  },
);

test(
  'goes by X-Real-IP where nothing of a transfer is forwarded',
  rule('OA-ERR-08'),
  async ({ transfers, gateway, target }) => {
    const { from, allowed, refused } = await behindAllowlist(gateway, target, 'x-real-ip');
    await transfers.sendAccepted(from(allowed));
    expect((await transfers.send(from(refused))).reply).toBeError(401, -20);
  },
);

test(
  'holds a transfer from an allowed address against its signature and its hash, too',
  rule('OA-ERR-04', 'OA-ERR-05', { needs: ['requestor.allowlist'] }),
  async ({ transfers, gateway, target }) => {
    const { from, allowed } = await behindAllowlist(gateway, target, 'x-forwarded-for');
    await transfers.sendAccepted(from(allowed));
    const sent = (hashed: string) => `${hashed}\n`;
    expect((await transfers.send({ ...from(allowed), sent })).reply, 'OA-ERR-04').toBeError(401, -19);
    expect((await transfers.send({ ...from(allowed), ...BROKEN_SIGNATURE })).reply, 'OA-ERR-05').toBeError(401, -13);
  },
);

function inOtherCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function otherThan(one: string): string {
  return one === 'a' ? 'b' : 'a';
}

/** What a -13 shows. @throws Finding when the answer is none */
function shown(sent: SentTransfer) {
  expect(sent.reply).toBeError(401, -13);
  return { parts: readRefusalContext(sent.reply), sent };
}
