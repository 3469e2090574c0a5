import { createHash } from 'node:crypto';

const ALGORITHMS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-512'] as const;

const WRITTEN: Readonly<Record<string, (digest: Buffer) => string>> = {
  hex: (digest) => digest.toString('hex'),
  'upper-case hex': (digest) => digest.toString('hex').toUpperCase(),
  'hex with colons': (digest) => digest.toString('hex').match(/../g)!.join(':'),
  base64: (digest) => digest.toString('base64'),
  'base64 without padding': (digest) => digest.toString('base64').replace(/=+$/, ''),
  base64url: (digest) => digest.toString('base64url'),
  'percent-encoded base64': (digest) => encodeURIComponent(digest.toString('base64')),
  'base64 percent-encoded twice': (digest) => encodeURIComponent(encodeURIComponent(digest.toString('base64'))),
};

/** Where a service may repeat a digest, under names that say nothing. */
const REPEATED: Readonly<Record<string, (digest: string) => string>> = {
  'free name': (digest) => JSON.stringify({ reference: digest }),
  'text of an error': (digest) => JSON.stringify({ errorMessage: `no payment for ${digest}` }),
  'structured field': (digest) => `digest=:${digest}:`,
  'plain text': (digest) => digest,
};

/** A way to give back a digest. */
export interface DigestCase {
  readonly name: string;
  readonly write: (subject: string) => string;
}

/** Every usual digest, in every usual writing, in every place. */
export function digestCases(): DigestCase[] {
  return ALGORITHMS.flatMap((algorithm) =>
    Object.entries(WRITTEN).flatMap(([writing, encode]) =>
      Object.entries(REPEATED).map(([place, repeat]) => ({
        name: `${algorithm}, ${writing}, ${place}`,
        write: (subject: string) => repeat(encode(createHash(algorithm).update(subject).digest())),
      })),
    ),
  );
}
