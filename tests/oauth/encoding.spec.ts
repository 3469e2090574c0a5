import assert from 'node:assert/strict';
import fc from 'fast-check';
import { percentDecode, percentEncode } from '#oauth';
import { illFormed, text } from './arbitraries.ts';
import { law } from './law.ts';
import { bytes, octets } from './verifier.ts';

// RFC 5849 section 3.6.

law('encodes byte by byte, as the verifier does', [text], (plain) => {
  assert.equal(percentEncode(plain), octets(bytes(plain)));
});

law('writes unreserved characters and escapes in capitals, nothing else', [text], (plain) => {
  assert.match(percentEncode(plain), /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
});

law('decodes to what was encoded', [text], (plain) => {
  assert.equal(percentDecode(percentEncode(plain)), plain);
});

law('gives different texts different codes', [text, text], (one, other) => {
  assert.equal(percentEncode(one) === percentEncode(other), one === other);
});

law('encodes a whole as its parts', [text, text], (one, other) => {
  assert.equal(percentEncode(one + other), percentEncode(one) + percentEncode(other));
});

law('leaves unreserved text alone, however often it is encoded', [fc.stringMatching(/^[A-Za-z0-9._~-]*$/)], (plain) => {
  assert.equal(percentEncode(percentEncode(plain)), plain);
});

law('shows a second encoding: each percent sign grows', [text], (plain) => {
  const once = percentEncode(plain);
  assert.equal(percentEncode(once), once.replaceAll('%', '%25'));
});

law(
  'encodes each of the five marks, every time',
  [fc.array(fc.constantFrom(..."!*'()"), { minLength: 1 })],
  (marks) => {
    assert.equal(
      percentEncode(marks.join('')),
      marks.map((mark) => `%${Buffer.from(mark).toString('hex').toUpperCase()}`).join(''),
    );
  },
);

law('refuses half a surrogate pair', [illFormed], (broken) => {
  assert.throws(() => percentEncode(broken), /not well-formed/);
});

law('decodes escapes in small letters too', [text], (plain) => {
  const small = percentEncode(plain).replace(/%../g, (triplet) => triplet.toLowerCase());
  assert.equal(percentDecode(small), plain);
});

law('keeps a plus sign when it decodes', [fc.stringMatching(/^[a-z+]*$/)], (plain) => {
  assert.equal(percentDecode(plain), plain);
});

law(
  'refuses a broken escape',
  [text, fc.constantFrom('%', '%4', '%g0', '%0g', '%FF', '%C3', '%ED%A0%80')],
  (plain, broken) => {
    assert.throws(() => percentDecode(percentEncode(plain) + broken), /cannot be decoded/);
  },
);
