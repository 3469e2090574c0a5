import { execFile } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, createVerify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { startSandbox } from '#sandbox';
import { callProgram } from './call-program.test-support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KEY = 'tests/oauth/golden/public-test-key.pem';
const PEM = readFileSync(`${ROOT}${KEY}`, 'utf8');
const URL_CALLED = 'https://gate.example/api/payments/transfer/42';
const BODY = '{ "order": {"amount":"1.00"} }';
const FIXED = ['--nonce', 'n-1', '--timestamp', '1700000000'];

type Ended = Readonly<Record<'stdout' | 'stderr', string>> & { readonly code: number };

/** What the program says; no line of the key is in it. */
async function sign(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const { code, out, err } = await callProgram(['sign', ...args], { env });
  return withoutKey({ code, stdout: out, stderr: err });
}

/** The program as a user runs it. */
async function startSigner(args: readonly string[]): Promise<Ended> {
  const run = promisify(execFile)(process.execPath, ['tools/cli/assay.mjs', 'sign', ...args], { cwd: ROOT });
  return withoutKey(
    await run.then(
      (printed) => ({ code: 0, ...printed }),
      (error: Ended) => error,
    ),
  );
}

function withoutKey(ended: Ended): Ended {
  for (const line of PEM.split('\n').slice(1, -2)) expect(ended.stdout + ended.stderr).not.toContain(line);
  return ended;
}

// Not in Playwright's own folder: another run of it would take the files away.
let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-sign-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const usual = (...more: string[]) => ['--url', URL_CALLED, '--key', KEY, '--consumer-key', 'ck', ...more];
const hash = (body: string) => createHash('sha256').update(body).digest('base64');
/** Written by hand, so that nothing of the signer is used. */
const parameters = (body: string) =>
  `oauth_body_hash=${encodeURIComponent(hash(body))}&oauth_consumer_key=ck&oauth_nonce=n-1` +
  '&oauth_signature_method=RSA-SHA256&oauth_timestamp=1700000000&oauth_version=1.0';
const context = (changes: Record<string, string> = {}) => {
  const { baseUrl = URL_CALLED, paramString = parameters(BODY) } = changes;
  const signatureBaseString = `POST&${encodeURIComponent(baseUrl)}&${encodeURIComponent(paramString)}`;
  return { baseUrl, paramString, signatureBaseString, ...changes };
};
const refusal = (changes: Record<string, string> = {}) => JSON.stringify({ errorCode: -13, context: context(changes) });

test('prints a header whose signature verifies', async () => {
  const { code, stdout } = await startSigner(usual('--body', written('body.json', BODY), ...FIXED));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^OAuth oauth_body_hash="[^"]+".*\n$/);
  const signature = decodeURIComponent(/oauth_signature="([^"]*)"/.exec(stdout)![1]!);
  const verifier = createVerify('RSA-SHA256').update(context().signatureBaseString);
  expect(verifier.verify(createPublicKey(PEM), signature, 'base64')).toBe(true);
});

test('prints every step on demand', async () => {
  const body = written('body.json', BODY);
  const { code, stdout } = await sign(usual('--body', body, '--explain', '--raw', ...FIXED));
  expect(code).toBe(0);
  const { signatureBaseString, baseUrl, paramString } = context();
  for (const step of [hash(BODY), baseUrl, paramString, signatureBaseString, `oauth_body_hash="${hash(BODY)}"`])
    expect(stdout).toContain(step);
});

test('is accepted by the sandbox with a key from the environment', async () => {
  const sandbox = await startSandbox();
  try {
    const { requestor, consumerKey, privateKey } = sandbox.credentials.gateway.oauth;
    const url = `${sandbox.addresses.gateway}/payments/transfer/${requestor}?note=a*b`;
    const body = JSON.stringify({ order: { orderAmount: '1.00', orderCurrencyCode: 'EUR' } }, null, 2);
    const args = ['--url', url, '--key', 'env:SIGN_KEY', '--consumer-key', 'env:SIGN_NAME'];
    const { stdout } = await sign([...args, '--body', written('body.json', body)], {
      SIGN_KEY: privateKey,
      SIGN_NAME: consumerKey,
    });
    const headers = { authorization: stdout.trim(), 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  } finally {
    await sandbox.close();
  }
});

test('says which step differs first, and why', async () => {
  const body = written('body.json', BODY);
  const against = (text: string) => usual('--body', body, '--against', written('refusal.json', text));
  const cases: readonly (readonly [string, string, string])[] = [
    [refusal({ baseUrl: URL_CALLED.replace('https', 'http') }), 'base URI', 'scheme-changed'],
    [refusal({ paramString: parameters(JSON.stringify(JSON.parse(BODY))) }), 'body hash', 'body-reserialized'],
    [refusal(), 'signature', 'key-or-signature'],
    [JSON.stringify({ errorCode: -19 }), 'body hash', 'body-changed'],
  ];
  for (const [text, step, cause] of cases) {
    const { code, stdout } = await sign(against(text));
    expect(stdout).toContain(`First different step: ${step} (${cause})`);
    expect(code).toBe(1);
  }
});

test('says so when nothing differs, with nonce and time taken from what the gateway shows', async () => {
  const file = written('context.json', JSON.stringify(context()));
  const { code, stdout } = await sign(usual('--body', written('body.json', BODY), '--against', file));
  expect(stdout).toBe('Nothing that is shown differs.\n');
  expect(code).toBe(0);
});

test('prints no control characters that a gateway put into its answer', async () => {
  const file = written('refusal.json', refusal({ baseUrl: 'https://\u001b[2Jevil/' }));
  const { code, stdout } = await startSigner(usual('--body', written('body.json', BODY), '--against', file));
  expect(code).toBe(1);
  expect(stdout).toContain('evil');
  expect(stdout).not.toContain('\u001b');
});

test('unlocks a key with a passphrase from the environment or a file, and never shows it', async () => {
  const locked = createPrivateKey(PEM).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'open-sesame',
  });
  const key = written('locked.pem', String(locked));
  const args = ['--url', URL_CALLED, '--key', key, '--consumer-key', 'ck', '--explain', '--passphrase'];
  const file = written('passphrase', 'open-sesame\n');
  for (const source of ['env:SIGN_PASS', `file:${file}`, 'open-sesame', 'env:SIGN_WRONG']) {
    const right = source === 'env:SIGN_PASS' || source.startsWith('file:');
    const { code, stdout, stderr } = await sign([...args, source], {
      SIGN_PASS: 'open-sesame',
      SIGN_WRONG: 'open-barley',
    });
    expect({ source, code }).toEqual({ source, code: right ? 0 : 2 });
    expect(stdout + stderr).not.toMatch(/open-(sesame|barley)/);
  }
});

test('refuses what it cannot use, with cause and fix', async () => {
  const cases: readonly (readonly [string[], string])[] = [
    [['--url', URL_CALLED, '--consumer-key', 'ck'], 'sign needs --key'],
    [['--url', URL_CALLED, '--key', PEM, '--consumer-key', 'ck'], '--key holds the key itself'],
    [['--url', 'gate.example/api', '--key', KEY, '--consumer-key', 'ck'], 'not an absolute http or https URL'],
    [usual('--body', join(folder, 'absent')), 'the file that --body names cannot be read'],
    [usual('--against', written('odd.json', '[]')), 'no error of a transfer'],
    [usual('--timestamp', '1.5'), 'not in whole seconds'],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await sign(args);
    expect(stderr).toContain(message);
    expect(stderr).toContain('fix:');
    expect({ message, code, stdout }).toEqual({ message, code: 2, stdout: '' });
  }
});
