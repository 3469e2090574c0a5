import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const PROGRAM = fileURLToPath(new URL('./assay.mjs', import.meta.url));
const started: ChildProcessWithoutNullStreams[] = [];

test.afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts the real program, or a shell that does. */
function start(program: string, argv: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(program, argv, { cwd: join(PROGRAM, '../../..') });
  started.push(child);
  return child;
}

/** Everything a program prints, until it lets go of its output. */
async function output(child: ChildProcessWithoutNullStreams): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return text;
}

const exit = (child: ChildProcessWithoutNullStreams) => new Promise((done) => child.once('exit', done));

test('prints variables to source, lets go of the output and goes on', async () => {
  const child = start(process.execPath, [PROGRAM, 'sandbox', '--env', '--tls', '--control', '0']);
  const lines = (await output(child)).trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/^export [A-Z][A-Z0-9_]*='[^']*'$/);
  const variables = Object.fromEntries(
    lines.map((line) => [line.slice('export '.length, line.indexOf('=')), line.slice(line.indexOf("'") + 1, -1)]),
  );
  expect(variables).toMatchObject({
    ASSAY_SANDBOX_PID: String(child.pid),
    ASSAY_GATEWAY_URL: expect.stringMatching(/^https:.*\/api$/),
    ASSAY_GATEWAY_MAIN_ID: '1001',
    ASSAY_GATEWAY_OAUTH_CONSUMER_KEY: expect.stringMatching(/^ck_/),
    ASSAY_V1_TOKEN: expect.stringMatching(/^vt_/),
  });
  expect(readFileSync(variables['ASSAY_AUTHORITY']!, 'utf8')).toContain('BEGIN CERTIFICATE');
  expect(readFileSync(variables['ASSAY_GATEWAY_OAUTH_PRIVATE_KEY']!, 'utf8')).toContain('PRIVATE KEY');
  const page = await fetch(`${variables['ASSAY_CONTROL_URL']}/`);
  expect(await page.text()).toContain(variables['ASSAY_AUTHORITY']);
  const ended = exit(child);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(existsSync(variables['ASSAY_AUTHORITY']!)).toBe(false);
});

test('is sourced by a shell, and trusted with the authority that it names', async () => {
  test.skip(process.platform === 'win32', 'there is no bash');
  const ask = `fetch(process.env.ASSAY_V1_URL + '/api/v1/auth', { headers: { authorization: 'Bearer ' + process.env.ASSAY_V1_TOKEN } }).then((answer) => console.log(String(answer.status)))`;
  const script = `source <("$0" "$1" sandbox --env --tls); "$0" -e "$2"; kill "$ASSAY_SANDBOX_PID"`;
  expect((await output(start('bash', ['-c', script, process.execPath, PROGRAM, ask]))).trim()).toBe('200');
});

test('does as it is chosen, and says what can be chosen', async () => {
  const listed = await output(start(process.execPath, [PROGRAM, 'sandbox', '--choices']));
  expect(listed).toMatch(/^gateway\.customerReturn +bare \| posted form \| a link$/m);
  expect(listed).toMatch(/^v1\.crossOrigin +refused \| allowed$/m);
  const wrong = start(process.execPath, [PROGRAM, 'sandbox', '--choose', 'customerReturn=post']);
  let complaint = '';
  wrong.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  expect(await exit(wrong)).toBe(2);
  expect(complaint).toContain("--choose 'customerReturn=posted form'");
});

test('names the page of an open control plane, and the authority where it speaks TLS', async () => {
  const child = start(process.execPath, [PROGRAM, 'sandbox', '--tls', '--control', '0']);
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes('as a page')) break;
  }
  expect(text).toMatch(/authority to trust +\/.*sandbox-authority\.pem/);
  expect(text).toMatch(/as a page: http:\/\/127\.0\.0\.1:\d+\/$/m);
  expect(text).toMatch(/curl --cacert \/.*\.pem https:/);
});
