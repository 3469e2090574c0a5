import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  collectParameters,
  type ParameterPair,
  percentDecode,
  readQueryParameters,
  writeParameterString,
} from '#oauth';
import {
  anyIllFormedText,
  anyName,
  anyPairs,
  anyText,
  anyWriting,
  QUERY_WRITINGS,
  writeQuery,
} from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';
import { recomputeSteps, utf8Bytes } from './support/request-verifier.ts';

// RFC 5849 sections 3.4.1.3.1 and 3.4.1.3.2.

const HERE = 'http://h.example/';

declareLaw(
  'does not depend on the order of parameters',
  [anyPairs.chain((each) => fc.tuple(fc.constant(each), shuffled(each)))],
  ([one, other]) => {
    assert.equal(writeParameterString(other), writeParameterString(one));
  },
);

declareLaw('is the same for the same parameters only', [anyPairs, anyPairs], (one, other) => {
  assert.equal(writeParameterString(one) === writeParameterString(other), multiset(one) === multiset(other));
});

declareLaw('can be read back in full', [anyPairs], (given) => {
  assert.equal(multiset(readBack(writeParameterString(given))), multiset(given));
});

declareLaw('keeps every duplicate', [fc.tuple(anyText, anyText), fc.integer({ min: 1, max: 9 })], (pair, times) => {
  const written = writeParameterString(Array(times).fill(pair));
  assert.deepEqual(written.split('&'), Array(times).fill(writeParameterString([pair])));
});

declareLaw('changes with every parameter added', [anyPairs, anyText, anyText], (given, added, value) => {
  assert.notEqual(writeParameterString([...given, [added, value]]), writeParameterString(given));
});

declareLaw('stands in byte order of names, then of values', [anyPairs], (given) => {
  const written = writeParameterString(given)
    .split('&')
    .map((piece) => piece.split('=').map((part) => Buffer.from(part)));
  for (const [at, [before, first]] of written.slice(0, -1).entries()) {
    const [after, second] = written[at + 1]!;
    const names = Buffer.compare(before!, after!);
    assert.ok(names < 0 || (names === 0 && Buffer.compare(first!, second!) <= 0));
  }
});

declareLaw('compares whole names before values', [anyName, anyText, anyText, anyText], (short, more, one, other) => {
  const written = writeParameterString([
    [`${short}0${more}`, one],
    [short, other],
  ]);
  assert.ok(written.startsWith(writeParameterString([[short, other]])));
});

declareLaw('agrees with the verifier', [anyPairs, anyPairs, anyWriting], (given, query, how) => {
  const url = `${HERE}?${writeQuery(query, how)}`;
  const fields = given.map((pair) => pair.map(utf8Bytes) as [string, string]).filter(([each]) => each !== 'realm');
  const ours = writeParameterString(
    collectParameters(
      given.filter(([each]) => each !== 'realm'),
      readQueryParameters(url),
    ),
  );
  assert.equal(ours, recomputeSteps('GET', url, fields).parameterString);
});

declareLaw('reads a query in the order as sent, duplicates and all', [anyPairs], (given) => {
  assert.deepEqual(readQueryParameters(`${HERE}?${writeQuery(given)}`), given);
});

declareLaw('does not care how a query is written', [anyPairs], (given) => {
  const read = Object.keys(QUERY_WRITINGS).map((how) =>
    readQueryParameters(`${HERE}?${writeQuery(given, how as keyof typeof QUERY_WRITINGS)}`),
  );
  for (const each of read) assert.deepEqual(each, given);
});

declareLaw('reads a plus sign as a space and %2B as a plus sign', [anyName, anyText, anyText], (key, before, after) => {
  const parts = [before, after].map(QUERY_WRITINGS.strict);
  assert.deepEqual(readQueryParameters(`${HERE}?${QUERY_WRITINGS.strict(key)}=${parts.join('+')}`), [
    [key, `${before} ${after}`],
  ]);
  assert.deepEqual(readQueryParameters(`${HERE}?${QUERY_WRITINGS.strict(key)}=${parts.join('%2B')}`), [
    [key, `${before}+${after}`],
  ]);
});

declareLaw('takes a name without = for an empty value', [anyName], (key) => {
  assert.deepEqual(
    readQueryParameters(`${HERE}?${QUERY_WRITINGS.strict(key)}`),
    readQueryParameters(`${HERE}?${QUERY_WRITINGS.strict(key)}=`),
  );
});

declareLaw('counts = after the first one to the value', [anyName, fc.integer({ min: 1, max: 4 })], (key, times) => {
  assert.deepEqual(readQueryParameters(`${HERE}?${QUERY_WRITINGS.strict(key)}=${'='.repeat(times)}`), [
    [key, '='.repeat(times)],
  ]);
});

declareLaw('skips empty pieces of a query', [anyPairs, fc.integer({ min: 1, max: 3 })], (given, extra) => {
  const gap = '&'.repeat(extra);
  const loose = gap + given.map((pair) => writeQuery([pair])).join(`&${gap}`) + gap;
  assert.deepEqual(readQueryParameters(`${HERE}?${loose}`), given);
});

declareLaw('never signs a signature', [anyPairs, anyPairs, anyText], (given, query, signature) => {
  const slipped: ParameterPair = ['oauth_signature', signature];
  assert.deepEqual(collectParameters([...given, slipped], [slipped, ...query]), collectParameters(given, query));
});

declareLaw('folds the query in', [anyPairs, anyName, anyText], (given, key, value) => {
  const query = readQueryParameters(`${HERE}?${writeQuery([[key, value]])}`);
  assert.equal(collectParameters(given, query).length, collectParameters(given, []).length + 1);
});

declareLaw('refuses names and values without a UTF-8 form', [anyIllFormedText, anyText], (broken, fine) => {
  assert.throws(() => writeParameterString([[broken, fine]]), /not well-formed/);
  assert.throws(() => writeParameterString([[fine, broken]]), /not well-formed/);
});

function shuffled(given: readonly ParameterPair[]): fc.Arbitrary<ParameterPair[]> {
  return fc.shuffledSubarray([...given], { minLength: given.length });
}

function multiset(given: readonly ParameterPair[]): string {
  return JSON.stringify(given.map((pair) => JSON.stringify(pair)).sort());
}

function readBack(written: string): ParameterPair[] {
  return written === ''
    ? []
    : written.split('&').map((piece) => piece.split('=').map(percentDecode) as unknown as ParameterPair);
}
