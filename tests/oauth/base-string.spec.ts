import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  percentDecode,
  percentEncode,
  readQueryParameters,
  writeBaseString,
  writeBaseUri,
  writeParameterString,
} from '#oauth';
import { anyPairs, anyText, anyUrl } from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';
import { recomputeSteps, utf8Bytes } from './support/request-verifier.ts';

// RFC 5849 section 3.4.1.1.

const method = fc.constantFrom('GET', 'POST', 'put', 'Delete', 'X-own');

declareLaw('has three parts that decode to what went in', [method, anyText, anyText], (verb, uri, parameters) => {
  assert.deepEqual(writeBaseString(verb, uri, parameters).split('&').map(percentDecode), [
    verb.toUpperCase(),
    uri,
    parameters,
  ]);
});

declareLaw(
  'is the same for the same parts only',
  [fc.tuple(method, anyText, anyText), fc.tuple(method, anyText, anyText)],
  (one, other) => {
    const same = one[0].toUpperCase() === other[0].toUpperCase() && one[1] === other[1] && one[2] === other[2];
    assert.equal(writeBaseString(...one) === writeBaseString(...other), same);
  },
);

declareLaw('writes the method in capitals', [method, anyText, anyText], (verb, uri, parameters) => {
  assert.equal(
    writeBaseString(verb.toLowerCase(), uri, parameters),
    writeBaseString(verb.toUpperCase(), uri, parameters),
  );
});

declareLaw('encodes values twice over, once in each step', [anyText, anyText], (key, value) => {
  const [, , parameters] = writeBaseString('GET', 'http://h/', writeParameterString([[key, value]])).split('&');
  assert.equal(parameters, [percentEncode(percentEncode(key)), percentEncode(percentEncode(value))].join('%3D'));
});

declareLaw('agrees with the verifier on whole requests', [method, anyUrl, anyPairs], (verb, address, given) => {
  const fields = given.filter(([key]) => key !== 'realm' && key !== 'oauth_signature');
  const ours = writeBaseString(
    verb,
    writeBaseUri(address),
    writeParameterString([...fields, ...readQueryParameters(address)]),
  );
  assert.equal(
    ours,
    recomputeSteps(
      verb,
      address,
      fields.map((pair) => pair.map(utf8Bytes) as [string, string]),
    ).baseString,
  );
});

declareLaw(
  'refuses what is no method',
  [fc.constantFrom('', 'GE T', 'GET\r\n', 'GÉT', 'GET&'), anyText],
  (verb, uri) => {
    fc.pre(verb !== 'GET&' || uri !== '');
    const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(verb);
    if (token) assert.equal(writeBaseString(verb, uri, '').split('&').length, 3);
    else assert.throws(() => writeBaseString(verb, uri, ''), /not an HTTP method/);
  },
);
