import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import forge from 'node-forge';
import { DAY } from './durations.ts';

/** What a sandbox needs to speak TLS, all of it made for this run. */
export interface TlsIdentity {
  /** PEM, of the authority that whoever calls the sandbox has to trust; its key is gone once it has signed. */
  readonly authority: string;
  /** PEM. */
  readonly certificate: string;
  /** PEM (PKCS#8). */
  readonly key: string;
}

/**
 * Makes an authority and a certificate by it (RFC 5280), for every name by which this machine is reached.
 * @param host address that the sandbox binds
 */
export function issueTlsIdentity(host: string): TlsIdentity {
  const [authorityKeys, ownKeys] = [makeKeys(), makeKeys()];
  const issuer = [{ name: 'commonName', value: `Assay sandbox, ${new Date().toISOString()}` }];
  const authority = sign(issuer, issuer, authorityKeys, authorityKeys, [
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  const subject = [{ name: 'commonName', value: 'Assay sandbox' }];
  const certificate = sign(subject, issuer, ownKeys, authorityKeys, [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'authorityKeyIdentifier', keyIdentifier: identify(authorityKeys) },
    { name: 'subjectAltName', altNames: namesOf(host).map(writeName) },
  ]);
  return { authority, certificate, key: ownKeys.pem };
}

interface KeyPair {
  readonly pem: string;
  readonly publicKey: forge.pki.rsa.PublicKey;
  readonly privateKey: forge.pki.rsa.PrivateKey;
}

/** An RSA pair; made by OpenSSL, which takes a tenth of the time. */
function makeKeys(): KeyPair {
  const { privateKey: pem, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { pem, publicKey: forge.pki.publicKeyFromPem(publicKey), privateKey: forge.pki.privateKeyFromPem(pem) };
}

/** RFC 5280 section 4.2.1.2: the SHA-1 of a public key. */
function identify({ publicKey }: KeyPair): string {
  return forge.pki.getPublicKeyFingerprint(publicKey, { type: 'RSAPublicKey' }).getBytes();
}

function sign(
  subject: forge.pki.CertificateField[],
  issuer: forge.pki.CertificateField[],
  { publicKey }: KeyPair,
  { privateKey }: KeyPair,
  extensions: unknown[],
): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  // Positive, as RFC 5280 wants it.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - DAY);
  certificate.validity.notAfter = new Date(Date.now() + 90 * DAY);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  certificate.sign(privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

/** Names and addresses by which it is called: on this machine, from containers on it, and from elsewhere where it listens everywhere. */
function namesOf(host: string): readonly string[] {
  const everywhere = host === '0.0.0.0' || host === '::';
  const others = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  const names = ['localhost', '127.0.0.1', '::1', 'host.docker.internal'];
  return [...new Set([...names, ...(everywhere ? [hostname(), ...others] : [host])])].filter(
    (name) => !name.includes('%'),
  );
}

/** RFC 5280 section 4.2.1.6: 2 is a DNS name, 7 an address. */
function writeName(name: string): { type: number; value?: string; ip?: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}
