import assert from 'node:assert/strict';
import fc from 'fast-check';
import { percentDecode, percentEncode } from '#oauth';
import { anyIllFormedText, anyText } from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';
import { encodeOctets, utf8Bytes } from './support/request-verifier.ts';

// RFC 5849 section 3.6.

declareLaw('encodes byte by byte, as the verifier does', [anyText], (plain) => {
  assert.equal(percentEncode(plain), encodeOctets(utf8Bytes(plain)));
});

declareLaw('writes unreserved characters and escapes in capitals, nothing else', [anyText], (plain) => {
  assert.match(percentEncode(plain), /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
});

declareLaw('decodes to what was encoded', [anyText], (plain) => {
  assert.equal(percentDecode(percentEncode(plain)), plain);
});

declareLaw('gives different texts different codes', [anyText, anyText], (one, other) => {
  assert.equal(percentEncode(one) === percentEncode(other), one === other);
});

declareLaw('encodes a whole as its parts', [anyText, anyText], (one, other) => {
  assert.equal(percentEncode(one + other), percentEncode(one) + percentEncode(other));
});

declareLaw(
  'leaves unreserved text alone, however often it is encoded',
  [fc.stringMatching(/^[A-Za-z0-9._~-]*$/)],
  (plain) => {
    assert.equal(percentEncode(percentEncode(plain)), plain);
  },
);

declareLaw('shows a second encoding: each percent sign grows', [anyText], (plain) => {
  const once = percentEncode(plain);
  assert.equal(percentEncode(once), once.replaceAll('%', '%25'));
});

declareLaw(
  'encodes each of the five marks, every time',
  [fc.array(fc.constantFrom(..."!*'()"), { minLength: 1 })],
  (marks) => {
    assert.equal(
      percentEncode(marks.join('')),
      marks.map((mark) => `%${Buffer.from(mark).toString('hex').toUpperCase()}`).join(''),
    );
  },
);

declareLaw('refuses half a surrogate pair', [anyIllFormedText], (broken) => {
  assert.throws(() => percentEncode(broken), /not well-formed/);
});

declareLaw('decodes escapes in small letters too', [anyText], (plain) => {
  const small = percentEncode(plain).replace(/%../g, (triplet) => triplet.toLowerCase());
  assert.equal(percentDecode(small), plain);
});

declareLaw('keeps a plus sign when it decodes', [fc.stringMatching(/^[a-z+]*$/)], (plain) => {
  assert.equal(percentDecode(plain), plain);
});

declareLaw(
  'refuses a broken escape',
  [anyText, fc.constantFrom('%', '%4', '%g0', '%0g', '%FF', '%C3', '%ED%A0%80')],
  (plain, broken) => {
    assert.throws(() => percentDecode(percentEncode(plain) + broken), /cannot be decoded/);
  },
);
