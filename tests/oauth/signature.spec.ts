import assert from 'node:assert/strict';
import { createPublicKey, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import {
  hashBody,
  havingParameter,
  type ParameterPair,
  parseHeader,
  type SigningRequest,
  type SigningStages,
  signRequest,
  withoutParameter,
} from '#oauth';
import {
  anyBody,
  anyName,
  anyRequest,
  anyText,
  fixedCircumstances,
  inCapitals,
  signOnce,
} from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';
import { verifyRequest } from './support/request-verifier.ts';
import {
  shortPublicKey,
  shortSigner,
  strangerPublicKey,
  strangerSigner,
  testPublicKey,
  testSigner,
} from './support/test-keys.ts';
import { computeUnsignedSteps } from './support/unsigned-steps.ts';

// RFC 5849 sections 3.1, 3.2 and 3.4.3.

type Sent = SigningRequest & { readonly body: Buffer };

const SIX = ['body_hash', 'consumer_key', 'nonce', 'signature_method', 'timestamp', 'version'].map(
  (each) => `oauth_${each}`,
);

/** A request together with what signing it gave. */
const signed = anyRequest.map((sent) => ({ sent, ...signOnce(sent) }));

declareLaw('has the steps that the laws without a signature take for granted', [signed], ({ sent, steps }) => {
  assert.deepEqual({ ...steps, signature: '' }, { ...computeUnsignedSteps(sent), signature: '' });
});

declareLaw('is accepted by the verifier', [anyRequest], (sent) => {
  assert.equal(verdict(sent, signRequest(sent, testSigner).header), 'accepted');
});

declareLaw('is accepted with body hash and signature as raw base64', [anyRequest], (sent) => {
  assert.equal(verdict(sent, signRequest(sent, testSigner, { style: 'raw' }).header), 'accepted');
});

declareLaw('is accepted with any consumer key', [anyName, anyRequest], (consumerKey, sent) => {
  const { header } = signRequest(sent, { ...shortSigner, consumerKey });
  assert.equal(verifyRequest({ ...sent, authorization: header }, consumerKey, shortPublicKey), 'accepted');
});

declareLaw('is the same again for the same clock and nonce', [signed], ({ sent, header, steps }) => {
  assert.deepEqual(signRequest(sent, testSigner, fixedCircumstances), { header, steps });
});

declareLaw(
  'fails when one byte of the body changes',
  [signed, fc.nat(), fc.integer({ min: 1, max: 255 })],
  ({ sent, header }, where, change) => {
    fc.pre(sent.body.length > 0);
    const other = Buffer.from(sent.body);
    other[where % other.length]! ^= change;
    assert.equal(verdict({ ...sent, body: other }, header), 'body hash');
  },
);

declareLaw(
  'fails when white space joins the body',
  [signed, fc.constantFrom(' ', '\n', '\t'), fc.nat()],
  ({ sent, header }, space, where) => {
    const at = where % (sent.body.length + 1);
    const other = Buffer.concat([sent.body.subarray(0, at), Buffer.from(space), sent.body.subarray(at)]);
    assert.equal(verdict({ ...sent, body: other }, header), 'body hash');
  },
);

declareLaw('fails when one letter or digit of the URL changes', [signed, fc.nat()], ({ sent, header }, where) => {
  const spots = [...sent.url.matchAll(/[A-Za-z0-9]/g)]
    .map(({ index }) => index)
    .filter((index) => index > sent.url.indexOf('//'));
  fc.pre(spots.length > 0); // http://[::] has none
  const at = spots[where % spots.length]!;
  const other = sent.url[at]!.toLowerCase() === 'z' ? 'y' : 'z';
  assert.equal(verdict({ ...sent, url: sent.url.slice(0, at) + other + sent.url.slice(at + 1) }, header), 'signature');
});

declareLaw('fails when a query parameter is added', [signed, anyName, anyText], ({ sent, header }, key, value) => {
  const more = `${sent.url}${sent.url.includes('?') ? '&' : '?'}${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
  assert.equal(verdict({ ...sent, url: more }, header), 'signature');
});

declareLaw(
  'fails when the method changes',
  [signed, fc.constantFrom('POST', 'GET', 'HEAD')],
  ({ sent, header }, method) => {
    assert.equal(verdict({ ...sent, method }, header), method === sent.method.toUpperCase() ? 'accepted' : 'signature');
  },
);

declareLaw(
  'fails when one bit of the signature changes',
  [signed, fc.nat({ max: 2047 })],
  ({ sent, steps, header }, bit) => {
    const other = Buffer.from(steps.signature, 'base64');
    other[bit >> 3]! ^= 1 << (bit & 7);
    const forged = header.replace(encodeURIComponent(steps.signature), encodeURIComponent(other.toString('base64')));
    assert.equal(verdict(sent, forged), 'signature');
  },
);

declareLaw(
  'fails when one character of a parameter changes',
  [anyRequest, fc.constantFrom(...SIX), fc.nat()],
  (sent, key, where) => {
    const { header } = signRequest(sent, shortSigner, {
      ...fixedCircumstances,
      alter: { header: (given) => given.map((pair) => changed(pair, key, where)) },
    });
    assert.notEqual(verdict(sent, header, shortPublicKey), 'accepted');
  },
);

declareLaw(
  'holds for a header with one character changed only if it says the same',
  [signed, fc.nat(), fc.constantFrom(...'aZ09%="\\, +/')],
  (each, where, other) => {
    const at = where % each.header.length;
    const forged = each.header.slice(0, at) + other + each.header.slice(at + 1);
    const same = () => JSON.stringify(parseHeader(forged)) === JSON.stringify(parseHeader(each.header));
    if (verdict(each.sent, forged) === 'accepted') assert.ok(same());
    else assert.notEqual(forged, each.header);
  },
);

declareLaw('fails with another key', [signed], ({ sent, header }) => {
  assert.equal(verdict(sent, signRequest(sent, strangerSigner).header), 'signature');
  assert.equal(verdict(sent, header, strangerPublicKey), 'signature');
});

declareLaw('does not see the case of scheme and host', [signed], ({ sent, header }) => {
  assert.equal(verdict({ ...sent, url: inCapitals(sent.url) }, header), 'accepted');
});

declareLaw(
  'can be sent without any one parameter, and the verifier names it',
  [anyRequest, fc.constantFrom(...SIX, 'oauth_signature')],
  (sent, gone) => {
    const step = gone === 'oauth_signature' ? 'header' : 'parameters';
    const { header } = signRequest(sent, shortSigner, { alter: { [step]: withoutParameter(gone) } });
    assert.equal(verdict(sent, header, shortPublicKey), `missing ${gone}`);
  },
);

declareLaw(
  'can be sent with any one parameter replaced, and signed so',
  [anyRequest, fc.constantFrom(...SIX), anyText],
  (sent, key, value) => {
    const { header, steps } = signRequest(sent, shortSigner, { alter: { parameters: havingParameter(key, value) } });
    assert.equal(new Map(parseHeader(header)).get(key), value);
    assert.equal(new Map(steps.parameters).get(key), value);
    assert.ok(steps.parameterString.includes(`${key}=`));
  },
);

declareLaw(
  'can be sent with the hash of another body, and only that is wrong',
  [anyRequest, anyBody],
  (sent, other) => {
    fc.pre(!other.equals(sent.body));
    const { header } = signRequest(sent, shortSigner, { alter: { bodyHash: () => hashBody(other) } });
    assert.equal(verdict(sent, header, shortPublicKey), 'body hash');
    assert.equal(verdict({ ...sent, body: other }, header, shortPublicKey), 'accepted');
  },
);

declareLaw('is unchanged by alterations that change nothing', [signed], ({ sent, header, steps }) => {
  const nothing = new Proxy({}, { get: () => (value: SigningStages[keyof SigningStages]) => value });
  assert.deepEqual(signRequest(sent, testSigner, { ...fixedCircumstances, alter: nothing }), { header, steps });
});

declareLaw('is a signature over the base string shown', [signed], ({ sent, header, steps }) => {
  assert.deepEqual(parseHeader(header), [...steps.parameters, ['oauth_signature', steps.signature]]);
  assert.equal(steps.bodyHash, hashBody(sent.body));
  assert.equal(Buffer.from(steps.signature, 'base64').length, 256);
  assert.equal(
    createPublicKey(testSigner.key).export({ type: 'spki', format: 'pem' }),
    testPublicKey.export({ type: 'spki', format: 'pem' }),
  );
});

function verdict(sent: Sent, authorization: string, key: KeyObject = testPublicKey): string {
  return verifyRequest({ ...sent, authorization }, testSigner.consumerKey, key);
}

function changed([key, value]: ParameterPair, which: string, where: number): ParameterPair {
  if (key !== which) return [key, value];
  const at = where % value.length;
  return [key, value.slice(0, at) + (value[at] === '7' ? '8' : '7') + value.slice(at + 1)];
}
