import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { outerEnvironment } from '#call-program';
import { SUITE_FOLDER } from '#folders';
import { describeSuite } from '#run';
import { patternOf, readTranscript, Session } from './first-use.test-support.ts';
import { ImageSteps } from './image-steps.test-support.ts';

const LIMIT = 5 * 1024 * 1024;
const NPM = { encoding: 'utf8', stdio: 'pipe' } as const;

/** Few checks are done by one worker. */
const env = { ...outerEnvironment(), ASSAY_WORKERS: '1' };

/** A port that nobody listens at. */
function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

test.describe('the package', () => {
  test.describe.configure({ mode: 'serial', timeout: 600_000 });
  let project: string;
  let image: string;
  let tarball: string;

  const assay = (...argv: readonly string[]) => {
    const program = join(project, 'node_modules/.bin/assay');
    const { status, stdout, stderr } = spawnSync(program, argv, { cwd: project, env, encoding: 'utf8' });
    return { status, text: stdout + stderr };
  };

  test.beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'assay-project-'));
    image = mkdtempSync(join(tmpdir(), 'assay-image-'));
    const steps = new ImageSteps(image);
    steps.take(0);
    const packed = steps.placeOf('/tmp');
    const [name] = readdirSync(packed).filter((one) => one.endsWith('.tgz'));
    tarball = join(project, name!);
    cpSync(join(packed, name!), tarball);
    writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true }\n');
    const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=warn'];
    const { status, stderr } = spawnSync('npm', ['install', '-D', ...options, tarball], { ...NPM, cwd: project });
    expect([status, stderr], 'the packages that come along run on the oldest Node we name').toEqual([
      0,
      expect.not.stringContaining('EBADENGINE'),
    ]);
  });
  test.afterAll(() => {
    for (const one of [project, image]) rmSync(one, { recursive: true, force: true });
  });

  test('is small, and brings neither sources to compile nor own tests', () => {
    expect(statSync(tarball).size).toBeLessThan(LIMIT);
    const files = readdirSync(join(project, 'node_modules/@assay-conformance/assay'), {
      recursive: true,
      encoding: 'utf8',
    });
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.test(-support)?\./.test(file))).toEqual([]);
    expect(existsSync(join(project, 'node_modules/tsx')), 'a loader of TypeScript').toBe(false);
  });

  test('could be published as it is', () => {
    const { version } = JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8')) as { version: string };
    const manifest = readFileSync(join(project, 'node_modules/@assay-conformance/assay/package.json'), 'utf8');
    expect(JSON.parse(manifest), 'a dry run does not say no to a private package').not.toHaveProperty('private');
    // What npm looks at is the manifest: all that it names was packed before, and need not be packed again.
    const bare = join(image, 'bare');
    mkdirSync(bare);
    writeFileSync(join(bare, 'package.json'), manifest);
    // A script that was started silently would have it say nothing.
    const argv = ['publish', '--dry-run', '--ignore-scripts', '--loglevel=notice'];
    const { status, stdout } = spawnSync('npm', argv, { ...NPM, cwd: bare });
    expect([status, stdout]).toEqual([0, `+ @assay-conformance/assay@${version}\n`]);
  });

  test('names checks by their sources, as a clone does', () => {
    const { status, text } = assay('explain', 'V1-IBN-02');
    expect([status, text]).toEqual([0, expect.stringContaining('(tests/v1/iban-details.spec.ts:')]);
  });

  test('goes its first way as the transcript says, with rules and checks of its own', async () => {
    const [gateway, v1] = await Promise.all([freePort(), freePort()]);
    const transcript = readFileSync(join(SUITE_FOLDER, 'ci/first-use.md'), 'utf8')
      .replaceAll('4300', String(gateway))
      .replaceAll('4310', String(v1));
    const session = new Session(project, env);
    try {
      for (const step of readTranscript(transcript)) {
        if ('file' in step) session.write(step.file, step.text);
        else if (!step.command.startsWith('npm i ')) {
          const { code, printed } = await session.run(step.command);
          if (step.printed.length > 0) expect(printed, step.command).toMatch(patternOf(step.printed));
          expect(code, `${step.command}\n${printed}`).toBe(step.code);
        }
      }
      const [last] = readdirSync(join(project, 'reports'))
        .filter((name) => /^\d/.test(name))
        .sort()
        .slice(-1);
      const run = JSON.parse(readFileSync(join(project, 'reports', last!, 'run.json'), 'utf8'));
      expect(run.checks.map(({ file }: { file: string }) => file)).toContain('checks/lookups.spec.ts');
    } finally {
      session.close();
    }
  });

  test('types what own checks import, lets them be modules as well, and catches lies about them and a rule of the house', () => {
    const compiler = join(SUITE_FOLDER, 'node_modules/typescript/bin/tsc');
    const flags =
      '--noEmit --pretty false --strict --skipLibCheck --checkers 1 --target es2023 --module nodenext --moduleResolution nodenext --types';
    const text = readFileSync(join(project, 'checks/lookups.spec.ts'), 'utf8');
    writeFileSync(join(project, 'checks/wrong.ts'), text.replaceAll('reply.object', 'reply.objects'));
    // The wrong one beside the right one, of which nothing may be said.
    const argv = [compiler, ...flags.split(' '), '', 'checks/lookups.spec.ts', 'checks/wrong.ts'];
    const { stdout } = spawnSync(process.execPath, argv, { cwd: project, encoding: 'utf8' });
    expect(stdout).toMatch(
      /^checks\/wrong\.ts\S* error TS\d+: Property 'objects' does not exist on type 'ApiReply'[^\n]*\n$/,
    );
    rmSync(join(project, 'checks/wrong.ts'));
    writeFileSync(join(project, 'checks/package.json'), '{ "type": "module" }');
    const proof = join(project, 'reports/proof.json');
    rmSync(proof, { force: true });
    const proved = assay('prove', '--rule', 'SHOP-IBN-01', '--rule', 'V1-IBN-02');
    expect([proved.status, proved.text]).toEqual([0, expect.stringContaining('2 of 2 rules proven')]);
    expect(existsSync(proof)).toBe(true);
  });

  test('is what an image makes of it, which is well, runs in an empty folder and leaves its report there', () => {
    const { version } = JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8'));
    const { started, call } = new ImageSteps(image).take(1);
    expect(call(started['HEALTHCHECK']!)).toEqual({ status: 0, text: `${version}\n` });
    const { status, text } = call([...started['ENTRYPOINT']!, ...started['CMD']!, '--rule', 'V1-IBN-01']);
    expect(status, text).toBe(0);
    expect(text).toContain('kept, of 1 judged: ');
    const folder = /^(.*)\/index\.html$/m.exec(text)![1]!;
    expect(dirname(folder)).toBe(join(realpathSync(image), 'project/reports'));
    const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
    expect(run.suite, 'the suite that it was built from').toMatchObject({ ...describeSuite() });
    expect(run.checks.map(({ file }: { file: string }) => file)).toContain('tests/v1/iban-details.spec.ts');
    expect(call([...started['ENTRYPOINT']!, 'verify', folder]).status).toBe(0);
    expect(existsSync(join(dirname(folder), 'latest')), 'a run of one rule is not the last run').toBe(false);
  });
});
