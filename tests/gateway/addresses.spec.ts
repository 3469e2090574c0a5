import {
  type ApiReply,
  expect,
  type GatewayClient,
  type GatewayFixtures,
  ISSUER_STEPS,
  mixCalls,
  requireSeenAddress,
  rule,
  type Target,
  test,
  twice,
} from '#harness';
import { expectNothingPaid } from './support/nothing-done.ts';

const REFUSED = 'Bad client ip address';

type HeaderFields = Readonly<Record<string, string>>;

/** A request of the requestor behind the allowlist that pays nothing, as seen through proxies that say these addresses. */
function from(gateway: GatewayClient, one: { id: number; token: string }, headers: HeaderFields) {
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  return gateway.send('status', { path: { requestorId: one.id }, token: one.token, body, headers });
}

type Means = Pick<GatewayFixtures, 'gateway' | 'refusals'> & { readonly target: Target };

/** One request of each operation as the requestor behind the allowlist: a right one, unless something of it is changed. */
async function* prepareEach(
  { refusals, target }: Omit<Means, 'gateway'>,
  headers: HeaderFields,
  change: () => { readonly body?: object } = () => ({}),
) {
  const { id, token } = target.gateway!.requestors.allowlisted!;
  for await (const one of refusals.ofSubject('requestor')) {
    const changes = { path: { requestorId: id }, token, headers, ...change() };
    yield { operation: one.operation, send: () => refusals.send(one, changes) };
  }
}

/** Sends requests of the requestor behind the allowlist, one of each operation, from an address on it: each names an order that there is not, so that nothing is done. */
async function expectTaken(means: Means, headers: HeaderFields) {
  const unknown = () => ({ body: { orderMerchantId: means.gateway.paymentBody().merchantId } });
  for await (const { operation, send } of prepareEach(means, headers, unknown))
    expect(await send(), operation).not.toAnswer(401);
}

/** Sends right requests of the requestor behind the allowlist, one of each operation, from an address that is not on it. */
async function expectRefused(means: Omit<Means, 'gateway'>, headers: HeaderFields, message?: string) {
  for await (const { operation, send } of prepareEach(means, headers))
    await twice(async () => expect(await send(), operation).toBeError(401, -20, message));
}

test.beforeEach(async ({ gateway, target }) => {
  const one = target.gateway!.requestors.allowlisted!;
  await requireSeenAddress(gateway, one, 'x-forwarded-for');
});

test(
  'takes a request from an allowed address, on every operation',
  rule('GW-ADR-01'),
  async ({ gateway, refusals, target }) => {
    const { allowed } = target.gateway!.requestors.allowlisted!;
    await expectTaken({ gateway, refusals, target }, { 'x-forwarded-for': allowed! });
  },
);

test(
  'refuses a request from any other address, on every operation',
  rule('GW-ADR-02'),
  async ({ refusals, target }) => {
    const { refused } = target.gateway!.requestors.allowlisted!;
    await expectRefused({ refusals, target }, { 'x-forwarded-for': refused! }, REFUSED);
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
  const changes = { headers: { 'x-forwarded-for': one.refused! } };
  const refusal = {
    changes,
    expectRefused: (reply: ApiReply, operation: string) => expect(reply, operation).toBeError(401, -20, REFUSED),
  };
  await expectNothingPaid(gateway, refusal, one, { headers: { 'x-forwarded-for': one.allowed! } });
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

test(
  'goes by the first of several public entries, on every operation',
  rule('GW-ADR-03'),
  async ({ gateway, refusals, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    await expectTaken({ gateway, refusals, target }, { 'x-forwarded-for': `${one.allowed}, ${one.refused}` });
    await expectRefused({ refusals, target }, { 'x-forwarded-for': `${one.refused}, ${one.allowed}` });
    const behindSix = { 'x-forwarded-for': `2606:4700:4700::1111, ${one.allowed}` };
    expect(await from(gateway, one, behindSix), 'of version 6').toBeError(401, -20);
  },
);

test(
  'passes over private entries in front of the first public one, on every operation',
  rule('GW-ADR-04'),
  async ({ gateway, refusals, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    const behindTwo = { 'x-forwarded-for': `192.168.7.7, 10.1.2.3, ${one.allowed}` };
    await expectTaken({ gateway, refusals, target }, behindTwo);
    await expectRefused({ refusals, target }, { 'x-forwarded-for': `10.1.2.3, ${one.refused}, ${one.allowed}` });
  },
);

test('passes over private entries of each range', rule('GW-ADR-04'), async ({ gateway, target }) => {
  const one = target.gateway!.requestors.allowlisted!;
  for (const before of ['10.1.2.3', '127.0.0.1', '192.168.7.7, 10.0.0.1', '172.16.0.9, 172.31.255.9, 192.168.0.1']) {
    expect(await from(gateway, one, { 'x-forwarded-for': `${before}, ${one.allowed}` }), before).not.toAnswer(401);
    expect(await from(gateway, one, { 'x-forwarded-for': `${before}, ${one.refused}` }), before).toBeError(401, -20);
  }
  // What parts the entries of a list need not have a blank behind it (RFC 9110, 5.6.1).
  expect(await from(gateway, one, { 'x-forwarded-for': `10.1.2.3,${one.allowed}` })).not.toAnswer(401);
  expect(await from(gateway, one, { 'x-forwarded-for': `10.1.2.3,${one.refused}` })).toBeError(401, -20);
  // Right beside the private ranges.
  for (const before of ['172.32.0.1', '192.169.0.1', '172.200.0.1', '104.16.0.1'])
    expect(await from(gateway, one, { 'x-forwarded-for': `${before}, ${one.allowed}` }), before).toBeError(401, -20);
});

test(
  'falls back to X-Real-IP where nothing is forwarded, on every operation',
  rule('GW-ADR-05'),
  async ({ gateway, refusals, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    await requireSeenAddress(gateway, one, 'x-real-ip');
    await expectTaken({ gateway, refusals, target }, { 'x-real-ip': one.allowed! });
    await expectRefused({ refusals, target }, { 'x-real-ip': one.refused! });
  },
);

test(
  'prefers a forwarded public entry to X-Real-IP, on every operation',
  rule('GW-ADR-06'),
  async ({ gateway, refusals, target }) => {
    const one = target.gateway!.requestors.allowlisted!;
    const allowedOne = { 'x-forwarded-for': one.allowed!, 'x-real-ip': one.refused! };
    await expectTaken({ gateway, refusals, target }, allowedOne);
    await expectRefused({ refusals, target }, { 'x-forwarded-for': one.refused!, 'x-real-ip': one.allowed! });
  },
);
