import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { canaries, INNOCENT, KEY, TOKEN } from './canaries.test-support.ts';
import { findLeaks, Redactor } from './index.ts';

test('names file, line and kind of what it finds, never the value', () => {
  const found = findLeaks(
    'summary.md',
    `one\ntwo 4929939187355598\nthree\n${KEY}\nAuthorization: Bearer abc123def456\n`,
  );
  expect(found).toEqual([
    { name: 'summary.md', kind: 'a card number', line: 2 },
    { name: 'summary.md', kind: 'a private key', line: 4 },
    { name: 'summary.md', kind: 'a bearer token', line: 8 },
  ]);
});

test('finds every card number canary and every registered secret, in any spelling', () => {
  const redactor = new Redactor();
  redactor.add(TOKEN);
  for (const { kind, spelling, text } of canaries()) {
    if (/passphrase|private key/.test(kind)) continue;
    expect(findLeaks('x.txt', `before ${text} after`, redactor), `${kind}, ${spelling}`).not.toEqual([]);
  }
});

test('looks into packed evidence', () => {
  const pack = (text: string) =>
    `<p>quiet</p>\n<script type="text/plain" class="pack">${deflateRawSync(text).toString('base64')}</script>\n`;
  expect(findLeaks('index.html', pack('{"texts":["4929 9391 8735 5598"]}'))).toEqual([
    { name: 'index.html', kind: 'a card number', line: 0 },
  ]);
  expect(findLeaks('index.html', pack('{"texts":["492993******5598"]}'))).toEqual([]);
  // Values of different exchanges that stand one under the other in a column are no number together.
  expect(findLeaks('index.html', pack(JSON.stringify(['4929\n9391\n8735\n5598'])))).toEqual([]);
});

test('looks again at what it found clean once more is known', () => {
  const digest = createHash('sha256').update('4929939187355598').digest('hex');
  const quiet = 'an ordinary line\n'.repeat(600);
  const kinds = (redactor: Redactor, text: string) => findLeaks('index.html', text, redactor).map(({ kind }) => kind);
  const redactor = new Redactor();
  const texts = [`${quiet}${TOKEN}\n`, `${quiet}1111 2222 3333 4440\n`, `${quiet}${digest}\n`];
  for (const text of [...texts, ...texts]) expect(kinds(redactor, text)).toEqual([]);
  redactor.learnDigests([Buffer.from(digest, 'hex')]);
  for (const text of texts.slice(0, 2)) expect(kinds(redactor, text)).toEqual([]);
  for (let turn = 0; turn < 2; turn += 1)
    expect(kinds(redactor, texts[2]!)).toEqual(['a digest of what holds a card number']);
  redactor.add(TOKEN);
  expect(kinds(redactor, texts[0]!)).toEqual(['a registered secret']);
  expect(kinds(redactor, texts[1]!)).toEqual([]);
  redactor.addCard('1111222233334440');
  expect(kinds(redactor, texts[1]!)).toEqual(['a card number']);
});

test('takes ordinary text for what it is', () => {
  const masked = [
    '492993******5598',
    'Bearer [redacted]',
    '-H "authorization: Bearer $TOKEN"',
    'Bearer <ACCESS_TOKEN>',
  ];
  expect(findLeaks('index.html', [...INNOCENT, ...masked].join('\n'))).toEqual([]);
});

test('finds what stands far down in a long file', () => {
  const long = `${'an ordinary line of a journal\n'.repeat(50_000)}4929939187355598\n`;
  expect(findLeaks('evidence.ndjson', long)).toEqual([
    { name: 'evidence.ndjson', kind: 'a card number', line: 50_001 },
  ]);
});

test('lets through every number that the redactor leaves: an id is no reason to withhold a line', () => {
  const redactor = new Redactor();
  const forms: readonly ((id: string) => string)[] = [
    (id) => id,
    (id) => `["x-trace","${id}"]`,
    (id) => `{"id":${id}}`,
    (id) => `ref-${id}`,
    (id) => `${id}.50`,
    (id) => `/orders/${id}/x?y=${id.slice(0, 7)}`,
  ];
  const id = fc.stringMatching(/^[1-9][0-9]{8,18}$/);
  fc.assert(
    fc.property(id, fc.constantFrom(...forms), (number, form) => {
      const leaks = findLeaks('evidence.ndjson', redactor.text(form(number)));
      // The runner's own word for it would be a step in its report each time.
      if (leaks.length > 0) throw new Error(leaks.map(({ kind }) => kind).join());
    }),
    { seed: 20261121, numRuns: 4000 },
  );
});

test('looks at each packed value by itself, since columns of different values stand side by side', () => {
  const found = (columns: string[]) => {
    const pack = { rows: [[0]], texts: ['{"a":"\u0001","b":"\u0001"}'], columns: [columns] };
    const base64 = deflateRawSync(JSON.stringify(pack)).toString('base64');
    return findLeaks('index.html', `<script type="text/plain" class="pack">${base64}</script>`);
  };
  expect(found(['1\n55554444', '33331111\n2'])).toEqual([]);
  expect(found(['1\n5555444433331111', '2\n3'])).toEqual([{ name: 'index.html', kind: 'a card number', line: 0 }]);
});
