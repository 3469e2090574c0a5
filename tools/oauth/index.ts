/**
 * @module oauth
 * Request, key, clock and nonce in; Authorization header and every intermediate value out (RFC 5849 section 3 with a body hash).
 * Also loads keys, reads headers, and says in which step two sides part. One function per step, so that each can be checked by
 * itself. May be imported by client, harness, cli, bench and tests/oauth; never by the sandbox, which verifies on its own.
 */

export {
  collectParameters,
  havingParameter,
  listParameters,
  SIGNED_PARAMETERS,
  withoutParameter,
} from './collect-parameters.ts';
export { DIFFERENCE_CAUSES, type DifferenceCause } from './difference-causes.ts';
export { describeSigningDifference, explainSigning } from './explain-signing.ts';
export { hashBody } from './hash-body.ts';
export { loadKey } from './load-key.ts';
export { localiseDifference, type ReportedSteps, type SigningDifference } from './localise-difference.ts';
export { newNonce } from './new-nonce.ts';
export { parseHeader } from './parse-header.ts';
export { percentDecode, percentEncode } from './percent-encode.ts';
export { readFormParameters, readQueryParameters } from './read-query.ts';
export { signBaseString } from './sign-base-string.ts';
export { signRequest } from './sign-request.ts';
export type * from './types.ts';
export { writeBaseString } from './write-base-string.ts';
export { writeBaseUri } from './write-base-uri.ts';
export { writeHeader } from './write-header.ts';
export { writeParameterString } from './write-parameter-string.ts';
