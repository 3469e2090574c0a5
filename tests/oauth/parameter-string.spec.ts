import assert from 'node:assert/strict';
import fc from 'fast-check';
import { collectParameters, type Pair, percentDecode, readQuery, writeParameterString } from '#oauth';
import { illFormed, name, pairs, text, WRITINGS, writeQuery, writing } from './arbitraries.ts';
import { law } from './law.ts';
import { bytes, recompute } from './verifier.ts';

// RFC 5849 sections 3.4.1.3.1 and 3.4.1.3.2.

const HERE = 'http://h.example/';

law(
  'does not depend on the order of parameters',
  [pairs.chain((each) => fc.tuple(fc.constant(each), shuffled(each)))],
  ([one, other]) => {
    assert.equal(writeParameterString(other), writeParameterString(one));
  },
);

law('is the same for the same parameters only', [pairs, pairs], (one, other) => {
  assert.equal(writeParameterString(one) === writeParameterString(other), multiset(one) === multiset(other));
});

law('can be read back in full', [pairs], (given) => {
  assert.equal(multiset(readBack(writeParameterString(given))), multiset(given));
});

law('keeps every duplicate', [fc.tuple(text, text), fc.integer({ min: 1, max: 9 })], (pair, times) => {
  const written = writeParameterString(Array(times).fill(pair));
  assert.deepEqual(written.split('&'), Array(times).fill(writeParameterString([pair])));
});

law('changes with every parameter added', [pairs, text, text], (given, added, value) => {
  assert.notEqual(writeParameterString([...given, [added, value]]), writeParameterString(given));
});

law('stands in byte order of names, then of values', [pairs], (given) => {
  const written = writeParameterString(given)
    .split('&')
    .map((piece) => piece.split('=').map((part) => Buffer.from(part)));
  for (const [at, [before, first]] of written.slice(0, -1).entries()) {
    const [after, second] = written[at + 1]!;
    const names = Buffer.compare(before!, after!);
    assert.ok(names < 0 || (names === 0 && Buffer.compare(first!, second!) <= 0));
  }
});

law('compares whole names before values', [name, text, text, text], (short, more, one, other) => {
  const written = writeParameterString([
    [`${short}0${more}`, one],
    [short, other],
  ]);
  assert.ok(written.startsWith(writeParameterString([[short, other]])));
});

law('agrees with the verifier', [pairs, pairs, writing], (given, query, how) => {
  const url = `${HERE}?${writeQuery(query, how)}`;
  const fields = given.map((pair) => pair.map(bytes) as [string, string]).filter(([each]) => each !== 'realm');
  const ours = writeParameterString(
    collectParameters(
      given.filter(([each]) => each !== 'realm'),
      readQuery(url),
    ),
  );
  assert.equal(ours, recompute('GET', url, fields).parameterString);
});

law('reads a query in the order as sent, duplicates and all', [pairs], (given) => {
  assert.deepEqual(readQuery(`${HERE}?${writeQuery(given)}`), given);
});

law('does not care how a query is written', [pairs], (given) => {
  const read = Object.keys(WRITINGS).map((how) =>
    readQuery(`${HERE}?${writeQuery(given, how as keyof typeof WRITINGS)}`),
  );
  for (const each of read) assert.deepEqual(each, given);
});

law('reads a plus sign as a space and %2B as a plus sign', [name, text, text], (key, before, after) => {
  const parts = [before, after].map(WRITINGS.strict);
  assert.deepEqual(readQuery(`${HERE}?${WRITINGS.strict(key)}=${parts.join('+')}`), [[key, `${before} ${after}`]]);
  assert.deepEqual(readQuery(`${HERE}?${WRITINGS.strict(key)}=${parts.join('%2B')}`), [[key, `${before}+${after}`]]);
});

law('takes a name without = for an empty value', [name], (key) => {
  assert.deepEqual(readQuery(`${HERE}?${WRITINGS.strict(key)}`), readQuery(`${HERE}?${WRITINGS.strict(key)}=`));
});

law('counts = after the first one to the value', [name, fc.integer({ min: 1, max: 4 })], (key, times) => {
  assert.deepEqual(readQuery(`${HERE}?${WRITINGS.strict(key)}=${'='.repeat(times)}`), [[key, '='.repeat(times)]]);
});

law('skips empty pieces of a query', [pairs, fc.integer({ min: 1, max: 3 })], (given, extra) => {
  const gap = '&'.repeat(extra);
  const loose = gap + given.map((pair) => writeQuery([pair])).join(`&${gap}`) + gap;
  assert.deepEqual(readQuery(`${HERE}?${loose}`), given);
});

law('never signs a signature', [pairs, pairs, text], (given, query, signature) => {
  const slipped: Pair = ['oauth_signature', signature];
  assert.deepEqual(collectParameters([...given, slipped], [slipped, ...query]), collectParameters(given, query));
});

law('folds the query in', [pairs, name, text], (given, key, value) => {
  const query = readQuery(`${HERE}?${writeQuery([[key, value]])}`);
  assert.equal(collectParameters(given, query).length, collectParameters(given, []).length + 1);
});

law('refuses names and values without a UTF-8 form', [illFormed, text], (broken, fine) => {
  assert.throws(() => writeParameterString([[broken, fine]]), /not well-formed/);
  assert.throws(() => writeParameterString([[fine, broken]]), /not well-formed/);
});

function shuffled(given: readonly Pair[]): fc.Arbitrary<Pair[]> {
  return fc.shuffledSubarray([...given], { minLength: given.length });
}

function multiset(given: readonly Pair[]): string {
  return JSON.stringify(given.map((pair) => JSON.stringify(pair)).sort());
}

function readBack(written: string): Pair[] {
  return written === ''
    ? []
    : written.split('&').map((piece) => piece.split('=').map(percentDecode) as unknown as Pair);
}
