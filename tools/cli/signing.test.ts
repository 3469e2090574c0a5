import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import forge from 'node-forge';
import { largeSample } from '#report';
import { callProgram } from './call-program.test-support.ts';

let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-signing-'));
  const { largeLines } = await largeSample();
  for (const name of ['run', 'another']) {
    mkdirSync(join(folder, name));
    const lines = [...largeLines(40)].map((line) =>
      line.kind === 'run' && name === 'another'
        ? { ...line, id: 'another', startedAt: '2026-02-01T00:00:00.000Z' }
        : line,
    );
    writeFileSync(join(folder, name, 'evidence.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A key and its certificate, as PEM files. */
function pair(name: string, passphrase?: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const made = forge.pki.createCertificate();
  made.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }) as string);
  made.serialNumber = '01';
  made.validity.notBefore = new Date(Date.now() - 1000);
  made.validity.notAfter = new Date(Date.now() + 1e7);
  made.setSubject([{ name: 'commonName', value: name }]);
  made.setIssuer([{ name: 'commonName', value: name }]);
  const plain = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
  made.sign(forge.pki.privateKeyFromPem(plain), forge.md.sha256.create());
  const locked = passphrase && privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
  writeFileSync(join(folder, `${name}.key`), locked || plain);
  writeFileSync(join(folder, `${name}.pem`), forge.pki.certificateToPem(made));
  return plain;
}

function target(signing: string): string {
  const lines = [
    'name: x',
    'kind: sandbox',
    'gateway:',
    '  address: https://sandbox.example/api',
    '  requestors: { main: { id: 1, token: env:PATH } }',
    `signing: ${signing}`,
  ];
  writeFileSync(join(folder, 't.yaml'), `${lines.join('\n')}\n`);
  return 't.yaml';
}

/** Calls the program where the runs are; nothing here starts one. */
async function assay(argv: readonly string[], env: Record<string, string> = {}) {
  const { code, out, err } = await callProgram(argv, { folder, env });
  return { status: code, out, err };
}

test('a target file names key and certificate, as files and as variables, and only theirs verifies', async () => {
  test.setTimeout(120_000);
  const plain = pair('owner');
  pair('locked', 'open sesame');
  const file = target('{ key: env:OUR_KEY, certificate: file:owner.pem }');
  await assay(['report', 'run', '--sign', '--target', file], { OUR_KEY: plain });
  expect(await assay(['verify', 'run', '--cert', 'owner.pem'])).toMatchObject({ status: 0, err: '' });
  target('{ key: file:locked.key, certificate: file:locked.pem, passphrase: env:WORD }');
  await assay(['report', 'run', '--sign', '--target', file], { WORD: 'open sesame' });
  expect(await assay(['verify', 'run', '--cert', 'locked.pem'])).toMatchObject({ status: 0 });
  expect(await assay(['verify', 'run', '--cert', 'owner.pem'])).toMatchObject({
    status: 1,
    out: expect.stringContaining('another than you named'),
  });
});

test('a pair that cannot sign gets one message with the line that names it', async () => {
  test.setTimeout(120_000);
  pair('one');
  pair('two', 'open sesame');
  const wrong: [string, string][] = [
    ['{ key: file:one.key, certificate: file:two.pem }', 'the certificate belongs to another key than the signing key'],
    ['{ key: file:two.key, certificate: file:two.pem }', 'the signing key cannot be opened'],
    ['{ key: file:one.pem, certificate: file:one.pem }', 'the signing key cannot be opened'],
    ['{ key: file:one.key, certificate: file:one.key }', 'there is no certificate in it'],
    ['{ key: env:NOT_THERE, certificate: file:one.pem }', 'the environment variable NOT_THERE is not set'],
    ['{ key: file:one.key }', 'signing lacks certificate'],
  ];
  for (const [signing, message] of wrong) {
    const { status, err } = await assay(['report', 'run', '--sign', '--target', target(signing)]);
    expect({ signing, status, err }).toEqual({
      signing,
      status: 2,
      err: expect.stringContaining(`t.yaml:6: ${message}`),
    });
    expect(err.trim().split('\n').length, err).toBeLessThanOrEqual(3);
  }
  // Before anything is called: the address of the target file leads nowhere.
  expect(await assay(['run', '--target', target(wrong[0]![0])])).toMatchObject({
    status: 2,
    err: expect.stringContaining('the certificate belongs to another key'),
  });
});

test('further folders draw a trend, which a signature then covers again', async () => {
  test.setTimeout(120_000);
  await assay(['report', 'another']);
  await assay(['report', 'run', '--sign']);
  expect((await assay(['report', 'run', 'another'])).err).toContain('not covered by the signature');
  expect(readFileSync(join(folder, 'run/index.html'), 'utf8')).toContain('<section id="trend"');
  expect(await assay(['verify', 'run'])).toMatchObject({
    status: 1,
    out: expect.stringContaining('history.json was added'),
  });
  await assay(['report', 'run', '--history', '--sign']);
  expect(await assay(['verify', 'run'])).toMatchObject({ status: 0 });
});
