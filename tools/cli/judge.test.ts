import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { callProgram } from './call-program.test-support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOKEN = 'rt_a-token-of-somebody-17';
const CARD = '5555444433331111';
let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-judge-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the real program. */
function assay(...argv: string[]) {
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  return spawnSync(process.execPath, [join(ROOT, 'tools/cli/assay.mjs'), ...argv], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
}

interface Step {
  readonly path: string;
  readonly body: object;
  readonly answer: object;
  readonly second: number;
  readonly headers?: readonly (readonly [string, string])[];
}

/** A HAR of these requests, as a proxy before a backend writes it. */
function har(name: string, steps: readonly Step[]): string {
  const file = join(folder, name);
  const pairs = (list: readonly (readonly [string, string])[]) => list.map(([key, value]) => ({ name: key, value }));
  const entries = steps.map(({ path, body, answer, second, headers = [['authorization', `Bearer ${TOKEN}`]] }) => ({
    startedDateTime: new Date(Date.UTC(2026, 2, 2, 10, 0, second)).toISOString(),
    time: 20,
    request: {
      method: 'POST',
      url: `https://gateway.example/api${path}`,
      headers: pairs([...headers, ['content-type', 'application/json']]),
      postData: { mimeType: 'application/json', text: JSON.stringify(body) },
    },
    response: {
      status: 200,
      headers: pairs([['content-type', 'application/json']]),
      content: { text: JSON.stringify(answer) },
    },
  }));
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }));
  return file;
}

const PAYMENT = {
  orderMerchantId: 'order-1',
  order: { orderAmount: '10.00' },
  browser: {},
  card: { cardNumber: CARD, cvv2: '872' },
};
const answer = (orderState: string) => ({ orderState, transactions: [], orderSystemId: 7, orderMerchantId: 'order-1' });
const SOLD: Step = { path: '/payments/sale/1001', body: PAYMENT, answer: answer('PROCESSING'), second: 0 };
const ASKED: Step = {
  path: '/payments/status/1001',
  body: { orderSystemId: 7 },
  answer: answer('APPROVED'),
  second: 3,
};

function verdictsOf(run: string): Map<string, string> {
  const { rules } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as {
    rules: { id: string; verdict: string }[];
  };
  return new Map(rules.map(({ id, verdict }) => [id, verdict]));
}

test('judges a recording, and again what was exported of it, without a secret in any file', async () => {
  const run = join(folder, 'first');
  const ended = assay('judge', har('right.har', [SOLD, ASKED]), '--out', run);
  expect(ended.stderr).not.toContain('cause');
  expect(ended.status).toBe(0);
  const verdicts = verdictsOf(run);
  expect(['GW-CRQ-04', 'GW-COR-02', 'GW-CMY-01', 'GW-CTK-02'].map((id) => verdicts.get(id))).toEqual(
    Array(4).fill('pass'),
  );
  expect(['GW-CMY-02', 'GW-COR-03', 'V1-CTR-01', 'GW-C3D-04'].map((id) => verdicts.get(id))).toEqual(
    Array(4).fill('unseen'),
  );
  for (const name of ['evidence.ndjson', 'index.html', 'run.json'])
    for (const secret of [TOKEN, CARD, '872"']) expect(readFileSync(join(run, name), 'utf8')).not.toContain(secret);

  const exported = join(folder, 'exported.har');
  expect(await callProgram(['export', run, '--har', '--out', exported])).toMatchObject({ code: 0 });
  const again = join(folder, 'again');
  expect(await callProgram(['judge', exported, '--out', again])).toMatchObject({ code: 0 });
  const after = verdictsOf(again);
  const lost = [...verdicts].filter(([id, verdict]) => after.get(id) !== verdict).map(([id]) => id);
  expect(lost).toEqual(['GW-CTK-03']);
  expect(await callProgram(['verify', run])).toMatchObject({ code: 0 });
});

test('says which exchange broke what, and exits 1', async () => {
  const run = join(folder, 'broken');
  const twice = har('twice.har', [SOLD, { ...SOLD, second: 1 }, ASKED]);
  expect(await callProgram(['judge', twice, '--out', run])).toMatchObject({ code: 1 });
  const { rules } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  const broken = rules.filter(({ verdict }: { verdict: string }) => verdict === 'fail');
  expect(broken.map(({ id }: { id: string }) => id)).toEqual(['GW-CMY-01']);
  const [exchange] = broken[0].failures[0].exchanges as string[];
  expect(exchange).toMatch(/\.2$/);
  const curl = (await callProgram(['export', run, '--curl', '--exchange', exchange!])).out;
  expect(curl).toContain(`curl -i -X 'POST' 'https://gateway.example/api/payments/sale/1001'`);
  expect(execFileSync('bash', ['-c', `curl() { printf '%s|' "$@"; }; ${curl}`], { encoding: 'utf8' })).toContain(
    '|--data-raw|{',
  );
  const { item } = JSON.parse((await callProgram(['export', run, '--postman', '--exchange', exchange!])).out);
  expect(item).toMatchObject([{ request: { method: 'POST' }, response: [{ code: 200 }] }]);
});

test('reads the evidence of a run, in which clocks may have been moved and tokens were taken out', async () => {
  const [before, run] = [join(folder, 'evidence-before'), join(folder, 'evidence')];
  const paidTwice = har('paid-twice.har', [SOLD, { ...SOLD, second: 1 }, ASKED]);
  expect(await callProgram(['judge', paidTwice, '--out', before])).toMatchObject({ code: 1 });
  expect(await callProgram(['judge', join(before, 'evidence.ndjson'), '--out', run])).toMatchObject({ code: 1 });
  const verdicts = verdictsOf(run);
  expect(verdicts.get('GW-CMY-01')).toBe('fail');
  expect(verdicts.get('GW-CTK-01')).toBe('unseen');
});

test('judges nothing of which a recording lacks what it needs', async () => {
  const run = join(folder, 'lacking');
  const bare = har('bare.har', [
    { ...SOLD, headers: [] },
    { ...ASKED, headers: [] },
  ]);
  expect(await callProgram(['judge', bare, '--out', run])).toMatchObject({ code: 0 });
  for (const id of ['GW-CTK-01', 'GW-CTK-02', 'OA-CSG-07']) expect(verdictsOf(run).get(id)).toBe('unseen');
});

const HOSTILE: readonly (readonly [string, string, RegExp])[] = [
  ['an empty file', '', /is not JSON[\s\S]*it is empty/],
  ['half a file', '{"log":{"entries":[{"request":{"method":"PO', /is not JSON[\s\S]*cut off/],
  ['something else', '[1,2]', /no HAR[\s\S]*log\.entries/],
  ['an entry without a request', '{"log":{"entries":[{"response":{}}]}}', /no HAR[\s\S]*log\.entries\[0\]/],
  ['an entry that is null', '{"log":{"entries":[null]}}', /no HAR[\s\S]*log\.entries\[0\]/],
  [
    'headers that are none',
    '{"log":{"entries":[{"request":{"method":"GET","url":"x","headers":7}}]}}',
    /nothing in the recording/,
  ],
  [
    'an address that cannot be',
    '{"log":{"entries":[{"request":{"method":"POST","url":"http://[/api/payments/sale/1001","headers":[null]}}]}}',
    /nothing|kept/,
  ],
  ['evidence with a damaged line', '{"kind":"run"}\n{"kind":\n{}\n', /no evidence of a run[\s\S]*not JSON|damaged/],
];
for (const [name, text, words] of HOSTILE)
  test(`says of ${name} what is wrong with it`, async () => {
    const file = join(folder, 'hostile.har');
    writeFileSync(file, text);
    const { code, out, err } = await callProgram(['judge', file, '--out', join(folder, `hostile ${name}`)]);
    expect(`${err}${out}`).toMatch(words);
    if (code !== 0) expect(err).toMatch(/^assay: .*hostile\.har.*\n {2}cause: .+\n {2}fix: {3}.+\n$/m);
    expect([0, 2]).toContain(code);
  });

test('judges two thousand exchanges, one of them with a body made to be deep', async () => {
  test.setTimeout(120_000);
  const many = Array.from({ length: 1000 }, (_, i): Step[] => {
    const id = `order-${i}`;
    const named = { ...answer('APPROVED'), orderSystemId: i, orderMerchantId: id };
    return [
      { ...SOLD, body: { ...PAYMENT, orderMerchantId: id }, answer: named, second: 2 * i },
      { ...ASKED, body: { orderSystemId: i }, answer: named, second: 2 * i + 1 },
    ];
  }).flat();
  const file = har('many.har', many);
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"text":"{\\"orderMerchantId', `"text":"${deep}","was":"{\\"orderMerchantId`));
  const run = join(folder, 'many');
  expect(await callProgram(['judge', file, '--out', run, '--rule', 'GW-CMY'])).toMatchObject({ code: 0, err: '' });
  expect(verdictsOf(run).get('GW-CMY-01')).toBe('pass');
});

test('refuses a recording that is too large, and one that is not there', async () => {
  const file = join(folder, 'giant.har');
  writeFileSync(file, '{');
  truncateSync(file, 257 * 1024 * 1024);
  const large = await callProgram(['judge', file]);
  expect([large.code, large.err]).toEqual([2, expect.stringContaining('too large')]);
  rmSync(file);
  expect(await callProgram(['judge', file])).toMatchObject({ code: 2 });
});

test('judges at its end what an application sent to the sandbox', async () => {
  const run = join(folder, 'session');
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [join(ROOT, 'tools/cli/assay.mjs'), 'sandbox', '--judge', '--json', '--out', run],
    { cwd: ROOT, env },
  );
  const printed = await new Promise<string>((done) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (/^\}$/m.test(text)) done(text);
    });
  });
  const { addresses, credentials } = JSON.parse(printed.slice(0, printed.search(/^\}$/m) + 1));
  const { id, token } = credentials.gateway.main;
  const ask = (path: string, body: object) =>
    fetch(`${addresses.gateway}${path}/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const card = { cardNumber: '4000000000000705', cvv2: '123', expireMonth: '10', expireYear: '2049' };
  await ask('/payments/sale', { ...PAYMENT, order: { orderAmount: '10.00', orderCurrencyCode: 'EUR' }, card });
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  const verdicts = verdictsOf(run);
  expect([...verdicts].filter(([, verdict]) => verdict === 'fail').map(([rule]) => rule)).toEqual(['GW-COR-02']);
  expect(verdicts.get('GW-CRQ-04')).toBe('pass');
  expect(readFileSync(join(run, 'evidence.ndjson'), 'utf8')).not.toContain(token);
});
