import { createHash, verify, X509Certificate } from 'node:crypto';
import { DER_TAGS, type DerValue, derChildren, derChildrenTagged, readDer, readDerTime, readOid } from './der.ts';

const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsa: '1.2.840.113549.1.1.1',
  sha256WithRsa: '1.2.840.113549.1.1.11',
} as const;

// SHA-256 and better with RSA or an elliptic curve, RSA-PSS, Ed25519, Ed448.
const STRONG = /^1\.2\.840\.113549\.1\.1\.1[0-3]$|^1\.2\.840\.10045\.4\.3\.[234]$|^1\.3\.101\.11[23]$/;

/** Who signed and when, by their own word. */
export interface CmsSignature {
  readonly certificate: X509Certificate;
  readonly signedAt: Date;
}

/**
 * Reads a detached CMS signature (RFC 5652) strictly and checks it over the content: DER without a byte to spare, one signer, SHA-256,
 * RSA of 2048 bits or more, exactly content type, signing time and digest signed along, in this order.
 * @returns the signer; whether it is the right one is for the caller to say
 * @throws RangeError saying what does not hold
 */
export function checkSignature(signature: Buffer, content: Buffer): CmsSignature {
  const [type, explicit, ...more] = derChildrenTagged(readDer(signature), DER_TAGS.sequence);
  demand(readOid(type) === OID.signedData && more.length === 0, 'the file is no signature');
  const wrapped = derChildrenTagged(explicit, DER_TAGS.first);
  demand(wrapped.length === 1, 'the file is no signature');
  const [version, digests, encapsulated, certificates, signers, ...rest] = derChildrenTagged(
    wrapped[0],
    DER_TAGS.sequence,
  );
  demand(integer(version) === 1 && rest.length === 0, 'the signature has parts that do not belong there');
  const named = derChildrenTagged(digests, DER_TAGS.set);
  demand(named.length === 1 && algorithm(named[0]) === OID.sha256, 'the digest is not SHA-256');
  const inner = derChildrenTagged(encapsulated, DER_TAGS.sequence);
  demand(inner.length === 1 && readOid(inner[0]) === OID.data, 'the signature is not detached');
  const all = derChildrenTagged(signers, DER_TAGS.set);
  demand(all.length === 1, `${all.length} signers where one belongs`);

  const [own, sid, digest, attributes, method, value, ...unsigned] = derChildrenTagged(all[0], DER_TAGS.sequence);
  demand(integer(own) === 1 && unsigned.length === 0, 'the signature has parts that nobody signed');
  demand(algorithm(digest) === OID.sha256, 'the digest is not SHA-256');
  demand(
    [OID.rsa, OID.sha256WithRsa].some((one) => one === algorithm(method)),
    'the signature is not SHA-256 with RSA',
  );
  const at = signedAttributes(derChildrenTagged(attributes, DER_TAGS.first), content);

  const certificate = signerOf(derChildrenTagged(certificates, DER_TAGS.first), sid);
  const { publicKey } = certificate;
  demand(publicKey.asymmetricKeyType === 'rsa', 'the key of the certificate is not RSA');
  demand(
    (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
    'the key of the certificate is shorter than 2048 bits',
  );
  demand(value?.tag === DER_TAGS.octets, 'the file is no signature');
  // What is signed is the set of attributes, not the tagged field that carries it (RFC 5652 section 5.4).
  const signed = Buffer.from(attributes!.raw);
  signed[0] = DER_TAGS.set;
  demand(verify('sha256', signed, publicKey, value!.content), 'the signature is not by the key of the certificate');
  const from = new Date(certificate.validFrom);
  const to = new Date(certificate.validTo);
  demand(
    from.getTime() <= at.getTime() && at.getTime() <= to.getTime(),
    'the certificate was not valid when it was signed',
  );
  return { certificate, signedAt: at };
}

function signedAttributes(attributes: readonly DerValue[], content: Buffer): Date {
  const pairs = attributes.map((one) => {
    const [type, values, ...more] = derChildrenTagged(one, DER_TAGS.sequence);
    const set = derChildrenTagged(values, DER_TAGS.set);
    demand(more.length === 0 && set.length === 1, 'a signed attribute has not one value');
    return { type: readOid(type), value: set[0]! };
  });
  const order = [OID.contentType, OID.signingTime, OID.messageDigest];
  demand(
    pairs.length === order.length && order.every((type, i) => pairs[i]!.type === type),
    'signed along are not content type, signing time and digest, in this order',
  );
  const [contentType, signingTime, messageDigest] = pairs as [(typeof pairs)[0], (typeof pairs)[0], (typeof pairs)[0]];
  demand(readOid(contentType.value) === OID.data, 'the content type is not data');
  const digest = createHash('sha256').update(content).digest();
  demand(
    messageDigest.value.tag === DER_TAGS.octets && messageDigest.value.content.equals(digest),
    'the signature is over another SHA256SUMS',
  );
  return readDerTime(signingTime.value);
}

/** The certificate whose issuer and serial number the signer names. */
function signerOf(certificates: readonly DerValue[], sid: DerValue | undefined): X509Certificate {
  const [issuer, serial, ...more] = derChildrenTagged(sid, DER_TAGS.sequence);
  demand(
    issuer !== undefined && serial !== undefined && more.length === 0,
    'the signer is not named by issuer and serial',
  );
  const named = certificates.filter((one) => {
    const fields = derChildrenTagged(derChildren(one)[0], DER_TAGS.sequence);
    const [number, , name] = fields[0]?.tag === DER_TAGS.first ? fields.slice(1) : fields;
    return number?.raw.equals(serial!.raw) && name?.raw.equals(issuer!.raw);
  });
  demand(named.length === 1, `${named.length} certificates of the signer where one belongs`);
  demand(
    STRONG.test(readOid(derChildrenTagged(derChildren(named[0]!)[1], DER_TAGS.sequence)[0])),
    'the certificate is signed with a weak digest',
  );
  return new X509Certificate(named[0]!.raw);
}

function algorithm(one: DerValue | undefined): string {
  const [oid, parameters, ...more] = derChildrenTagged(one, DER_TAGS.sequence);
  const none = parameters === undefined || parameters.raw.toString('hex') === '0500';
  demand(none && more.length === 0, 'an algorithm has parameters');
  return readOid(oid);
}

function integer(one: DerValue | undefined): number | undefined {
  return one?.tag === DER_TAGS.integer && one.content.length === 1 ? one.content[0] : undefined;
}

function demand(claim: boolean, otherwise: string): asserts claim {
  if (!claim) throw new RangeError(otherwise);
}
