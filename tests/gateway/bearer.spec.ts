import { assertPromise, expect, rule, test } from '#harness';

const NOT_FOUND = 'Access token not found';

test('opens every operation to its token', rule('GW-BEA-01'), async ({ requests }) => {
  for (const one of await requests.all()) {
    const reply = await requests.send(one);
    const refused = reply.status === 401 || (reply.status === 400 && [-6, -7].includes(Number(reply.object.errorCode)));
    assertPromise(!refused, `the right token opens ${one.operation}`, `status ${reply.status}`);
  }
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

test('refuses an unknown token, on every operation', rule('GW-BEA-04'), async ({ requests }) => {
  for (const one of await requests.all()) {
    const token = one.options.token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    expect(await requests.send(one, { token }), one.operation).toBeError(401, -7, NOT_FOUND);
  }
});

test(
  "refuses one requestor's token at another's id, on every operation",
  rule('GW-BEA-05'),
  async ({ requests, target }) => {
    const { second } = target.gateway!.requestors;
    for (const one of await requests.ofSubject('requestor')) {
      const reply = await requests.send(one, { path: { requestorId: second!.id } });
      expect(reply, one.operation).toBeError(401, -7, NOT_FOUND);
    }
  },
);

test("refuses one merchant's token at another's balances", rule('GW-BEA-06'), async ({ requests, target }) => {
  const { merchant, secondMerchant } = target.gateway!;
  for (const one of (await requests.ofSubject('login')).filter(({ options }) => options.token === merchant?.token)) {
    const reply = await requests.send(one, { path: { username: secondMerchant!.login } });
    expect(reply, one.operation).toBeError(401, -7, NOT_FOUND);
  }
});

test("refuses one merchant's token at another's reports", rule('GW-BEA-07'), async ({ gateway, reports, target }) => {
  const reply = await reports.read(await gateway.arrangeApproved('sale'), target.gateway!.secondMerchant!.login);
  expect(reply).toBeError(401, -7, NOT_FOUND);
});

test('refuses a token issued for another host, on every operation', rule('GW-BEA-08'), async ({ requests, target }) => {
  const { elsewhere } = target.gateway!.requestors;
  for (const one of await requests.all()) {
    const reply = await requests.send(one, { address: elsewhere!.address! });
    expect(reply, one.operation).toBeError(401, -7, NOT_FOUND);
  }
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
