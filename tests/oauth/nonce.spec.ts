import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lawTest as test } from '#harness';
import { newNonce, percentEncode, signRequest } from '#oauth';
import { testSigner } from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';

// RFC 5849 section 3.3.

const DRAWS = 1_000_000;

test('draws a million nonces without a repetition', () => {
  test.setTimeout(60_000);
  // As numbers: a million texts, and a set of them, take six times as much memory.
  const drawn = Buffer.alloc(16 * DRAWS);
  for (let count = 0; count < DRAWS; count += 1) drawn.write(newNonce().replaceAll('-', ''), 16 * count, 'hex');
  const half = (nth: number, at: 0 | 8) => drawn.readBigUInt64BE(16 * nth + at);
  const sorted = new BigUint64Array(DRAWS).map((_, nth) => half(nth, 0)).sort();
  const shared = new Set(sorted.filter((one, nth) => one === sorted[nth - 1]));
  const whole: string[] = [];
  for (let nth = 0; shared.size > 0 && nth < DRAWS; nth += 1)
    if (shared.has(half(nth, 0))) whole.push(`${half(nth, 0)} ${half(nth, 8)}`);
  assert.equal(new Set(whole).size, whole.length);
});

test('draws nonces in which all bits but the six of the UUID format are in play', () => {
  const draws = 20_000;
  const ones = new Array<number>(128).fill(0);
  for (let count = 0; count < draws; count += 1) {
    const bytes = Buffer.from(newNonce().replaceAll('-', ''), 'hex');
    for (let bit = 0; bit < 128; bit += 1) ones[bit]! += (bytes[bit >> 3]! >> (7 - (bit & 7))) & 1;
  }
  // Eight standard deviations: a sound generator fails once in some 10^13 runs.
  const drawn = ones.filter((_, bit) => ![48, 49, 50, 51, 64, 65].includes(bit));
  for (const count of drawn) assert.ok(Math.abs(count - draws / 2) < 8 * Math.sqrt(draws / 4));
});

declareLaw(
  'is made of unreserved characters, so that it looks the same in every step',
  [fc.constant(newNonce)],
  (draw) => {
    const nonce = draw();
    assert.equal(percentEncode(nonce), nonce);
  },
);

declareLaw('goes with the time in whole seconds', [fc.integer({ min: 1000, max: 4_000_000_000_000 })], (now) => {
  const { steps } = signRequest({ method: 'GET', url: 'http://h.example/' }, testSigner, { clock: () => now });
  const seconds = new Map(steps.parameters).get('oauth_timestamp')!;
  assert.match(seconds, /^[1-9]\d*$/);
  assert.ok(now - Number(seconds) * 1000 >= 0);
  assert.ok(now - Number(seconds) * 1000 < 1000);
});
