import { expect, test } from '@playwright/test';
import { DIGEST_PATTERNS } from './card-digests.ts';
import { CARD_PATTERNS } from './card-number.ts';
import { findLeaks, Recorder, Redactor } from './index.ts';
import { NAME_PATTERNS } from './names.ts';
import { VIEW_PATTERNS } from './plain-view.ts';
import { SECRET_PATTERNS } from './redact.ts';
import { STRUCTURE_PATTERNS } from './redact-structure.ts';
import { SCAN_PATTERNS } from './secret-scan.ts';
import { SPOKEN_PATTERNS } from './spoken-codes.ts';

const PATTERNS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries({
    ...{ CARD_PATTERNS, DIGEST_PATTERNS, NAME_PATTERNS, SCAN_PATTERNS },
    ...{ SECRET_PATTERNS, SPOKEN_PATTERNS, STRUCTURE_PATTERNS, VIEW_PATTERNS },
  }).flatMap(([group, patterns]) => Object.entries(patterns).map(([name, one]) => [`${group}.${name}`, one] as const)),
);

/** Beginnings that a pattern may take for its own, each followed by many of a piece that keeps it hoping. */
const HEADS = [
  '',
  '=',
  '"',
  '"ab":"',
  "'",
  '<a ',
  '<a b',
  'name=',
  '&#',
  '%',
  '\\',
  'cvv ',
  'Bearer ',
  'eyJ',
  '-----BEGIN ',
];
const PIECES = [
  ...[
    '\\',
    '"',
    "'",
    '`',
    '=',
    ':',
    ',',
    ' ',
    '\n',
    '\t',
    '%',
    '%25',
    '%22',
    '%3D',
    '&',
    '&#0',
    '&#x0',
    ';',
    '+',
    '-',
    '.',
  ],
  ...[
    '/',
    '_',
    '[',
    '{',
    '<',
    '<a ',
    '<!--',
    '>',
    '0',
    '1',
    '4',
    'a',
    'A',
    'f',
    '3',
    '4 ',
    '4-',
    '41 ',
    '41:',
    '0x34 ',
  ],
  ...[
    '52,',
    'a.',
    'a=',
    'a ',
    '"a"',
    '"a":"',
    '\\"',
    '\\\\u',
    '\\u0031',
    '=3',
    '=34',
    'name=a\n',
    '<a <b ',
    'a-a=',
    'A ',
  ],
  ...[
    'eyJ-',
    'eyJ-eyJ-',
    'Bearer a ',
    'Bearer+',
    'cvv ',
    'cvv is ',
    '8391 is ',
    '4111^',
    '-----BEGIN ',
    '-----END ',
    '٤',
    '％',
  ],
  ...[
    'content-disposition: form-data; name=a',
    'token',
    'cvvcode',
    '1234-',
    'DE00 ',
    'aGVsbG8\n',
    'aGVsbG8gd29ybGQhISE ',
  ],
];

/** Milliseconds of computing, whatever else the machine is doing. */
function computing(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('every pattern takes no more than linear time on texts made to be slow', () => {
  test.setTimeout(240_000);
  expect(Object.keys(PATTERNS).length).toBeGreaterThan(40);
  const slow: string[] = [];
  const cost = (pattern: RegExp, text: string) => computing(() => text.replace(pattern, ''));
  for (const [name, pattern] of Object.entries(PATTERNS))
    for (const head of HEADS)
      for (const piece of PIECES) {
        const text = (size: number) => head + piece.repeat(Math.ceil(size / piece.length));
        // What is square takes 256 times as long for sixteen times as much.
        const large = text(32_000);
        if (cost(pattern, large) < 20) continue;
        const small = Math.max(
          0.05,
          Math.min(cost(pattern, text(2000)), cost(pattern, text(2000)), cost(pattern, text(2000))),
        );
        const again = Math.min(cost(pattern, large), cost(pattern, large));
        if (again > 20 && again / small > 100)
          slow.push(`${name}: ${head}${piece}… ${small.toFixed(2)} ms, ${again.toFixed(0)} ms`);
      }
  expect(slow).toEqual([]);
});

test('redactor, recorder and gate take no more than linear time either', () => {
  test.setTimeout(240_000);
  const slow: string[] = [];
  for (const head of ['=', '{"a":"'])
    for (const piece of [
      '\\',
      '"',
      '=',
      '%25',
      '&#x0',
      '4',
      '4 ',
      '0x34 ',
      'a=',
      '\\"',
      '<a <b ',
      'name=a\n',
      'cvv is ',
      '411111',
    ]) {
      const text = (size: number) => head + piece.repeat(Math.ceil(size / piece.length));
      for (const [what, run] of [
        ['redactor', (one: string) => new Redactor().body(one)],
        ['card finder', (one: string) => new Redactor().holdsCard(one)],
        ['gate', (one: string) => findLeaks('x', one)],
      ] as const) {
        const large = computing(() => run(text(64_000)));
        if (large < 1000) continue;
        const small = Math.min(
          computing(() => run(text(4000))),
          computing(() => run(text(4000))),
        );
        const again = computing(() => run(text(64_000)));
        if (Math.min(large, again) / small > 100)
          slow.push(`${what}: ${head}${piece}… ${small.toFixed(0)} ms, ${again.toFixed(0)} ms`);
      }
    }
  expect(slow).toEqual([]);
});

test('an answer of eight megabytes is recorded in seconds, whatever is in it', () => {
  for (const piece of ['=\\', '4111111111111111 ', '"a":1,', '\\\\\\\\']) {
    const body = Buffer.from(piece.repeat(Math.ceil((8 * 1024 * 1024) / piece.length)));
    const recorder = new Recorder('c0ffee00', new Redactor(), { write: () => {}, note: () => {} });
    const spent = computing(() =>
      recorder.exchange({
        api: 'gateway',
        direction: 'out',
        at: 0,
        duration: 1,
        request: { method: 'GET', url: 'https://gateway.example/', headers: [] },
        response: { status: 200, headers: [], body },
        violations: [],
      }),
    );
    expect(spent, piece).toBeLessThan(4000);
  }
});
