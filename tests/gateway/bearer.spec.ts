import {
  type ApiReply,
  assertPromise,
  type CommonFixtures,
  expect,
  type GatewayFixtures,
  type GatewayRequestOptions,
  mixCalls,
  rule,
  test,
  twice,
} from '#harness';
import { expectApart, expectErrorForm } from './support/error-form.ts';
import { tokenBesideHeader, withTokenInAddress } from './support/misplaced-token.ts';
import { NOBODY } from './support/nobody.ts';
import { expectNothingDone } from './support/nothing-done.ts';

const NO_HEADER = 'No Authorization header';
const NOT_FOUND = 'Access token not found';
/** Operations whose requests name nothing that belongs to a requestor. */
const OF_ANYBODY: readonly string[] = ['sale', 'auth', 'accountVerification', 'getExchangeRate', 'getCardHistory'];
const NOT_BEARER = "Authorization header should start with 'Bearer '";

test('opens every operation to its token', rule('GW-BEA-01'), async ({ requests }) => {
  for await (const one of requests.all()) {
    const reply = await requests.send(one);
    const refused = reply.status === 401 || (reply.status === 400 && [-6, -7].includes(Number(reply.object.errorCode)));
    assertPromise(!refused, `the right token opens ${one.operation}`, `status ${reply.status}`);
  }
});

test('opens to its token again, whatever was refused before', rule('GW-BEA-01'), async ({ gateway, target }) => {
  const { merchant, requestors } = target.gateway!;
  const { second, elsewhere } = requestors;
  const { token } = gateway.requestor;
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  for (const [what, changes] of Object.entries({
    'no token': { token: null },
    'another token': { token: otherToken(token) },
    'another scheme': { authorization: `Basic ${token}` },
    ...(second && { "another requestor's id": { path: { requestorId: second.id } } }),
    ...(elsewhere && { 'another host': { address: elsewhere.address! } }),
  })) {
    await gateway.send('status', { body, ...changes });
    expect(await gateway.send('status', { body }), `after ${what}`).not.toAnswer(401);
  }
  if (merchant === undefined) return;
  await gateway.send('balanceByMerchantAll', { token: otherToken(merchant.token) });
  expect(await gateway.send('balanceByMerchantAll'), 'after another token at balances').not.toAnswer(401);
});

test('issues access tokens that nobody can read claims from', rule('GW-BEA-02'), async ({ gateway }) => {
  const claims = gateway.requestor.token.split('.').map((part) => {
    try {
      return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
    } catch {
      return undefined;
    }
  });
  expect(claims.some((part) => typeof part === 'object' && part !== null)).toBe(false);
});

test('opens to the same tokens weeks later', rule('GW-BEA-03', { movesClock: true }), async ({ gateway, target }) => {
  const { requestors, merchant } = target.gateway!;
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  let passed = 0;
  for (const days of [0, 20, 20]) {
    await gateway.sleep(days * 86_400);
    passed += days;
    for (const name of ['main', 'second'] as const) {
      const one = requestors[name];
      if (one === undefined) continue;
      const reply = await gateway.send('status', { path: { requestorId: one.id }, token: one.token, body });
      expect(reply, `${name}, after ${passed} days`).not.toAnswer(401);
    }
    if (merchant === undefined) continue;
    expect(await gateway.send('balanceByMerchantAll'), `merchant, after ${passed} days`).not.toAnswer(401);
  }
});

test(
  'opens every operation to its token weeks later',
  rule('GW-BEA-03', { movesClock: true }),
  async ({ gateway, requests }) => {
    await gateway.sleep(40 * 86_400);
    for await (const one of requests.all()) {
      const { status } = await requests.send(one);
      assertPromise(status !== 401, `the token opens ${one.operation} weeks later`, `status ${status}`);
    }
  },
);

test('refuses an unknown token, on every operation', rule('GW-BEA-04'), async ({ refusals }) => {
  for await (const one of refusals.all()) {
    const token = otherToken(one.options.token);
    await twice(async () => expect(await refusals.send(one, { token }), one.operation).toBeError(401, -7, NOT_FOUND));
  }
});

test('refuses a token that is almost right', rule('GW-BEA-04'), async ({ gateway, target }) => {
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  const { merchant } = target.gateway!;
  for (const [operation, token, sent] of [
    ['status', gateway.requestor.token, { body }],
    ...(merchant === undefined ? [] : [['balanceByMerchantAll', merchant.token, {}] as const]),
  ] as const)
    for (const [how, near] of [
      ['without its last character', token.slice(0, -1)],
      ['with one character more', `${token}0`],
      ['with what stands for any letters in SQL', `${token.slice(0, -4)}%`],
      ['with a letter in the other case', token.replace(/[a-z]/i, inOtherCase)],
    ] as const) {
      if (near === token) continue;
      await twice(async () => {
        const reply = await gateway.send(operation, { ...sent, token: near });
        expect(reply, `${operation}, ${how}`).toBeError(401, -7, NOT_FOUND);
      });
    }
});

/** Asks for an order at once with the right token and with another one, which is to be refused. */
async function expectApartAtOnce(
  id: 'GW-BEA-04' | 'GW-BEA-05',
  { gateway, together }: Pick<GatewayFixtures, 'gateway'> & Pick<CommonFixtures, 'together'>,
  token: string,
): Promise<void> {
  const body = { orderMerchantId: (await gateway.arrangeApproved('sale')).merchantId };
  const ask = (changes: object) => () => gateway.send('status', { body, ...changes });
  const { ones, others } = await mixCalls(together, ask({}), ask({ token }));
  for (const reply of others) expect(reply, id).toBeError(401, -7, NOT_FOUND);
  for (const reply of ones) expect(reply, 'GW-BEA-01').not.toAnswer(401);
}

test(
  'tells an unknown token from the right one that comes at once',
  rule('GW-BEA-04', 'GW-BEA-01'),
  async ({ gateway, together }) =>
    expectApartAtOnce('GW-BEA-04', { gateway, together }, otherToken(gateway.requestor.token)),
);

test(
  "tells another requestor's token from the right one that comes at once",
  rule('GW-BEA-05', 'GW-BEA-01', { needs: ['requestor.second'] }),
  async ({ gateway, together, target }) =>
    expectApartAtOnce('GW-BEA-05', { gateway, together }, target.gateway!.requestors.second!.token),
);

/** Changes requests so that their token is not found, and expects as much. */
const unfound = (changes: GatewayRequestOptions) => ({
  changes,
  expectRefused: (reply: ApiReply, operation: string) => expect(reply, operation).toBeError(401, -7, NOT_FOUND),
});

test('carries out nothing that comes with an unknown token', rule('GW-BEA-04'), async ({ gateway }) =>
  expectNothingDone(gateway, unfound({ token: otherToken(gateway.requestor.token) })),
);

test("carries out nothing that comes with another requestor's token", rule('GW-BEA-05'), async ({ gateway, target }) =>
  expectNothingDone(gateway, unfound({ token: target.gateway!.requestors.second!.token })),
);

test('carries out nothing that comes to another host', rule('GW-BEA-08'), async ({ gateway, target }) =>
  expectNothingDone(gateway, unfound({ address: target.gateway!.requestors.elsewhere!.address! })),
);

test(
  "refuses one requestor's token at another's id, on every operation",
  rule('GW-BEA-05'),
  async ({ refusals, target }) => {
    const { main, second } = target.gateway!.requestors;
    for await (const one of refusals.ofSubject('requestor')) {
      await twice(async () => {
        const reply = await refusals.send(one, { token: second!.token });
        expect(reply, one.operation).toBeError(401, -7, NOT_FOUND);
      });
      // The other way about, where nothing in the body is the first one's own.
      if (!OF_ANYBODY.includes(one.operation) || second!.currency !== main.currency) continue;
      const back = await refusals.send(one, { path: { requestorId: second!.id } });
      expect(back, one.operation).toBeError(401, -7, NOT_FOUND);
    }
  },
);

test("refuses any other requestor's token at an id", rule('GW-BEA-05'), async ({ gateway, target }) => {
  const { elsewhere: _, ...requestors } = target.gateway!.requestors;
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  const named = Object.entries(requestors).flatMap(([name, one]) => (one === undefined ? [] : [{ name, ...one }]));
  const { secondMerchant, manager, client } = target.gateway!;
  // The token of a login or of a client may be that of a requestor of its own.
  const logins = Object.entries({ 'a login': secondMerchant, 'a manager': manager, 'a client': client }).flatMap(
    ([name, one]) => (one === undefined ? [] : [{ name, id: undefined, token: one.token }]),
  );
  for (const at of named)
    for (const other of [...named, ...logins.filter(() => at.name === 'main')]) {
      if (other.id === at.id || other.token === at.token) continue;
      const headers = at.allowed === undefined ? {} : { 'x-forwarded-for': at.allowed };
      const how = `${other.name} at ${at.name}`;
      await twice(async () => {
        const sent = { path: { requestorId: at.id }, token: other.token, body, headers };
        const reply = await gateway.send('status', sent);
        // What stands before an allowlist may put another address in the place of an allowed one.
        if (at.allowed === undefined) expect(reply, how).toBeError(401, -7, NOT_FOUND);
        else expect(reply, how).toBeError(401);
      });
    }
});

test('refuses a token at an id that nobody has', rule('GW-BEA-05'), async ({ gateway }) => {
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  const path = { requestorId: NOBODY };
  await twice(async () => expect(await gateway.send('status', { path, body })).toBeError(401, -7, NOT_FOUND));
  // Of which a number of 32 bits holds an id that somebody has. One that is too large for a number may be called none.
  const large = await gateway.send('status', { path: { requestorId: gateway.requestor.id + 2 ** 32 }, body });
  expect([400, 401], 'an id beyond 32 bits').toContain(large.status);
  expect([-5, -7], 'an id beyond 32 bits').toContain(large.object.errorCode);
});

test("refuses one merchant's token at another's balances", rule('GW-BEA-06'), async ({ gateway, refusals, target }) => {
  const { merchant, secondMerchant } = target.gateway!;
  for await (const one of refusals.ofSubject('login')) {
    // Which other tokens open what a manager sees is not said; reports have a rule of their own.
    if (one.options.token !== merchant!.token || !one.isPathShown) continue;
    await twice(async () => {
      const reply = await refusals.send(one, { token: secondMerchant!.token });
      expect(reply, one.operation).toBeError(401, -7, NOT_FOUND);
    });
    // The other way about, where no balance is named that may be the first one's own.
    if (one.operation !== 'balanceByMerchantAll') continue;
    const path = { username: secondMerchant!.login };
    // The token of a requestor may open the login of its own merchant, too.
    for (const token of [merchant!.token, gateway.requestor.token])
      expect(await refusals.send(one, { path, token }), one.operation).toBeError(401, -7, NOT_FOUND);
    const listed = await refusals.send(one, { path, token: secondMerchant!.token });
    const balanceName = listed.status === 200 ? listed.at('/merchantBalances/0/balanceName') : undefined;
    if (typeof balanceName !== 'string') continue;
    const back = await gateway.send('balanceByMerchant', { path, token: merchant!.token, body: { balanceName } });
    expect(back, 'balanceByMerchant').toBeError(401, -7, NOT_FOUND);
  }
});

test('refuses a token at a login that nobody has', rule('GW-BEA-06'), async ({ gateway, target }) => {
  const { merchant, secondMerchant, manager } = target.gateway!;
  const { login, token } = merchant!;
  const path = { username: `nobody-${gateway.paymentBody().merchantId}` };
  expect(await gateway.send('balanceByMerchantAll', { path, token })).toBeError(401, -7, NOT_FOUND);
  const known = [login, secondMerchant?.login, manager?.login];
  // One that is cut short, and one with what stands for any letters in SQL.
  for (const username of [login.slice(0, -1), `${login.slice(0, -1)}%`])
    if (username.length > 1 && !known.includes(username))
      expect(await gateway.send('balanceByMerchantAll', { path: { username }, token }), username).not.toAnswer(200);
});

test(
  "refuses a merchant's token at the login of a manager",
  rule('GW-BEA-06', { needs: ['manager'] }),
  async ({ gateway, lookups, target }) => {
    const { manager, merchant, secondMerchant } = target.gateway!;
    const { login: username, token } = manager!;
    const [balanceName] = await lookups.balanceNames();
    // A manager may go by a merchant's login, and two of them by one token.
    const others = [merchant!, secondMerchant!].filter((one) => one.login !== username && one.token !== token);
    test.skip(others.length === 0, 'each merchant goes by the login or the token of the manager');
    for (const other of others) {
      const reply = await gateway.send('balanceByManager', {
        path: { username },
        token: other.token,
        body: { balanceName },
      });
      expect(reply, other.login).toBeError(401, -7, NOT_FOUND);
    }
  },
);

test("refuses one merchant's token at another's reports", rule('GW-BEA-07'), async ({ gateway, reports, target }) => {
  const { merchant, secondMerchant } = target.gateway!;
  const order = await gateway.arrangeApproved('sale');
  await twice(async () => expect(await reports.read(order, secondMerchant!.token)).toBeError(401, -7, NOT_FOUND));
  // A path without a login is the same report.
  if (!(await reports.prepare(order)).template.includes('{username}')) return;
  // What is asked for about the first one's order may be wrong at the other's report as well.
  expect(await reports.read(order, merchant!.token, secondMerchant!.login)).not.toAnswer(200);
});

test('refuses a token issued for another host, on every operation', rule('GW-BEA-08'), async ({ refusals, target }) => {
  const { elsewhere } = target.gateway!.requestors;
  for await (const one of refusals.all()) {
    await twice(async () => {
      const reply = await refusals.send(one, { address: elsewhere!.address! });
      expect(reply, one.operation).toBeError(401, -7, NOT_FOUND);
    });
  }
});

test(
  'goes by the host that is called, whichever is said to be meant',
  rule('GW-BEA-08'),
  async ({ gateway, target }) => {
    const { address } = target.gateway!.requestors.elsewhere!;
    const body = { orderMerchantId: gateway.paymentBody().merchantId };
    const headers = { 'x-forwarded-host': new URL(target.gateway!.address).host };
    expect(await gateway.send('status', { address: address!, body, headers })).toBeError(401, -7, NOT_FOUND);
  },
);

test('refuses a token issued for another host at the first one', rule('GW-BEA-08'), async ({ gateway, target }) => {
  const { elsewhere, ...others } = target.gateway!.requestors;
  const { id, token } = elsewhere!;
  const isItsOwn = Object.values(others).every((one) => one.token !== token && one.id !== id);
  test.skip(!isItsOwn, "the other host's requestor is one of this host, too");
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  expect(await gateway.send('status', { path: { requestorId: id }, token, body })).toBeError(401, -7, NOT_FOUND);
});

test('refuses the tokens of others at another host, too', rule('GW-BEA-08'), async ({ gateway, target }) => {
  const { requestors, secondMerchant } = target.gateway!;
  const { second, multicurrency, elsewhere } = requestors;
  const { address, token: ofOther } = elsewhere!;
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  const others = [second, multicurrency].flatMap((one) => (one === undefined ? [] : [one]));
  for (const { id, token } of others) {
    if (token === ofOther) continue;
    const reply = await gateway.send('status', { address: address!, path: { requestorId: id }, token, body });
    expect(reply, String(id)).toBeError(401, -7, NOT_FOUND);
  }
  if (secondMerchant === undefined || secondMerchant.token === ofOther) return;
  const { login: username, token } = secondMerchant;
  const reply = await gateway.send('balanceByMerchantAll', { address: address!, path: { username }, token });
  expect(reply, username).toBeError(401, -7, NOT_FOUND);
});

test(
  'does not tell which of host, requestor and token was wrong',
  rule('GW-BEA-09', { needs: ['requestor.second', 'host.second'] }),
  async ({ gateway, target }) => {
    const { second, elsewhere } = target.gateway!.requestors;
    const body = { orderMerchantId: gateway.paymentBody().merchantId };
    const told: unknown[] = [];
    for (const changes of [
      { token: 'unknown-token' },
      { path: { requestorId: second!.id } },
      { address: elsewhere!.address! },
    ]) {
      const { errorCorrelationId: _, ...rest } = (await gateway.send('status', { body, ...changes })).object;
      told.push({ code: Number(rest.errorCode), message: rest.errorMessage });
    }
    expect(told).toEqual([told[0], told[0], told[0]]);
  },
);

test(
  'tells on no operation which of host, requestor and token was wrong',
  rule('GW-BEA-09', { needs: ['requestor.second', 'host.second'] }),
  async ({ refusals, target }) => {
    const { second, elsewhere } = target.gateway!.requestors;
    for await (const one of refusals.all()) {
      const wrong = [
        { token: otherToken(one.options.token) },
        { address: elsewhere!.address! },
        // Whose tokens open a login or a client besides their own is not said.
        ...(one.subject === 'requestor' ? [{ token: second!.token }] : []),
      ];
      const told: string[] = [];
      for (const changes of wrong) {
        const { errorCode, errorMessage } = (await refusals.send(one, changes)).object;
        told.push(`${String(errorCode)} ${String(errorMessage)}`);
      }
      expect(new Set(told).size, one.operation).toBe(1);
    }
  },
);

/** What intermediaries of all kinds add to a request. */
const ADDED = {
  via: '1.1 proxy.example',
  forwarded: 'for=203.0.113.99;proto=https',
  'x-forwarded-for': '203.0.113.99',
  'x-client-ip': '203.0.113.99',
  'x-request-id': 'a-request-of-an-intermediary',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

test('opens to a token whatever an intermediary adds to the request', rule('GW-BEA-01'), async ({ gateway }) => {
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  for (const [name, value] of Object.entries(ADDED))
    expect(await gateway.send('status', { body, headers: { [name]: value } }), name).not.toAnswer(401);
});

for (const { id, operation, letter } of [
  { id: 'GW-BEA-10', operation: 'threeDSCRes', letter: 'CRes' },
  { id: 'GW-BEA-11', operation: 'threeDSPaRes', letter: 'PaRes' },
] as const) {
  test(
    `takes a ${letter} from nobody but the order's requestor`,
    rule(id, 'GW-ERR-07', 'GW-ERR-10', 'GW-ERR-12'),
    async ({ gateway, requests, issuer, target, recorder }) => {
      const forwarded = await requests.ofIssuer(operation, issuer);
      const { token } = forwarded.options;
      const { second, elsewhere } = target.gateway!.requestors;
      const errors: ApiReply[] = [];
      /** Holds an error about the letter against its form and its own number and text. */
      const expectError = (reply: ApiReply, status: number, code: number, message: string) => {
        errors.push(reply);
        expect(reply, id).toAnswer(status);
        expectErrorForm(reply);
        expect(reply, id).toBeError(status, code, message);
      };
      const send = (changes: Parameters<typeof requests.send>[1]) => requests.send(forwarded, changes);
      expectError(await send({ token: null }), 400, -6, NO_HEADER);
      if (target.kind !== 'production') {
        expectError(await requests.send(withTokenInAddress(forwarded), { token: null }), 400, -6, NO_HEADER);
        expectError(await send(tokenBesideHeader(forwarded)), 400, -6, NO_HEADER);
      }
      expectError(await send({ authorization: `Basic ${token}` }), 400, -7, NOT_BEARER);
      if (second === undefined) recorder.leaveOut('there is no other token; gateway.requestors.second would be one');
      const told = new Set<unknown>();
      for (const wrong of [
        { token: otherToken(token) },
        ...(second === undefined ? [] : [{ token: second.token }]),
        ...(elsewhere === undefined ? [] : [{ address: elsewhere.address! }]),
      ]) {
        await twice(async () => {
          const reply = await send(wrong);
          expectError(reply, 401, -7, NOT_FOUND);
          told.add(reply.object.errorMessage);
        });
      }
      // Which of them was wrong is not told.
      expect(told.size, id).toBe(1);
      const path = { requestorId: 'not-a-number' };
      expectError(await send({ path }), 400, -5, 'Cannot parse requestor id');
      expectApart(errors);
      // None of them was taken for the answer that the payment waits for.
      const { orderSystemId } = Object(forwarded.options.body) as Readonly<Record<string, unknown>>;
      await gateway.sleepPollGap();
      const waiting = await gateway.send('status', { body: { orderSystemId } });
      if (waiting.status === 200) expect(waiting.object.orderState, id).not.toBe('APPROVED');
      expect(await send({}), id).not.toAnswer(401);
    },
  );
}

function inOtherCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

/** A token of the same make that nobody was given. */
function otherToken(token: string): string {
  return token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
}
