// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders of request templates
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { startSandbox } from '#sandbox';
import { callProgram } from './call-program.test-support.ts';

const PROGRAM = fileURLToPath(new URL('assay.mjs', import.meta.url));

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-target-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program where the target file is, within this process. */
const assay = (argv: readonly string[], env: Record<string, string> = {}) => callProgram(argv, { folder, env });

/** Starts the real program there: once a command, and where it opens most that it has to close again. */
function startProgram(
  argv: readonly string[],
  more: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const { NODE_EXTRA_CA_CERTS: _ca, HTTPS_PROXY: _proxy, ...env } = process.env;
  return new Promise((done) => {
    const child = spawn(process.execPath, [PROGRAM, ...argv], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => done({ code, out, err }));
  });
}

/** What doctor prints as JSON. */
interface Examination {
  readonly symptoms: readonly { readonly mark: string; readonly line: string; readonly text: string }[];
  readonly trial?: { readonly calls: number; readonly spent: { readonly calls: number; readonly total: number } };
  readonly unexamined: readonly string[];
  readonly forecast: { readonly outcome?: number };
}

const HEAD = 'name: x\nkind: sandbox\n';
const GATEWAY = `${HEAD}gateway:\n  address: https://sandbox.example/api\n  requestors:\n    main: { id: 1, token: env:PATH }\n`;

/** A broken file, and the one message it gets: place, message, fix. */
const BROKEN: Readonly<Record<string, readonly [string, string]>> = {
  empty: ['', 't.yaml:1: the target file is empty\n  fix:   assay init writes one to start from\n'],
  list: ['- a\n', 't.yaml:1: the target file is no mapping\n  fix:   assay init writes one to start from\n'],
  'a misspelt key': [
    GATEWAY.replace('address', 'adress'),
    't.yaml:4: unknown key adress in gateway\n  fix:   did you mean address?\n',
  ],
  'bad YAML': [
    `${GATEWAY}  bad: [1,\n`,
    /* the parser's own words follow */ 't.yaml:8: the target file is not valid YAML\n  cause: Flow sequence',
  ],
  'a key twice': [
    `${GATEWAY}name: y\n`,
    't.yaml:7: the target file is not valid YAML\n  cause: Map keys must be unique',
  ],
  'a secret written out': [
    GATEWAY.replace('env:PATH', 'sk_live_4242'),
    't.yaml:6: gateway.requestors.main.token is not a reference\n  fix:   write env:NAME or file:PATH; a target file never holds a secret itself\n',
  ],
  'a card number without quotes': [
    `${GATEWAY}  cards:\n    approved: { number: 5555444433331111, code: "123", month: "10", year: "2049" }\n`,
    't.yaml:8: gateway.cards.approved.number is read as a number\n  fix:   put it in quotes\n',
  ],
  'production said once': [
    GATEWAY.replace('sandbox', 'production'),
    't.yaml:2: a production target is refused\n  cause: the checks move money\n  fix:   use a sandbox; if it must be, add iKnowThisMovesMoney: true as well\n',
  ],
  'no service': [HEAD, 't.yaml:1: the target file names no service\n  fix:   add gateway: or v1: with its address\n'],
  'a misspelt placeholder': [
    `${GATEWAY}  wire: { order: { a: "\${amout}" } }\n`,
    't.yaml:7: nothing fills ${amout}\n  fix:   did you mean amount?\n',
  ],
  'a missing token': [
    GATEWAY.replace(', token: env:PATH', ''),
    't.yaml:6: gateway.requestors.main lacks token\n  fix:   add token:  # Access token.\n',
  ],
  'an unknown kind': [
    GATEWAY.replace('sandbox', 'sandbx'),
    't.yaml:2: kind is none of the known values\n  fix:   did you mean sandbox?\n',
  ],
  'an address of another protocol': [
    GATEWAY.replace('https', 'ftp'),
    't.yaml:4: gateway.address does not have the right form\n  fix:   http(s) address, or a reference to one.\n',
  ],
  'a variable that is not set': [
    GATEWAY.replace('env:PATH', 'env:ASSAY_TOKN'),
    't.yaml:6: the environment variable ASSAY_TOKN is not set\n  fix:   did you mean ASSAY_TOKEN?\n',
  ],
  'a variable written as a shell does': [
    GATEWAY.replace('env:PATH', '"${SHOP_TOKEN}"'),
    't.yaml:6: gateway.requestors.main.token is not a reference\n  fix:   write env:SHOP_TOKEN for an environment variable\n',
  ],
  'a variable written as a shell does, within a mapping': [
    GATEWAY.replace('env:PATH', '${SHOP_TOKEN}'),
    't.yaml:6: the target file is not valid YAML\n  cause: ',
  ],
  'a comment of JSON': [
    '{ "name": "x", // ours\n "kind": "sandbox" }\n',
    't.yaml:1: unknown key // ours "kind"\n  fix:   a comment begins with #\n',
  ],
  'an account that is no uuid': [
    `${HEAD}v1:\n  address: https://sandbox.example\n  token: env:PATH\n  account: "12345"\n`,
    't.yaml:6: v1.account does not have the right form\n  fix:   A uuid (five groups of 8, 4, 4, 4 and 12 letters and digits), or env:NAME, file:PATH or embedded:NAME.\n',
  ],
  'a file that is not there': [
    GATEWAY.replace('env:PATH', 'file:none.txt'),
    't.yaml:6: the file none.txt cannot be read\n  cause: ENOENT\n  fix:   the path is relative to the target file\n',
  ],
};

/** One for each way in which reading a file ends early; the others take the same way. */
const RUN_TOO: ReadonlySet<string> = new Set(['a misspelt key', 'production said once', 'a variable that is not set']);

for (const [what, [text, message]] of Object.entries(BROKEN)) {
  const commands = RUN_TOO.has(what) ? ['doctor', 'run'] : ['doctor'];
  test(`${commands.join(' and ')} say one clear thing about ${what}`, async () => {
    writeFileSync(join(folder, 't.yaml'), text);
    for (const command of commands) {
      const more = command === 'run' ? ['--out', 'out'] : [];
      const env = { ASSAY_TOKEN: 'secret-value' };
      const { code, out, err } = await callProgram([command, '--target', 't.yaml', ...more], { folder, env });
      expect(err.startsWith(`assay: ${message}`), err).toBe(true);
      expect(code).toBe(2);
      expect(out + err).not.toMatch(/secret-value|sk_live|\n\s+at /);
    }
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });
}

test('doctor finds the embedded target in order and says what a run costs', async () => {
  const { code, out } = await startProgram(['doctor']);
  expect(out).not.toMatch(/^(FAIL|DEAD)/m);
  for (const line of [
    'gateway.requestors.allowlisted',
    'gateway.oauth',
    'v1.unprivileged',
    'control.now',
    'callback.listen',
    'connection.secondAddress',
  ])
    expect(out).toMatch(new RegExp(`^ok +${line.replaceAll('.', '\\.')} `, 'm'));
  expect(out).toMatch(/A run would check \d+ of \d+ rules\./);
  expect(out).toMatch(/about \d+ calls, \d+ of them moving money \(about \d+ in all/);
  expect(code).toBe(0);
});

test('doctor says of a second address that it is none of this machine', async () => {
  const embedded = readFileSync(new URL('../../targets/embedded.yaml', import.meta.url), 'utf8');
  writeFileSync(join(folder, 't.yaml'), embedded.replace('secondAddress: 127.0.0.2', 'secondAddress: 192.0.2.99'));
  const { code, out } = await assay(['doctor', '--target', 't.yaml']);
  expect(out).toMatch(
    /^FAIL +connection\.secondAddress +192\.0\.2\.99 is no address of this machine\s+fix: name one that it has/m,
  );
  expect(code).not.toBe(0);
});

test('doctor says of a clock that is moved that nothing reads it', async () => {
  const embedded = readFileSync(new URL('../../targets/embedded.yaml', import.meta.url), 'utf8');
  writeFileSync(join(folder, 't.yaml'), embedded.replace(/^ {2}now: .*\n/m, ''));
  const { code, out } = await assay(['doctor', '--target', 't.yaml']);
  expect(out).toMatch(/^note +control\.now +the clock can be moved, and nothing reads it.*\s+fix: name where/m);
  expect(code).toBe(0);
});

test('doctor walks a 401 and does not print a token', async () => {
  test.setTimeout(240_000);
  const sandbox = await startSandbox({ seed: 'doctor' });
  const { main, second } = sandbox.credentials.gateway;
  const env = { MAIN: main.token, SECOND: second.token, WRONG: 'nobody-has-this-token' };
  const file = (id: number, token: string, address = sandbox.addresses.gateway) =>
    writeFileSync(
      join(folder, 't.yaml'),
      `${HEAD}gateway:\n  address: ${address}\n  requestors:\n    main: { id: ${id}, token: ${token} }\n    second: { id: ${second.id}, token: env:SECOND }\n`,
    );
  try {
    file(main.id, 'env:SECOND');
    expect((await assay(['doctor', '--target', 't.yaml'], env)).out).toContain(
      `the token opens requestor ${second.id}`,
    );
    file(main.id, 'env:WRONG');
    const wrong = await assay(['doctor', '--target', 't.yaml'], env);
    expect(wrong.out).toMatch(/1\. is .* the host .* 2\. is \d+ its requestor, 3\. is the token complete/);
    expect(wrong.code).toBe(2);
    for (const token of Object.values(env)) expect(wrong.out + wrong.err).not.toContain(token);
    file(main.id, 'env:MAIN');
    const right = await assay(['doctor', '--target', 't.yaml', '--json'], env);
    expect(right.code).toBe(0);
    expect(JSON.parse(right.out).symptoms.map(({ mark }: { mark: string }) => mark)).not.toContain('fail');
    file(main.id, 'env:MAIN', 'http://127.0.0.1:9/api');
    const dead = await assay(['doctor', '--target', 't.yaml'], env);
    expect(dead.out).toMatch(/^DEAD {2}gateway\.address .*refused/m);
    expect(dead.code).toBe(3);
  } finally {
    await sandbox.close();
  }
});

test('doctor tries each card and each control action when asked, and says what it did not look at', async () => {
  test.setTimeout(240_000);
  const all = JSON.parse((await startProgram(['doctor', '--try', '--json'])).out) as Examination;
  expect(all.symptoms.filter(({ mark }) => mark !== 'ok')).toEqual([]);
  const lines = all.symptoms.map(({ line }) => line);
  for (const card of ['approved', 'inactive', 'chain', 'pareq', 'unlisted2', 'nohistory'])
    expect(lines).toContain(`gateway.cards.${card}`);
  const actions = ['later', 'chargeback', 'callback', 'complete', 'fail', 'accountEvent', 'forget', 'advance'];
  for (const action of [...actions, 'gatewayFault', 'v1Fault']) expect(lines).toContain(`control.${action}`);
  expect(all.trial!.spent).toMatchObject({ calls: expect.any(Number), total: expect.any(Number) });
  expect(all.trial!.spent.calls).toBeGreaterThan(10);
  expect(all.trial!.calls).toBeGreaterThan(all.trial!.spent.calls);
  expect(all.forecast.outcome).toBe(0);
  expect(all.unexamined).toEqual(expect.arrayContaining(['gateway.form', 'gateway.acs', 'v1.ibans.valid']));
  expect(all.unexamined.filter((line) => /\.cards\.|^control\./.test(line))).toEqual([]);
});

test('doctor sees what is wrong with a card, a pointer and a control action only when it tries them', async () => {
  test.setTimeout(240_000);
  const sandbox = await startSandbox({ seed: 'trial', control: true });
  const { gateway, v1, control } = sandbox.addresses;
  const { main } = sandbox.credentials.gateway;
  const env = { MAIN: main.token, V1: sandbox.credentials.v1.token };
  const card = (number: string, code = '123') => `{ number: "${number}", code: "${code}", month: "10", year: "2049" }`;
  writeFileSync(
    join(folder, 't.yaml'),
    [
      'name: x\nkind: sandbox\ngateway:',
      `  address: ${gateway}\n  requestors:\n    main: { id: ${main.id}, token: env:MAIN }`,
      `  wire: { read: { correlationId: /nowhere } }`,
      `  cards: { approved: ${card('5555444433331111')}, declined: ${card('5555444433331111')}, unlisted: ${card('6700000000000018')} }`,
      `v1: { address: "${v1}", token: env:V1, account: ${sandbox.credentials.v1.account} }`,
      'control:',
      `  advance: { url: "${control}/clock/nothing" }`,
      `  complete: { url: "${control}/clock/advance", body: { seconds: 1 } }`,
      `  forget: { url: "${control}/v1/webhooks/forget", body: { token: "\${token}" } }`,
    ].join('\n'),
  );
  try {
    const calm = await assay(['doctor', '--target', 't.yaml'], env);
    expect(calm.code, calm.out).toBe(0);
    expect(calm.out).toContain('Not looked at (--try calls cards and control actions):');
    expect(calm.out).toMatch(/^ {2}control: advance, complete, forget$/m);
    expect(calm.out).toMatch(/gateway\.cards: approved, declined, unlisted/);
    const tried = await assay(['doctor', '--target', 't.yaml', '--try'], env);
    expect(tried.code, tried.out).toBe(2);
    expect(tried.out).toMatch(/^ok +gateway\.cards\.approved +a sale ended in APPROVED$/m);
    expect(tried.out).toMatch(/^FAIL +gateway\.cards\.declined +a sale ended in APPROVED$/m);
    expect(tried.out).toMatch(/^note +gateway\.cards\.unlisted +not tried: card info asks for gateway\.client$/m);
    expect(tried.out).toMatch(/^FAIL +gateway\.wire\.read\.correlationId +nothing stands there/m);
    expect(tried.out).toMatch(/^FAIL +control\.advance +the control action advance was refused: 404/m);
    expect(tried.out).toMatch(/^FAIL +control\.complete +taken, and the transaction is pending as before$/m);
    expect(tried.out).toMatch(/^note +control\.forget +not tried: it asks for v1\.newcomer$/m);
    expect(tried.out).toMatch(
      /Trying it took \d+ calls in \d+ s, \d+ of them moving money \(\d+\.\d\d paid\): \d+ ms an answer/,
    );
    for (const token of Object.values(env)) expect(tried.out + tried.err).not.toContain(token);
    expect(tried.out).not.toContain('5555444433331111');
  } finally {
    await sandbox.close();
  }
});

test('doctor takes no answer of somebody else for that of the gateway, and says when the cap comes before the end', async () => {
  const elsewhere = createServer((_request, response) => response.writeHead(404).end('<h1>Not found</h1>'));
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
  const { port } = elsewhere.address() as AddressInfo;
  try {
    writeFileSync(
      join(folder, 't.yaml'),
      `${GATEWAY.replace('https://sandbox.example', `http://127.0.0.1:${port}`)}manners: { money: { calls: 1, total: 10000 } }\n`,
    );
    const { code, out } = await assay(['doctor', '--target', 't.yaml']);
    expect(out).toMatch(/^FAIL {2}gateway\.requestors\.main +1: answered 404 \(no JSON\), as no gateway answers$/m);
    expect(out).not.toContain('its token opens it');
    expect(out).toMatch(
      /^note {2}manners\.money +a run makes about \d+ calls that move money .* the cap is 1 \(10000\)/m,
    );
    expect(code).toBe(2);
  } finally {
    elsewhere.close();
  }
});

test('run names every variable that is missing, not only the first', async () => {
  writeFileSync(
    join(folder, 't.yaml'),
    `${HEAD}v1:\n  address: https://sandbox.example\n  token: env:SHOP_ONE\n  account: env:SHOP_TWO\n`,
  );
  const { code, err } = await assay(['run', '--target', 't.yaml', '--out', 'out']);
  expect([code, err.match(/SHOP_\w+ is not set/g)]).toEqual([2, ['SHOP_ONE is not set', 'SHOP_TWO is not set']]);
});

test('a sandbox ends with the npx that started it', async () => {
  const shell = spawn('sh', ['-c', `${process.execPath} ${PROGRAM} sandbox --json & wait`], {
    cwd: folder,
    env: { ...process.env, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of shell.stdout) {
    text += chunk;
    if (text.trimEnd().endsWith('}')) break;
  }
  const { v1 } = (JSON.parse(text) as { addresses: { v1: string } }).addresses;
  expect((await fetch(`${v1}/api/v1/auth`)).status).toBe(401);
  shell.kill('SIGKILL');
  await expect
    .poll(() =>
      fetch(v1).then(
        () => 'answers',
        () => 'is gone',
      ),
    )
    .toBe('is gone');
});

test('init writes what it finds, asks nothing without a terminal, and doctor takes it from there', async () => {
  const sandbox = await startSandbox({ seed: 'init' });
  try {
    const { main } = sandbox.credentials.gateway;
    const env = {
      GATEWAY_URL: sandbox.addresses.gateway.replace(/\/api$/, ''),
      V1_URL: `${sandbox.addresses.v1}/api/v1`,
      GATEWAY_REQUESTOR: String(main.id),
      GATEWAY_TOKEN: main.token,
      V1_TOKEN: sandbox.credentials.v1.token,
      V1_ACCOUNT: sandbox.credentials.v1.account,
    };
    const { code, out } = await startProgram(['init', '--out', 'mine.yaml'], env);
    expect(code).toBe(0);
    expect(out).toContain('wrote mine.yaml');
    const text = readFileSync(join(folder, 'mine.yaml'), 'utf8');
    expect(text).toContain(`address: ${sandbox.addresses.gateway}\n`);
    expect(text).toContain(`address: ${sandbox.addresses.v1}\n`);
    for (const value of [main.token, env.V1_TOKEN]) expect(text).not.toContain(value);
    expect((await assay(['doctor', '--target', 'mine.yaml'], env)).code).toBe(0);
    const again = await assay(['init', '--out', 'mine.yaml'], env);
    expect(again.code).toBe(2);
    expect(again.err).toBe(
      'assay: mine.yaml is there already\n  fix:   name another file, or replace it with --force\n',
    );
  } finally {
    await sandbox.close();
  }
});

test('init without anything to go by prints a draft with marked lines', async () => {
  const { code, out, err } = await assay(['init']);
  expect(code).toBe(0);
  expect(out).toContain('TO DO');
  expect(err).toContain('lines are marked TO DO');
  expect((await callProgram(['init', '--gateway', 'ftp://x'], { folder })).code).toBe(2);
});

test('a run that is interrupted takes back what it uploaded', async () => {
  test.setTimeout(120_000);
  const sandbox = await startSandbox({ seed: 'interrupted' });
  const { token, account, customer } = sandbox.credentials.v1;
  writeFileSync(
    join(folder, 't.yaml'),
    `name: x\nkind: mock\nv1: { address: "${sandbox.addresses.v1}", token: env:V1, account: ${account}, customer: ${customer} }\n`,
  );
  const documents = async () => {
    const url = `${sandbox.addresses.v1}/api/v1/customers/${customer}/accounts/${account}/documents`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } });
    return (await answer.json()) as unknown[];
  };
  const evidence = join(folder, 'out', 'evidence.ndjson');
  try {
    const argv = ['run', '--target', 't.yaml', '--rule', 'V1-DOC', '--workers', '1', '--out', 'out'];
    const child = spawn(process.execPath, [PROGRAM, ...argv], {
      cwd: folder,
      env: { ...process.env, V1: token },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((done) => child.on('close', done));
    const watch = setInterval(() => {
      if (
        existsSync(evidence) &&
        readFileSync(evidence, 'utf8').includes('"direction":"out","operation":"uploadDocument"')
      ) {
        clearInterval(watch);
        child.kill('SIGINT');
      }
    }, 20);
    expect(await ended).toBe(3);
    clearInterval(watch);
    const text = readFileSync(evidence, 'utf8');
    expect(text).toContain('"status":"interrupted"');
    expect(text).not.toContain(token);
    expect(await documents()).toEqual([]);
  } finally {
    await sandbox.close();
  }
});
