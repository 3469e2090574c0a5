import {
  type BearerRequests,
  expect,
  type GatewayClient,
  ISSUER_STEPS,
  mixCalls,
  requireSeenAddress,
  rule,
  type Target,
  test,
} from '#harness';

const REFUSED = 'Bad client ip address';

/** A request of the requestor behind the allowlist that pays nothing, as seen through proxies that say these addresses. */
function from(
  gateway: GatewayClient,
  one: { id: number; token: string },
  headers: Readonly<Record<string, string>>,
  operation: 'status' | 'sale' | 'auth' = 'status',
) {
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  return gateway.send(operation, { path: { requestorId: one.id }, token: one.token, body, headers });
}

type HeaderFields = Readonly<Record<string, string>>;

/** Sends one request of each operation as the requestor behind the allowlist: a right one, unless something of it is changed. */
async function* sendEach(
  refusals: BearerRequests,
  target: Target,
  headers: HeaderFields,
  change: () => { readonly body?: object } = () => ({}),
) {
  const { id, token } = target.gateway!.requestors.allowlisted!;
  for await (const one of refusals.ofSubject('requestor')) {
    const reply = await refusals.send(one, { path: { requestorId: id }, token, headers, ...change() });
    yield { operation: one.operation, reply };
  }
}

test.beforeEach(async ({ gateway, target }) => {
  const one = target.gateway!.requestors.allowlisted!;
  await requireSeenAddress(gateway, one, 'x-forwarded-for');
});

test(
  'takes a request from an allowed address, on every operation',
  rule('GW-ADR-01'),
  async ({ gateway, refusals, target }) => {
    const headers = { 'x-forwarded-for': target.gateway!.requestors.allowlisted!.allowed! };
    // Each names an order that there is not, so that nothing is done.
    const unknown = () => ({ body: { orderMerchantId: gateway.paymentBody().merchantId } });
    for await (const { operation, reply } of sendEach(refusals, target, headers, unknown))
      expect(reply, operation).not.toAnswer(401);
  },
);

test(
  'refuses a request from any other address, on every operation',
  rule('GW-ADR-02'),
  async ({ refusals, target }) => {
    const headers = { 'x-forwarded-for': target.gateway!.requestors.allowlisted!.refused! };
    for await (const { operation, reply } of sendEach(refusals, target, headers))
      expect(reply, operation).toBeError(401, -20, REFUSED);
  },
);

for (const { card, forward } of ISSUER_STEPS)
  test(
    `takes no ${forward === 'threeDSCRes' ? 'CRes' : 'PaRes'} from any other address`,
    rule('GW-ADR-02', { needs: [card, 'browser'] }),
    async ({ requests, issuer, target }) => {
      const one = target.gateway!.requestors.allowlisted!;
      const reply = await requests.send(await requests.ofIssuer(forward, issuer), {
        path: { requestorId: one.id },
        token: one.token,
        headers: { 'x-forwarded-for': one.refused! },
      });
      expect(reply).toBeError(401, -20, REFUSED);
    },
  );

test('carries out nothing that comes from another address', rule('GW-ADR-02'), async ({ gateway, target }) => {
  const one = target.gateway!.requestors.allowlisted!;
  const { body, merchantId: orderMerchantId } = gateway.preparePayment('sale', { requestor: one });
  const sent = { path: { requestorId: one.id }, token: one.token };
  expect(await gateway.send('sale', { ...sent, body, headers: { 'x-forwarded-for': one.refused! } })).toAnswer(401);
  await gateway.sleepPollGap();
  const headers = { 'x-forwarded-for': one.allowed! };
  const found = await gateway.send('status', { ...sent, body: { orderMerchantId }, headers });
  expect(found.status === 200 ? (found.object.transactions ?? []) : []).toEqual([]);
});

test(
  'tells any other address from an allowed one from which a request comes at once',
  rule('GW-ADR-02', 'GW-ADR-01'),
  async ({ gateway, together, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    const ask = (address: string) => () => from(gateway, one, { 'x-forwarded-for': address });
    const { ones, others } = await mixCalls(together, ask(one.allowed!), ask(one.refused!));
    for (const reply of others) expect(reply, 'GW-ADR-02').toBeError(401, -20, REFUSED);
    for (const reply of ones) expect(reply, 'GW-ADR-01').not.toAnswer(401);
  },
);

test('goes by no other header of an intermediary', rule('GW-ADR-02'), async ({ gateway, target }) => {
  const one = target.gateway!.requestors.allowlisted!;
  for (const name of ['forwarded', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']) {
    const value = name === 'forwarded' ? `for=${one.allowed}` : one.allowed!;
    const reply = await from(gateway, one, { 'x-forwarded-for': one.refused!, [name]: value });
    expect(reply, name).toBeError(401, -20, REFUSED);
  }
});

/** Sends right requests of the requestor behind the allowlist, one of each operation, from an address that is not on it. */
async function expectRefused(refusals: BearerRequests, target: Target, headers: HeaderFields) {
  for await (const { operation, reply } of sendEach(refusals, target, headers))
    expect(reply, operation).toBeError(401, -20);
}

test(
  'goes by the first of several public entries, on every operation',
  rule('GW-ADR-03'),
  async ({ gateway, refusals, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    const forwarded = { 'x-forwarded-for': `${one.allowed}, ${one.refused}` };
    for (const operation of ['status', 'sale', 'auth'] as const)
      expect(await from(gateway, one, forwarded, operation), operation).not.toAnswer(401);
    await expectRefused(refusals, target, { 'x-forwarded-for': `${one.refused}, ${one.allowed}` });
  },
);

test(
  'passes over a private entry in front of the first public one, on every operation',
  rule('GW-ADR-04'),
  async ({ gateway, refusals, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    for (const operation of ['sale', 'auth'] as const) {
      const reply = await from(gateway, one, { 'x-forwarded-for': `10.1.2.3, ${one.allowed}` }, operation);
      expect(reply, operation).not.toAnswer(401);
    }
    await expectRefused(refusals, target, { 'x-forwarded-for': `10.1.2.3, ${one.refused}` });
  },
);

test('passes over private entries in front of the first public one', rule('GW-ADR-04'), async ({ gateway, target }) => {
  const one = target.gateway!.requestors.allowlisted!;
  for (const before of ['10.1.2.3', '127.0.0.1', '192.168.7.7, 10.0.0.1', '172.16.0.9, 172.31.255.9, 192.168.0.1']) {
    expect(await from(gateway, one, { 'x-forwarded-for': `${before}, ${one.allowed}` }), before).not.toAnswer(401);
    expect(await from(gateway, one, { 'x-forwarded-for': `${before}, ${one.refused}` }), before).toBeError(401, -20);
  }
  // What parts the entries of a list need not have a blank behind it (RFC 9110, 5.6.1).
  expect(await from(gateway, one, { 'x-forwarded-for': `10.1.2.3,${one.allowed}` })).not.toAnswer(401);
  expect(await from(gateway, one, { 'x-forwarded-for': `10.1.2.3,${one.refused}` })).toBeError(401, -20);
  // Right beside the private ranges.
  for (const before of ['172.32.0.1', '192.169.0.1'])
    expect(await from(gateway, one, { 'x-forwarded-for': `${before}, ${one.allowed}` }), before).toBeError(401, -20);
});

test(
  'falls back to X-Real-IP where nothing is forwarded, on every operation',
  rule('GW-ADR-05'),
  async ({ gateway, refusals, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    await requireSeenAddress(gateway, one, 'x-real-ip');
    for (const operation of ['status', 'sale', 'auth'] as const)
      expect(await from(gateway, one, { 'x-real-ip': one.allowed! }, operation), operation).not.toAnswer(401);
    await expectRefused(refusals, target, { 'x-real-ip': one.refused! });
  },
);

test(
  'prefers a forwarded public entry to X-Real-IP, on every operation',
  rule('GW-ADR-06'),
  async ({ gateway, refusals, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    expect(await from(gateway, one, { 'x-forwarded-for': one.allowed!, 'x-real-ip': one.refused! })).not.toAnswer(401);
    await expectRefused(refusals, target, { 'x-forwarded-for': one.refused!, 'x-real-ip': one.allowed! });
  },
);
