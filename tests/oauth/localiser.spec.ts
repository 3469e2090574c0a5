import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { lawTest as test } from '#harness';
import {
  DIFFERENCE_CAUSES,
  type DifferenceCause,
  localiseDifference,
  percentEncode,
  type ReportedSteps,
  type SigningSteps,
  type StepName,
  writeBaseString,
} from '#oauth';
import { anyRequest } from './support/arbitraries.ts';
import { declareLaw } from './support/law.ts';
import { computeUnsignedSteps } from './support/unsigned-steps.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
const HERE = 'https://gate.example.com/api/payments/transfer/42';

/** A server with one fault: what it would show for a request that has the ingredient of that fault. */
interface Fault {
  readonly cause: DifferenceCause;
  readonly step: StepName;
  /** Query of the request, made of harmless words, in which the fault shows. */
  readonly query?: (a: string, b: string) => string;
  readonly params?: (ours: string, steps: SigningSteps) => string;
  readonly base?: (ours: string) => string;
  readonly whole?: (ours: string) => string;
}

const pieces = (change: (list: string[]) => string[]) => (ours: string) => change(ours.split('&')).join('&');
const values = (change: (value: string) => string) =>
  pieces((list) => list.map((piece) => piece.replace(/(?<==).*$/, change)));
const latin1 = (text: string) => Buffer.from(decodeURIComponent(text), 'utf8').toString('utf8').replace(/é/g, '%E9');

const FAULTS: readonly Fault[] = [
  {
    cause: 'query-not-folded-in',
    step: 'query',
    query: (a, b) => `${a}=${b}`,
    params: pieces((list) => list.filter((piece) => piece.startsWith('oauth_'))),
  },
  { cause: 'parameter-order', step: 'parameterString', params: pieces((list) => list.toReversed()) },
  {
    cause: 'duplicates-collapsed',
    step: 'parameterString',
    query: (a, b) => `${a}=${b}&${a}=${b}`,
    params: pieces((list) => [...new Set(list)]),
  },
  {
    cause: 'duplicates-collapsed',
    step: 'parameterString',
    query: (a, b) => `${a}=1${b}&${a}=2${b}`,
    params: pieces((list) => list.filter((piece) => !piece.includes('=1') || piece.startsWith('oauth_'))),
  },
  {
    cause: 'duplicates-collapsed',
    step: 'parameterString',
    query: (a, b) => `${a}=1${b}&${a}=2${b}`,
    params: pieces((list) => list.filter((piece) => !piece.includes('=2'))),
  },
  {
    cause: 'star-not-encoded',
    step: 'parameterString',
    query: (a, b) => `${a}=%2A${b}`,
    params: (ours) => ours.replaceAll('%2A', '*'),
  },
  {
    cause: 'marks-not-encoded',
    step: 'parameterString',
    query: (a, b) => `${a}=%27%28${b}%29%21`,
    params: (ours) => ours.replace(/%2[1789]/g, decodeURIComponent),
  },
  {
    cause: 'space-as-plus',
    step: 'parameterString',
    query: (a, b) => `${a}=${a}%20${b}`,
    params: (ours) => ours.replaceAll('%20', '+'),
  },
  {
    cause: 'plus-taken-literally',
    step: 'parameterString',
    query: (a, b) => `${a}=${a}+${b}`,
    params: (ours) => ours.replaceAll('%20', '%2B'),
  },
  {
    cause: 'escape-in-small-letters',
    step: 'parameterString',
    params: (ours) => ours.replace(/%../g, (triplet) => triplet.toLowerCase()),
  },
  {
    cause: 'unreserved-encoded',
    step: 'parameterString',
    query: (a, b) => `${a}=~${b}`,
    params: (ours) => ours.replaceAll('~', '%7E'),
  },
  { cause: 'double-encoding', step: 'parameterString', params: values(percentEncode) },
  { cause: 'not-encoded', step: 'parameterString', params: values(decodeURIComponent) },
  {
    cause: 'not-utf8',
    step: 'parameterString',
    query: (a, b) => `${a}=%C3%A9${b}`,
    params: (ours) => ours.replace('%C3%A9', latin1('%C3%A9')),
  },
  {
    cause: 'signature-included',
    step: 'parameterString',
    params: (ours, steps) =>
      ours.replace('&oauth_signature_method', `&oauth_signature=${percentEncode(steps.signature)}$&`),
  },
  { cause: 'realm-included', step: 'parameterString', params: (ours) => `${ours}&realm=here` },
  {
    cause: 'parameter-missing',
    step: 'parameters',
    params: pieces((list) => list.filter((piece) => !piece.startsWith('oauth_nonce'))),
  },
  { cause: 'parameter-added', step: 'parameters', params: (ours) => `${ours}&zzzzzzzzz=1` },
  {
    cause: 'parameter-changed',
    step: 'parameters',
    params: (ours) => ours.replace('oauth_version=1.0', 'oauth_version=2.0'),
  },
  { cause: 'scheme-changed', step: 'baseUri', base: (ours) => ours.replace('https:', 'http:') },
  { cause: 'host-changed', step: 'baseUri', base: (ours) => ours.replace('gate.', 'inner.') },
  { cause: 'port-changed', step: 'baseUri', base: (ours) => ours.replace('.com', '.com:8080') },
  { cause: 'default-port-kept', step: 'baseUri', base: (ours) => ours.replace('.com', '.com:443') },
  { cause: 'host-in-capitals', step: 'baseUri', base: (ours) => ours.replace('gate', 'GATE') },
  { cause: 'scheme-in-capitals', step: 'baseUri', base: (ours) => ours.replace('https', 'HTTPS') },
  { cause: 'user-information-kept', step: 'baseUri', base: (ours) => ours.replace('//', '//user:word@') },
  { cause: 'query-in-base-uri', step: 'baseUri', query: (a, b) => `${a}=${b}`, base: (ours) => `${ours}?a=1` },
  { cause: 'path-slash', step: 'baseUri', base: (ours) => `${ours}/` },
  { cause: 'path-changed', step: 'baseUri', base: (ours) => ours.replace('/api', '') },
  { cause: 'method-changed', step: 'baseString', whole: (ours) => ours.replace('POST', 'GET') },
  { cause: 'method-in-small-letters', step: 'baseString', whole: (ours) => ours.replace('POST', 'post') },
  {
    cause: 'double-encoding',
    step: 'baseString',
    whole: pieces(([method, uri, params]) => [method!, percentEncode(uri!), percentEncode(params!)]),
  },
  {
    cause: 'star-not-encoded',
    step: 'baseString',
    query: (a, b) => `${a}=%2A${b}`,
    whole: (ours) => ours.replaceAll('%252A', '*'),
  },
  {
    cause: 'escape-in-small-letters',
    step: 'baseString',
    whole: (ours) => ours.replace(/%../g, (triplet) => triplet.toLowerCase()),
  },
  { cause: 'base-string-not-joined', step: 'baseString', whole: decodeURIComponent },
  { cause: 'base-string-inconsistent', step: 'baseString', whole: (ours) => ours.replace('POST&', 'POST&x') },
];

for (const [index, { cause, step, query, params, base, whole }] of FAULTS.entries()) {
  declareLaw(
    `names ${cause} in the ${step}, from ${params ? 'a parameter string' : base ? 'a base URI' : 'a base string'} (${index + 1})`,
    [word, word],
    (a, b) => {
      const steps = computeUnsignedSteps({ method: 'POST', url: query ? `${HERE}?${query(a, b)}` : HERE, body: '{}' });
      const parts = {
        paramString: params?.(steps.parameterString, steps) ?? steps.parameterString,
        baseUrl: base?.(steps.baseUri) ?? steps.baseUri,
      };
      const composed = writeBaseString('POST', parts.baseUrl, parts.paramString);
      const shown: ReportedSteps[] = [
        { ...parts, signatureBaseString: whole?.(steps.baseString) ?? composed, errorCode: -13 },
      ];
      // Each part alone is enough, and the base string tells what its parts are.
      if (!whole)
        shown.push(params ? { paramString: parts.paramString } : { baseUrl: parts.baseUrl }, {
          signatureBaseString: composed,
        });
      for (const each of shown) assertFound(localiseDifference(steps, each), step, cause);
    },
  );
}

type Rewrite = readonly [DifferenceCause, (text: string) => string | Buffer];

const REWRITES: readonly Rewrite[] = [
  ['body-reserialized', (text) => JSON.stringify(JSON.parse(text), null, 2)],
  ['body-reserialized', (text) => JSON.stringify(JSON.parse(text), null, 4)],
  ['body-reserialized', (text) => JSON.stringify(JSON.parse(text)).replaceAll('/', '\\/')],
  ['body-reserialized', (text) => text.replaceAll('":', '": ').replaceAll(',"', ', "')],
  ['body-reserialized', (text) => text.replaceAll('é', '\\u00e9')],
  ['body-newlines-changed', (text) => `${text}\n`],
  ['body-charset-changed', (text) => Buffer.from(text, 'latin1')],
  ['body-emptied', () => ''],
  ['body-changed', (text) => text.replace('1', '2')],
];

for (const [index, [cause, rewrite]] of REWRITES.entries()) {
  declareLaw(`traces a body hash to what was done to the body: ${cause} (${index + 1})`, [word, word], (a, b) => {
    const body = JSON.stringify({ [`a${a}`]: `é/${b}`, [`b${b}`]: '1' });
    const request = { method: 'POST', url: HERE, body };
    const steps = computeUnsignedSteps(request);
    const bodyHash = createHash('sha256').update(rewrite(body)).digest('base64');
    assertFound(localiseDifference(steps, { bodyHash }, request), 'bodyHash', cause);
    const paramString = steps.parameterString.replace(percentEncode(steps.bodyHash), percentEncode(bodyHash));
    assertFound(localiseDifference(steps, { paramString }, request), 'bodyHash', cause);
  });
}

test('tells a hash in another notation from a hash by another algorithm', () => {
  const request = { method: 'POST', url: HERE, body: '{"a":1}' };
  const steps = computeUnsignedSteps(request);
  const hash = createHash('sha256').update(request.body);
  const hex = hash.copy().digest('hex');
  for (const bodyHash of [hex, Buffer.from(hex).toString('base64'), hash.copy().digest('base64url')]) {
    assertFound(localiseDifference(steps, { bodyHash }, request), 'bodyHash', 'body-hash-other-notation');
  }
  const bodyHash = createHash('sha1').update(request.body).digest('base64');
  assertFound(localiseDifference(steps, { bodyHash }, request), 'bodyHash', 'body-hash-other-algorithm');
});

declareLaw('finds nothing where nothing differs', [anyRequest], (sent) => {
  const steps = computeUnsignedSteps(sent);
  const { parameterString: paramString, baseUri: baseUrl, baseString: signatureBaseString, bodyHash } = steps;
  for (const shown of [
    {},
    { paramString },
    { baseUrl },
    { signatureBaseString },
    { paramString, baseUrl, signatureBaseString, bodyHash },
  ]) {
    assert.equal(localiseDifference(steps, shown), undefined);
  }
  assertFound(
    localiseDifference(steps, { paramString, baseUrl, signatureBaseString, errorCode: -13 }),
    'signature',
    'key-or-signature',
  );
  assertFound(localiseDifference(steps, { errorCode: -13 }), 'signature', 'nothing-shown');
  assertFound(localiseDifference(steps, { errorCode: -19 }), 'bodyHash', 'body-changed');
});

declareLaw('finds something whenever anything differs', [anyRequest, anyRequest], (sent, other) => {
  const [steps, theirs] = [computeUnsignedSteps(sent), computeUnsignedSteps(other)];
  const found = localiseDifference(steps, { signatureBaseString: theirs.baseString });
  assert.equal(found === undefined, steps.baseString === theirs.baseString);
});

declareLaw('reports the first step: parameters before the base URI, the body before both', [word, word], (a, b) => {
  const request = { method: 'POST', url: `${HERE}?${a}=${b}`, body: '{}' };
  const steps = computeUnsignedSteps(request);
  const baseUrl = steps.baseUri.replace('https', 'http');
  const paramString = steps.parameterString
    .split('&')
    .filter((piece) => piece.startsWith('oauth_'))
    .join('&');
  assertFound(localiseDifference(steps, { baseUrl, paramString }), 'query', 'query-not-folded-in');
  assertFound(localiseDifference(steps, { baseUrl, paramString, bodyHash: 'x' }), 'bodyHash', 'body-changed');
});

declareLaw('names every mistake when two come together', [word, word], (a, b) => {
  const steps = computeUnsignedSteps({ method: 'POST', url: `${HERE}?${a}=*&${b}z=1%202`, body: '{}' });
  const found = localiseDifference(steps, {
    paramString: steps.parameterString.replaceAll('%2A', '*').replaceAll('%20', '+'),
  });
  assert.deepEqual([found?.cause, found?.also], ['star-not-encoded', ['space-as-plus']]);
});

test('keeps an IPv6 address and its brackets apart', () => {
  for (const [port, more] of [
    ['', []],
    [':8080', []],
  ] as const) {
    const steps = computeUnsignedSteps({ method: 'POST', url: `http://[2001:db8::1]${port}/x` });
    const found = localiseDifference(steps, { baseUrl: steps.baseUri.replace('[', '').replace(']', '') });
    expect([found?.cause, found?.also]).toEqual(['host-brackets-lost', [...more]]);
  }
});

test('says that an empty path or a decoded one is not as sent', () => {
  const empty = computeUnsignedSteps({ method: 'POST', url: 'http://h.example' });
  assertFound(localiseDifference(empty, { baseUrl: 'http://h.example' }), 'baseUri', 'path-empty');
  const escaped = computeUnsignedSteps({ method: 'POST', url: 'http://h.example/a%20b' });
  for (const baseUrl of ['http://h.example/a b', 'http://h.example/a%2520b']) {
    assertFound(localiseDifference(escaped, { baseUrl }), 'baseUri', 'path-re-encoded');
  }
});

test('knows every cause it names by a check of this file', () => {
  const elsewhere: DifferenceCause[] = [
    'body-hash-other-algorithm',
    'body-hash-other-notation',
    'host-brackets-lost',
    'path-empty',
    'path-re-encoded',
  ];
  const named = new Set<DifferenceCause>([
    ...FAULTS.map(({ cause }) => cause),
    ...REWRITES.map(([cause]) => cause),
    ...elsewhere,
    'key-or-signature',
    'nothing-shown',
  ]);
  expect([...named].sort()).toEqual(Object.keys(DIFFERENCE_CAUSES).sort());
});

function assertFound(found: ReturnType<typeof localiseDifference>, step: StepName, cause: DifferenceCause): void {
  assert.deepEqual([found?.step, found?.cause], [step, cause]);
  assert.ok(found!.why.startsWith(DIFFERENCE_CAUSES[cause]));
  assert.notEqual(found!.expected, found!.actual);
}
