import assert from 'node:assert/strict';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { newNonce, sign } from '#oauth';
import { signer } from './arbitraries.ts';
import { law } from './law.ts';

// RFC 5849 section 3.3.

const DRAWS = 1_000_000;

test('draws a million nonces without a repetition', () => {
  test.setTimeout(60_000);
  const drawn = new Set<string>();
  for (let count = 0; count < DRAWS; count += 1) drawn.add(newNonce());
  assert.equal(drawn.size, DRAWS);
});

test('draws nonces whose bits are all in play', () => {
  const draws = 20_000;
  const ones = new Array<number>(128).fill(0);
  for (let count = 0; count < draws; count += 1) {
    const bytes = Buffer.from(newNonce(), 'hex');
    for (let bit = 0; bit < 128; bit += 1) ones[bit]! += (bytes[bit >> 3]! >> (bit & 7)) & 1;
  }
  // Eight standard deviations: a sound generator fails once in some 10^13 runs.
  for (const count of ones) assert.ok(Math.abs(count - draws / 2) < 8 * Math.sqrt(draws / 4));
});

law('is made of letters and digits, 128 bits long', [fc.constant(newNonce)], (draw) => {
  assert.match(draw(), /^[0-9a-f]{32}$/);
});

law('goes with the time in whole seconds', [fc.integer({ min: 1000, max: 4_000_000_000_000 })], (now) => {
  const { steps } = sign({ method: 'GET', url: 'http://h.example/' }, signer, { clock: () => now });
  const seconds = new Map(steps.parameters).get('oauth_timestamp')!;
  assert.match(seconds, /^[1-9]\d*$/);
  assert.ok(now - Number(seconds) * 1000 >= 0);
  assert.ok(now - Number(seconds) * 1000 < 1000);
});
