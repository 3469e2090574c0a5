import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';

// What the runner of these tests would tell a run of their own, or a silent npm one that is to speak.
const ours = /^(?:ASSAY_|TEST_|npm_)/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));

/** One line of the image's file. */
type Step = readonly [instruction: string, rest: string];

const steps = readFileSync(join(SUITE_FOLDER, 'ci/Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Step => [line.split(' ')[0]!, line.slice(line.indexOf(' ') + 1)]);

let root: string;
test.beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-image-'));
});
test.afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder of the image, below one of our own; both stages share what is not copied between them by name. */
function placeOf(path: string): string {
  const place = join(root, path);
  mkdirSync(place, { recursive: true });
  return place;
}

/** A command with the image's folders in place of this machine's. */
const relocate = (command: string) =>
  command.replace(/(?<![\w.])\/(?:src|tmp|project)(?=[/\s]|$)/g, (path) => placeOf(path));

test('the steps of the image work, and what comes of them is well and runs', () => {
  test.setTimeout(300_000);
  const settings: Record<string, string> = {
    npm_config_prefix: placeOf('/usr/local'),
    npm_config_prefer_offline: 'true',
  };
  settings.PATH = `${join(settings.npm_config_prefix!, 'bin')}:${process.env.PATH}`;
  let folder = root;
  const execute = (command: string, ...argv: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, argv, {
      cwd: folder,
      env: { ...env, ...settings },
      encoding: 'utf8',
    });
    return { status, text: `${stdout}${stderr}` };
  };
  const started: Record<string, string[]> = {};
  for (const [instruction, rest] of steps) {
    if (instruction === 'WORKDIR') folder = placeOf(rest);
    else if (instruction === 'COPY' && rest === '. .') copyTracked(folder);
    else if (instruction === 'ENV')
      for (const one of rest.split(' '))
        settings[one.slice(0, one.indexOf('='))] = relocate(one.slice(one.indexOf('=') + 1));
    else if (instruction === 'HEALTHCHECK') started.health = JSON.parse(rest.slice(rest.indexOf('[')));
    else if (instruction === 'ENTRYPOINT' || instruction === 'CMD') started[instruction] = JSON.parse(rest);
    // The system's own packages are the system's affair; what one stage copies from the other lies there already.
    else if (instruction === 'RUN' && !rest.startsWith('apt-get ')) {
      const { status, text } = execute('sh', '-c', relocate(rest));
      expect(status, `${rest}\n${text}`).toBe(0);
    } else expect(['FROM', 'USER', 'RUN', 'COPY'], rest).toContain(instruction);
  }
  const { version } = JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8'));
  const [health, ...healthArguments] = started.health!;
  expect(execute(health!, ...healthArguments)).toEqual({ status: 0, text: `${version}\n` });
  const [entry, ...entryArguments] = [...started.ENTRYPOINT!, ...started.CMD!];
  const run = execute(entry!, ...entryArguments, '--rule', 'V1-IBN-01');
  expect(run.status, run.text).toBe(0);
  expect(run.text).toContain('kept, of 1 judged');
  expect(run.text).toContain(join(root, 'project', 'reports'));
});

/** What a build would be given: the files that are tracked, without what lies beside them on this machine. */
function copyTracked(to: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: SUITE_FOLDER, encoding: 'utf8' });
  for (const file of stdout.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(SUITE_FOLDER, file), join(to, file));
  }
}
