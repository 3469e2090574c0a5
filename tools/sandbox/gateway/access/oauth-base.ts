import { type ActiveLies, decision } from '../../decision.ts';

/** A signed request as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  /** Scheme and authority as sent. */
  readonly origin: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly body: Buffer;
  readonly header: string | undefined;
}

/** The three things that -13 shows. */
export interface SignatureContext {
  baseUrl: string;
  paramString: string;
  signatureBaseString: string;
}

type Pair = readonly [name: string, value: string];

const sorted = decision({
  rule: 'OA-SIG-11',
  honest: (pairs: readonly Pair[]) => [...pairs].sort(byEncoded),
  lies: {
    'parameters-in-order-of-arrival': (pairs) => [...pairs],
    'parameters-in-reverse': (pairs) => [...pairs].sort(byEncoded).reverse(),
    'repeated-parameters-in-numeric-order': (pairs) =>
      [...pairs].sort((a, b) => compare(a[0], b[0]) || Number(a[1]) - Number(b[1]) || byEncoded(a, b)),
  },
});

const encoded = decision({
  rule: 'OA-SIG-12',
  honest: encodeUnreserved,
  lies: {
    'asterisk-not-encoded': (value) => encodeUnreserved(value).replaceAll('%2A', '*'),
    'space-encoded-as-plus': (value) => encodeUnreserved(value).replaceAll('%20', '+'),
    'lower-case-escapes': (value) => encodeUnreserved(value).replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    'tilde-encoded': (value) => encodeUnreserved(value).replaceAll('~', '%7E'),
    'slash-not-encoded': (value) => encodeUnreserved(value).replaceAll('%2F', '/'),
  },
});

const joined = decision({
  rule: 'OA-SIG-13',
  honest: (pairs: readonly string[]) => pairs.join('&'),
  lies: { 'parameters-joined-by-commas': (pairs) => pairs.join(',') },
});

const queryIsFolded = decision({
  rule: 'OA-SIG-14',
  honest: (pairs: readonly Pair[], _query: string) => pairs,
  lies: {
    'query-left-out-of-signature': () => [],
    'query-parameters-without-a-value-left-out': (pairs, query) =>
      pairs.filter(([name]) => !query.split('&').includes(name)),
    'query-values-cut-at-a-second-equals-sign': (_pairs, query) => readPieces(query, decodePart),
    'escapes-of-a-query-in-small-letters-taken-literally': (_pairs, query) =>
      readPieces(query, (part) => (/%(?:[a-f]|\d[a-f])/.test(part) ? part : decodePart(part))),
    'repeated-query-parameters-collapsed': (pairs) => [...new Map(pairs)],
  },
});

const baseString = decision({
  rule: 'OA-SIG-15',
  honest: (method: string, base: string, parameters: string) =>
    `${method.toUpperCase()}&${encodeUnreserved(base)}&${encodeUnreserved(parameters)}`,
  lies: {
    'method-in-lower-case': (method, base, parameters) =>
      `${method.toLowerCase()}&${encodeUnreserved(base)}&${encodeUnreserved(parameters)}`,
    'base-string-without-encoding': (method, base, parameters) => `${method.toUpperCase()}&${base}&${parameters}`,
  },
});

const authorityIsLowered = decision({
  rule: 'OA-SIG-16',
  honest: (origin: string) => origin.toLowerCase(),
  lies: { 'host-kept-as-sent': (origin) => origin, 'host-in-upper-case': (origin) => origin.toUpperCase() },
});

const defaultPortIsOmitted = decision({
  rule: 'OA-SIG-17',
  honest: (origin: string) => origin.replace(/^(http:\/\/.+):80$/, '$1').replace(/^(https:\/\/.+):443$/, '$1'),
  lies: {
    'default-port-kept': (origin) => (/:\d+$/.test(origin) ? origin : `${origin}:80`),
    'every-port-left-out': (origin) => origin.replace(/:\d+$/, ''),
  },
});

const pathIsKept = decision({
  rule: 'OA-SIG-18',
  honest: (path: string) => path,
  lies: { 'path-with-slash-appended': (path) => `${path}/`, 'path-without-api': (path) => path.replace(/^\/api/, '') },
});

const queryIsNoPartOfBase = decision({
  rule: 'OA-SIG-19',
  honest: (path: string, _url: string) => path,
  lies: { 'base-with-query': (_path, url) => url, 'base-with-question-mark': (path) => `${path}?` },
});

const calledAddress = decision({
  rule: 'OA-SIG-20',
  honest: (base: string) => base,
  lies: { 'base-from-configured-address': (base) => base.replace(/^http:\/\/[^/]+/, 'https://gateway.example') },
});

/** Parameter string, base URI and signature base string of a request as it arrived (RFC 5849 section 3.4.1). */
export function rebuildSignatureBase(
  activeLies: ActiveLies,
  request: ReceivedRequest,
  parameters: ReadonlyMap<string, string>,
): SignatureContext {
  const [path = '', ...rest] = request.url.split('?');
  const query = rest.join('?');
  const pairs: Pair[] = [...parameters].filter(([name]) => name !== 'oauth_signature');
  const all = [...pairs, ...queryIsFolded(activeLies, [...new URLSearchParams(query)], query)];
  const paramString = joined(
    activeLies,
    sorted(activeLies, all).map(([name, value]) => `${encoded(activeLies, name)}=${encoded(activeLies, value)}`),
  );
  const origin = defaultPortIsOmitted(activeLies, authorityIsLowered(activeLies, request.origin));
  const base = calledAddress(
    activeLies,
    origin + queryIsNoPartOfBase(activeLies, pathIsKept(activeLies, path), request.url),
  );
  return { baseUrl: base, paramString, signatureBaseString: baseString(activeLies, request.method, base, paramString) };
}

/** RFC 5849 section 3.4.1.3.2: by encoded name, then by encoded value, byte by byte. */
function byEncoded(a: Pair, b: Pair): number {
  return (
    compare(encodeUnreserved(a[0]), encodeUnreserved(b[0])) || compare(encodeUnreserved(a[1]), encodeUnreserved(b[1]))
  );
}

/** Names and values of a query, each up to the next equals sign. */
function readPieces(query: string, read: (part: string) => string): readonly Pair[] {
  return query
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => piece.split('='))
    .map(([name = '', value = '']) => [read(name), read(value)] as const);
}

/** What a part of a query stands for. */
function decodePart(part: string): string {
  return decodeURIComponent(part.replaceAll('+', ' '));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** RFC 3986 unreserved characters stay; everything else is escaped (RFC 5849 section 3.6). */
export function encodeUnreserved(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
