import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import { DER_TAGS, type DerValue, derChildren, derChildrenTagged, readDer, readOid } from './der.ts';

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStamping: '1.3.6.1.5.5.7.3.8',
} as const;

/** Digests that are trusted, by object identifier. */
const DIGESTS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** `AlgorithmIdentifier` of SHA-256, as bytes of DER. */
const SHA256 = Buffer.from('300d06096086480165030402010500', 'hex');
const BOOLEAN = 0x01;

/** Who stamped and when. */
export interface TimeStamp {
  readonly certificate: X509Certificate;
  readonly stampedAt: Date;
}

/**
 * A request for a time stamp (RFC 3161 section 2.4.1) that asks for the authority's certificate along with it.
 * @param digest SHA-256 of what is stamped
 */
export function writeStampRequest(digest: Buffer, nonce = randomBytes(8)): Buffer {
  const number = Buffer.concat([Buffer.from([nonce[0]! & 0x7f || 1]), nonce.subarray(1)]);
  return encode(DER_TAGS.sequence, [
    encode(DER_TAGS.integer, [Buffer.from([1])]),
    encode(DER_TAGS.sequence, [SHA256, encode(DER_TAGS.octets, [digest])]),
    encode(DER_TAGS.integer, [number]),
    encode(BOOLEAN, [Buffer.from([0xff])]),
  ]);
}

/**
 * Reads an authority's answer (RFC 3161 section 2.4.2) strictly and checks it: granted, over this digest, signed by a certificate that may
 * stamp times and was valid then.
 * @param digest SHA-256 of what is stamped
 * @returns who stamped; whether that authority is to be trusted is for the reader to say
 * @throws RangeError saying what does not hold
 */
export function checkTimeStamp(answer: Buffer, digest: Buffer): TimeStamp {
  const [status, token, ...more] = derChildrenTagged(readDer(answer), DER_TAGS.sequence);
  const [granted] = derChildrenTagged(status, DER_TAGS.sequence);
  demand(granted?.content.length === 1 && granted.content[0]! <= 1, 'the authority refused to stamp');
  demand(token !== undefined && more.length === 0, 'there is no stamp in the answer');
  const [type, explicit] = derChildrenTagged(token, DER_TAGS.sequence);
  demand(readOid(type) === OID.signedData, 'the stamp is not signed');
  const [signed] = derChildrenTagged(explicit, DER_TAGS.first);
  const [, , encapsulated, certificates, ...rest] = derChildrenTagged(signed, DER_TAGS.sequence);
  const [contentType, wrapped] = derChildrenTagged(encapsulated, DER_TAGS.sequence);
  demand(readOid(contentType) === OID.timeStampInfo, 'what is signed is no time stamp');
  const [content] = derChildrenTagged(wrapped, DER_TAGS.first);
  demand(content?.tag === DER_TAGS.octets, 'what is signed is no time stamp');
  const stampedAt = readStampInfo(content.content, digest);
  const signers = derChildrenTagged(rest.at(-1), DER_TAGS.set);
  demand(signers.length === 1, `${signers.length} signers where one belongs`);
  const certificate = checkStampSigner(signers[0]!, content.content, derChildrenTagged(certificates, DER_TAGS.first));
  demand(certificate.keyUsage?.includes(OID.timeStamping) === true, 'the certificate is not one for stamping times');
  const isValid = Date.parse(certificate.validFrom) <= +stampedAt && +stampedAt <= Date.parse(certificate.validTo);
  demand(isValid, 'the certificate was not valid when it stamped');
  return { certificate, stampedAt };
}

/** When the digest was stamped. */
function readStampInfo(bytes: Buffer, digest: Buffer): Date {
  const [, , imprint, , time] = derChildrenTagged(readDer(bytes), DER_TAGS.sequence);
  const [algorithm, value] = derChildrenTagged(imprint, DER_TAGS.sequence);
  const isSha256 = DIGESTS[readOid(derChildrenTagged(algorithm, DER_TAGS.sequence)[0])] === 'sha256';
  demand(isSha256 && value?.content.equals(digest) === true, 'the stamp is on something else');
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(time?.content.toString('latin1') ?? '');
  demand(time?.tag === DER_TAGS.generalizedTime && match !== null, 'the stamp says no time');
  const [, year, month, day, hour, minute, second, fraction = ''] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
}

/** The certificate by which the stamp is signed. */
function checkStampSigner(signer: DerValue, content: Buffer, certificates: readonly DerValue[]): X509Certificate {
  const [, , digestAlgorithm, attributes, , value] = derChildrenTagged(signer, DER_TAGS.sequence);
  const digest = DIGESTS[readOid(derChildrenTagged(digestAlgorithm, DER_TAGS.sequence)[0])];
  demand(digest !== undefined && value?.tag === DER_TAGS.octets, 'the digest of the stamp is weak');
  const pairs = new Map(
    derChildrenTagged(attributes, DER_TAGS.first).map((one) => {
      const [type, values] = derChildrenTagged(one, DER_TAGS.sequence);
      return [readOid(type), derChildrenTagged(values, DER_TAGS.set)[0]!] as const;
    }),
  );
  demand(readOid(pairs.get(OID.contentType)) === OID.timeStampInfo, 'what is signed is no time stamp');
  const hashed = createHash(digest).update(content).digest();
  demand(pairs.get(OID.messageDigest)?.content.equals(hashed) === true, 'the stamp was changed after it was signed');
  // What is signed is the set of attributes, not the tagged field that carries it (RFC 5652 section 5.4).
  const signed = Buffer.from(attributes!.raw);
  signed[0] = DER_TAGS.set;
  const named = certificates.filter((one) => isNamed(one, pairs));
  demand(named.length === 1, `${named.length} certificates of the authority where one belongs`);
  const certificate = new X509Certificate(named[0]!.raw);
  demand(
    verify(digest, signed, certificate.publicKey, value.content),
    'the stamp is not by the key of the certificate',
  );
  return certificate;
}

/** Whether the signed attributes name this certificate by its hash (RFC 5816: SHA-256 where none is named, else SHA-1). */
function isNamed(certificate: DerValue, attributes: ReadonlyMap<string, DerValue>): boolean {
  const [version, second] = [attributes.get(OID.signingCertificate), attributes.get(OID.signingCertificateV2)];
  const [list] = derChildren(second ?? version ?? { tag: 0, raw: Buffer.alloc(0), content: Buffer.alloc(0) });
  const [first] = derChildrenTagged(list, DER_TAGS.sequence);
  const parts = derChildrenTagged(first, DER_TAGS.sequence);
  const [algorithm] = parts[0]?.tag === DER_TAGS.sequence ? derChildren(parts[0]) : [];
  const digest = second === undefined ? 'sha1' : algorithm === undefined ? 'sha256' : DIGESTS[readOid(algorithm)];
  const hash = parts.find(({ tag }) => tag === DER_TAGS.octets);
  return digest !== undefined && hash?.content.equals(createHash(digest).update(certificate.raw).digest()) === true;
}

/** One value of DER; no content of a request comes near 64 KiB. */
function encode(tag: number, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 0x80 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function demand(claim: boolean, otherwise: string): asserts claim {
  if (!claim) throw new RangeError(otherwise);
}
