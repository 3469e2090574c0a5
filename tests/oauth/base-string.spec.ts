import assert from 'node:assert/strict';
import fc from 'fast-check';
import { percentDecode, percentEncode, readQuery, writeBaseString, writeBaseUri, writeParameterString } from '#oauth';
import { pairs, text, url } from './arbitraries.ts';
import { law } from './law.ts';
import { bytes, recompute } from './verifier.ts';

// RFC 5849 section 3.4.1.1.

const method = fc.constantFrom('GET', 'POST', 'put', 'Delete', 'X-own');

law('has three parts that decode to what went in', [method, text, text], (verb, uri, parameters) => {
  assert.deepEqual(writeBaseString(verb, uri, parameters).split('&').map(percentDecode), [
    verb.toUpperCase(),
    uri,
    parameters,
  ]);
});

law(
  'is the same for the same parts only',
  [fc.tuple(method, text, text), fc.tuple(method, text, text)],
  (one, other) => {
    const same = one[0].toUpperCase() === other[0].toUpperCase() && one[1] === other[1] && one[2] === other[2];
    assert.equal(writeBaseString(...one) === writeBaseString(...other), same);
  },
);

law('writes the method in capitals', [method, text, text], (verb, uri, parameters) => {
  assert.equal(
    writeBaseString(verb.toLowerCase(), uri, parameters),
    writeBaseString(verb.toUpperCase(), uri, parameters),
  );
});

law('encodes values twice over, once in each step', [text, text], (key, value) => {
  const [, , parameters] = writeBaseString('GET', 'http://h/', writeParameterString([[key, value]])).split('&');
  assert.equal(parameters, [percentEncode(percentEncode(key)), percentEncode(percentEncode(value))].join('%3D'));
});

law('agrees with the verifier on whole requests', [method, url, pairs], (verb, address, given) => {
  const fields = given.filter(([key]) => key !== 'realm' && key !== 'oauth_signature');
  const ours = writeBaseString(verb, writeBaseUri(address), writeParameterString([...fields, ...readQuery(address)]));
  assert.equal(
    ours,
    recompute(
      verb,
      address,
      fields.map((pair) => pair.map(bytes) as [string, string]),
    ).baseString,
  );
});

law('refuses what is no method', [fc.constantFrom('', 'GE T', 'GET\r\n', 'GÉT', 'GET&'), text], (verb, uri) => {
  fc.pre(verb !== 'GET&' || uri !== '');
  const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(verb);
  if (token) assert.equal(writeBaseString(verb, uri, '').split('&').length, 3);
  else assert.throws(() => writeBaseString(verb, uri, ''), /not an HTTP method/);
});
