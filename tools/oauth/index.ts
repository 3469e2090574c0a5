/**
 * @module oauth
 * Request, key, clock and nonce in; Authorization header and every intermediate value out (RFC 5849 section 3 with a body hash).
 * Also loads keys, reads headers, and says in which step two sides part. One function per step, so that each can be checked by
 * itself. May be imported by client, harness, cli, bench and tests/oauth; never by the sandbox, which verifies on its own.
 */
export { CAUSES, type Cause } from './causes.ts';
export { collectParameters, having, listParameters, without } from './collect-parameters.ts';
export { explain, tell } from './explain.ts';
export { hashBody } from './hash-body.ts';
export { loadKey } from './load-key.ts';
export { type Difference, localise, type Theirs } from './localise.ts';
export { newNonce } from './new-nonce.ts';
export { parseHeader } from './parse-header.ts';
export { percentDecode, percentEncode } from './percent-encode.ts';
export { readForm, readQuery } from './read-query.ts';
export { sign } from './sign.ts';
export { signBaseString } from './sign-base-string.ts';
export type * from './types.ts';
export { writeBaseString } from './write-base-string.ts';
export { writeBaseUri } from './write-base-uri.ts';
export { writeHeader } from './write-header.ts';
export { writeParameterString } from './write-parameter-string.ts';
