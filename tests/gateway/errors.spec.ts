import {
  type ApiReply,
  attributeTo,
  type BearerRequests,
  expect,
  type GatewayClient,
  mixCalls,
  type PreparedRequest,
  REFUSED_TRANSFERS,
  requireEntries,
  requireSeenAddress,
  rule,
  type Target,
  test,
  twice,
  UnarrangedError,
} from '#harness';
import { expectApart, expectErrorForm, expectLabel } from './support/error-form.ts';
import { tokenBesideHeader, withTokenInAddress } from './support/misplaced-token.ts';
import { expectNothingDone } from './support/nothing-done.ts';

const NO_TRANSFER =
  'transfer could not be asked; gateway.oauth and gateway.wire.transfer in the target file would enable it';

test(
  'refuses a requestor id that is not a number, on every operation that has one',
  rule('GW-ERR-01'),
  async ({ refusals, transfers, target, recorder }) => {
    const { oauth, requestors } = target.gateway!;
    for await (const one of refusals.ofSubject('requestor')) {
      for (const requestorId of ['not-a-number', `${requestors.main.id}x`])
        await twice(async () => {
          const reply = await refusals.send(one, { path: { requestorId } });
          expect(reply, one.operation).toBeError(400, -5, 'Cannot parse requestor id');
        });
    }
    if (!target.offers.has('oauth')) return recorder.leaveOut(NO_TRANSFER);
    for (const requestor of ['not-a-number', `${oauth!.requestor}x`]) {
      const { reply } = await transfers.send({ requestor });
      expect(reply, 'transfer').toBeError(400, -5, 'Cannot parse requestor id');
    }
  },
);

test('refuses a request without Authorization header, on every operation', rule('GW-ERR-02'), async ({ refusals }) => {
  for await (const one of refusals.all()) {
    await twice(async () => {
      const reply = await refusals.send(one, { token: null });
      expect(reply, one.operation).toBeError(400, -6, 'No Authorization header');
    });
  }
});

test('carries out nothing that comes without Authorization header', rule('GW-ERR-02'), async ({ gateway }) =>
  expectNothingDone(gateway, {
    changes: { token: null },
    expectRefused: (reply, operation) => expect(reply, operation).toBeError(400, -6, 'No Authorization header'),
  }),
);

test('takes no token from the address, on every operation', rule('GW-ERR-02'), async ({ refusals, target }) => {
  // Addresses end up in logs: what can cost money is not put there.
  test.skip(target.kind === 'production', 'a token of a production target is not put into an address');
  for await (const one of refusals.all()) {
    const reply = await refusals.send(withTokenInAddress(one), { token: null });
    expect(reply, one.operation).toBeError(400, -6, 'No Authorization header');
  }
});

test('takes no token from another header, on every operation', rule('GW-ERR-02'), async ({ refusals, target }) => {
  test.skip(target.kind === 'production', 'a token of a production target is sent where it belongs alone');
  for await (const one of refusals.all()) {
    const reply = await refusals.send(one, tokenBesideHeader(one));
    expect(reply, one.operation).toBeError(400, -6, 'No Authorization header');
  }
});

test('refuses an empty Authorization header, on every operation', rule('GW-ERR-03'), async ({ refusals }) => {
  for await (const one of refusals.all()) {
    await twice(async () => {
      const reply = await refusals.send(one, { authorization: '' });
      expect(reply, one.operation).toBeError(400, -6, 'No Authorization header');
    });
  }
});

test('refuses another scheme than Bearer, on every operation', rule('GW-ERR-04'), async ({ refusals }) => {
  for await (const one of refusals.all()) {
    const { token } = one.options;
    for (const authorization of [`Basic ${token}`, token])
      await twice(async () => {
        const reply = await refusals.send(one, { authorization });
        expect(reply, one.operation).toBeError(400, -7, "Authorization header should start with 'Bearer '");
      });
  }
});

test('carries out nothing that comes under another scheme', rule('GW-ERR-04'), async ({ gateway }) =>
  expectNothingDone(gateway, {
    changes: { authorization: `Basic ${gateway.requestor.token}` },
    expectRefused: (reply, operation) => expect(reply, operation).toBeError(400, -7),
  }),
);

test('refuses the schemes of other interfaces', rule('GW-ERR-04'), async ({ gateway }) => {
  const { token } = gateway.requestor;
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  for (const scheme of ['OAuth', 'Token', 'Digest']) {
    const reply = await gateway.send('status', { body, authorization: `${scheme} ${token}` });
    expect(reply, scheme).toBeError(400, -7, "Authorization header should start with 'Bearer '");
  }
});

test(
  'tells each of several refusals at once its own cause, with a correlation id of its own',
  rule('GW-ERR-04', 'GW-ERR-02', 'GW-ERR-10'),
  async ({ gateway, together }) => {
    const body = { orderMerchantId: gateway.paymentBody().merchantId };
    const send = (changes: object) => () => gateway.send('status', { body, ...changes });
    const underBasic = { authorization: `Basic ${gateway.requestor.token}` };
    const { ones, others } = await mixCalls(together, send({ token: null }), send(underBasic));
    for (const reply of others)
      expect(reply, 'GW-ERR-04').toBeError(400, -7, "Authorization header should start with 'Bearer '");
    for (const reply of ones) expect(reply, 'GW-ERR-02').toBeError(400, -6, 'No Authorization header');
    expectApart([...ones, ...others]);
  },
);

test(
  'refuses a signature where a token is due',
  rule('GW-ERR-04', { needs: ['oauth'] }),
  async ({ gateway, target, transfers }) => {
    const path = { requestorId: target.gateway!.oauth!.requestor };
    const body = JSON.stringify({ orderMerchantId: gateway.paymentBody().merchantId });
    const url = gateway.urlOf('/payments/status/{requestorId}', { path });
    const authorization = await transfers.authorize(url, body);
    const reply = await gateway.send('status', { path, body, authorization });
    expect(reply).toBeError(400, -7, "Authorization header should start with 'Bearer '");
  },
);

test(
  'refuses a token that follows Bearer without a space, on every operation',
  rule('GW-ERR-05'),
  async ({ refusals }) => {
    for await (const one of refusals.all()) {
      await twice(async () => {
        const reply = await refusals.send(one, { authorization: `Bearer${one.options.token}` });
        expect(reply, one.operation).toBeError(400, -7, "Authorization header should start with 'Bearer '");
      });
    }
  },
);

test('refuses a token that follows Bearer with something else than a space', rule('GW-ERR-05'), async ({ gateway }) => {
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  for (const between of ['\t', ':', ': ']) {
    const reply = await gateway.send('status', { body, authorization: `Bearer${between}${gateway.requestor.token}` });
    expect(reply, JSON.stringify(between)).toBeError(400, -7, "Authorization header should start with 'Bearer '");
  }
});

test(
  'numbers a malformed header and an unknown token alike, under two statuses',
  rule('GW-ERR-06'),
  async ({ gateway }) => {
    const body = { orderMerchantId: gateway.paymentBody().merchantId };
    expect(await gateway.send('status', { body, authorization: 'Basic none' })).toBeError(400, -7);
    expect(await gateway.send('status', { body, token: 'unknown-token' })).toBeError(401, -7);
  },
);

test(
  'gives every error a code, a message and a correlation id, as application/json in UTF-8',
  rule('GW-ERR-07', 'GW-ERR-08', 'GW-ERR-09', 'GW-ERR-10', 'GW-ERR-11', 'GW-ERR-12', 'GW-ERR-13'),
  async ({ refusals, transfers, target, recorder }) => {
    const errors: ApiReply[] = [];
    for await (const one of refusals.all()) {
      const [unnamed, unknown] = [await refusals.send(one, { token: null }), await refusals.send(one, UNKNOWN)];
      attributeTo('GW-ERR-11', () => expect(unnamed, one.operation).toAnswer(400));
      attributeTo('GW-ERR-13', () => expect(unknown, one.operation).toAnswer(401));
      for (const reply of [unnamed, unknown]) expectLabel(reply, one.operation);
      errors.push(unnamed, unknown);
    }
    expectApart(errors);
    if (!target.offers.has('oauth')) return recorder.leaveOut(NO_TRANSFER);
    for (const { change, status } of REFUSED_TRANSFERS) {
      const { reply } = await transfers.send(change);
      attributeTo(status === 400 ? 'GW-ERR-11' : 'GW-ERR-13', () => expect(reply, 'transfer').toAnswer(status));
      expectLabel(reply, 'transfer');
      errors.push(reply);
    }
    expectApart(errors);
  },
);

const UNKNOWN = { token: 'unknown-token' };

/** The 400s that bodies without any field bring about, by operation. */
async function refuseEmptyBodies(gateway: GatewayClient, requests: BearerRequests) {
  const replies: ApiReply[] = [];
  // These two need no customer's browser where nothing is forwarded.
  for (const operation of ['threeDSCRes', 'threeDSPaRes']) {
    const reply = await gateway.send(operation, { body: {} });
    if (reply.status === 400) replies.push(reply);
  }
  for await (const one of requests.ofShownPath()) {
    if (one.operation === 'balanceByMerchantAll') continue;
    const reply = await requests.send(one as PreparedRequest, { body: {} });
    // A payment may be refused by its state as well.
    if (reply.status === 400) replies.push(reply);
  }
  return requireEntries(replies, 'refusals of a body without fields');
}

test(
  'gives errors about bodies a code, a message, a label and a correlation id of their own, too',
  rule('GW-ERR-07', 'GW-ERR-08', 'GW-ERR-09', 'GW-ERR-10', 'GW-ERR-11', 'GW-ERR-12'),
  async ({ gateway, refusals }) => {
    // Each of them twice, so that those of one operation are held against each other as well.
    const errors = [...(await refuseEmptyBodies(gateway, refusals)), ...(await refuseEmptyBodies(gateway, refusals))];
    for (const reply of errors) {
      expect(reply, 'GW-ERR-11').toAnswer(400);
      expectLabel(reply, String(reply.operation));
    }
    expectApart(errors);
  },
);

test('gives no two errors the same correlation id', rule('GW-ERR-10'), async ({ gateway }) => {
  const body = { orderMerchantId: gateway.paymentBody().merchantId };
  const ids: unknown[] = [];
  for (const token of [null, 'unknown-token', null, 'unknown-token', 'another-token']) {
    ids.push((await gateway.send('status', { body, token })).at('/errorCorrelationId'));
  }
  expect(new Set(ids).size).toBe(ids.length);
});

for (const [what, send, needs = []] of [
  [
    'a requestor id that is not a number',
    (gateway: GatewayClient, body: object) => gateway.send('status', { path: { requestorId: 'not-a-number' }, body }),
  ],
  [
    'an order that there is not',
    (gateway: GatewayClient, body: object) => {
      // With all that a capture needs here, so that nothing else is wrong.
      const order = { ...gateway.paymentBody(), systemId: undefined, correlationId: undefined };
      return gateway.send('capture', { body: gateway.orderBody(order, 'capture', { ...body }) });
    },
  ],
  [
    'a balance that there is not',
    (gateway: GatewayClient) => gateway.send('balanceByMerchant', { body: { balanceName: 'no-such-balance' } }),
    ['merchant'],
  ],
  [
    'a body that is not JSON',
    (gateway: GatewayClient, body: object) => gateway.send('status', { body: JSON.stringify(body).slice(0, -1) }),
  ],
  [
    'a header of another scheme',
    (gateway: GatewayClient, body: object) => gateway.send('status', { body, authorization: 'Basic none' }),
  ],
  [
    'an address off the allowlist',
    async (gateway: GatewayClient, body: object, { requestors }: NonNullable<Target['gateway']>) => {
      const one = requestors.allowlisted!;
      await requireSeenAddress(gateway, one, 'x-forwarded-for');
      const headers = { 'x-forwarded-for': one.refused! };
      return gateway.send('status', { path: { requestorId: one.id }, token: one.token, body, headers });
    },
    ['requestor.allowlist'],
  ],
] as const)
  test(
    `gives each error about ${what} its fields, its label and a correlation id of its own`,
    rule('GW-ERR-07', 'GW-ERR-08', 'GW-ERR-10', 'GW-ERR-12', { needs: [...needs] }),
    async ({ gateway, target }) => {
      const body = { orderMerchantId: gateway.paymentBody().merchantId };
      const replies = [await send(gateway, body, target.gateway!), await send(gateway, body, target.gateway!)];
      // What there is not may be told of by a state as well; of other statuses nothing is promised but that none comes.
      const errors = requireEntries(
        replies.filter(({ status }) => [400, 401, 500].includes(status)),
        `errors about ${what}`,
      );
      for (const reply of errors) expectErrorForm(reply);
      const ids = errors.map((reply) => reply.at('/errorCorrelationId'));
      expect(new Set(ids).size, 'GW-ERR-10').toBe(ids.length);
    },
  );

test(
  'answers a failure inside with an error in JSON',
  rule('GW-ERR-14', 'GW-ERR-07', 'GW-ERR-10', 'GW-ERR-12'),
  async ({ gateway, requests, recorder }) => {
    const failed: ApiReply[] = [];
    for await (const one of requests.all()) {
      const reply = await gateway.sendFailing(() => requests.send(one));
      // What becomes of a request that does not fail is for other checks.
      if (reply.status !== 500) {
        recorder.leaveOut(`${one.operation} was answered ${reply.status} when it was to fail`);
        continue;
      }
      failed.push(reply);
      attributeTo('GW-ERR-14', () => expect(reply.object, one.operation).toHaveProperty('errorCode'));
      for (const field of ['errorMessage', 'errorCorrelationId'])
        attributeTo('GW-ERR-07', () => expect(reply.object, one.operation).toHaveProperty(field));
      expectLabel(reply, one.operation);
    }
    if (failed.length === 0) throw new UnarrangedError('no request is answered 500 after control.gatewayFault');
    expectApart(failed);
  },
);

for (const [operation, letter, needs] of [
  ['threeDSCRes', 'CRes', ['card.challenge', 'browser']],
  ['threeDSPaRes', 'PaRes', ['card.pareq', 'browser']],
] as const)
  test(
    `answers a failure over a ${letter} with an error in JSON`,
    rule('GW-ERR-14', { needs: ['gateway.fault', ...needs] }),
    async ({ gateway, requests, issuer }) => {
      const forwarded = await requests.ofIssuer(operation, issuer);
      expectFailure(await gateway.sendFailing(() => requests.send(forwarded)));
    },
  );

test(
  'answers a failure over a transfer with an error in JSON',
  rule('GW-ERR-14', { needs: ['gateway.fault', 'oauth'] }),
  async ({ gateway, transfers, target }) => {
    // A transfer may be needed for it, which would use the fault up.
    await transfers.findSigningTime();
    const { oauth, requestors } = target.gateway!;
    const requestor = Object.values(requestors).find(({ id }) => id === oauth!.requestor);
    expectFailure(await gateway.sendFailing(async () => (await transfers.send()).reply, requestor));
  },
);

/** @throws Unarranged for a request that did not fail, Finding for a failure that is no error of the document */
function expectFailure(reply: ApiReply): void {
  if (reply.status !== 500) throw new UnarrangedError(`answered ${reply.status} after control.gatewayFault`);
  expect(reply.object).toHaveProperty('errorCode');
}
