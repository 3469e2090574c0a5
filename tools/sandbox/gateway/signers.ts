import type { Credentials } from '../credentials.ts';
import type { Signer } from './oauth-verify.ts';

/** Consumer keys with the public key and what they are bound to. */
export function signersOf({ gateway }: Credentials): readonly Signer[] {
  const { oauth, allowlisted } = gateway;
  const publicKey = () => oauth.publicKey;
  return [
    { consumerKey: oauth.consumerKey, publicKey, requestor: String(oauth.requestor), host: 'main' },
    { consumerKey: allowlisted.consumerKey, publicKey, requestor: String(allowlisted.id), host: 'main' },
  ];
}
