import assert from 'node:assert/strict';
import fc from 'fast-check';
import { writeBaseUri } from '#oauth';
import { anyHost, anyOrigin, anyPairs, anyPath, anyUrl, inCapitals, writeQuery } from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';
import { recomputeSteps } from './support/request-verifier.ts';

// RFC 5849 section 3.4.1.2.

const scheme = fc.constantFrom('http', 'https');
const port = fc.integer({ min: 0, max: 65_535 });
const DEFAULTS = { http: 80, https: 443 };

declareLaw('agrees with the verifier', [anyUrl], (address) => {
  assert.equal(writeBaseUri(address), recomputeSteps('GET', address, []).baseUri);
});

declareLaw(
  'agrees with the URL standard on scheme, host and port',
  [scheme, fc.domain(), fc.option(port), anyPath],
  (how, at, door, where) => {
    const address = `${how}://${at}${door === null ? '' : `:${door}`}${where}`;
    assert.equal(writeBaseUri(address), `${new URL(address).origin}${where || '/'}`);
  },
);

declareLaw('does not change when made from itself', [anyUrl], (address) => {
  assert.equal(writeBaseUri(writeBaseUri(address)), writeBaseUri(address));
});

declareLaw('does not see the case of scheme and host', [anyUrl], (address) => {
  assert.equal(writeBaseUri(inCapitals(address)), writeBaseUri(address));
});

declareLaw('leaves the scheme’s own port out', [scheme, anyHost, anyPath], (how, at, where) => {
  assert.equal(writeBaseUri(`${how}://${at}:${DEFAULTS[how]}${where}`), writeBaseUri(`${how}://${at}${where}`));
});

declareLaw('keeps every other port', [scheme, anyHost, port, anyPath], (how, at, door, where) => {
  fc.pre(door !== DEFAULTS[how]);
  assert.equal(writeBaseUri(`${how}://${at}:${door}${where}`), `${how}://${at.toLowerCase()}:${door}${where || '/'}`);
});

declareLaw('reads a port as a number, and no digits as no port', [scheme, anyHost, port], (how, at, door) => {
  assert.equal(writeBaseUri(`${how}://${at}:00${door}/`), writeBaseUri(`${how}://${at}:${door}/`));
  assert.equal(writeBaseUri(`${how}://${at}:/`), writeBaseUri(`${how}://${at}/`));
});

declareLaw('keeps the path as sent', [anyOrigin, anyPath], (at, where) => {
  fc.pre(where !== '');
  assert.ok(writeBaseUri(at + where).endsWith(where));
  assert.equal(writeBaseUri(at + where), writeBaseUri(at).replace(/\/$/, '') + where);
});

declareLaw('takes an empty path for /', [anyOrigin], (at) => {
  assert.equal(writeBaseUri(at), writeBaseUri(`${at}/`));
  assert.equal(writeBaseUri(`${at}?a=1`), writeBaseUri(`${at}/`));
});

declareLaw('tells paths apart', [anyOrigin, anyPath, anyPath], (at, one, other) => {
  fc.pre((one || '/') !== (other || '/'));
  assert.notEqual(writeBaseUri(at + one), writeBaseUri(at + other));
});

declareLaw('leaves out query, fragment and user', [anyOrigin, anyPath, anyPairs], (at, where, query) => {
  const [how, rest] = at.split('://');
  assert.equal(writeBaseUri(`${how}://user:word@${rest}${where}?${writeQuery(query)}#a=1`), writeBaseUri(at + where));
});

declareLaw('keeps the brackets of an IPv6 address', [scheme, fc.ipV6(), fc.option(port)], (how, address, door) => {
  const made = writeBaseUri(`${how}://[${address.toUpperCase()}]${door === null ? '' : `:${door}`}/`);
  assert.ok(made.startsWith(`${how}://[${address.toLowerCase()}]`));
});

declareLaw(
  'refuses what cannot be sent as it is',
  [anyOrigin, fc.constantFrom(...' "<>\\^`{|}\u0000\u007féлö')],
  (at, odd) => {
    for (const address of [`${at}/${odd}`, `${at}/?a=${odd}`, at.replace('://', `://${odd}`)]) {
      assert.throws(() => writeBaseUri(address), /cannot be sent as it is/);
    }
  },
);

declareLaw('refuses a broken escape anywhere', [anyOrigin, fc.constantFrom('%', '%4', '%zz')], (at, odd) => {
  assert.throws(() => writeBaseUri(`${at}/${odd}`), /cannot be sent as it is/);
  assert.throws(() => writeBaseUri(`${at}/?${odd}`), /cannot be sent as it is/);
});

declareLaw(
  'refuses what is not absolute, not http, or has an impossible port',
  [anyHost, fc.integer({ min: 65_536, max: 1e9 })],
  (at, door) => {
    for (const address of [
      at,
      `//${at}/`,
      `ftp://${at}/`,
      `http:/${at}`,
      `http://${at}:${door}/`,
      `http://${at}:x/`,
      'http://',
      'http:///a',
    ]) {
      assert.throws(() => writeBaseUri(address), /not an absolute http or https URL|cannot be sent/);
    }
  },
);
