import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { type Line, readJournal } from '#evidence';
import { rehearseTarget } from '#rehearse-target';
import { EMBEDDED_TARGET } from '#target';
import { callProgram } from './call-program.test-support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the real program, with one worker for the few checks there are; `until` sends a signal as soon as the text is printed. */
function assay(
  argv: readonly string[],
  options: { env?: Record<string, string>; until?: { text: string; signal: NodeJS.Signals } } = {},
): Promise<Ended> {
  return new Promise((done) => {
    const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
    const child = spawn(process.execPath, [join(ROOT, 'tools/cli/assay.mjs'), ...argv], {
      cwd: ROOT,
      env: { ...env, ASSAY_WORKERS: '1', ...options.env },
    });
    let out = '';
    let err = '';
    let { until } = options;
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (until === undefined || !out.includes(until.text)) return;
      child.kill(until.signal);
      until = undefined;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => done({ code, out, err }));
  });
}

/** An area whose checks take many times as long as a test that ends them before they are done. */
const LONG = 'GW-TDS';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.describe('listings', () => {
  test('rules, as JSON, are a plain array with ids', async () => {
    const { code, out } = await assay(['rules', '--json']);
    expect(code).toBe(0);
    const rules = JSON.parse(out) as { id: string }[];
    expect(rules.length).toBeGreaterThan(200);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });

  test('lies, as JSON, are a plain array of names and rules', async () => {
    const { code, out } = await callProgram(['lies', '--rule', 'V1-IBN', '--json']);
    expect(code).toBe(0);
    const lies = JSON.parse(out) as { name: string; rule: string }[];
    expect(lies.length).toBeGreaterThan(0);
    expect(lies.every(({ name, rule }) => /^[a-z0-9-]+$/.test(name) && rule.startsWith('V1-IBN-'))).toBe(true);
  });

  test('explain names text, source, check and lie of a rule', async () => {
    const { code, out } = await callProgram(['explain', 'V1-IBN-01']);
    expect(code).toBe(0);
    for (const word of [
      'V1-IBN-01',
      'promise',
      'source',
      'tests/v1/iban-details.spec.ts:',
      'lie',
      'npx assay run --rule V1-IBN-01',
    ])
      expect(out).toContain(word);
  });
});

test.describe('mistakes of the user end with 2 and one clear message', () => {
  const cases: readonly [name: string, argv: readonly string[], says: RegExp][] = [
    ['an unknown command', ['rulse'], /unknown command rulse[\s\S]*did you mean rules\?/],
    ['an unknown flag', ['run', '--taget', 'x'], /unknown option '--taget'[\s\S]*did you mean --target\?/],
    ['a flag without its value', ['run', '--rule'], /option '--rule <ID\|AREA>' argument missing/],
    [
      'an unknown rule',
      ['run', '--rule', 'GW-CAP-99'],
      /no rule or area is called GW-CAP-99[\s\S]*did you mean GW-CAP-0/,
    ],
    ['an unknown lie', ['run', '--lie', 'capture-above-hodl'], /no lie is called capture-above-hodl/],
    ['a missing target file', ['run', '--target', 'nowhere.yaml'], /nowhere\.yaml: the target file cannot be read/],
    ['a seed that is no number', ['run', '--seed', 'x'], /--seed x is not a whole number/],
    ['an order drawn from no number', ['run', '--shuffle', 'x'], /--shuffle x is not a whole number/],
    ['a run folder that is not there', ['report', 'nope'], /nope: there is no such folder/],
    ['a run to compare with that is not there', ['compare', 'nope', 'nope'], /nope: there is no such folder/],
    ['a run to accept that is not there', ['accept', 'nope'], /nope: there is no such folder/],
    ['no workers', ['run', '--workers', '0'], /--workers 0 is no number of workers/],
    ['a gate without a number', ['run', '--max-skipped', 'few'], /--max-skipped few is no number/],
    [
      'a gate with no such verdict',
      ['run', '--only-verdicts', 'pass,waved'],
      /waved is no verdict[\s\S]*did you mean waived\?/,
    ],
    ['a gate with no such rule', ['run', '--require', 'GW-CAP-99'], /no rule or area is called GW-CAP-99/],
    ['too few arguments', ['explain'], /missing required argument 'RULE'/],
  ];
  for (const [name, argv, says] of cases) {
    test(name, async () => {
      const { code, out, err } = await callProgram(argv);
      expect(err).toMatch(says);
      expect(err).not.toContain('    at ');
      expect({ code, out }).toEqual({ code: 2, out: '' });
    });
  }

  test('a broken spec names file and line', async () => {
    cpSync(join(ROOT, 'specs'), folder, { recursive: true });
    const text = readFileSync(join(folder, 'v1.yaml'), 'utf8');
    const line = text.split('\n').findIndex((one) => /^\s+type: string$/.test(one)) + 1;
    writeFileSync(join(folder, 'v1.yaml'), text.replace(/^(\s+)type: string$/m, '$1type: strin'));
    const { code, err } = await assay(['run'], { env: { ASSAY_SPECS: folder } });
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`v1\\.yaml:${line}: `));
  });

  test('a broken target file names file, line and the nearest key', async () => {
    const file = join(folder, 'target.yaml');
    writeFileSync(file, readFileSync(join(ROOT, 'targets/embedded.yaml'), 'utf8').replace('\nmanners:', '\nmaners:'));
    const { code, out, err } = await callProgram(['run', '--target', file]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/target\.yaml:\d+: unknown key maners[\s\S]*did you mean manners\?/);
  });
});

test('a reader that has seen enough ends nothing', () => {
  const child = spawnSync('sh', ['-c', '(node tools/cli/assay.mjs rules; echo "ended with $?" >&2) | head -1'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([child.stdout.split('\n').length, child.stderr]).toEqual([2, 'ended with 0\n']);
});

test('a dead host ends with 3 and says where', async () => {
  const file = join(folder, 'target.yaml');
  writeFileSync(
    file,
    'name: dead\nkind: sandbox\nv1:\n  address: http://127.0.0.1:9\n  token: env:TOKEN\n  account: 00000000-0000-4000-8000-000000000000\n  wire: { payer: {}, recipient: {} }\n',
  );
  const { code, err } = await callProgram(['run', '--target', file, '--out', join(folder, 'run')], {
    env: { TOKEN: 'not-a-real-token' },
  });
  expect(code).toBe(3);
  expect(err).toMatch(/nobody answers at 127\.0\.0\.1:9[\s\S]*cause:[\s\S]*fix:/);
});

test('a run on the honest sandbox ends with 0, every rule has its row, and its number gives back the order of checks of several files', async () => {
  test.slow();
  const rules = ['V1-IBN-02', 'GW-RAT-04'];
  const orderOf = (lines: readonly Line[]) =>
    lines.flatMap((line) => (line.kind === 'check' ? [`${line.project} ${line.id}`] : []));
  const order = async (shuffle: number) => orderOf((await rehearseTarget(EMBEDDED_TARGET, rules, {}, shuffle)).lines);
  const out = join(folder, 'run');
  const asked = ['--workers', '1', '--shuffle', '11', '--out', out];
  const { code, out: printed } = await assay(['run', ...rules.flatMap((rule) => ['--rule', rule]), ...asked]);
  expect({ code, told: printed.includes('shuffled by 11') }).toEqual({ code: 0, told: true });
  expect(printed).toContain(join(out, 'index.html'));
  const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  const { out: listed } = await callProgram(['rules', '--json']);
  expect(run.rules.map(({ id }: { id: string }) => id)).toEqual(
    (JSON.parse(listed) as { id: string }[]).map(({ id }) => id),
  );
  expect(run.complete).toBe(true);
  const lines = readJournal(out);
  expect(lines[0]).toMatchObject({ argv: expect.arrayContaining(['--shuffle', '11']) });
  const [one, again, other] = [orderOf(lines), await order(11), await order(12)];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  expect([...other].sort()).toEqual([...one].sort());
  // Neither the files nor the checks of one file stay together in the order they are written in.
  const files = one.map((check) => check.split(' ')[0]).join(' ');
  expect(files).toMatch(/gateway( v1)+ gateway/);
  expect(files).toMatch(/v1( gateway)+ v1/);
});

test('a lie ends with 1 and the page leads with its rule, what was expected, what came, and the exchange', async () => {
  const out = join(folder, 'run');
  const [lie] = JSON.parse((await callProgram(['lies', '--rule', 'V1-IBN-01', '--json'])).out) as { name: string }[];
  const { code, out: printed } = await assay(['run', '--rule', 'V1-IBN-01', '--lie', lie!.name, '--out', out]);
  expect(code).toBe(1);
  expect(printed).toMatch(/1 of 1 checks, 1 did not pass[\s\S]*^fail {2}V1-IBN-01/m);
  const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  const row = run.rules.find(({ id }: { id: string }) => id === 'V1-IBN-01');
  expect(row.verdict).toBe('fail');
  expect(row.failures[0]).toMatchObject({
    expected: expect.stringContaining('422'),
    actual: expect.stringContaining('status'),
  });
  expect(row.failures[0].exchanges[0]).toMatch(/^[0-9a-f]{8}\.\d+$/);
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  expect(page.indexOf('V1-IBN-01')).toBeGreaterThan(0);
  expect(page).toContain(row.failures[0].exchanges[0]);
});

test('a run killed half way leaves a page that says incomplete, and ends with 3', async () => {
  const out = join(folder, 'run');
  const argv = ['run', '--rule', LONG, '--out', out];
  const { code } = await assay(argv, { until: { text: 'running', signal: 'SIGTERM' } });
  expect(code).toBe(3);
  expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')).complete).toBe(false);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toMatch(/incomplete/i);
});

test('a run that is given little time ends in it, incomplete, with what was recorded', async () => {
  const out = join(folder, 'run');
  const { code, err } = await assay(['run', '--rule', LONG, '--out', out, '--within', '2s']);
  expect(code, err).toBe(3);
  const { complete, incompleteReason } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  expect(complete).toBe(false);
  expect(incompleteReason).toMatch(/the time it was given was up; \d+ of \d+ checks were run/);
  expect((await callProgram(['run', '--within', 'soon'])).code).toBe(2);
});

test.describe('a machine without a browser', () => {
  const isRoot = process.getuid?.() === 0;
  const askedFor = (...names: string[]) => [
    '--version',
    'update -qq',
    ...names.map((name) => `install -y -qq --no-install-recommends ${name}`),
  ];
  let env: Record<string, string>;
  let installed: () => string[];
  test.beforeEach(() => {
    const bin = join(folder, 'bin');
    const marker = join(folder, 'installed');
    mkdirSync(bin);
    // What Debian's program would do: it notes what it is asked for, and gives the browser that it has.
    const script = `#!/bin/sh\necho "$@" >> ${marker}\nfor name; do :; done\n[ "$name" = "$HAS" ] && : > "${bin}/$HAS"\nexit 0\n`;
    writeFileSync(join(bin, 'apt-get'), script, { mode: 0o755 });
    installed = () => (existsSync(marker) ? readFileSync(marker, 'utf8').trim().split('\n') : []);
    // No browser is on this path, and none can be downloaded: a file stands where its folder would be.
    writeFileSync(join(folder, 'none'), '');
    env = { PATH: bin, PLAYWRIGHT_BROWSERS_PATH: join(folder, 'none') };
  });
  const run = (rule: string, ...more: string[]) =>
    assay(['run', '--rule', rule, '--out', join(folder, 'run'), ...more], { env });

  test('run installs nothing unasked, skips the checks that need one and says what to do', async () => {
    test.setTimeout(120_000);
    const { out } = await run('GW-FRM-04');
    expect(out).toContain('no browser found; checks that need one are skipped (npx assay doctor --fix installs one)');
    expect(installed()).toEqual([]);
    expect(readFileSync(join(folder, 'run/run.json'), 'utf8')).toMatch(/"code": "browser"/);
  });

  test('run --setup installs nothing for a selection that needs no browser; a gate that stays closed ends it with 3, though every promise is kept', async () => {
    test.setTimeout(120_000);
    const gates = ['--require', 'V1-IBN-01', '--require', 'GW-CAP-01', '--max-skipped', '0'];
    const { code, out } = await run('V1-IBN-01', '--setup', ...gates);
    expect(out).not.toContain('browser');
    expect(installed()).toEqual([]);
    expect(out).toMatch(/^incomplete: The gate require is closed: 1 of 2 required rules judged: GW-CAP-01\.$/m);
    expect(out).toMatch(/^selected: V1-IBN-01$/m);
    expect(out).toMatch(/^incomplete, of 1 judged: /m);
    expect(code).toBe(3);
  });

  test('run --setup says what it tries, asks for no more than it says, and what is left to do', async () => {
    test.setTimeout(240_000);
    // What becomes of a run without a browser, the first one shows.
    const until = { text: 'still no browser', signal: 'SIGTERM' } as const;
    const { out } = await assay(['run', '--rule', 'GW-FRM-04', '--setup', '--out', join(folder, 'run')], {
      env,
      until,
    });
    expect(out).toContain('installing one: npx playwright install chromium');
    expect(out).toContain('still no browser: install Chromium, Chrome or Edge, or name one in ASSAY_BROWSER');
    expect(installed()).toEqual(isRoot ? askedFor('chromium-headless-shell', 'chromium') : []);
  });

  test('prove tells no lie beyond a check that is skipped under it', async () => {
    test.setTimeout(120_000);
    const { code, out } = await assay(
      ['prove', '--lie', 'report-without-reason', '--out', join(folder, 'proof.json')],
      {
        env: { ...env, ASSAY_BROWSER: 'none' },
      },
    );
    expect(code, out).toBe(0);
    const { dishonest } = JSON.parse(readFileSync(join(folder, 'proof.json'), 'utf8')) as { dishonest: string[] };
    expect(dishonest).toEqual([]);
  });

  test('doctor names the lack, and with --fix installs a browser and names it', async () => {
    test.setTimeout(240_000);
    const browser = (out: string) => /^\w+ +browser +(.*)$/m.exec(out)?.[1];
    const asked = await assay(['doctor'], { env });
    expect(browser(asked.out)).toBe('none found; set ASSAY_BROWSER, or --fix');
    expect(installed()).toEqual([]);
    const fixed = await assay(['doctor', '--fix'], { env: { ...env, HAS: 'chromium-headless-shell' } });
    expect(installed()).toEqual(isRoot ? askedFor('chromium-headless-shell') : []);
    if (isRoot) expect(browser(fixed.out)).toBe(join(folder, 'bin/chromium-headless-shell'));
    expect(fixed.err).toContain('installing one: npx playwright install chromium');
  });

  test('where there is no bare shell to install, doctor --fix installs a whole browser', async () => {
    test.setTimeout(240_000);
    test.skip(!isRoot, 'packages are installed by root');
    const fixed = await assay(['doctor', '--fix'], { env: { ...env, HAS: 'chromium' } });
    expect(installed()).toEqual(askedFor('chromium-headless-shell', 'chromium'));
    expect(fixed.out).toContain(join(folder, 'bin/chromium'));
  });
});

test.describe('a machine that has run out of something: one message, exit code 3, and what was recorded is kept', () => {
  const shell = (command: string) =>
    spawnSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ASSAY_RUN: undefined } });
  const program = `"${process.execPath}" tools/cli/assay.mjs run --workers 1 --rule V1-IBN-01`;

  test('open files', () => {
    test.setTimeout(120_000);
    for (const files of [24, 64]) {
      const { status, stderr } = shell(`ulimit -n ${files}; ${program} --out ${join(folder, `run-${files}`)}`);
      expect(status, stderr).toBe(3);
      expect(stderr).toMatch(/assay: no more files can be opened\n {2}cause: .*\n {2}fix: .*ulimit -n/);
      expect(stderr).not.toMatch(/^ +at /m);
    }
  });

  test('disk', () => {
    test.setTimeout(120_000);
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    test.skip(shell(`mount -t tmpfs -o size=300k tmpfs ${disk}`).status !== 0, 'no small disk can be made here');
    try {
      const { status, stderr } = shell(`${program} --out ${join(disk, 'run')}`);
      expect(status, stderr).toBe(3);
      expect(stderr).toContain('assay: the disk is full');
      expect(existsSync(join(disk, 'run/run.json'))).toBe(false);
      expect(readFileSync(join(disk, 'run/evidence.ndjson'), 'utf8')).toContain('{"kind":"run"');
    } finally {
      shell(`umount ${disk}`);
    }
  });
});
