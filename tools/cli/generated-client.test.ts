import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';
import { describeUsage, startSandbox } from '#sandbox';
import { CLIENT_PROGRAM, type ClientOutcome, type ClientSetting, GENERATOR } from './generated-client.test-support.ts';

const execute = promisify(execFile);

// Takes a generator from the registry, which npm test leaves alone: the nightly job says that it may.
test.skip(
  process.env.ASSAY_GENERATE === undefined,
  'ASSAY_GENERATE=1 makes a client with a generator from the registry',
);
test.setTimeout(300_000);

let home: string;
test.beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-client-'));
  mkdirSync(join(home, 'src'));
  const run = (program: string, ...argv: string[]) => execFileSync(program, argv, { cwd: home, stdio: 'pipe' });
  const bin = (name: string) => join(home, 'node_modules/.bin', name);
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ private: true, type: 'module', devDependencies: GENERATOR }),
  );
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, rootDir: 'src', outDir: 'out' };
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  writeFileSync(join(home, 'src/program.ts'), CLIENT_PROGRAM);
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund');
  run(process.execPath, join(SUITE_FOLDER, 'tools/cli/assay.mjs'), 'describe', '--out', join(home, 'described'));
  for (const name of ['gateway', 'v1'])
    run(bin('openapi-ts'), '-i', `./described/${name}.yaml`, '-o', `src/${name}`, '-c', '@hey-api/client-fetch');
  const compiled = spawnSync(bin('tsc'), [], { cwd: home, encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
});
test.afterAll(() => rmSync(home, { recursive: true, force: true }));

test('a client that is generated from the descriptions pays, transfers and lists', async () => {
  const sandbox = await startSandbox({ seed: 'client' });
  try {
    const { credentials } = describeUsage(sandbox, (_, text) => text);
    const { main, oauth } = credentials.gateway as {
      main: { id: number; token: string };
      oauth: { requestor: number; consumerKey: string; privateKey: string };
    };
    const { account, token } = credentials.v1 as { account: string; token: string };
    const setting: ClientSetting = {
      gateway: sandbox.addresses.gateway!,
      v1: sandbox.addresses.v1!,
      requestor: main,
      signer: oauth,
      account: { uuid: account, token },
      card: { cardNumber: '5555444433331111', cvv2: '123', expireMonth: '10', expireYear: '2049' },
    };
    const env = { ...process.env, SETTING: JSON.stringify(setting) };
    const { stdout } = await execute(process.execPath, [join(home, 'out/program.js')], { env });
    const outcome = JSON.parse(stdout) as ClientOutcome;
    expect(outcome).toEqual({
      sale: { status: 200, orderState: 'APPROVED', final: true },
      foreign: { status: 401, errorCode: -7, correlated: true },
      transfer: { status: 200, orderState: expect.stringMatching(/^(APPROVED|PROCESSING)$/) },
      tampered: { status: 401, errorCode: -19 },
      list: { status: 200, account, transactions: 1, created: true },
      invalid: { status: 422, message: 'VALIDATION_ERROR', fields: ['per_page'] },
    });
  } finally {
    await sandbox.close();
  }
});
