import type { RequestListener } from 'node:http';
import { expect, test } from '@playwright/test';
import { examineOnce } from '#kept-examinations';
import { rehearseService } from './rehearse-target.test-support.ts';

interface JudgedService {
  readonly code: number;
  /** Verdicts by rule; for those that are no pass and no failure, why. */
  readonly rules: Readonly<Record<string, string>>;
}

const CARDS = 'approved declined error filtered pending unknown chain inactive badscore history method'.split(' ');

/**
 * What becomes of the rules of the gateway, but for those that were skipped, when a service answers every request like this.
 * @param lever line of its target file that moves its clock, ADDRESS for where it listens
 */
function judgeGateway(answer: RequestListener, asked: readonly string[], lever = ''): Promise<JudgedService> {
  return examineOnce(async () => {
    const { code, rules } = await rehearseService(
      answer,
      (address) =>
        `name: hollow\nkind: mock\ngateway:\n  address: ${address}/api\n  requestors:\n    main: { id: 1, token: env:ASSAY_HOLLOW }\n` +
        '  merchant: { login: a-merchant, token: env:ASSAY_HOLLOW }\n  manager: { login: a-manager, token: env:ASSAY_HOLLOW }\n  balance: Main\n' +
        '  client: { id: a-client, token: env:ASSAY_HOLLOW }\n  wire:\n    provider: { name: ECB, from: EUR, to: USD }\n' +
        `  cards:\n${CARDS.map((card) => `    ${card}: { number: "5555444433331111", code: "123", month: "10", year: "2049" }\n`).join('')}` +
        `${lever.replace('ADDRESS', address)}manners: { pollGap: 1, pollLimit: 1 }\n`,
      asked,
      { ASSAY_HOLLOW: 'a-token-of-a-hollow-service' },
    );
    const told = rules.filter(({ verdict }) => verdict !== 'skipped');
    return { code, rules: Object.fromEntries(told.map(({ id, verdict, reason }) => [id, reason?.code ?? verdict])) };
  });
}

/** Verdicts about a v1 that answers every request like this, by rule. */
function judgeV1(answer: RequestListener, asked: readonly string[]): Promise<Readonly<Record<string, string>>> {
  return examineOnce(async () => {
    const { rules } = await rehearseService(
      answer,
      (address) =>
        `name: hollow\nkind: mock\nv1: { address: "${address}", token: env:ASSAY_HOLLOW, account: "00000000-0000-4000-8000-000000000001", ibans: { valid: DE89370400440532013000 } }\n`,
      asked,
      { ASSAY_HOLLOW: 'a-token-of-a-hollow-service' },
    );
    return Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));
  });
}

/** What says the same to every request. */
const answerAlways: (status: number, body: object) => RequestListener = (status, body) => (_request, reply) =>
  void reply.writeHead(status, { 'content-type': 'application/json;charset=utf-8' }).end(JSON.stringify(body));

test('nothing is kept by a service that destroys every connection', async () => {
  test.setTimeout(300_000);
  const { code, rules } = await judgeGateway((request) => void request.socket.destroy(), ['GW-BAL']);
  expect(code).toBe(3);
  expect(Object.keys(rules).length).toBeGreaterThan(15);
  expect(Object.entries(rules).filter(([, what]) => what !== 'unreachable')).toEqual([]);
});

test('a service that answers {} to every lookup breaks what promises fields, and keeps nothing said of them', async () => {
  test.setTimeout(300_000);
  const { code, rules } = await judgeGateway(answerAlways(200, {}), ['GW-BAL', 'GW-RAT', 'GW-INF']);
  expect(code).toBe(1);
  expect(rules).toMatchObject({ 'GW-BAL-17': 'fail', 'GW-BAL-27': 'fail', 'GW-RAT-07': 'fail', 'GW-INF-06': 'fail' });
  for (const id of ['02', '03', '10', '11', '12', '13', '14', '15', '16', '20', '21', '22', '23', '24', '25', '26'])
    expect(rules[`GW-BAL-${id}`], `GW-BAL-${id}`).toBe('unseen');
  for (const id of ['GW-RAT-05', 'GW-RAT-06', 'GW-INF-07', 'GW-INF-08', 'GW-INF-09'])
    expect(rules[id], id).toBe('unseen');
});

test('what no answer shows is not kept by orders that are approved at once, whatever the card', async () => {
  test.setTimeout(300_000);
  const order = { orderState: 'APPROVED', orderSystemId: 4711 };
  const asked = [
    'GW-STA-05',
    'GW-STA-06',
    'GW-STA-07',
    'GW-STA-08',
    'GW-STA-09',
    'GW-STA-10',
    'GW-GEN-04',
    'GW-REV-07',
  ];
  const { rules } = await judgeGateway(answerAlways(200, order), asked);
  expect(Object.fromEntries(asked.map((id) => [id, rules[id]]))).toEqual(
    // Some of what is to be taken back cannot even be captured.
    Object.fromEntries(asked.map((id) => [id, id === 'GW-REV-07' ? 'arrange' : 'unseen'])),
  );
});

test('a verification without an outcome is not one that was declined', async () => {
  test.setTimeout(300_000);
  let verified = 0;
  const { rules } = await judgeGateway(
    (request, reply) => {
      if (/account-verification/.test(request.url!)) verified += 1;
      reply.setHeader('content-type', 'application/json').end(verified === 1 ? '{"orderState":"APPROVED"}' : '{}');
    },
    ['GW-VER-03'],
  );
  expect(rules['GW-VER-03']).toBe('unseen');
});

test('payments that nobody reports on are not left unapproved where none is approved at all', async () => {
  test.setTimeout(300_000);
  const order = { orderState: 'UNKNOWN', orderSystemId: 4711, threeDSAuth: { threeDSAuthStep: 'THREEDS_METHOD' } };
  const { rules } = await judgeGateway(
    answerAlways(200, order),
    ['GW-TDS-07'],
    'control: { advance: { url: "ADDRESS/later", moves: [records] } }\n',
  );
  expect(rules['GW-TDS-07']).toBe('arrange');
});

test('an order that a card history left behind is not absent where no order ever shows', async () => {
  test.setTimeout(300_000);
  const { rules } = await judgeGateway(
    (request, reply) => {
      const answer = /status/.test(request.url!)
        ? { orderState: 'UNKNOWN' }
        : { orderState: 'APPROVED', orderSystemId: 1 };
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    },
    ['GW-HIS-08'],
  );
  expect(rules['GW-HIS-08']).toBe('unseen');
});

test('a v1 that answers every request with empty lists keeps nothing that is said of what it would list', async () => {
  test.setTimeout(300_000);
  const asked = ['V1-DEP-01', 'V1-TRC-03', 'V1-TRC-08', 'V1-TRC-26', 'V1-WHK-04'];
  const rules = await judgeV1(
    (request, reply) =>
      void reply
        .writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
        .end(/transactions(?:\?|$)/.test(request.url!) && request.method === 'GET' ? '{"transactions":[]}' : '{}'),
    asked,
  );
  expect(asked.filter((id) => !['unseen', 'broken'].includes(rules[id]!))).toEqual([]);
});

test('a gateway that refuses everything keeps no promise to refuse something', async () => {
  test.setTimeout(300_000);
  const ofGateway = ['GW-RAT-03', 'GW-RAT-04', 'GW-SAL-05', 'GW-SAL-06', 'GW-VER-03', 'GW-VER-07'];
  const { rules } = await judgeGateway(
    answerAlways(400, { errorCode: -5, message: 'no', correlationId: 'c' }),
    ofGateway,
  );
  expect(ofGateway.filter((id) => rules[id] !== 'arrange')).toEqual([]);
});

test('a v1 that refuses everything keeps no promise to refuse something', async () => {
  test.setTimeout(300_000);
  const ofV1 = ['V1-TRC-01', 'V1-IBN-01', 'V1-IBN-02'];
  const body = { status: false, status_code: 422, message: 'VALIDATION_ERROR', errors: { no: ['no'] } };
  const verdicts = await judgeV1(answerAlways(422, body), ofV1);
  expect(ofV1.map((id) => verdicts[id])).toEqual(['broken', 'unseen', 'skipped']);
});

test('entries that do not show which they are are not taken for one that comes again', async () => {
  test.setTimeout(300_000);
  const transactions = Array.from({ length: 40 }, () => ({ amount: '5.00', created_at: 1_700_000_000 }));
  const rules = await judgeV1(
    (request, reply) => {
      const asked = new URL(request.url!, 'http://localhost').searchParams;
      const [size, number] = [Number(asked.get('per_page') ?? 15), Number(asked.get('page') ?? 1)];
      reply
        .writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ transactions: transactions.slice(size * (number - 1), size * number) }));
    },
    ['V1-PAG-05'],
  );
  expect(rules['V1-PAG-05']).toBe('unseen');
});
