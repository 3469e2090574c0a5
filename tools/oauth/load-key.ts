import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Trouble } from '#trouble';
import { lacksPassphrase, refuseKey, unreadableKey, wrongPassphrase } from './key-troubles.ts';
import { readPkcs12 } from './read-pkcs12.ts';

const LEAST_BITS = 2048;

/**
 * Loads a private RSA key: PEM as PKCS#1 or PKCS#8, plain or encrypted, or a PKCS#12 container with one key.
 * @param source PEM text, or the bytes of a PEM or PKCS#12 file
 * @param file shown in messages; the key and the passphrase never are
 * @throws Trouble when the key is absent, locked, unreadable, not RSA, or under 2048 bits (RFC 5849 section 3.4.3 asks for RSA)
 */
export function loadKey(source: string | Uint8Array, passphrase?: string, file?: string): KeyObject {
  try {
    const text = typeof source === 'string' ? source : Buffer.from(source).toString('latin1');
    const key = text.includes('-----BEGIN ') ? readPem(text, passphrase) : readPkcs12(source, passphrase);
    requireRsa(key);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits < LEAST_BITS) {
      throw refuseKey(
        'The signing key is too short.',
        `it has ${bits} bits; less than ${LEAST_BITS} is not safe`,
        NEW_KEY,
      );
    }
    return key;
  } catch (error) {
    if (!(error instanceof Trouble) || file === undefined) throw error;
    const { outcome, message, reason, fix } = error;
    throw new Trouble(outcome, message, { place: { file }, ...(reason && { reason }), ...(fix && { fix }) });
  }
}

const NEW_KEY = 'use an RSA key of 2048 bits or more and register its public half';

/** @throws Trouble unless this is a private RSA key that may sign by PKCS#1 v1.5 (RFC 5849 section 3.4.3) */
export function requireRsa(key: KeyObject): void {
  if (key.type !== 'private') {
    throw refuseKey(
      'The signing key is not a private key.',
      `it is a ${key.type} key`,
      'give the private half of the pair',
    );
  }
  if (key.asymmetricKeyType !== 'rsa') {
    throw refuseKey('The signing key is not an RSA key.', `it is of type ${key.asymmetricKeyType}`, NEW_KEY);
  }
}

function readPem(pem: string, passphrase: string | undefined): KeyObject {
  if (!/-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/.test(pem)) {
    const found = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1]?.toLowerCase() ?? 'something else';
    throw refuseKey('The PEM text holds no private key.', `it holds a ${found}`, 'give the private half of the pair');
  }
  const locked = /ENCRYPTED/.test(pem);
  if (locked && passphrase === undefined) throw lacksPassphrase();
  try {
    return createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase });
  } catch {
    // OpenSSL's text is dropped: it says nothing that helps, and differs by version.
    if (locked) throw wrongPassphrase();
    throw unreadableKey('the PEM text is damaged');
  }
}
