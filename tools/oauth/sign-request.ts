import { collectParameters, listParameters } from './collect-parameters.ts';
import { hashBody } from './hash-body.ts';
import { newNonce } from './new-nonce.ts';
import { readQueryParameters } from './read-query.ts';
import { signBaseString } from './sign-base-string.ts';
import type { SignedHeader, SigningCircumstances, SigningCredentials, SigningRequest, SigningStages } from './types.ts';
import { writeBaseString } from './write-base-string.ts';
import { writeBaseUri } from './write-base-uri.ts';
import { writeHeader } from './write-header.ts';
import { writeParameterString } from './write-parameter-string.ts';

/**
 * Signs a request by OAuth 1.0a with RSA-SHA256 and a body hash (RFC 5849 section 3, oauth-bodyhash draft 00).
 * @returns the Authorization header's value and every step on the way; the key is in neither
 * @throws Trouble when URL, method, body or key cannot be signed with
 */
export function signRequest(
  request: SigningRequest,
  credentials: SigningCredentials,
  circumstances: SigningCircumstances = {},
): SignedHeader {
  const { clock = Date.now, nonce = newNonce, style = 'encoded', alter = {} } = circumstances;
  const after = <S extends keyof SigningStages>(step: S, value: SigningStages[S]): SigningStages[S] =>
    alter[step]?.(value) ?? value;

  const bodyHash = after('bodyHash', hashBody(request.body));
  const timestamp = Math.floor(clock() / 1000);
  const parameters = after('parameters', listParameters(bodyHash, credentials.consumerKey, nonce(), timestamp));
  const query = after('query', readQueryParameters(request.url));
  const parameterString = after('parameterString', writeParameterString(collectParameters(parameters, query)));
  const baseUri = after('baseUri', writeBaseUri(request.url));
  const baseString = after('baseString', writeBaseString(request.method, baseUri, parameterString));
  const signature = after('signature', signBaseString(baseString, credentials.key));
  const header = after('header', [...parameters, ['oauth_signature', signature]]);

  return {
    header: writeHeader(header, style),
    steps: { bodyHash, parameters, query, parameterString, baseUri, baseString, signature },
  };
}
