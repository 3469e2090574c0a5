import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import * as kit from './canaries.test-support.ts';
import { Journal, Recorder, Redactor } from './index.ts';

const { canaries, CARDS, CODE, CRES, INNOCENT, KEY, PARES, PASSPHRASE, PLACES, TOKEN } = kit;

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-canary-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

function redactor(): Redactor {
  const made = new Redactor();
  for (const secret of [TOKEN, PASSPHRASE, KEY]) made.add(secret);
  return made;
}

/** Records one exchange and gives what was written. */
function recorded(
  parts: Partial<Record<'url' | 'body' | 'answer' | 'failure', string>> & { header?: [string, string] },
) {
  const journal = new Journal(folder);
  const recorder = new Recorder('c0ffee00', redactor(), journal);
  recorder.exchange({
    api: 'gateway',
    direction: 'out',
    at: 1_763_692_127_123,
    duration: 12,
    request: {
      method: 'POST',
      url: parts.url ?? 'https://gateway.example/api/payments/sale/7',
      headers: [['content-type', 'application/json'], ...(parts.header ? [parts.header] : [])],
      body: Buffer.from(parts.body ?? '{"order":{}}'),
    },
    response: { status: 200, headers: parts.header ? [parts.header] : [], body: Buffer.from(parts.answer ?? '{}') },
    failure: parts.failure,
    violations: [],
  });
  const text = parts.failure ?? '';
  recorder.finish({
    title: 'plants canaries',
    file: 'tests/gateway/canaries.spec.ts',
    line: 1,
    project: 'gateway',
    rules: ['GW-SAL-01'],
    outcome: 'fail',
    failures: [{ message: recorder.redact(text), expected: recorder.redact(text), actual: recorder.redact(text) }],
    startedAt: '2026-03-02T09:00:00.000Z',
    duration: 1,
  });
  journal.close();
  const written = readFileSync(join(folder, 'evidence.ndjson'), 'utf8');
  rmSync(join(folder, 'evidence.ndjson'));
  return { written, recorder };
}

function plant(text: string, place: string): string {
  // Text that is escaped already stands in a JSON string as it is.
  const inJson = /^(?:\\u[0-9a-f]{4})+$/.test(text) ? `"${text}"` : JSON.stringify(text);
  const put: Record<string, () => Parameters<typeof recorded>[0]> = {
    'JSON member': () => ({ body: `{"note":${inJson}}`, answer: `{"echo":${inJson}}` }),
    'nested JSON': () => ({ body: `{"a":[{"b":{"c":[1,${inJson}]}}]}` }),
    'JSON in a JSON string': () => ({
      answer: JSON.stringify({ payload: JSON.stringify({ deep: `{"x":${inJson}}` }) }),
    }),
    'form body': () => ({ body: `a=1&note=${/[%+]/.test(text) ? text : encodeURIComponent(text)}&b=2` }),
    HTML: () => ({ answer: `<p>Your number: <b title='${text}'>${text}</b></p><input value="${text}" name=note>` }),
    'free text': () => ({ answer: `We got ${text}, thank you.` }),
    header: () => ({ header: ['x-note', text.replace(/[\r\n]+/g, ' ')] }),
    path: () => ({ url: `https://gateway.example/cards/${/[%+]/.test(text) ? text : encodeURIComponent(text)}/x` }),
    query: () => ({
      url: `https://gateway.example/x?a=1&note=${/[%+]/.test(text) ? text : encodeURIComponent(text)}#${encodeURIComponent(text)}`,
    }),
    'error text': () => ({
      failure: `expect(received).toEqual(expected)\n\n- Expected\n+ Received\n\n  Object {\n-   "note": ${inJson},\n+   "note": "${text}",\n  }\nCall log: ${text}`,
    }),
  };
  return recorded(put[place]!()).written;
}

/** Whether a canary shows in what was written, read as it is and unescaped. */
function shows(written: string, never: readonly (string | RegExp)[]): boolean {
  const flat = written.replaceAll('\\"', '"').replaceAll('\\n', '\n').replaceAll('\\\\', '\\');
  return [written, flat].some((text) =>
    never.some((one) => (typeof one === 'string' ? text.includes(one) : one.test(text))),
  );
}

test('no canary comes through, whatever its spelling, wherever it is planted', () => {
  const rows: string[] = [];
  const leaked: string[] = [];
  for (const { kind, spelling, text, never } of canaries()) {
    const cells = PLACES.map((place) => {
      const out = shows(plant(text, place), never);
      if (out) leaked.push(`${kind}, ${spelling}, ${place}`);
      return out ? 'LEAK' : 'held';
    });
    rows.push(
      [kind.padEnd(22), spelling.padEnd(28), ...cells.map((cell, i) => cell.padEnd(PLACES[i]!.length))].join('  '),
    );
  }
  if (process.env.CANARIES === 'print')
    console.log(
      [
        ['secret'.padEnd(22), 'spelling'.padEnd(28), ...PLACES].join('  '),
        ...rows,
        `${rows.length * PLACES.length} planted, ${leaked.length} leaked`,
      ].join('\n'),
    );
  expect(leaked).toEqual([]);
  expect(rows.length).toBeGreaterThan(90);
});

test('leaves alone what only looks like a secret', () => {
  for (const text of INNOCENT) {
    expect(redactor().text(text)).toBe(text);
    const { written } = recorded({ answer: JSON.stringify({ note: text }), failure: text });
    expect(written.split(JSON.stringify(text).slice(1, -1)).length, text).toBeGreaterThan(4);
    expect(written).not.toMatch(/\[redacted\]|\*{6}/);
  }
});

test('removes verification codes by their name in every kind of body, and near their name in running text', () => {
  const bodies = [
    `{"card":{"cvv2":"${CODE}"}}`,
    `{"card":{"cvv2":${CODE}}}`,
    `{"card":{"cv\\u00762":"${CODE}"}}`,
    `{"cvv":["${CODE}"],"securityCode":{"value":"${CODE}"}}`,
    `{"payload":"{\\"cvv2\\":\\"${CODE}\\"}"}`,
    `{"card":{"cvv2":"${CODE}`,
    `a=1&cvv2=${CODE}&b=2`,
    `a=1&back=https%3A%2F%2Fx%2F%3Fcvv2%3D${CODE}%26z%3D1`,
    `<input name="cvv2" value="${CODE}">`,
    `<input value='${CODE}' type=text name='cvv2'/>`,
    `<card><cvc>${CODE}</cvc></card>`,
    `--b\r\nContent-Disposition: form-data; name="cvv2"\r\n\r\n${CODE}\r\n--b--`,
    `-   "cvv2": "${CODE}",\n+   "cvv2": "123",`,
    `{ cvv2: '${CODE}', month: '12' }`,
    `"cvv2":"${CODE}"`,
    `Expected: "\\"cvv2\\":\\"${CODE}\\""`,
    `wrong verification code ${CODE} for this card`,
    `CVV was ${CODE}`,
  ];
  for (const body of bodies) {
    const { written } = recorded({ body, failure: body });
    expect(written, body).not.toContain(CODE);
    expect(written).toContain('[redacted]');
  }
  for (const url of [`https://x.example/?cvv2=${CODE}`, `https://x.example/a#cvc=${CODE}`])
    expect(recorded({ url }).written).not.toContain(CODE);
});

test('takes out CRes and PaRes where they are named and, once seen, wherever they turn up', () => {
  for (const [name, value] of [
    ['cres', CRES],
    ['PaRes', PARES],
  ] as const) {
    for (const body of [
      `{"${name}":"${value}"}`,
      `${name}=${encodeURIComponent(value)}&MD=1`,
      `<form><input type="hidden" value="${value}" name="${name}"></form>`,
    ]) {
      const { written, recorder } = recorded({ body, failure: `the ACS said ${value}` });
      expect(written).not.toContain(value);
      expect(recorder.redact(`and again ${value}`)).not.toContain(value);
    }
  }
});

test('takes out every hash that would give a card number back', () => {
  const body = `{"card":{"cardNumber":"${CARDS.Visa}"}}`;
  const hash = createHash('sha256').update(body).digest('base64');
  const encoded = encodeURIComponent(hash);
  const base = `POST&https%3A%2F%2Fx&oauth_body_hash%3D${encodeURIComponent(encoded)}%26oauth_nonce%3Dabc`;
  const signature = 'c2lnbmF0dXJlIG9mIHRoZSBjYW5hcnk=';
  const { written, recorder } = recorded({
    body,
    header: [
      'authorization',
      `OAuth oauth_body_hash="${encoded}", oauth_nonce="abc", oauth_signature="${encodeURIComponent(signature)}"`,
    ],
    answer: JSON.stringify({
      errorCode: -13,
      context: { paramString: `oauth_body_hash=${encoded}&a=b`, signatureBaseString: base, mine: hash },
    }),
    failure: `expected ${base}; got ${hash}`,
  });
  for (const form of [hash, encoded, encodeURIComponent(encoded), signature, encodeURIComponent(signature)])
    expect(written).not.toContain(form);
  expect(written).toContain('oauth_nonce');
  expect(recorder.redact(hash)).toBe('[redacted]');
});

for (const start of ['OAuth', 'OAuth\t', 'OAuth,', '', 'Signature:']) {
  test(`takes out the hash of a body behind ${JSON.stringify(start)} without a blank`, () => {
    const body = `{"card":{"cardNumber":"${CARDS.Visa}"}}`;
    const hash = createHash('sha256').update(body).digest('base64');
    const header = `${start}oauth_body_hash="${encodeURIComponent(hash)}", oauth_nonce="abc"`;
    const { written } = recorded({ body, header: ['authorization', header], answer: '{}', failure: '' });
    expect(written).not.toContain(encodeURIComponent(hash).slice(0, 12));
    expect(written).toMatch(/"(?:OAuth)?\[redacted\]"/i);
  });
}

test('keeps the hash of a body without a card number, for whoever looks for a wrong signature', () => {
  const body = '{"order":{"orderDescription":"x"}}';
  const hash = createHash('sha256').update(body).digest('base64');
  const { written } = recorded({
    body,
    header: ['authorization', `OAuth oauth_body_hash="${hash}", oauth_signature="abc"`],
  });
  expect(written).toContain(hash);
  expect(written).not.toContain('abc');
});

test('masks a card number that is none by scheme or check digit where the target file says it is a test card', () => {
  const made = redactor();
  made.addCard('9999 0000 1111 2223');
  expect(made.text('card 9999-0000-1111-2223 was declined')).toBe('card 999900******2223 was declined');
});

test('masks a card number that the end of a long body cuts in two', () => {
  const body = `${'x'.repeat(64 * 1024 - 8)}${CARDS.Visa}`;
  expect(recorded({ body }).written).not.toContain(CARDS.Visa!.slice(0, 8));
});

test('writes JSON that is still JSON, and keeps the rest of it byte for byte', () => {
  const body = `{ "b": 1.10, "number": ${CARDS.Visa}, "a": "x\\ty", "b": 2, "cvv2": 123, "list": [ ] }`;
  const kept = redactor().body(body);
  expect(kept).toBe(
    '{ "b": 1.10, "number": "492993******5598", "a": "x\\ty", "b": 2, "cvv2": "[redacted]", "list": [ ] }',
  );
  expect(JSON.parse(kept)).toBeTruthy();
});

test('refuses to write a line that still holds a secret', () => {
  const journal = new Journal(folder);
  const recorder = new Recorder('c0ffee00', redactor(), journal);
  const finish = () =>
    recorder.finish({
      title: `pays with ${CARDS.Visa}`,
      file: 'a.spec.ts',
      line: 1,
      project: 'gateway',
      rules: [],
      outcome: 'pass',
      failures: [],
      startedAt: '2026-03-02T09:00:00.000Z',
      duration: 1,
    });
  expect(finish).toThrow(/withheld: it holds a card number/);
  journal.close();
  expect(readFileSync(join(folder, 'evidence.ndjson'), 'utf8')).toBe('');
});

test('takes no more than linear time on bodies made to be slow', () => {
  const hostile = ['name=a\n', '<a <b ', 'a-a=', '"a":"', 'eyJ-eyJ-', '1 2 3 4 ', '%3D%22a', '\\u0031', 'Bearer a '];
  for (const piece of hostile) {
    const body = piece.repeat(Math.ceil(200_000 / piece.length));
    // Work, not time: a machine that is busy with others is no fault of a pattern.
    const before = process.cpuUsage();
    redactor().body(body);
    expect(process.cpuUsage(before).user / 1e6, piece).toBeLessThan(4);
  }
});
