import { createPrivateKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import type forge from 'node-forge';
import { lacksPassphrase, refuseKey, unreadableKey, wrongPassphrase } from './key-troubles.ts';

const require = createRequire(import.meta.url);
/** Loaded when there is a container to open: few targets have one, and every worker loads this file. */
const loadForge = () => require('node-forge') as typeof forge;

/**
 * Takes the one private key out of a PKCS#12 container (RFC 7292), to sign with as RFC 5849 section 3.4.3 asks.
 * node:crypto cannot open one; node-forge opens it and the key, of whatever kind, goes on to node:crypto.
 * @throws Trouble when it is not such a container, is locked, or does not hold exactly one key
 */
export function readPkcs12(source: string | Uint8Array, passphrase: string | undefined): KeyObject {
  const { asn1, pki } = loadForge();
  const container = open(parse(source), passphrase);
  const keys = ['keyBag', 'pkcs8ShroudedKeyBag'].flatMap((kind) => {
    const type = pki.oids[kind]!;
    return container.getBags({ bagType: type })[type] ?? [];
  });
  if (keys.length !== 1) {
    const found = `it holds ${keys.length}`;
    throw refuseKey('The PKCS#12 file does not hold exactly one private key.', found, 'export the signing key alone');
  }
  const { key, asn1: other } = keys[0]!;
  // node-forge keeps as ASN.1 what it cannot read itself, such as an elliptic curve key.
  const info = key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key)) : other;
  return createPrivateKey({
    key: Buffer.from(asn1.toDer(info).getBytes(), 'latin1'),
    format: 'der',
    type: 'pkcs8',
  });
}

function parse(source: string | Uint8Array): forge.asn1.Asn1 {
  const bytes = typeof source === 'string' ? source : Buffer.from(source).toString('latin1');
  try {
    return loadForge().asn1.fromDer(bytes);
  } catch {
    throw unreadableKey('it is neither PEM text nor a PKCS#12 file');
  }
}

function open(content: forge.asn1.Asn1, passphrase: string | undefined): forge.pkcs12.Pkcs12Pfx {
  try {
    return loadForge().pkcs12.pkcs12FromAsn1(content, false, passphrase ?? '');
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    if (/not a PKCS#12 PFX|Cannot read PKCS#12 PFX/.test(text))
      throw unreadableKey('it is neither PEM text nor a PKCS#12 file');
    throw passphrase === undefined ? lacksPassphrase() : wrongPassphrase();
  }
}
