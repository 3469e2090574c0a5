import type { ParameterPair } from './types.ts';

/**
 * The six parameters of a request, in the order of their names (RFC 5849 section 3.1; the body hash by its draft).
 * @param timestamp whole seconds since 1970 (RFC 5849 section 3.3)
 */
export function listParameters(
  bodyHash: string,
  consumerKey: string,
  nonce: string,
  timestamp: number,
): ParameterPair[] {
  return [
    ['oauth_body_hash', bodyHash],
    ['oauth_consumer_key', consumerKey],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'RSA-SHA256'],
    ['oauth_timestamp', String(timestamp)],
    ['oauth_version', '1.0'],
  ];
}

/** Names of the parameters that every signed request carries beside its signature. */
export const SIGNED_PARAMETERS: readonly string[] = listParameters('', '', '', 0).map(([name]) => name);

/** All that goes into the parameter string: protocol and query parameters, never a signature (RFC 5849 section 3.4.1.3.1). */
export function collectParameters(
  parameters: readonly ParameterPair[],
  query: readonly ParameterPair[],
): ParameterPair[] {
  return [...parameters, ...query].filter(([name]) => name !== 'oauth_signature');
}

/** For {@link StepAlterations}: the same parameters without those of this name. */
export function withoutParameter(name: string): (pairs: readonly ParameterPair[]) => ParameterPair[] {
  return (pairs) => pairs.filter(([each]) => each !== name);
}

/** For {@link StepAlterations}: the same parameters, those of this name with another value, or with one made from theirs. */
export function havingParameter(
  name: string,
  value: string | ((right: string) => string),
): (pairs: readonly ParameterPair[]) => ParameterPair[] {
  const made = typeof value === 'string' ? () => value : value;
  return (pairs) => pairs.map((pair) => (pair[0] === name ? [name, made(pair[1])] : pair));
}
