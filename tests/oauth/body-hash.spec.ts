import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { hashBody } from '#oauth';
import { anyBody, anyIllFormedText, anyText } from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';

// oauth-bodyhash draft 00 section 3.2.

declareLaw('is the SHA-256 of the bytes in base64', [anyBody], (bytes) => {
  assert.equal(hashBody(bytes), createHash('sha256').update(bytes).digest().toString('base64'));
});

declareLaw('takes text as its UTF-8 bytes', [anyText], (plain) => {
  assert.equal(hashBody(plain), hashBody(Buffer.from(plain, 'utf8')));
});

declareLaw('changes with one byte', [anyBody, fc.nat(), fc.integer({ min: 1, max: 255 })], (bytes, where, change) => {
  fc.pre(bytes.length > 0);
  const other = Buffer.from(bytes);
  other[where % bytes.length]! ^= change;
  assert.notEqual(hashBody(other), hashBody(bytes));
});

declareLaw(
  'sees white space that JSON does not',
  [fc.jsonValue(), fc.constantFrom(' ', '\n', '\t', '\r\n')],
  (value, space) => {
    const json = JSON.stringify(value);
    for (const other of [json + space, space + json]) {
      assert.deepEqual(JSON.parse(other), JSON.parse(json));
      assert.notEqual(hashBody(other), hashBody(json));
    }
  },
);

declareLaw(
  'looks at the view, not at the memory behind it',
  [fc.uint8Array({ minLength: 1 }), fc.nat(), fc.nat()],
  (bytes, a, b) => {
    const [from, to] = [a % bytes.length, b % bytes.length].sort((x, y) => x - y);
    assert.equal(hashBody(bytes.subarray(from, to)), hashBody(bytes.slice(from, to)));
  },
);

declareLaw(
  'takes no body for no bytes',
  [fc.constantFrom(undefined, '', new Uint8Array(), Buffer.alloc(0))],
  (nothing) => {
    assert.equal(hashBody(nothing), '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
  },
);

declareLaw('refuses text without a UTF-8 form', [anyIllFormedText], (broken) => {
  assert.throws(() => hashBody(broken), /not well-formed/);
});
