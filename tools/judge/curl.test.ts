import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { judgeTraffic } from './judge-traffic.ts';
import { readRecordings } from './read-recording.ts';
import { contract } from './scripted-client.test-support.ts';

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-curl-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What curl prints of a sale at the gateway and of a list at v1, which lacks a header. */
const PRINTED = [
  '*   Trying 192.0.2.7:443...',
  '* SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384',
  '> POST /api/payments/sale/1001 HTTP/1.1',
  '> Host: gateway.example',
  '> Authorization: Bearer rt_a-token-of-somebody',
  '> Content-Type: application/json',
  '> ',
  '* upload completely sent off: 212 bytes',
  '< HTTP/1.1 100 Continue',
  '< HTTP/1.1 200 OK',
  '< content-type: application/json',
  '< ',
  '{ [34 bytes data]',
  '{"orderState":"APPROVED","orderSystemId":7}',
  '* Connection #0 to host gateway.example left intact',
  '> GET /api/v1/transactions?account_uuid=1 HTTP/2',
  '> Host: v1.example',
  '> Authorization: Bearer vt_another-token',
  '>',
  '< HTTP/2 200',
  '<',
  '{}',
].join('\r\n');

test('judges what curl -v printed by addresses and headers, and nothing that is said in bodies', () => {
  const file = join(folder, 'curl.txt');
  writeFileSync(file, PRINTED);
  const traffic = readRecordings(contract, [file], { isWhole: true, publicKeys: new Map() });
  expect(traffic.exchanges).toMatchObject([
    {
      operation: 'sale',
      request: { url: 'https://gateway.example/api/payments/sale/1001' },
      response: { status: 200 },
    },
    { operation: 'listTransactions', response: { status: 200 } },
  ]);
  expect(Buffer.from(traffic.exchanges[0]!.response!.body).toString()).toBe(
    '{"orderState":"APPROVED","orderSystemId":7}',
  );
  const verdicts = judgeTraffic(contract, traffic);
  const of = (outcome: string) => verdicts.filter((one) => one.outcome === outcome).map(({ rule }) => rule.id);
  expect(of('broken')).toEqual(['V1-CRQ-02', 'V1-CRQ-04', 'V1-CRQ-06']);
  expect(of('kept')).toEqual([
    'GW-CRQ-02',
    'GW-CRQ-03',
    'GW-CTK-01',
    'GW-CTK-02',
    'GW-CTK-03',
    'GW-CTK-04',
    'V1-CRQ-01',
    'V1-CRQ-05',
  ]);
  expect(verdicts.find(({ rule }) => rule.id === 'GW-CRQ-04')!.lacking).toBe('bodies');
});
