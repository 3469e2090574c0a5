import type { Rule, Violation } from '#contract';
import type { CheckLine, ExchangeLine, Line, RunLine } from '#evidence';

const SHA = (seed: string) =>
  [...Array(64)].map((_, i) => ((seed.charCodeAt(i % seed.length) + i * 7) % 16).toString(16)).join('');
const AT = Date.parse('2026-03-02T09:00:00.000Z');
const when = (ms: number) => new Date(AT + ms).toISOString();

/** Text that would do harm if it were ever taken for markup, script, a terminal command or the end of something. */
export const HOSTILE_TEXT = `</script><script>window.harmed=1</script><img src=x onerror="window.harmed=1">]]>--><b>&amp;\u2028\u2029\u202e\u0000\u001b[31m'"\``;

function rule(id: string, text: string, more: Partial<Rule> = {}): Rule {
  const api = id.startsWith('V1') ? 'v1' : 'gateway';
  return {
    id,
    api,
    area: id.slice(0, id.lastIndexOf('-')),
    level: 'must',
    text,
    source: [{ document: api, section: 'Limits', sha256: SHA(id) }],
    needs: [],
    at: '/paths/~1payments~1capture~1{requestorId}/post',
    ...more,
  };
}

const RULES: readonly Rule[] = [
  rule('GW-CAP-01', 'A capture below the authorized amount is carried out.', { operation: 'capture' }),
  rule('GW-CAP-02', 'A capture above the authorized amount is not carried out.', {
    operation: 'capture',
    consequence: { harm: 'money', text: 'A customer could be charged more than was agreed to.' },
  }),
  rule('GW-CAP-03', 'A capture after the hold lapsed is declined.', { operation: 'capture', needs: ['clock'] }),
  rule('GW-STS-01', 'The state of an order is one of seven.', {
    operation: 'status',
    consequence: { harm: 'outcome', text: 'A merchant acts on a state that says nothing.' },
  }),
  rule('GW-STS-02', 'Status lists every transaction of the order.', { operation: 'status' }),
  rule('GW-TDS-01', 'A finished challenge moves the order on.', { operation: 'cres' }),
  rule('GW-CBK-01', 'A callback carries what status answers.'),
  rule('GW-ERR-01', 'An error says a code, a text and a correlation id.'),
  rule('GW-ERR-02', 'A retired statement.', { retired: 'The document dropped it.' }),
  rule('GW-ENV-01', 'A token is never written to a log of the service.', { untestable: 'Logs are not at hand.' }),
  rule('OA-SIG-01', 'A wrong signature is refused.', { operation: 'transfer', needs: ['oauth'] }),
  rule('V1-TRX-01', 'A page holds fifteen entries unless asked otherwise.', { operation: 'listTransactions' }),
  rule('V1-TRX-02', 'An amount has two decimals at most.', { operation: 'createTransaction', level: 'should' }),
  rule('V1-LIM-01', 'Every answer carries both rate headers.', { level: 'should' }),
  rule('V1-EVT-01', 'An event is repeated until it is answered 202.', { needs: ['receiver'] }),
  rule('V1-DOC-01', 'A deleted document is gone.', { operation: 'deleteDocument' }),
];

/** The run line of the sample, with its small register. */
export function sampleRunLine(more: Partial<RunLine> = {}): RunLine {
  const operation = (id: string, api: 'gateway' | 'v1', method: string, path: string, answers: number[]) => ({
    id,
    api,
    method,
    path,
    answers,
  });
  return {
    kind: 'run',
    id: '20260302-090000-5a3c',
    startedAt: when(0),
    target: {
      name: 'sample',
      kind: 'sandbox',
      file: 'targets/sample.yaml',
      sha256: SHA('target'),
      hosts: { gateway: 'https://gateway.example/api', v1: 'https://v1.example' },
    },
    suite: { version: '0.1.0', commit: SHA('commit').slice(0, 40), lock: SHA('lock') },
    runtime: { node: 'v20.20.2', openssl: '3.0.15', platform: 'linux x64' },
    specs: [
      { api: 'gateway', file: 'specs/gateway.yaml', version: '1.0.0', sha256: SHA('gateway') },
      { api: 'v1', file: 'specs/v1.yaml', version: '1.0.0', sha256: SHA('v1') },
    ],
    seed: 20260302,
    argv: ['run', '--target', 'targets/sample.yaml'],
    register: {
      areas: [
        { id: 'GW-CAP', api: 'gateway', title: 'Capture', file: 'gateway/capture' },
        { id: 'GW-STS', api: 'gateway', title: 'Status', file: 'gateway/status' },
        { id: 'GW-TDS', api: 'gateway', title: '3-D Secure', file: 'gateway/three-ds' },
        { id: 'GW-CBK', api: 'gateway', title: 'Callbacks', file: 'gateway/callbacks' },
        { id: 'GW-ERR', api: 'gateway', title: 'Errors', file: 'gateway/errors' },
        { id: 'GW-ENV', api: 'gateway', title: 'Surroundings', file: 'gateway/surroundings' },
        { id: 'OA-SIG', api: 'gateway', title: 'Signature', file: 'oauth/signature' },
        { id: 'V1-TRX', api: 'v1', title: 'Transactions', file: 'v1/transactions' },
        { id: 'V1-LIM', api: 'v1', title: 'Limits', file: 'v1/limits' },
        { id: 'V1-EVT', api: 'v1', title: 'Events', file: 'v1/events' },
        { id: 'V1-DOC', api: 'v1', title: 'Documents', file: 'v1/documents' },
      ],
      rules: RULES,
      holes: [
        {
          id: 'GW-HOLE-01',
          api: 'gateway',
          unknown: 'Which fields a transaction entry has.',
          source: [{ document: 'gateway', section: 'StatusResponse', sha256: SHA('h1') }],
          where: [{ operation: 'status', status: 200, observe: 'fields', body: '/transactions/*' }],
          at: '/components/schemas/Transaction',
        },
        {
          id: 'GW-HOLE-02',
          api: 'gateway',
          unknown: 'Which headers a callback has.',
          source: [{ document: 'gateway', section: 'Callback', sha256: SHA('h2') }],
          where: [{ event: 'orderCallback', observe: 'headers' }],
          at: '/webhooks/orderCallback/post',
        },
        {
          id: 'V1-HOLE-01',
          api: 'v1',
          unknown: 'What the information about the user looks like.',
          source: [{ document: 'v1', section: 'Endpoints', sha256: SHA('h3') }],
          where: [{ operation: 'auth', status: 200, observe: 'fields' }],
          at: '/paths/~1api~1v1~1auth/get',
        },
      ],
      states: [
        { api: 'gateway', name: 'APPROVED', isFinal: true },
        { api: 'gateway', name: 'DECLINED', isFinal: true },
        { api: 'gateway', name: 'PROCESSING', isFinal: false },
        { api: 'gateway', name: 'CHAIN_STEP', isFinal: false },
      ],
      clauses: [{ document: 'gateway', clauses: 9, rule: 6, untestable: 1, hole: 1, context: 2, unclaimed: 0 }],
      readings: [
        {
          id: 'GW-READ-01',
          api: 'gateway',
          question: 'What does a refused capture look like?',
          readings: ['An HTTP 400.', 'A 200 whose state says so.'],
          taken: 'Both are right; the effect decides.',
          why: 'A limit is promised, an answer is not.',
          notices: ['GW-CAP-02'],
        },
      ],
      operations: [
        operation('capture', 'gateway', 'POST', '/payments/capture/{requestorId}', [200, 400, 401, 500]),
        operation('status', 'gateway', 'POST', '/payments/status/{requestorId}', [200, 400, 401, 500]),
        operation('sale', 'gateway', 'POST', '/payments/sale/{requestorId}', [200, 400, 401, 500]),
        operation('cres', 'gateway', 'POST', '/3ds/cres/{requestorId}', [200, 400, 401, 500]),
        operation('transfer', 'gateway', 'POST', '/payments/transfer/{requestorId}', [200, 400, 401, 500]),
        operation('auth', 'v1', 'GET', '/api/v1/auth', [200, 401, 429, 500]),
        operation('listTransactions', 'v1', 'GET', '/api/v1/transactions', [200, 400, 401, 403, 422, 429, 500]),
        operation('createTransaction', 'v1', 'POST', '/api/v1/transactions', [201, 400, 401, 403, 422, 429, 500]),
      ],
    },
    waivers: [
      {
        rule: 'GW-ERR-01',
        reason: 'The service mends it in its next release.',
        owner: 'payments desk',
        until: '2026-06-30',
      },
      { rule: 'GW-CAP-01', reason: 'Once broken, kept since.', owner: 'payments desk', until: '2026-06-30' },
      { rule: 'V1-TRX-01', reason: 'Accepted last year.', owner: 'ledger desk', until: '2025-12-31' },
    ],
    ...more,
  };
}

/** One exchange of the sample. */
export function sampleExchange(
  check: string,
  nth: number,
  more: Partial<ExchangeLine> & { body?: unknown; status?: number; path?: string } = {},
): ExchangeLine {
  const {
    body = {
      orderState: 'APPROVED',
      correlationId: SHA(check + nth).slice(0, 32),
      transactions: [{ type: 'AUTH', amount: '10.00' }],
    },
    status = 200,
    path = '/payments/status/7',
    ...rest
  } = more;
  const sent = JSON.stringify({ orderSystemId: 400000 + nth, orderMerchantId: `m-${check}-${nth}` });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    kind: 'exchange',
    id: `${check}.${nth}`,
    check,
    api: 'gateway',
    direction: 'out',
    operation: 'status',
    at: when(nth * 1300),
    duration: 12.4 + (nth % 9),
    request: {
      method: 'POST',
      url: `https://gateway.example/api${path}`,
      headers: [
        ['authorization', 'Bearer [redacted]'],
        ['content-type', 'application/json'],
      ],
      body: sent,
      size: sent.length,
    },
    response: {
      status,
      headers: [
        ['content-type', 'application/json; charset=utf-8'],
        ['date', 'Mon, 02 Mar 2026 09:00:01 GMT'],
      ],
      body: text,
      size: text.length,
    },
    violations: [],
    redactions: 1,
    ...rest,
  };
}

/** One check of the sample. */
export function sampleCheck(id: string, title: string, rules: string[], more: Partial<CheckLine> = {}): CheckLine {
  const api = rules[0]?.startsWith('V1') ? 'v1' : 'gateway';
  return {
    kind: 'check',
    id,
    title,
    file: `tests/${api}/sample.spec.ts`,
    line: 12,
    project: api,
    rules,
    outcome: 'pass',
    failures: [],
    exchanges: 0,
    startedAt: when(500),
    duration: 41,
    ...more,
  };
}

const seven: Violation = {
  rule: 'GW-STS-01',
  expected: '/orderState one of APPROVED, DECLINED, ERROR, FILTERED, PROCESSING, UNKNOWN, CHAIN_STEP',
  actual: 'string "SETTLED"',
  where: '/orderState',
};

/** A run in which everything happens once: every verdict, every direction, a hole, a state change, hostile text. */
export function sampleLines(run: RunLine = sampleRunLine()): Line[] {
  const lines: Line[] = [run];
  const add = (line: CheckLine, ...exchanges: ExchangeLine[]) =>
    lines.push(...exchanges, { ...line, exchanges: exchanges.length });
  add(
    sampleCheck('a0000001', 'captures less than was authorized', ['GW-CAP-01'], {
      properties: [
        {
          name: 'any amount up to the limit',
          seed: 42,
          runs: 100,
          duration: 31,
          example: {
            case: '{"authorized":1000,"capture":617}',
            steps: [
              { name: 'Authorized', value: '10.00 EUR' },
              { name: 'Captured', value: `6.17 EUR ${HOSTILE_TEXT}` },
            ],
          },
        },
      ],
    }),
    sampleExchange('a0000001', 1, { operation: 'capture', path: '/payments/capture/7' }),
    sampleExchange('a0000001', 2),
  );
  add(
    sampleCheck('a0000002', 'refuses a capture above the authorized amount', ['GW-CAP-02'], {
      outcome: 'fail',
      failures: [
        {
          message: 'the order holds a capture that may not be',
          expected: 'captures of 10.00 at most',
          actual: 'a capture of 10.01',
          exchange: 'a0000002.2',
        },
      ],
      properties: [
        {
          name: 'no capture above the limit',
          seed: 7,
          runs: 12,
          path: '3:0:1',
          case: '{"authorized":1000,"capture":1001}',
        },
      ],
    }),
    sampleExchange('a0000002', 1, { operation: 'capture', path: '/payments/capture/7' }),
    sampleExchange('a0000002', 2, {
      body: {
        orderState: 'APPROVED',
        transactions: [
          { type: 'AUTH', amount: '10.00' },
          { type: 'CAPTURE', amount: '10.01' },
        ],
      },
    }),
  );
  add(
    sampleCheck('a0000003', 'declines a capture after the hold lapsed', ['GW-CAP-03'], {
      outcome: 'skipped',
      reason: { code: 'capability', text: 'The target cannot move its clock: give control.clock in the target file.' },
    }),
  );
  add(
    sampleCheck('a0000004', 'lists every transaction', ['GW-STS-02']),
    sampleExchange('a0000004', 1),
    sampleExchange('a0000004', 2, { body: { orderState: 'SETTLED', transactions: [] }, violations: [seven] }),
  );
  add(sampleCheck('a0000005', 'names one of seven states', ['GW-STS-01']), sampleExchange('a0000005', 1));
  add(
    sampleCheck('a0000006', 'moves on after a challenge', ['GW-TDS-01']),
    sampleExchange('a0000006', 1, { operation: 'sale', path: '/payments/sale/7' }),
    sampleExchange('a0000006', 2, {
      direction: 'browser',
      operation: undefined as never,
      request: {
        method: 'GET',
        url: 'https://acs.example/challenge?id=9',
        headers: [['accept', 'text/html']],
        size: 0,
      },
      response: {
        status: 200,
        headers: [['content-type', 'text/html']],
        body: `<html>${HOSTILE_TEXT}</html>`,
        size: 200,
      },
    }),
    sampleExchange('a0000006', 3, { operation: 'cres', path: '/3ds/cres/7' }),
    sampleExchange('a0000006', 4, {
      direction: 'in',
      operation: 'orderCallback',
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:4000/callback',
        headers: [['content-type', 'application/json']],
        body: '{"orderState":"APPROVED"}',
        size: 25,
      },
    }),
  );
  add(
    sampleCheck('a0000007', 'sends in a callback what status answers', ['GW-CBK-01'], {
      outcome: 'broken',
      reason: { code: 'timeout', text: 'No callback came within 30 s.' },
    }),
    sampleExchange('a0000007', 1, { response: undefined as never, failure: 'ECONNRESET: the connection was reset' }),
  );
  add(
    sampleCheck('a0000008', 'says a code, a text and an id in every error', ['GW-ERR-01'], {
      outcome: 'fail',
      failures: [
        {
          message: 'the error has no correlation id',
          expected: 'errorCorrelationId',
          actual: 'no such member',
          exchange: 'a0000008.1',
        },
      ],
    }),
    sampleExchange('a0000008', 1, { status: 400, body: { errorCode: -6, errorMessage: HOSTILE_TEXT } }),
  );
  add(
    sampleCheck('b0000001', 'gives fifteen entries', ['V1-TRX-01'], {
      outcome: 'fail',
      failures: [{ message: HOSTILE_TEXT, expected: `15 ${HOSTILE_TEXT}`, actual: '14', exchange: 'b0000001.1' }],
    }),
    sampleExchange('b0000001', 1, {
      api: 'v1',
      operation: 'listTransactions',
      path: '/v1/transactions?page=1',
      body: `{"a":"${'\u202e'}x","<b>":[1,{"c":1.10}]}`,
      response: {
        status: 200,
        headers: [
          ['content-type', 'application/json'],
          ['x-ratelimit-limit', '500'],
          ['x-ratelimit-remaining', '431'],
          ['x-odd', HOSTILE_TEXT],
        ],
        body: '{"account":{"uuid":"1"},"transactions":[]}',
        size: 42,
      },
    }),
  );
  add(
    sampleCheck('b0000002', 'refuses three decimals', ['V1-TRX-02'], {
      outcome: 'fail',
      failures: [{ message: 'it was accepted', expected: '422', actual: '201', exchange: 'b0000002.1' }],
    }),
    sampleExchange('b0000002', 1, { api: 'v1', operation: 'createTransaction', status: 201, path: '/v1/transactions' }),
  );
  add(
    sampleCheck('b0000003', 'carries rate headers', ['V1-LIM-01']),
    sampleExchange('b0000003', 1, { api: 'v1', operation: 'auth', path: '/v1/auth' }),
  );
  add(
    sampleCheck('b0000004', 'repeats an event', ['V1-EVT-01'], {
      outcome: 'skipped',
      reason: { code: 'capability', text: 'The target names no receiver.' },
    }),
  );
  lines.push(
    { kind: 'learned', hole: 'GW-HOLE-01', exchange: 'a0000001.2', where: '/transactions/*/type', what: 'string' },
    { kind: 'learned', hole: 'GW-HOLE-01', exchange: 'a0000004.1', where: '/transactions/*/type', what: 'string' },
    {
      kind: 'learned',
      hole: 'GW-HOLE-01',
      exchange: 'a0000001.2',
      where: '/transactions/*/amount',
      what: HOSTILE_TEXT,
    },
    { kind: 'learned', hole: 'V1-HOLE-01', exchange: 'b0000003.1', where: '/user', what: 'object' },
    { kind: 'transition', from: 'new', to: 'PROCESSING', via: 'sale', exchange: 'a0000006.1' },
    { kind: 'transition', from: 'PROCESSING', to: 'APPROVED', via: 'cres', exchange: 'a0000006.3' },
    { kind: 'transition', from: 'new', to: 'APPROVED', via: 'sale', exchange: 'a0000001.1' },
    { kind: 'transition', from: 'new', to: 'DECLINED', via: 'sale', exchange: 'a0000001.1' },
    { kind: 'transition', from: 'PROCESSING', to: 'DECLINED', via: 'status', exchange: 'a0000004.1' },
    { kind: 'transition', from: 'APPROVED', to: 'APPROVED', via: 'capture', exchange: 'a0000001.1' },
    { kind: 'transition', from: 'APPROVED', to: 'DECLINED', via: 'orderCallback', exchange: 'a0000006.4' },
    { kind: 'effect', what: 'order', id: '400001', check: 'a0000001', restored: false },
    { kind: 'effect', what: 'webhook', id: 'w-1', check: 'b0000004', restored: true },
  );
  return finishJournal(lines);
}

/** Ends a journal with the counts it has. */
export function finishJournal(lines: Line[]): Line[] {
  const count = (kind: Line['kind']) => lines.filter((line) => line.kind === kind).length;
  lines.push({
    kind: 'end',
    finishedAt: when(95_000),
    status: 'complete',
    counts: { checks: count('check'), exchanges: count('exchange') },
  });
  return lines;
}
