import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { SUITE_FOLDER } from '#folders';
import { callInTurn } from './call-in-turn.test-support.ts';

let project: string;
test.beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'assay-workspace-'));
});
test.afterEach(() => rmSync(project, { recursive: true, force: true }));

/** Runs the program where its user works. */
function assay(argv: readonly string[], more: Record<string, string> = {}) {
  const { ASSAY_RUN: _run, ASSAY_WORKSPACE: _workspace, V1_URL: _v1, GATEWAY_URL: _gateway, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(SUITE_FOLDER, 'tools/cli/assay.mjs'), ...argv], {
    cwd: project,
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

const configure = (text: string) => writeFileSync(join(project, 'assay.config.yaml'), text);

test('init writes what a project needs, keeps what is there, and holds no secret', () => {
  const env = {
    ASSAY_WORKSPACE: project,
    V1_URL: 'http://127.0.0.1:9/api/v1',
    V1_TOKEN: 'a-token-of-the-user',
    V1_ACCOUNT: 'x',
  };
  writeFileSync(join(project, '.gitignore'), 'node_modules/');
  const first = assay(['init'], env);
  expect([first.status, first.err]).toEqual([0, '']);
  const names = ['assay.config.yaml', 'targets/test.yaml', 'waivers.yaml', '.github/workflows/assay.yml', '.gitignore'];
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(project, name), 'utf8')]));
  expect(Object.values(texts).join('\n')).not.toContain(env.V1_TOKEN);
  expect(texts['.gitignore']).toBe('node_modules/\nreports/*\n!reports/baseline/\ntargets/secrets/\n');
  expect(parse(texts['assay.config.yaml']!)).toEqual({
    profile: 'test',
    profiles: { sandbox: {}, test: { target: 'targets/test.yaml' } },
  });
  expect(parse(texts['targets/test.yaml']!)).toMatchObject({ v1: { token: 'env:V1_TOKEN' } });
  expect(parse(texts['.github/workflows/assay.yml']!).jobs.conformance.env).toMatchObject({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
    V1_TOKEN: '${{ secrets.V1_TOKEN }}',
  });
  for (const name of ['assay.config.yaml', 'targets/test.yaml']) {
    const schema = /\$schema=(\S+)/.exec(texts[name]!)![1]!;
    expect(existsSync(join(project, name, '..', schema)), `the schema of ${name}`).toBe(true);
  }
  expect(assay(['init'], env).out).toContain('everything is there already');
});

test('without an address a new project runs against the embedded sandbox', () => {
  const { status, out } = assay(['init'], { ASSAY_WORKSPACE: project });
  expect([status, out]).toEqual([0, expect.stringContaining('no address was given')]);
  expect(parse(readFileSync(join(project, 'assay.config.yaml'), 'utf8')).profile).toBe('sandbox');
});

/** A configuration that is wrong somewhere, what is asked with it, and the message. */
const MISTAKEN: Readonly<Record<string, readonly [text: string, argv: readonly string[], says: RegExp]>> = {
  'an unknown key': [
    'profiles:\n  test:\n    taget: x.yaml\n',
    [],
    /assay\.config\.yaml:3: unknown key taget[\s\S]*did you mean target\?/,
  ],
  'an unknown profile': [
    'profiles:\n  staging: {}\n',
    ['--profile', 'stagin'],
    /assay\.config\.yaml:1: no profile is called stagin[\s\S]*did you mean staging\?/,
  ],
  'a wrong value': ['workers: 0\n', [], /assay\.config\.yaml:1: workers must be >= 1/],
  'broken YAML': ['profiles: [\n', [], /assay\.config\.yaml:\d+: the settings are not valid YAML/],
  'a target that is not there': ['target: nowhere.yaml\n', [], /nowhere\.yaml: the target file cannot be read/],
};

test('a mistake in the configuration ends with 2 and says where', () => {
  const calls = Object.values(MISTAKEN).map(([text, argv]) => ({
    argv: ['run', ...argv],
    files: { 'assay.config.yaml': text },
  }));
  const ended = callInTurn(calls, project, { ASSAY_WORKSPACE: project });
  for (const [i, [what, [, , says]]] of Object.entries(MISTAKEN).entries())
    expect([what, ended[i]!.code, ended[i]!.err]).toEqual([what, 2, expect.stringMatching(says)]);
  expect(existsSync(join(project, 'reports'))).toBe(false);
});

test('a profile says what is run, what must be judged, and where the report goes', () => {
  configure(
    'profile: quick\nreports: out\ngates: { maxSkipped: 0 }\nprofiles:\n  quick:\n    rules: [V1-IBN-01]\n    gates: { require: [GW-CAP-01] }\n',
  );
  const { status, out } = assay(['run', '--seed', '1']);
  expect(out).toMatch(/^selected: V1-IBN-01$/m);
  expect(out).toMatch(/^incomplete: The gate require is closed: 0 of 1 required rule judged: GW-CAP-01\.$/m);
  expect(status).toBe(3);
  expect(existsSync(join(project, 'node_modules')), 'what is kept lies in the clone').toBe(false);
  const [run] = readdirSync(join(project, 'out'));
  const result = JSON.parse(readFileSync(join(project, 'out', run!, 'run.json'), 'utf8'));
  expect(result.gates.map(({ gate, passed }: { gate: string; passed: boolean }) => [gate, passed])).toEqual([
    ['require', false],
    ['max-skipped', true],
  ]);
});
