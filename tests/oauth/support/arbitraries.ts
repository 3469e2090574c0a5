import fc from 'fast-check';
import {
  type ParameterPair,
  percentEncode,
  type SignedHeader,
  type SigningCircumstances,
  type SigningRequest,
  signRequest,
} from '#oauth';
import { testSigner } from './test-keys.ts';

const SURROGATES = 0x800;

/** Any code point but halves of surrogate pairs: what fast-check calls `binary`, without its table of all of them, which takes 60 MB. */
const anyCharacter = fc.nat({ max: 0x10ffff - SURROGATES }).map(
  (nth) => String.fromCodePoint(nth < 0xd800 ? nth : nth + SURROGATES),
  (char) => {
    const point = typeof char === 'string' ? (char.codePointAt(0) ?? -1) : -1;
    if (point < 0 || String.fromCodePoint(point) !== char) throw new Error('this is not one character');
    return point < 0xd800 ? point : point - SURROGATES;
  },
);

/** Text with more than its share of what encoders get wrong. */
export const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'aZ09-._~ !*\'()+%&=/?#"\\,;:@é€𝄞\u0000'), maxLength: 12 }),
);

/** Text that is not empty. */
export const anyName = anyText.filter((each) => each !== '');

/** Parameters, duplicates not rare. */
export const anyPairs = fc.oneof(
  fc.array(fc.tuple(anyText, anyText), { maxLength: 6 }),
  fc.array(fc.tuple(fc.constantFrom('a', 'a*', 'a-', 'a1', 'A', ''), fc.constantFrom('', '1', '2', ' ', '~')), {
    maxLength: 8,
  }),
);

/** Half a surrogate pair, somewhere. */
export const anyIllFormedText = fc
  .tuple(anyText, fc.integer({ min: 0xd800, max: 0xdfff }))
  .map(([before, unit]) => `${before}${String.fromCharCode(unit)}.`);

/** A host, with its capitals. None that begins like an A-label (RFC 5890 section 2.3.2.1): most such names are none, and cannot be sent to. */
export const anyHost = fc.oneof(
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}(\.[A-Za-z]{2,5}){0,2}$/).filter((name) => !/^xn--/i.test(name)),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address.toUpperCase()}]`),
);

/** A path as it may be sent: escapes in either case, dots, empty segments. */
export const anyPath = fc
  .array(
    fc.string({ unit: fc.constantFrom(..."aZ9-._~!$&'()*+,;=:@", '%2F', '%2f', '%C3%A9', '%20', '/'), maxLength: 6 }),
    { maxLength: 4 },
  )
  .map((segments) => segments.map((segment) => `/${segment}`).join(''));

/** Ways in which clients write a query; all of them say the same. */
export const QUERY_WRITINGS = {
  strict: percentEncode,
  form: (value: string) => percentEncode(value).replaceAll('%20', '+'),
  browser: encodeURIComponent,
  small: (value: string) => percentEncode(value).replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase()),
  lazy: (value: string) => percentEncode(value).replace(/%(?:3A|40|2F|2C|3B|24)/g, decodeURIComponent),
} as const;

/** One of {@link QUERY_WRITINGS}, by name. */
export const anyWriting = fc.constantFrom(...(Object.keys(QUERY_WRITINGS) as (keyof typeof QUERY_WRITINGS)[]));

/** A query string that carries these parameters. */
export function writeQuery(parameters: readonly ParameterPair[], how: keyof typeof QUERY_WRITINGS = 'strict'): string {
  return parameters.map((pair) => pair.map(QUERY_WRITINGS[how]).join('=')).join('&');
}

/** Scheme, host and port in front of a path. */
export const anyOrigin = fc
  .tuple(
    fc.constantFrom('http', 'https', 'HTTP', 'hTTps'),
    anyHost,
    fc.option(fc.oneof(fc.constantFrom(80, 443), fc.integer({ min: 0, max: 65_535 }))),
  )
  .map(([scheme, at, port]) => `${scheme}://${at}${port === null ? '' : `:${port}`}`);

/** An absolute URL with a query, maybe empty. */
export const anyUrl = fc
  .tuple(anyOrigin, anyPath, fc.option(fc.tuple(anyPairs, anyWriting)))
  .map(([at, where, query]) => `${at}${where}${query === null ? '' : `?${writeQuery(...query)}`}`);

/** A body as bytes: JSON mostly, or anything. */
export const anyBody = fc.oneof(
  fc.json().map((json) => Buffer.from(json)),
  fc.uint8Array({ maxLength: 64 }).map((raw) => Buffer.from(raw)),
);

/** What is to be signed. */
export const anyRequest: fc.Arbitrary<SigningRequest & { body: Buffer }> = fc.record({
  method: fc.constantFrom('POST', 'GET', 'put', 'DELETE', 'patch'),
  url: anyUrl,
  body: anyBody,
});

/** A fixed moment and nonce, so that a signature can be made twice. */
export const fixedCircumstances: SigningCircumstances = { clock: () => 1_760_000_000_000, nonce: () => 'n0nce' };

/** Signatures made so far: laws draw the same requests, and RSA costs more than all the rest. */
const made = new Map<string, SignedHeader>();
const MOST_KEPT = 1000;

/** Signs with {@link fixedCircumstances}, and each request once: whoever wants to see it signed again signs it himself. */
export function signOnce(sent: SigningRequest & { body: Buffer }): SignedHeader {
  const text = `${sent.method} ${sent.url} ${sent.body.toString('latin1')}`;
  const signed = made.get(text) ?? signRequest(sent, testSigner, fixedCircumstances);
  if (made.size < MOST_KEPT) made.set(text, signed);
  return signed;
}

/** The same URL with scheme and authority in capitals. */
export function inCapitals(address: string): string {
  return address.replace(/^[^:]+:\/\/[^/?#]*/, (head) => head.toUpperCase());
}
