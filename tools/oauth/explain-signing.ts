import { DIFFERENCE_CAUSES } from './difference-causes.ts';
import type { SigningDifference } from './localise-difference.ts';
import type { ParameterPair, SignedHeader, SigningRequest } from './types.ts';

/**
 * Prints every step of a signature for a reader who compares it with his own (RFC 5849 section 3.4). The key is not asked for,
 * so it cannot show.
 * @param difference what {@link localiseDifference} found, to be told at the end
 */
export function explainSigning(
  request: SigningRequest,
  { header, steps }: SignedHeader,
  difference?: SigningDifference,
): string {
  const size = Buffer.byteLength(request.body ?? '');
  const lines = [
    `Request              ${request.method} ${request.url}`,
    `1 Body hash          base64 of SHA-256 over ${size} ${size === 1 ? 'byte' : 'bytes'}`,
    `                     ${steps.bodyHash}`,
    '2 Parameters         the six of the protocol',
    ...steps.parameters.map(shown),
    `  Query              ${steps.query.length === 0 ? 'none' : 'decoded, folded in'}`,
    ...steps.query.map(shown),
    '3 Parameter string   encoded, sorted, joined',
    `                     ${steps.parameterString}`,
    '4 Base URI           as called; no default port, query or fragment',
    `                     ${steps.baseUri}`,
    '  Base string        method & encoded base URI & encoded parameter string',
    `                     ${steps.baseString}`,
    '5 Signature          base64 of RSA PKCS#1 v1.5 with SHA-256 over the base string',
    `                     ${steps.signature}`,
    `6 Header             Authorization: ${header}`,
  ];
  return [...lines, ...(difference ? ['', describeSigningDifference(difference)] : [])].join('\n');
}

/** A difference in words, for the terminal and the report. */
export function describeSigningDifference({ step, cause, also, expected, actual }: SigningDifference): string {
  return [
    `First different step: ${TITLES[step]} (${[cause, ...also].join(', ')})`,
    ...[cause, ...also].map((each) => `  ${DIFFERENCE_CAUSES[each]}`),
    `  ours:   ${expected || '(nothing)'}`,
    `  theirs: ${actual === undefined ? '(not shown)' : actual || '(nothing)'}`,
  ].join('\n');
}

const TITLES = {
  bodyHash: 'body hash',
  parameters: 'parameters',
  query: 'query parameters',
  parameterString: 'parameter string',
  baseUri: 'base URI',
  baseString: 'base string',
  signature: 'signature',
} as const;

function shown([name, value]: ParameterPair): string {
  return `                     ${JSON.stringify(name).slice(1, -1)} = ${JSON.stringify(value).slice(1, -1)}`;
}
