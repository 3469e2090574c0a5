import { Trouble } from '#trouble';

/** A complaint about a signing key; it never holds a part of the key or of its passphrase. */
export function refuseKey(message: string, reason: string, fix: string): Trouble {
  return new Trouble('usage', message, { reason, fix });
}

/** The complaint that a locked key came alone. */
export function lacksPassphrase(): Trouble {
  return refuseKey('The signing key is encrypted.', 'no passphrase was given', 'give its passphrase');
}

/** The complaint that a passphrase does not unlock the key. */
export function wrongPassphrase(): Trouble {
  return refuseKey(
    'The signing key cannot be unlocked.',
    'the passphrase is wrong, or the file is damaged',
    'check both',
  );
}

/** The complaint that these bytes are no key file of a known kind. */
export function unreadableKey(reason: string): Trouble {
  return refuseKey('The signing key cannot be read.', reason, 'give a PEM (PKCS#1 or PKCS#8) or PKCS#12 file');
}
