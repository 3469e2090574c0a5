import { createHash, createVerify } from 'node:crypto';
import { isMaskedText } from '#evidence';
import {
  parseHeader,
  readQueryParameters,
  SIGNED_PARAMETERS,
  writeBaseString,
  writeBaseUri,
  writeParameterString,
} from '#oauth';
import { type ClientRule, type RuleSight, requestRule, trafficRule } from '../client-rule.ts';
import type { AskedRequest } from '../read-traffic.ts';

/** Seconds by which clocks may part. */
const CLOCK_SKEW = 300;

const FORM = /^OAuth +[\w-]+="[^"]*"(?: *, *[\w-]+="[^"]*")*$/;

/** The parameters of a transfer's header, decoded; undefined when there is no such header. */
function parametersOf({ headers }: AskedRequest): ReadonlyMap<string, string> | undefined {
  try {
    return new Map(parseHeader(headers.get('authorization') ?? ''));
  } catch {
    return undefined;
  }
}

/** A rule about the parameters of a signed transfer. */
function signedRule(
  id: string,
  look: (parameters: ReadonlyMap<string, string>, request: AskedRequest) => RuleSight,
  needs: ClientRule['needs'] = [],
): ClientRule {
  return requestRule(
    id,
    ['transfer'],
    (request) => {
      const parameters = parametersOf(request);
      return parameters === undefined ? undefined : look(parameters, request);
    },
    ['authorization', ...needs],
  );
}

/** A rule about the value of one parameter. */
function valueRule(id: string, name: string, look: (value: string, request: AskedRequest) => RuleSight): ClientRule {
  return signedRule(id, (parameters, request) => {
    const value = parameters.get(name);
    return value === undefined || value === '' || isMaskedText(value) ? undefined : look(value, request);
  });
}

/** How a caller signs a transfer. */
export const signingRules: readonly ClientRule[] = [
  requestRule(
    'OA-CSG-01',
    ['transfer'],
    ({ headers }) => {
      const header = headers.get('authorization') ?? '';
      if (!FORM.test(header)) return 'no header of this form';
      return /[ ,]oauth_signature="[^"]+"/.test(header) || 'no oauth_signature';
    },
    ['authorization'],
  ),
  signedRule('OA-CSG-02', (parameters) => {
    const missing = SIGNED_PARAMETERS.filter((name) => !parameters.get(name));
    return missing.length === 0 || `${missing.join(' and ')} missing`;
  }),
  valueRule('OA-CSG-03', 'oauth_signature_method', (value) => value === 'RSA-SHA256' || 'another method'),
  valueRule('OA-CSG-04', 'oauth_version', (value) => value === '1.0' || 'another version'),
  {
    ...valueRule('OA-CSG-05', 'oauth_timestamp', (value, { exchange }) => {
      if (!/^\d+$/.test(value)) return 'no whole number';
      const seconds = Math.abs(Number(value) - (exchange.wallTime ?? exchange.at) / 1000);
      return seconds <= CLOCK_SKEW || `${Math.round(seconds)} seconds from the time of sending`;
    }),
    needs: ['authorization', 'times'],
  },
  trafficRule(
    'OA-CSG-06',
    ({ asked }, notes) => {
      const seen = new Map<string, string>();
      for (const one of asked.filter(({ operation }) => operation === 'transfer')) {
        const nonce = parametersOf(one)?.get('oauth_nonce');
        if (!nonce || isMaskedText(nonce)) continue;
        // The same request on the wire twice is one request that a proxy or a library sent again.
        const header = one.headers.get('authorization')!;
        notes.take(one, !seen.has(nonce) || seen.get(nonce) === header || 'a nonce that was used before');
        seen.set(nonce, header);
      }
    },
    ['authorization'],
  ),
  signedRule(
    'OA-CSG-07',
    (parameters, { exchange }) => {
      const hash = parameters.get('oauth_body_hash');
      if (!hash || isMaskedText(hash)) return undefined;
      return hash === hashOf(exchange.request.body) || 'the hash of other bytes';
    },
    ['bytes'],
  ),
  trafficRule(
    'OA-CSG-08',
    ({ asked, publicKeys }, notes) => {
      for (const one of asked.filter(({ operation }) => operation === 'transfer')) {
        const parameters = parametersOf(one);
        const key = publicKeys.get(parameters?.get('oauth_consumer_key') ?? '');
        if (parameters !== undefined && key !== undefined) notes.take(one, verify(one, parameters, key));
      }
    },
    ['authorization', 'headers'],
  ),
  requestRule(
    'OA-CSG-09',
    ['transfer'],
    ({ headers }) => {
      const header = headers.get('authorization') ?? '';
      if (!FORM.test(header)) return undefined;
      const values = [...header.matchAll(/="([^"]*)"/g)].map(([, value]) => value!);
      if (values.some(isMaskedText)) return undefined;
      return !values.some((value) => /[^A-Za-z0-9\-._~%]/.test(value)) || 'values that are not percent-encoded';
    },
    ['authorization'],
  ),
  requestRule(
    'OA-CSG-10',
    ({ known }) => known.operation.api === 'gateway',
    ({ text, exchange }) => {
      const whole = [text, exchange.request.url, ...exchange.request.headers.map(([, value]) => value)].join('\n');
      return !/BEGIN (?:RSA |ENCRYPTED )?PRIVATE KEY/.test(whole) || 'a private key';
    },
  ),
];

function hashOf(body: Uint8Array = new Uint8Array()): string {
  return createHash('sha256').update(body).digest('base64');
}

function verify({ exchange }: AskedRequest, parameters: ReadonlyMap<string, string>, key: string): RuleSight {
  const signature = parameters.get('oauth_signature');
  if (!signature || [...parameters.values()].some(isMaskedText)) return undefined;
  const { method, url } = exchange.request;
  const signed = [...parameters].filter(([name]) => name !== 'oauth_signature' && name !== 'realm');
  try {
    const text = writeParameterString([...signed, ...readQueryParameters(url)]);
    const base = writeBaseString(method, writeBaseUri(url), text);
    const isRight = createVerify('RSA-SHA256').update(base, 'utf8').verify(key, signature, 'base64');
    return isRight || 'a signature over something else, or by another key';
  } catch {
    // An address that cannot be split has no base string.
    return undefined;
  }
}
