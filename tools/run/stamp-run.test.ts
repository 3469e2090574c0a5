import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Line } from '#evidence';
import {
  checkTimeStamp,
  largeSample,
  SIGNATURE_FILE,
  STAMP_FILE,
  verifyRun,
  writeReport,
  writeStampRequest,
} from '#report';
import { closeRun } from './stamp-run.ts';

test.skip(spawnSync('openssl', ['ts', '-help']).status !== 0, 'no OpenSSL that stamps times is at hand');
test.describe.configure({ mode: 'default' });

let home: string;
let server: Server;
let authority: string;
let broken: (answer: Buffer) => Buffer = (answer) => answer;

/** A time stamping authority of OpenSSL, behind a server of ours. */
test.beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'assay-stamp-'));
  writeFileSync(
    join(home, 'tsa.cnf'),
    [
      '[req]',
      'distinguished_name = dn',
      '[dn]',
      '[stamp]',
      'extendedKeyUsage = critical,timeStamping',
      'keyUsage = critical,digitalSignature',
      'basicConstraints = critical,CA:FALSE',
      '[tsa]',
      'default_tsa = own',
      '[own]',
      `serial = ${join(home, 'serial')}`,
      'default_policy = 1.2.3.4.1',
      'digests = sha256',
      'signer_digest = sha256',
      'accuracy = secs:1',
      'ess_cert_id_alg = sha256',
      '',
    ].join('\n'),
  );
  writeFileSync(join(home, 'serial'), '01');
  const [key, certificate, config] = ['tsa.key', 'tsa.pem', 'tsa.cnf'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '30'];
  execFileSync('openssl', [...made, '-subj', '/CN=Test authority', '-config', config, '-extensions', 'stamp'], {
    stdio: 'ignore',
  });
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      writeFileSync(join(home, 'query'), Buffer.concat(parts));
      const files = [
        '-queryfile',
        join(home, 'query'),
        '-signer',
        certificate,
        '-inkey',
        key,
        '-out',
        join(home, 'reply'),
      ];
      execFileSync('openssl', ['ts', '-reply', ...files, '-config', config, '-section', 'own'], { stdio: 'ignore' });
      response.end(broken(readFileSync(join(home, 'reply'))));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  authority = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
test.afterAll(async () => {
  await new Promise((ended) => server.close(ended));
  rmSync(home, { recursive: true });
});
test.afterEach(() => {
  broken = (answer) => answer;
});

async function runFolder(): Promise<{ folder: string; id: string }> {
  const folder = mkdtempSync(join(home, 'run-'));
  const { largeLines } = await largeSample();
  const lines = [...largeLines(20)] as Line[];
  writeFileSync(join(folder, 'evidence.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { folder, id: writeReport(folder).id };
}

test('an authority stamps the signature of a run, and verify names it and the time', async () => {
  const { folder, id } = await runFolder();
  const { stamped, unstamped } = await closeRun(folder, id, undefined, authority);
  expect([unstamped, stamped]).toEqual([undefined, expect.stringContaining('CN=Test authority')]);
  const now = new Date();
  const { findings, held, notes } = verifyRun(folder, undefined, now);
  expect(findings).toEqual([]);
  expect(held.join('\n')).toMatch(/the signature was there on \d{4}-.*, by the stamp of CN=Test authority/);
  expect(notes.join('\n')).toContain('is an authority, and its chain, is not looked at');
  // OpenSSL says the same.
  const files = [
    '-in',
    join(folder, STAMP_FILE),
    '-data',
    join(folder, SIGNATURE_FILE),
    '-CAfile',
    join(home, 'tsa.pem'),
  ];
  expect(execFileSync('openssl', ['ts', '-verify', ...files], { encoding: 'utf8', stdio: 'pipe' })).toMatch(/OK|^$/);
});

test('a stamp that is changed, another or gone is found', async () => {
  const { folder, id } = await runFolder();
  await closeRun(folder, id, undefined, authority);
  const stamp = readFileSync(join(folder, STAMP_FILE));
  let unseen = 0;
  for (let at = 0; at < stamp.length; at += 97) {
    const bytes = Buffer.from(stamp);
    bytes[at]! ^= 1;
    writeFileSync(join(folder, STAMP_FILE), bytes);
    if (verifyRun(folder).findings.length === 0) unseen += 1;
  }
  // A flipped bit in what nobody reads, such as another extension of the certificate, breaks its hash.
  expect(unseen).toBe(0);
  rmSync(join(folder, STAMP_FILE));
  expect(verifyRun(folder).findings.join()).toContain('VERIFY.txt');
});

test('a stamp on something else does not hold', async () => {
  const digest = createHash('sha256').update('one').digest();
  const answer = Buffer.from(
    await (await fetch(authority, { method: 'POST', body: new Uint8Array(writeStampRequest(digest)) })).arrayBuffer(),
  );
  expect(checkTimeStamp(answer, digest).certificate.subject).toBe('CN=Test authority');
  expect(() => checkTimeStamp(answer, createHash('sha256').update('other').digest())).toThrow(/something else/);
});

test('without an answer of the authority the folder is signed all the same, and does not claim a stamp', async () => {
  const { folder, id } = await runFolder();
  broken = () => Buffer.from('no stamp');
  const { unstamped } = await closeRun(folder, id, undefined, authority);
  expect(unstamped).toBeTruthy();
  const { findings, notes } = verifyRun(folder);
  expect(findings).toEqual([]);
  expect(notes.join('\n')).toContain('no authority stamped the time');
});
