import {
  constants,
  createPrivateKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  privateEncrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type forge from 'node-forge';
import { type FilePlace, Trouble } from '#trouble';
import { hashFile } from './bundle-limits.ts';
import { checkSignature } from './cms-signature.ts';
import { writeVerifyInstructions } from './verify-instructions.ts';
import { listArtifacts } from './write-report.ts';

const require = createRequire(import.meta.url);
/** Loaded when something is signed: pages are drawn far more often. */
const loadForge = () => require('node-forge') as typeof forge;

/** Names of the files that a signature consists of. */
export const SUMS_FILE = 'SHA256SUMS';
export const SIGNATURE_FILE = 'SHA256SUMS.p7s';
export const INSTRUCTIONS_FILE = 'VERIFY.txt';
/** The answer of a time stamping authority, over the signature. */
export const STAMP_FILE = 'SHA256SUMS.tsr';

/** A key and its certificate; unpinned when nobody can have known the certificate before. */
export interface RunSigner {
  readonly key: KeyObject;
  /** PEM. */
  readonly certificate: string;
  readonly pinned: boolean;
}

/** A key and its certificate as they were found, PEM, and where, for messages. */
export interface SignerPair {
  readonly key: string | Buffer;
  readonly certificate: string | Buffer;
  readonly passphrase?: string | undefined;
  readonly places: Readonly<Record<'key' | 'certificate', FilePlace>>;
  /** What the passphrase is called where it is set. */
  readonly passphraseName: string;
}

/**
 * The signer that the environment names: `ASSAY_SIGN_KEY` and `ASSAY_SIGN_CERT` (PEM files) and `ASSAY_SIGN_PASSPHRASE`.
 * @returns undefined when it names none
 * @throws Trouble (usage) for half a pair, a file that cannot be read, and as {@link signerFromPair}
 */
export function signerFromEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): RunSigner | undefined {
  const { ASSAY_SIGN_KEY: keyFile, ASSAY_SIGN_CERT: certificateFile, ASSAY_SIGN_PASSPHRASE: passphrase } = env;
  if (!keyFile && !certificateFile) return undefined;
  if (!keyFile || !certificateFile)
    throw new Trouble('usage', `${keyFile ? 'ASSAY_SIGN_CERT' : 'ASSAY_SIGN_KEY'} is not set`, {
      reason: 'a signature needs a key and its certificate',
      fix: 'set both, or neither',
    });
  const read = (file: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw refusal({ file }, 'the file cannot be read', String((error as NodeJS.ErrnoException).code));
    }
  };
  return signerFromPair({
    key: read(keyFile),
    certificate: read(certificateFile),
    passphrase,
    places: { key: { file: keyFile }, certificate: { file: certificateFile } },
    passphraseName: 'ASSAY_SIGN_PASSPHRASE',
  });
}

/**
 * The signer that a pair makes.
 * @throws Trouble (usage) with the place for a wrong passphrase, a key that is not RSA of 2048 bits or more, a certificate of another key
 */
export function signerFromPair({
  key: keyText,
  certificate: text,
  passphrase,
  places,
  passphraseName: opens,
}: SignerPair): RunSigner {
  let key: KeyObject;
  let certificate: X509Certificate;
  try {
    key = createPrivateKey({ key: keyText, ...(passphrase ? { passphrase } : {}) });
  } catch {
    throw refusal(
      places.key,
      'the signing key cannot be opened',
      `it is no private key, or ${opens} is missing or wrong`,
    );
  }
  try {
    certificate = new X509Certificate(text);
  } catch {
    throw refusal(places.certificate, 'there is no certificate in it');
  }
  if (key.asymmetricKeyType !== 'rsa' || key.asymmetricKeyDetails!.modulusLength! < 2048)
    throw refusal(places.key, 'the signing key is not RSA of 2048 bits or more');
  if (!certificate.checkPrivateKey(key))
    throw refusal(places.certificate, 'the certificate belongs to another key than the signing key');
  return { key, certificate: certificate.toString(), pinned: true };
}

function refusal(place: FilePlace, message: string, reason?: string): Trouble {
  return new Trouble('usage', message, {
    place,
    ...(reason ? { reason } : {}),
    fix: 'name an RSA key and its certificate, both PEM',
  });
}

const RUN_KEY = { modulusLength: 2048 } as const;

/** Makes the key of a run beside other work, since it takes its time. */
export const makeRunKey = () => promisify(generateKeyPair)('rsa', RUN_KEY);

/** A key of its own for one run; shows that nothing was changed since, not who made it. */
export function ephemeralSigner(
  run: string,
  now = Date.now(),
  { privateKey, publicKey }: KeyPairKeyObjectResult = generateKeyPairSync('rsa', RUN_KEY),
): RunSigner {
  const certificate = loadForge().pki.createCertificate();
  certificate.publicKey = loadForge().pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }) as string);
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now - 3_600_000);
  certificate.validity.notAfter = new Date(now + 3650 * 86_400_000);
  const name = [{ name: 'commonName', value: `Assay run ${run} (unpinned - integrity only)`.slice(0, 64) }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, critical: true },
  ]);
  certificate.sign(forgeKey(privateKey), loadForge().md.sha256.create());
  return { key: privateKey, certificate: loadForge().pki.certificateToPem(certificate), pinned: false };
}

/**
 * Closes a run folder: the sums of all its files, a detached signature over them, and how to check both.
 * @param run id of the run
 * @param at when it is signed
 * @param stamped whether the time of the signature will be stamped, so that a missing stamp shows
 * @returns SHA-256 fingerprint of the signer's certificate
 */
export function signRun(
  folder: string,
  run: string,
  signer: RunSigner = ephemeralSigner(run),
  at = new Date(),
  stamped = false,
): string {
  const { fingerprint256 } = new X509Certificate(signer.certificate);
  writeFileSync(
    join(folder, INSTRUCTIONS_FILE),
    writeVerifyInstructions({ run, fingerprint: fingerprint256, pinned: signer.pinned, signedAt: at, stamped }),
  );
  const content = Buffer.from(writeSums(folder));
  const signature = detached(content, signer, at);
  // Never leave a signature behind that our own check would refuse.
  checkSignature(signature, content);
  writeFileSync(join(folder, SUMS_FILE), content);
  writeFileSync(join(folder, SIGNATURE_FILE), signature);
  return fingerprint256;
}

/** What `SHA256SUMS` says: one line a file, sorted by name, as `sha256sum` writes it. */
export function writeSums(folder: string): string {
  return listArtifacts(folder)
    .map((name) => `${hashFile(join(folder, name))}  ${name}\n`)
    .join('');
}

function detached(content: Buffer, signer: RunSigner, at: Date): Buffer {
  const { oids } = loadForge().pki;
  const signed = loadForge().pkcs7.createSignedData();
  signed.content = loadForge().util.createBuffer(content.toString('latin1'), 'raw');
  signed.addCertificate(signer.certificate);
  signed.addSigner({
    key: forgeKey(signer.key),
    certificate: signer.certificate,
    // Without a name it would be SHA-1.
    digestAlgorithm: oids.sha256!,
    // In the order of their encoding, which DER wants of a set and OpenSSL signs over.
    authenticatedAttributes: [
      { type: oids.contentType!, value: oids.data! },
      { type: oids.signingTime!, value: at as unknown as string },
      { type: oids.messageDigest! },
    ],
  });
  signed.sign({ detached: true });
  return Buffer.from(loadForge().asn1.toDer(signed.toAsn1()).getBytes(), 'latin1');
}

/** What stands before a SHA-256 digest that is signed (RFC 8017, 9.2). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** A key for node-forge with which the platform signs: in JavaScript it takes ten times as long. */
function forgeKey(key: KeyObject): forge.pki.rsa.PrivateKey {
  const sign = (md: forge.md.MessageDigest) =>
    privateEncrypt(
      { key, padding: constants.RSA_PKCS1_PADDING },
      Buffer.concat([DIGEST_INFO, Buffer.from(md.digest().getBytes(), 'latin1')]),
    ).toString('latin1');
  return { sign } as Pick<forge.pki.rsa.PrivateKey, 'sign'> as forge.pki.rsa.PrivateKey;
}
