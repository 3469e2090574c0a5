import { type ActiveLies, decision } from '../../decision.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';

/** The parameters that the document requires; the signature comes beside them. */
export const REQUIRED_PARAMETERS = [
  'oauth_body_hash',
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_version',
] as const;

const headerIsNeeded = decision({
  rule: 'OA-ERR-01',
  honest: () => new GatewayRefusal(400, -6, 'No Authorization header'),
  lies: {
    'transfer-without-header-as-401': () => new GatewayRefusal(401, -6, 'No Authorization header'),
    'transfer-without-header-with-another-code': () => new GatewayRefusal(400, -7, 'No Authorization header'),
  },
});

const schemeIsOAuth = decision({
  rule: 'OA-ERR-02',
  honest: () => new GatewayRefusal(400, -7, "Authorization header should start with 'OAuth '"),
  lies: {
    'transfer-with-bearer-as-401': () => new GatewayRefusal(401, -7, "Authorization header should start with 'OAuth '"),
    'transfer-with-bearer-with-another-code': () =>
      new GatewayRefusal(400, -6, "Authorization header should start with 'OAuth '"),
  },
});

const sixAreNeeded = decision({
  rule: 'OA-ERR-03',
  honest: (_name: string): { status: number; code: number } | undefined => ({ status: 400, code: -18 }),
  lies: {
    'missing-parameter-as-401': () => ({ status: 401, code: -18 }),
    'missing-parameter-with-another-code': () => ({ status: 400, code: -17 }),
    ...Object.fromEntries(
      REQUIRED_PARAMETERS.map((six) => [
        `${six.replaceAll('_', '-')}-may-be-missing`,
        (name: string) => (name === six ? undefined : { status: 400, code: -18 }),
      ]),
    ),
  },
});

const missingIsNamed = decision({
  rule: 'OA-ERR-09',
  honest: (name: string): Record<string, unknown> => ({ invalidParams: [name] }),
  lies: {
    'missing-parameter-not-named': () => ({}),
    'all-parameters-named': () => ({ invalidParams: [...REQUIRED_PARAMETERS] }),
    'another-parameter-named': (name) => ({ invalidParams: [REQUIRED_PARAMETERS.find((one) => one !== name)] }),
  },
});

const takesEncoded = decision({
  rule: 'OA-SIG-23',
  honest: (value: string) => decode(value),
  lies: {
    'encoded-values-taken-literally': (value) => value,
    'escapes-in-small-letters-taken-literally': (value) => (/%(?:[a-f]|\d[a-f])/.test(value) ? value : decode(value)),
    'encoded-values-decoded-twice': (value) => decode(decode(value)),
  },
});

const takesRaw = decision({
  rule: 'OA-SIG-24',
  honest: (value: string) => value,
  lies: {
    'raw-plus-taken-as-space': (value) => value.replaceAll('+', ' '),
    'raw-values-cut-at-equals': (value) => value.replace(/=+$/, ''),
  },
});

const quotedWithCommas = decision({
  rule: 'OA-SIG-22',
  honest: (header: string) => header.split(','),
  lies: {
    'header-parameters-split-at-semicolons': (header) => header.split(';'),
    'signature-has-to-come-last': (header) =>
      header.split(',').filter((pair, i, { length }) => i === length - 1 || !pair.includes('oauth_signature=')),
  },
});

const isSigned = decision({
  rule: 'OA-SIG-22',
  honest: () => true,
  lies: { 'unsigned-transfer-accepted': () => false },
});

/**
 * Reads an OAuth Authorization header.
 * @returns its parameters, decoded; realm and whatever is not oauth_* left out
 * @throws Refusal 400 -6, -7 or -18 as documented
 */
export function readOAuthHeader(activeLies: ActiveLies, header: string | undefined): ReadonlyMap<string, string> {
  if (header === undefined || header.trim() === '') throw headerIsNeeded(activeLies).because('no header');
  if (!header.startsWith('OAuth ')) throw schemeIsOAuth(activeLies).because('other scheme');
  const parameters = new Map<string, string>();
  for (const pair of quotedWithCommas(activeLies, header.slice(6))) {
    const match = /^\s*([^=\s]+)\s*=\s*"([^"]*)"\s*$/.exec(pair);
    if (match === null) continue;
    const name = decode(match[1]!);
    if (!name.startsWith('oauth_')) continue;
    if (parameters.has(name)) throw missing(activeLies, name);
    const raw = match[2]!;
    parameters.set(name, raw.includes('%') ? takesEncoded(activeLies, raw) : takesRaw(activeLies, raw));
  }
  for (const name of REQUIRED_PARAMETERS) {
    if (parameters.get(name)) continue;
    const said = sixAreNeeded(activeLies, name);
    if (said !== undefined) throw missing(activeLies, name, said);
  }
  if (!parameters.get('oauth_signature') && isSigned(activeLies)) throw missing(activeLies, 'oauth_signature');
  return parameters;
}

function missing(activeLies: ActiveLies, name: string, { status, code } = { status: 400, code: -18 }): GatewayRefusal {
  const named = missingIsNamed(activeLies, name);
  return new GatewayRefusal(status, code, `Missing or repeated parameter: ${name}`, named, 'missing parameter');
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
