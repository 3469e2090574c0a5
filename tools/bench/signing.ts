import { createHash, sign as signBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import forge from 'node-forge';
import OAuth from 'oauth-1.0a';
import {
  collectParameters,
  listParameters,
  loadKey,
  readQueryParameters,
  signRequest,
  writeBaseString,
  writeBaseUri,
  writeParameterString,
} from '#oauth';
import type { BenchPart, BenchSize } from './bench-figure.ts';
import { takeTurns } from './take-turns.ts';

const KEY = new URL('../../tests/oauth/golden/public-test-key.pem', import.meta.url);
const REQUEST = {
  method: 'POST',
  url: 'https://gate.example.com/api/payments/transfer/42',
  body: '{"orderAmount":"1.00"}',
};
const QUERY = `${REQUEST.url}?note=a%20b&note=c*d&page=1`;
const HASH = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

interface MastercardSigner {
  getAuthorizationHeader(uri: string, method: string, payload: string, consumerKey: string, key: string): string;
}

/** Signing a transfer beside the bare RSA operation, beside the signers of other hands, and beside one whose RSA is JavaScript. */
export async function benchSigning({ isTrial }: BenchSize): Promise<BenchPart> {
  const key = loadKey(readFileSync(KEY));
  const credentials = { consumerKey: 'bench', key };
  const pem = key.export({ type: 'pkcs1', format: 'pem' }) as string;
  const forgeKey = forge.pki.privateKeyFromPem(pem);
  const baseString = Buffer.from(signRequest(REQUEST, credentials).steps.baseString);
  const mastercard = createRequire(import.meta.url)('mastercard-oauth1-signer') as MastercardSigner;
  const oauth = new OAuth({
    consumer: { key: 'bench', secret: '' },
    signature_method: 'RSA-SHA256',
    hash_function: (text) => signBytes('sha256', Buffer.from(text), key).toString('base64'),
  });
  /** Every step as ours, the RSA operation by node-forge. */
  const withForge = () => {
    const hash = createHash('sha256').update(REQUEST.body).digest('base64');
    const string = writeParameterString(listParameters(hash, 'bench', 'nonce', 1));
    const text = writeBaseString(REQUEST.method, writeBaseUri(REQUEST.url), string);
    return forge.util.encode64(forgeKey.sign(forge.md.sha256.create().update(text, 'utf8')));
  };
  const bodyHash = createHash('sha256').update(REQUEST.body).digest('base64');
  const withOauth = () =>
    oauth.toHeader(oauth.authorize({ method: REQUEST.method, url: REQUEST.url, data: { oauth_body_hash: bodyHash } }));
  const withMastercard = () =>
    mastercard.getAuthorizationHeader(REQUEST.url, REQUEST.method, REQUEST.body, 'bench', pem);
  const [bare, slow] = ['the bare RSA operation', 'our steps, RSA by node-forge'];
  const rounds = isTrial ? 3 : 150;
  const signing = await takeTurns(
    [
      { name: 'our signer', turn: () => void signRequest(REQUEST, credentials), times: 4 },
      { name: bare, turn: () => void signBytes('sha256', baseString, key), times: 4 },
      { name: 'oauth-1.0a', turn: () => void withOauth(), times: 4 },
      { name: 'mastercard-oauth1-signer', turn: () => void withMastercard(), times: 1 },
      { name: slow, turn: () => void withForge(), times: 1 },
    ],
    {
      id: 'signing',
      title: 'The Authorization header of a transfer',
      unit: 'µs',
      rounds,
      warmUp: isTrial ? 1 : 60,
      goals: [
        { text: 'at most 1.1 times the bare RSA operation', to: bare, atMost: 1.1 },
        { text: 'at most 1.05 times oauth-1.0a with the same RSA operation', to: 'oauth-1.0a', atMost: 1.05 },
        { text: 'no slower than mastercard-oauth1-signer', to: 'mastercard-oauth1-signer', atMost: 1 },
        { text: 'more than 20 times as fast as with node-forge', to: slow, atMost: 0.05 },
      ],
    },
  );
  const pairs = collectParameters(listParameters(HASH, 'bench', 'nonce', 1), readQueryParameters(QUERY));
  const strings = await takeTurns(
    [{ name: 'our parameter string', turn: () => void writeParameterString(pairs), times: 200 }],
    {
      id: 'parameter-string',
      title: 'The parameter string of a request with a query',
      unit: 'µs',
      rounds,
      goals: [{ text: 'at least 20,000 a second on one core: at most 50 µs each', atMost: 50 }],
    },
  );
  return { figures: [signing, strings] };
}
