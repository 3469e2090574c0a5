import { expect, test } from '@playwright/test';
import { judgeResponse, loadContract, observeHoles } from '#contract';
import { valueAt } from '#json-pointer';

const contract = loadContract();
const RATE = { 'x-ratelimit-limit': '500', 'x-ratelimit-remaining': '499' };

/** Rules that an answer breaks, each with the place. */
function broken(operation: string, status: number, body: unknown, headers: Record<string, string> = {}): string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const received = {
    status,
    body: text,
    headers: new Map(Object.entries({ 'content-type': 'application/json', ...headers })),
  };
  return judgeResponse(contract, contract.operations.get(operation)!, received).map(
    ({ rule, where }) => `${rule} ${where}`,
  );
}

const transaction = (changes: object) => ({ ...(valueAt(contract.document('v1'), EXAMPLE) as object), ...changes });
const EXAMPLE = '/paths/~1api~1v1~1transactions~1{uuid}/get/responses/200/content/application~1json/example';
const failure = (changes: object = {}) => ({
  status: false,
  status_code: 404,
  message: 'NOT_FOUND',
  errors: ['x'],
  ...changes,
});
const gatewayError = { errorCode: -7, errorMessage: 'Access token not found', errorCorrelationId: 'a' };
const UTF8 = { 'content-type': 'application/json; charset=utf-8' };

test('finds nothing in a sound answer, nor in a status that is not documented', () => {
  expect(broken('readTransaction', 200, transaction({}), RATE)).toEqual([]);
  expect(broken('readTransaction', 404, failure(), RATE)).toEqual([]);
  expect(broken('readTransaction', 418, 'short and stout')).toEqual([]);
  expect(broken('status', 200, { orderState: 'APPROVED', transactions: [], more: 1 })).toEqual([]);
  expect(broken('deleteDocument', 204, '', RATE)).toEqual([]);
});

test('attributes a field to the rule beside it, through references and lists', () => {
  expect(broken('readTransaction', 200, transaction({ amount: '10.25' }), RATE)).toEqual(['V1-TRN-09 /amount']);
  expect(broken('readTransaction', 200, transaction({ payer: { iban: 7 } }), RATE)).toEqual(['V1-TRN-24 /payer/iban']);
  const account = { uuid: '5b0c7a51-6a3e-4c5e-9d61-0f2f7f6f1a01' };
  const list = { account, transactions: [transaction({}), transaction({ currency: 'euro' })] };
  expect(broken('listTransactions', 200, list, RATE)).toEqual(['V1-TRN-10 /transactions/1/currency']);
  expect(broken('listTransactions', 200, { account }, RATE)).toEqual(['V1-TRL-08 ']);
});

test('attributes an error body to the rule of its status and member', () => {
  expect(broken('readTransaction', 401, failure({ status_code: 401, message: 'WHO' }), RATE)).toEqual([
    'V1-ERR-02 /message',
  ]);
  expect(broken('readTransaction', 404, failure({ status_code: 400 }), RATE)).toEqual(['V1-ERR-10 /status_code']);
  expect(broken('readTransaction', 404, failure({ errors: { a: ['x'] } }), RATE)).toEqual(['V1-ERR-13 /errors']);
  expect(broken('readTransaction', 404, [], RATE)).toEqual(['V1-ERR-08 ']);
  expect(broken('sale', 401, { ...gatewayError, errorCode: '-7' }, UTF8)).toEqual(['GW-ERR-08 /errorCode']);
  expect(broken('transfer', 401, { ...gatewayError, errorCode: -13 }, UTF8)).toEqual(['OA-ERR-10 ']);
});

test('attributes headers to their rules, numbers written as text included', () => {
  expect(broken('readTransaction', 200, transaction({}), { 'x-ratelimit-limit': '500' })).toEqual([
    'V1-LIM-07 header: x-ratelimit-remaining',
  ]);
  expect(broken('readTransaction', 200, transaction({}), { ...RATE, 'x-ratelimit-limit': 'many' })).toEqual([
    'V1-LIM-05 header: x-ratelimit-limit',
  ]);
});

test('attributes a media type only where a rule speaks of it, whatever its case and spacing', () => {
  const type = (text: string) => ({ ...RATE, 'content-type': text });
  expect(broken('readTransaction', 200, transaction({}), type('text/html'))).toEqual([
    'V1-GEN-03 header: content-type',
  ]);
  expect(broken('readTransaction', 404, failure(), type('text/plain'))).toEqual(['V1-GEN-03 header: content-type']);
  expect(broken('readTransaction', 404, failure(), type('Application/JSON ;charset="UTF-8"'))).toEqual([]);
  for (const [operation, status] of [
    ['sale', 400],
    ['sale', 401],
    ['sale', 500],
  ] as const) {
    expect(broken(operation, status, gatewayError, type('application/json;charset=UTF-8'))).toEqual([]);
    expect(broken(operation, status, gatewayError, type('application/json'))).toEqual([
      'GW-ERR-12 header: content-type',
    ]);
    expect(broken(operation, status, gatewayError, type('text/html; charset=utf-8'))).toEqual([
      'GW-ERR-12 header: content-type',
    ]);
  }
  expect(broken('sale', 200, { orderState: 'APPROVED', transactions: [] }, type('text/plain'))).toEqual([]);
});

test('attributes a body that is no JSON, and no body where there has to be one', () => {
  expect(broken('readTransaction', 200, '<html>', RATE)).toEqual(['V1-GEN-02 ']);
  expect(broken('readTransaction', 404, '<html>', RATE)).toEqual(['V1-GEN-02 ']);
  expect(broken('readTransaction', 200, '', RATE)).toEqual(['V1-TRR-03 ']);
  expect(broken('readTransaction', 404, '', RATE)).toEqual(['V1-ERR-08 ']);
  expect(broken('sale', 401, '<html>', UTF8)).toEqual(['GW-ERR-13 ']);
  expect(broken('sale', 200, '<html>')).toEqual(['GW-SAL-01 ']);
});

test('says what came without the whole of it', () => {
  const received = {
    status: 200,
    body: JSON.stringify(transaction({ status: 'x'.repeat(500).split('') })),
    headers: new Map(),
  };
  const [found] = judgeResponse(contract, contract.operations.get('readTransaction')!, received).filter(
    ({ rule }) => rule === 'V1-TRN-04',
  );
  expect(found).toMatchObject({ where: '/status', actual: 'an array of 500', expected: '/status must be string' });
});

test('observes what the schemas do not list', () => {
  const received = {
    status: 200,
    body: JSON.stringify({ orderState: 'APPROVED', orderSystemId: 7 }),
    headers: new Map([['x-trace', '1']]),
  };
  const seen = observeHoles(contract, 'status', received).map(({ hole, where, what }) => `${hole} ${where} ${what}`);
  expect(seen).toContain('GW-HOLE-08 /orderState "APPROVED"');
  expect(seen).toContain('GW-HOLE-01 /orderSystemId number');
});

test.describe('an answer of eight megabytes costs seconds and gives a page of findings', () => {
  const MIB = 1024 * 1024;
  const fill = (piece: string) => Array.from({ length: Math.floor((8 * MIB) / (piece.length + 1)) }, () => piece);
  const account = '"account":{"uuid":"5b0c7a51-6a3e-4c5e-9d61-0f2f7f6f1a01"}';
  const members = Array.from({ length: 600_000 }, (_, i) => `"k${i}":1`).join(',');
  const bodies: readonly (readonly [string, string, string])[] = [
    ['a million members nobody knows', 'status', `{"orderState":"APPROVED",${members}}`],
    ['a list of wrong entries', 'listTransactions', `{${account},"transactions":[${fill('{"amount":"1"}')}]}`],
    ['a list of numbers', 'listTransactions', `{${account},"transactions":[${fill('1')}]}`],
    ['one name of megabytes', 'status', `{"orderState":"APPROVED","${'x'.repeat(7 * MIB)}":1}`],
    ['one value of megabytes', 'status', `{"orderState":"${'x'.repeat(7 * MIB)}"}`],
  ];
  for (const [name, operation, body] of bodies)
    test(name, () => {
      test.setTimeout(120_000);
      const headers = new Map(Object.entries({ 'content-type': 'application/json', ...RATE }));
      const received = { status: 200, headers, body };
      const began = performance.now();
      const found = judgeResponse(contract, contract.operations.get(operation)!, received);
      expect(observeHoles(contract, operation, received).length).toBeLessThan(100_000);
      expect(performance.now() - began).toBeLessThan(60_000);
      expect(found.length).toBeLessThan(200);
      expect(JSON.stringify(found).length).toBeLessThan(200_000);
      if (process.env.MEASURE)
        console.log(name, Math.round(performance.now() - began), Math.round(process.memoryUsage().rss / MIB));
    });
});
