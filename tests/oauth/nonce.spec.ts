import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lawTest as test } from '#harness';
import { newNonce, percentEncode, signRequest } from '#oauth';
import { declareLaw } from './support/law.ts';
import { shortSigner } from './support/test-keys.ts';

// RFC 5849 section 3.3.

const DRAWS = 1_000_000;
/** Characters of a nonce. */
const LENGTH = 36;

test('draws a million nonces without a repetition', () => {
  test.setTimeout(60_000);
  // As bytes, told apart by the number that each begins with: a million texts, and a set of them, take three times the memory.
  const drawn = Buffer.alloc(LENGTH * DRAWS);
  const starts = new Uint32Array(DRAWS);
  for (let nth = 0; nth < DRAWS; nth += 1) {
    const nonce = newNonce();
    drawn.write(nonce, LENGTH * nth, 'latin1');
    starts[nth] = Number.parseInt(nonce, 16);
  }
  const sorted = starts.toSorted();
  const shared = new Set(sorted.filter((one, nth) => one === sorted[nth - 1]));
  const whole: string[] = [];
  for (const [nth, start] of starts.entries())
    if (shared.has(start)) whole.push(drawn.toString('latin1', LENGTH * nth, LENGTH * (nth + 1)));
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
  const { steps } = signRequest({ method: 'GET', url: 'http://h.example/' }, shortSigner, { clock: () => now });
  const seconds = new Map(steps.parameters).get('oauth_timestamp')!;
  assert.match(seconds, /^[1-9]\d*$/);
  assert.ok(now - Number(seconds) * 1000 >= 0);
  assert.ok(now - Number(seconds) * 1000 < 1000);
});
