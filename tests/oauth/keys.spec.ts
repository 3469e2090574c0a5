import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect } from '@playwright/test';
import forge from 'node-forge';
import { lawTest as test } from '#harness';
import { explainSigning, loadKey, signRequest } from '#oauth';
import { fixedCircumstances } from './support/arbitraries.ts';
import { opensslProgram } from './support/openssl.ts';
import { shortSigner, testPublicKey, testSigner } from './support/test-keys.ts';

const PASS = 'correct horse';
const plain = testSigner.key;
const WRONG = /cannot be unlocked/;
const LOCKED = /is encrypted/;

test('loads PEM as PKCS#1 and PKCS#8, text or bytes, with words before it', () => {
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    const pem = plain.export({ type, format: 'pem' }) as string;
    for (const source of [
      pem,
      Buffer.from(pem),
      `Bag Attributes\n  friendlyName: x\n${pem}`,
      pem.replaceAll('\n', '\r\n'),
    ]) {
      expect(loadKey(source).equals(plain)).toBe(true);
      expect(loadKey(source, 'not needed').equals(plain)).toBe(true);
    }
  }
});

test('loads encrypted PEM as PKCS#1 and PKCS#8 with its passphrase only', () => {
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    const pem = plain.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: PASS }) as string;
    expect(loadKey(pem, PASS).equals(plain)).toBe(true);
    expect(() => loadKey(pem)).toThrow(LOCKED);
    expect(() => loadKey(pem, '')).toThrow(WRONG);
    expect(() => loadKey(pem, `${PASS} `)).toThrow(WRONG);
  }
});

for (const algorithm of ['3des', 'aes128', 'aes256'] as const) {
  test(`loads PKCS#12 written by node-forge, ${algorithm}, with its passphrase only`, () => {
    const bytes = container(plain, PASS, algorithm);
    expect(loadKey(bytes, PASS).equals(plain)).toBe(true);
    expect(() => loadKey(bytes)).toThrow(LOCKED);
    expect(() => loadKey(bytes, 'wrong')).toThrow(WRONG);
  });
}

test('loads PKCS#12 with an empty passphrase, or none', () => {
  const bytes = container(plain, '', 'aes256');
  expect(loadKey(bytes).equals(plain)).toBe(true);
  expect(loadKey(bytes, '').equals(plain)).toBe(true);
});

test('loads PKCS#12 written by OpenSSL, and names a key in it that is not RSA', () => {
  const missing = opensslProgram.missing();
  test.skip(missing !== undefined, missing);
  const folder = mkdtempSync(join(tmpdir(), 'assay-p12-'));
  try {
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const [key, check] of [
      [plain, (bytes: Buffer) => expect(loadKey(bytes, PASS).equals(plain)).toBe(true)],
      [elliptic, (bytes: Buffer) => expect(() => loadKey(bytes, PASS)).toThrow(/not an RSA key/)],
    ] as const) {
      writeFileSync(join(folder, 'key.pem'), key.export({ type: 'pkcs8', format: 'pem' }));
      const made = spawnSync(
        'openssl',
        ['pkcs12', '-export', '-nocerts', '-inkey', 'key.pem', '-out', 'key.p12', '-passout', `pass:${PASS}`],
        {
          cwd: folder,
        },
      );
      expect(made.status, String(made.stderr)).toBe(0);
      check(readFileSync(join(folder, 'key.p12')));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('refuses PKCS#12 that holds no key', () => {
  expect(() => loadKey(keyless(PASS), PASS)).toThrow(/exactly one private key/);
});

test('refuses keys that are not RSA, or of RSA for another scheme, and says which', () => {
  const others: [KeyObject, RegExp][] = [
    [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, /ec/],
    [generateKeyPairSync('ed25519').privateKey, /ed25519/],
    [generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey, /rsa-pss/],
  ];
  for (const [key, kind] of others) {
    const pem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(() => loadKey(pem)).toThrow(/not an RSA key/);
    expect(reason(() => loadKey(pem))).toMatch(kind);
    expect(() => signRequest({ method: 'POST', url: 'http://h/' }, { consumerKey: 'c', key })).toThrow(
      /not an RSA key/,
    );
  }
});

test('refuses a key under 2048 bits and says how long it is', () => {
  const pem = shortSigner.key.export({ type: 'pkcs8', format: 'pem' }) as string;
  expect(() => loadKey(pem)).toThrow(/too short/);
  expect(reason(() => loadKey(pem))).toMatch(/1024 bits/);
});

test('refuses public keys, certificates, damaged and foreign files', () => {
  const pem = plain.export({ type: 'pkcs8', format: 'pem' }) as string;
  expect(() => loadKey(testPublicKey.export({ type: 'spki', format: 'pem' }) as string)).toThrow(/no private key/);
  expect(() => signRequest({ method: 'POST', url: 'http://h/' }, { consumerKey: 'c', key: testPublicKey })).toThrow(
    /not a private key/,
  );
  expect(() => loadKey('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')).toThrow(/no private key/);
  expect(() => loadKey(pem.slice(0, 900))).toThrow(/cannot be read/);
  expect(() => loadKey(pem.replace('MII', 'MIJ'))).toThrow(/cannot be read/);
  for (const foreign of ['', 'hello', Buffer.from([0x30, 0x03, 0x02, 0x01, 0x05]), Buffer.from('{}')]) {
    expect(() => loadKey(foreign)).toThrow(/cannot be read/);
  }
});

test('names the file, and never shows key or passphrase', () => {
  const pem = plain.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASS }) as string;
  const message = reason(() => loadKey(pem, 'guess-guess', 'keys/mine.pem'));
  expect(message).toContain('keys/mine.pem');
  expect(message).not.toContain('guess-guess');
  expect(message).not.toContain(pem.split('\n')[3]);
});

test('shows the key nowhere: not in a signature, its explanation, or the credentials printed', () => {
  const request = { method: 'POST', url: 'https://h.example/x?a=1', body: '{}' };
  const signed = signRequest(request, testSigner, fixedCircumstances);
  const shown = [
    JSON.stringify(signed),
    explainSigning(request, signed),
    inspect(testSigner, { depth: 9 }),
    JSON.stringify(testSigner),
  ].join('\n');
  const jwk = plain.export({ format: 'jwk' });
  const parts = [jwk.d, jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi].map((part) => Buffer.from(part!, 'base64url'));
  const lines = (plain.export({ type: 'pkcs8', format: 'pem' }) as string).split('\n').slice(1, -2);
  for (const secret of [...lines, ...parts.flatMap((part) => [part.toString('base64'), part.toString('hex')])]) {
    expect(shown.includes(secret)).toBe(false);
  }
});

function reason(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return String(error);
  }
  return '';
}

function container(key: KeyObject, passphrase: string, algorithm: '3des' | 'aes128' | 'aes256'): Buffer {
  const made = forForge(key);
  // @ts-expect-error node-forge takes null for no certificate; its types do not say so
  return packed(forge.pkcs12.toPkcs12Asn1(made, null, passphrase, { algorithm, count: 1000 }));
}

function keyless(passphrase: string): Buffer {
  const key = forForge(shortSigner.key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  certificate.setSubject([{ name: 'commonName', value: 'test' }]);
  certificate.sign(key);
  return packed(forge.pkcs12.toPkcs12Asn1(null, [certificate], passphrase, { count: 1000 }));
}

function forForge(key: KeyObject): forge.pki.rsa.PrivateKey {
  return forge.pki.privateKeyFromPem(key.export({ type: 'pkcs1', format: 'pem' }) as string);
}

function packed(content: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(content).getBytes(), 'latin1');
}
