import { setFlagsFromString } from 'node:v8';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { DIGEST_PATTERNS } from './card-digests.ts';
import { CARD_PATTERNS } from './card-number.ts';
import { ENDLESS_TEXTS, writeEndless } from './corpus/endless-texts.ts';
import { findLeaks, Recorder, Redactor } from './index.ts';
import { NAME_PATTERNS } from './names.ts';
import { VIEW_PATTERNS } from './plain-view.ts';
import { SECRET_PATTERNS } from './redact.ts';
import { STRUCTURE_PATTERNS } from './redact-structure.ts';
import { SCAN_PATTERNS } from './secret-scan.ts';
import { SPOKEN_PATTERNS } from './spoken-codes.ts';

/** As they are used, some of them at a place that is known. */
const PLACED: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries({
    ...{ CARD_PATTERNS, DIGEST_PATTERNS, NAME_PATTERNS, SCAN_PATTERNS },
    ...{ SECRET_PATTERNS, SPOKEN_PATTERNS, STRUCTURE_PATTERNS, VIEW_PATTERNS },
  }).flatMap(([group, patterns]) => Object.entries(patterns).map(([name, one]) => [`${group}.${name}`, one] as const)),
);
/** The same wherever a text has what they look for. */
const PATTERNS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(PLACED).map(([name, { source, flags }]) => [name, new RegExp(source, flags.replace('y', 'g'))]),
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

/** A loop that goes on as long as there is something for it: no other has megabytes to go through. */
const ENDLESS = /[*+]|\{\d+,\}/;

/** Characters, of which the endless texts have said what they repeat. */
const BEGINNING = 100;

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
  for (const head of HEADS)
    for (const piece of PIECES) {
      // Laid out in one piece of memory, once for all patterns, as a text that came is.
      const text = (size: number) => Buffer.from(head + piece.repeat(Math.ceil(size / piece.length))).toString();
      // What is square takes 256 times as long for sixteen times as much; what is quick on a quarter of it is quick on all of it.
      const [large, quarter, less] = [text(32_000), text(8000), text(2000)];
      for (const [name, pattern] of Object.entries(PATTERNS)) {
        if (cost(pattern, quarter) < 1 || cost(pattern, large) < 20) continue;
        const small = Math.max(0.05, Math.min(cost(pattern, less), cost(pattern, less), cost(pattern, less)));
        const again = Math.min(cost(pattern, large), cost(pattern, large));
        if (again > 20 && again / small > 100)
          slow.push(`${name}: ${head}${piece}… ${small.toFixed(2)} ms, ${again.toFixed(0)} ms`);
      }
    }
  expect(slow).toEqual([]);
});

test('no pattern gives up on megabytes of what it looks for', () => {
  test.setTimeout(240_000);
  const lost: string[] = [];
  // As the engine looks for patterns once it has compiled a megabyte of them: then the simplest loop has places to go back to as well.
  setFlagsFromString('--no-regexp-optimization');
  for (const text of Object.keys(ENDLESS_TEXTS)) {
    const [cut, whole] = [writeEndless(text, 1_000_000), writeEndless(text, 8_400_000)];
    for (const [name, { source, flags }] of Object.entries(PLACED)) {
      if (!ENDLESS.test(source)) continue;
      // Another source is compiled anew, and not as it was before.
      const pattern = new RegExp(`(?:${source})`, flags);
      // What is redacted is cut before that; an artifact is looked through as a whole.
      const isRedaction = /^(?:SECRET|STRUCTURE)_/.test(name);
      try {
        // At a place that is known: at all of the beginning, and of the first pieces.
        for (let at = 0; at < (pattern.sticky ? BEGINNING : 1); at += 1) {
          pattern.lastIndex = at;
          pattern.exec(isRedaction ? cut : whole);
        }
      } catch (error) {
        lost.push(`${name}: ${text}: ${error}`);
      }
    }
  }
  setFlagsFromString('--regexp-optimization');
  expect(lost).toEqual([]);
});

test('a pattern that takes nothing back finds what it would find if it did', () => {
  // As a loop that can be taken back round by round.
  const plain = ({ source, flags }: RegExp) =>
    new RegExp(source.replaceAll(/\(\?:\(\?=\((.*?)\{1,1000\}\)\)\\\d\)\*/g, '$1*'), flags);
  const atomic = Object.entries(PATTERNS).filter(([, pattern]) => plain(pattern).source !== pattern.source);
  expect(atomic.length).toBeGreaterThanOrEqual(9);
  const word = (letters: string, least: number, most: number) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: least, maxLength: most });
  const repeated = fc
    .tuple(fc.constantFrom(...PIECES, ...['52,', '41:', '0x34, ', '%41', '%2520', '=34']), fc.nat(20))
    .map(([piece, times]) => piece.repeat(times));
  const head = fc.constantFrom(...HEADS, ...Object.values(ENDLESS_TEXTS).map(({ head: one = '' }) => one));
  const part = fc.oneof(
    head,
    repeated,
    word('aZ09+/_-', 1, 20),
    word('ab4 ,:;0x52\n\r', 1, 40),
    word('%25302\\"{+ =.', 1, 20),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
      const text = parts.join('');
      for (const [name, pattern] of atomic) {
        const all = (one: RegExp) =>
          [...text.matchAll(one)].map(({ 0: match, index }) => `${index} ${match}`).join('\n');
        if (all(pattern) !== all(plain(pattern))) throw new Error(`${name} differs`);
      }
    }),
    { seed: 20261122, numRuns: 1000 },
  );
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
