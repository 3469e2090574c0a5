import type { GatewayCredentials } from '../credentials.ts';
import type { RegisteredSigner } from './oauth-verification.ts';

/** Consumer keys with the public key and what they are bound to. */
export function listRegisteredSigners({ oauth, allowlisted }: GatewayCredentials): readonly RegisteredSigner[] {
  const publicKey = () => oauth.publicKey;
  return [
    { consumerKey: oauth.consumerKey, publicKey, requestor: String(oauth.requestor), host: 'main' },
    {
      consumerKey: oauth.second.consumerKey,
      publicKey: () => oauth.second.publicKey,
      requestor: String(oauth.requestor),
      host: 'main',
    },
    { consumerKey: allowlisted.consumerKey, publicKey, requestor: String(allowlisted.id), host: 'main' },
  ];
}
