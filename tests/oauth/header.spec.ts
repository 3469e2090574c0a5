import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ParameterPair, parseHeader, percentEncode, writeHeader } from '#oauth';
import { anyIllFormedText, anyName, anyText } from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';

// RFC 5849 section 3.5.1, RFC 9110 section 11.2.

const space = fc.constantFrom('', ' ', '\t', '  ', '\r\n ');
const base64 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const notRealm = anyName.filter((each) => each.toLowerCase() !== 'realm');
const fields = fc.array(fc.tuple(notRealm, anyText), { minLength: 1, maxLength: 7 });
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** One `name = value` in one of the legal ways of writing it. */
const written = fc
  .tuple(
    notRealm,
    anyText,
    fc.constantFrom('quoted', 'escaped', 'token', 'small'),
    fc.tuple(space, space),
    fc.tuple(space, space),
  )
  .map(([key, value, how, [beforeSign, afterSign], [before, after]]) => {
    const code = percentEncode(value);
    const forms = {
      quoted: `"${code}"`,
      escaped: `"${code.replace(/[^0-9A-F]/g, '\\$&')}"`,
      token: TOKEN.test(code) ? code : `"${code}"`,
      small: `"${code.replace(/%../g, (triplet) => triplet.toLowerCase())}"`,
    };
    return {
      pair: [key, value] as ParameterPair,
      as: `${before}${percentEncode(key)}${beforeSign}=${afterSign}${forms[how]}${after}`,
    };
  });

declareLaw('reads back what was written', [fields], (given) => {
  assert.deepEqual(parseHeader(writeHeader(given)), given);
});

declareLaw('says the same in both styles', [base64, base64, fields], (hash, signature, others) => {
  const given: ParameterPair[] = [['oauth_body_hash', hash], ...others, ['oauth_signature', signature]];
  assert.deepEqual(parseHeader(writeHeader(given, 'raw')), parseHeader(writeHeader(given, 'encoded')));
  assert.ok(writeHeader(given, 'raw').includes(`oauth_signature="${signature}"`));
});

declareLaw(
  'reads any legal quoting and spacing',
  [fc.array(written, { minLength: 1, maxLength: 6 }), fc.constantFrom('OAuth', 'oauth', 'OAUTH')],
  (items, scheme) => {
    assert.deepEqual(
      parseHeader(`${scheme} ${items.map(({ as }) => as).join(',')}`),
      items.map(({ pair }) => pair),
    );
  },
);

declareLaw(
  'skips empty members of the list',
  [fields, fc.array(fc.constantFrom(',', ' ,', ',\t', ', ,'))],
  (given, commas) => {
    const items = writeHeader(given).slice('OAuth '.length).split(', ');
    assert.deepEqual(
      parseHeader(`OAuth ${commas.join('')}${items.join(`,${commas.join('')}`)}${commas.join('')}`),
      given,
    );
  },
);

declareLaw(
  'writes one line of visible ASCII, whatever goes in',
  [fields, fc.constantFrom('raw', 'encoded')],
  (given, style) => {
    assert.match(writeHeader(given, style), /^[ -~]+$/);
  },
);

declareLaw('writes raw only what is base64', [anyText], (value) => {
  assert.deepEqual(parseHeader(writeHeader([['oauth_signature', value]], 'raw')), [['oauth_signature', value]]);
});

declareLaw('keeps a plus sign of raw base64', [base64], (signature) => {
  assert.deepEqual(parseHeader(`OAuth oauth_signature="${signature}"`), [['oauth_signature', signature]]);
});

declareLaw('keeps order and duplicates', [anyName, anyText, anyText], (key, one, other) => {
  fc.pre(key.toLowerCase() !== 'realm');
  assert.deepEqual(
    parseHeader(
      writeHeader([
        [key, one],
        [key, other],
      ]),
    ),
    [
      [key, one],
      [key, other],
    ],
  );
});

declareLaw('does not decode the realm', [fc.stringMatching(/^[a-z0-9%]*$/), fields], (realm, given) => {
  assert.deepEqual(parseHeader(`OAuth realm="${realm}", ${writeHeader(given).slice(6)}`), [['realm', realm], ...given]);
});

declareLaw(
  'refuses other schemes',
  [fc.constantFrom('', 'Bearer x', 'OAut a="b"', 'OAuth2 a="b"', 'OAutha="b"', '"OAuth" a="b"'), fields],
  (start, given) => {
    assert.throws(
      () => parseHeader(start + writeHeader(given).slice('OAuth'.length)),
      /not an OAuth Authorization header/,
    );
  },
);

declareLaw('refuses a cut header, or reads only what is whole', [fields, fc.nat()], (given, where) => {
  const header = writeHeader(given);
  const cut = header.slice(0, 6 + (where % (header.length - 6)));
  let read: ParameterPair[] = [];
  try {
    read = parseHeader(cut);
  } catch (error) {
    assert.ok(String(error).includes('not an OAuth Authorization header'));
  }
  assert.deepEqual(read, given.slice(0, read.length));
});

declareLaw('refuses values without a UTF-8 form', [anyIllFormedText], (broken) => {
  assert.throws(() => writeHeader([['oauth_nonce', broken]]), /not well-formed/);
});
