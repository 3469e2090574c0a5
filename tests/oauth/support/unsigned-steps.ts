import {
  collectParameters,
  hashBody,
  listParameters,
  readQueryParameters,
  type SigningRequest,
  type SigningSteps,
  writeBaseString,
  writeBaseUri,
  writeParameterString,
} from '#oauth';

/** The steps that `sign` would show with `fixed`, with no signature: RSA costs more than all the rest, and most laws do not look at it. */
export function computeUnsignedSteps(
  { method, url, body }: SigningRequest,
  consumerKey = 'test-consumer',
): SigningSteps {
  const bodyHash = hashBody(body);
  const parameters = listParameters(bodyHash, consumerKey, 'n0nce', 1_760_000_000);
  const query = readQueryParameters(url);
  const parameterString = writeParameterString(collectParameters(parameters, query));
  const baseUri = writeBaseUri(url);
  return {
    bodyHash,
    parameters,
    query,
    parameterString,
    baseUri,
    baseString: writeBaseString(method, baseUri, parameterString),
    signature: 'bm9uZQ==',
  };
}
