import { overviews, routes } from '../routes.ts';
import { error, probe } from './probe.ts';
import type { Came, Sending, Wire } from './wire.ts';

const DOORS = routes.filter((one) => one.operation !== 'transfer');
const NO_HEADER = [400, -6, 'No Authorization header'];
const NOT_BEARER = [400, -7, "Authorization header should start with 'Bearer '"];
const NOT_FOUND = [401, -7, 'Access token not found'];

/** Knocks at every operation with a bearer token. */
async function everywhere(
  wire: Wire,
  knock: (path: string, subject: 'requestor' | 'login' | 'client') => Promise<Came>,
) {
  const { merchant, client } = wire.credentials;
  const seen = [];
  for (const { path, subject } of DOORS) {
    const last = subject === 'requestor' ? '1001' : subject === 'login' ? merchant.login : client.id;
    seen.push(error(await knock(`${path}/${last}`, subject)));
  }
  return seen;
}

const own = (wire: Wire, subject: 'requestor' | 'login' | 'client') =>
  ({ requestor: wire.credentials.main, login: wire.credentials.merchant, client: wire.credentials.client })[subject]
    .token;

const all = (value: unknown) => DOORS.map(() => value);
const withHeader = (authorization: string): Sending => ({ token: undefined, headers: { authorization } });

const fromAddress = async (wire: Wire, headers: Record<string, string>) => {
  const { id, token } = wire.credentials.allowlisted;
  return (await wire.post(`/payments/status/${id}`, { orderSystemId: 1 }, { token, headers })).status;
};

/** Paths, bearer tokens, addresses, errors and overviews. */
export const access = [
  probe('GW-GEN-01', all(true), async (wire) => {
    const seen = await everywhere(wire, (path, subject) => wire.send(path, '{}', { token: own(wire, subject) }));
    return seen.map((one) => (one as unknown[])[1] !== -4);
  }),
  probe('GW-VRS-02', all(true), async (wire) => {
    const seen = await everywhere(wire, (path, subject) => wire.send(path, '{}', { token: own(wire, subject) }));
    return seen.map((one) => (one as unknown[])[1] !== -4);
  }),
  probe(
    'GW-OVW-01',
    overviews.map(() => 200),
    async (wire) => {
      const statuses = [];
      for (const tag of overviews)
        statuses.push((await wire.send(`/${tag}/_Overview`, undefined, { method: 'HEAD' })).status);
      return statuses;
    },
  ),
  probe(
    'GW-OVW-02',
    overviews.map(() => 200),
    async (wire) => {
      const statuses = [];
      for (const tag of overviews)
        statuses.push((await wire.send(`/${tag}/_Overview`, undefined, { method: 'HEAD', token: undefined })).status);
      return statuses;
    },
  ),
  probe('GW-BEA-01', all(true), async (wire) => {
    const seen = await everywhere(wire, (path, subject) => wire.send(path, '{}', { token: own(wire, subject) }));
    return seen.map((one) => (one as unknown[])[0] !== 401);
  }),
  probe('GW-BEA-02', false, async (wire) => wire.credentials.main.token.split('.').length === 3),
  probe('GW-BEA-04', all(NOT_FOUND), (wire) => everywhere(wire, (path) => wire.send(path, '{}', { token: 'nobody' }))),
  probe('GW-BEA-05', all(401), async (wire) => {
    const { second } = wire.credentials;
    const seen = await everywhere(wire, (path) => wire.send(path, '{}', { token: second.token }));
    return seen.map((one) => (one as unknown[])[0]);
  }),
  probe('GW-BEA-06', [NOT_FOUND, NOT_FOUND], async (wire) => {
    const { merchant, secondMerchant } = wire.credentials;
    const token = secondMerchant.token;
    const one = await wire.post(`/balance/by-merchant/${merchant.login}`, { balanceName: 'main' }, { token });
    return [error(one), error(await wire.send(`/balance/by-merchant-all/${merchant.login}`, undefined, { token }))];
  }),
  probe('GW-BEA-07', NOT_FOUND, async (wire) => {
    const { merchant, secondMerchant } = wire.credentials;
    return error(
      await wire.post(`/report/transaction/by-merchant/${merchant.login}`, {}, { token: secondMerchant.token }),
    );
  }),
  probe('GW-BEA-08', [401, 401, 401, 200], async (wire) => {
    const { main, merchant, elsewhere } = wire.credentials;
    const base = wire.sandbox.elsewhere;
    const there = await wire.post(`/payments/status/${main.id}`, { orderSystemId: 1 }, { base });
    const balance = await wire.post(
      `/balance/by-merchant/${merchant.login}`,
      { balanceName: 'main' },
      { base, token: merchant.token },
    );
    const here = await wire.post(`/payments/status/${elsewhere.id}`, { orderSystemId: 1 }, { token: elsewhere.token });
    const right = await wire.post(
      `/payments/status/${elsewhere.id}`,
      { orderSystemId: 1 },
      { base, token: elsewhere.token },
    );
    return [there.status, balance.status, here.status, right.status];
  }),
  probe('GW-BEA-09', [NOT_FOUND, NOT_FOUND, NOT_FOUND], async (wire) => [
    error(await wire.post('/payments/status/1001', {}, { base: wire.sandbox.elsewhere })),
    error(await wire.post('/payments/status/1002', {})),
    error(await wire.post('/payments/status/1001', {}, { token: 'nobody' })),
  ]),
  probe(
    'GW-ERR-01',
    DOORS.filter((one) => one.subject === 'requestor').map(() => [400, -5, 'Cannot parse requestor id: abc']),
    async (wire) => {
      const seen = [];
      for (const { path, subject } of DOORS)
        if (subject === 'requestor') seen.push(error(await wire.send(`${path}/abc`, '{}')));
      return seen;
    },
  ),
  probe('GW-ERR-02', all(NO_HEADER), (wire) => everywhere(wire, (path) => wire.send(path, '{}', { token: undefined }))),
  probe('GW-ERR-03', all(NO_HEADER), (wire) => everywhere(wire, (path) => wire.send(path, '{}', withHeader('')))),
  probe('GW-ERR-04', all(NOT_BEARER), (wire) =>
    everywhere(wire, (path, subject) => wire.send(path, '{}', withHeader(`Basic ${own(wire, subject)}`))),
  ),
  probe('GW-ERR-05', all(NOT_BEARER), (wire) =>
    everywhere(wire, (path, subject) => wire.send(path, '{}', withHeader(`Bearer${own(wire, subject)}`))),
  ),
  probe(
    'GW-ERR-06',
    [
      [400, -7],
      [401, -7],
    ],
    async (wire) => [
      error(await wire.send('/payments/status/1001', '{}', withHeader('Basic x'))).slice(0, 2),
      error(await wire.send('/payments/status/1001', '{}', { token: 'nobody' })).slice(0, 2),
    ],
  ),
  probe('GW-ERR-07', [3, 3], async (wire) => {
    const errors = [
      await wire.send('/payments/status/abc', '{}'),
      await wire.send('/payments/status/1001', '{}', { token: 'nobody' }),
    ];
    return errors.map(
      ({ body }) => ['errorCode', 'errorMessage', 'errorCorrelationId'].filter((name) => name in body).length,
    );
  }),
  probe('GW-ERR-08', 'number', async (wire) => typeof (await wire.send('/payments/status/abc', '{}')).body.errorCode),
  probe(
    'GW-ERR-09',
    'string',
    async (wire) => typeof (await wire.send('/payments/status/abc', '{}')).body.errorMessage,
  ),
  probe('GW-ERR-10', ['string', false], async (wire) => {
    const ids = [await wire.send('/payments/status/abc', '{}'), await wire.send('/payments/status/abc', '{}')].map(
      ({ body }) => body.errorCorrelationId,
    );
    return [typeof ids[0], ids[0] === ids[1]];
  }),
  probe('GW-ERR-11', [400, 'object'], async (wire) => {
    const came = await wire.send('/payments/status/abc', '{}');
    return [came.status, typeof came.body];
  }),
  probe('GW-ERR-12', ['application/json; charset=utf-8', 'application/json; charset=utf-8'], async (wire) => [
    (await wire.send('/payments/status/abc', '{}')).type,
    (await wire.send('/payments/status/1001', '{}', { token: 'nobody' })).type,
  ]),
  probe('GW-ERR-13', [401, 'object'], async (wire) => {
    const came = await wire.send('/payments/status/1001', '{}', { token: 'nobody' });
    return [came.status, typeof came.body];
  }),
  probe('GW-ADR-01', 200, (wire) => fromAddress(wire, { 'x-forwarded-for': '203.0.113.7' })),
  probe('GW-ADR-02', [[401, -20, 'Bad client ip address: 198.51.100.9'], 401], async (wire) => {
    const { id, token } = wire.credentials.allowlisted;
    const headers = { 'x-forwarded-for': '198.51.100.9' };
    const sale = await wire.post(`/payments/sale/${id}`, wire.paying('approved'), { token, headers });
    return [error(sale), await fromAddress(wire, headers)];
  }),
  probe('GW-ADR-03', [200, 401], async (wire) => [
    await fromAddress(wire, { 'x-forwarded-for': '203.0.113.7, 198.51.100.9' }),
    await fromAddress(wire, { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' }),
  ]),
  probe('GW-ADR-04', [200, 200, 200], async (wire) => [
    await fromAddress(wire, { 'x-forwarded-for': '10.0.0.1, 203.0.113.7' }),
    await fromAddress(wire, { 'x-forwarded-for': '192.168.1.1,172.16.0.1, 203.0.113.7' }),
    await fromAddress(wire, { 'x-forwarded-for': 'fd00::1, ::ffff:10.1.2.3, 100.64.0.1, 203.0.113.7, 198.51.100.9' }),
  ]),
  probe('GW-ADR-05', [200, 401], async (wire) => [
    await fromAddress(wire, { 'x-real-ip': '203.0.113.7' }),
    await fromAddress(wire, {}),
  ]),
  probe('GW-ADR-06', [200, 401], async (wire) => [
    await fromAddress(wire, { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '198.51.100.9' }),
    await fromAddress(wire, { 'x-forwarded-for': '198.51.100.9', 'x-real-ip': '203.0.113.7' }),
  ]),
];
