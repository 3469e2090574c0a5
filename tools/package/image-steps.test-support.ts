import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';
import { describeSuite } from '#run';

// What the runner of these tests would tell a run of their own, or a silent npm one that is to speak.
const ours = /^(?:ASSAY_|TEST_|npm_)/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));

/** One line of the image's file. */
type Step = readonly [instruction: string, rest: string];

/** What the image starts: by `ENTRYPOINT`, `CMD` and `HEALTHCHECK`, as words. */
type Started = Readonly<Record<string, readonly string[]>>;

/** The image, stage by stage, with folders below one of our own in place of this machine's; both stages share what is copied between them. */
export class ImageSteps {
  readonly #root: string;
  readonly #stages: readonly (readonly Step[])[];

  /** @param root a folder that holds the image's */
  constructor(root: string) {
    this.#root = root;
    const [, ...stages] = readFileSync(join(SUITE_FOLDER, 'ci/Dockerfile'), 'utf8').split(/^(?=FROM )/m);
    this.#stages = stages.map((stage) =>
      stage
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line): Step => [line.split(' ')[0]!, line.slice(line.indexOf(' ') + 1)]),
    );
  }

  /** A folder of the image, on this machine; it is there from now on. */
  placeOf(path: string): string {
    const place = join(this.#root, path);
    mkdirSync(place, { recursive: true });
    return place;
  }

  /**
   * Takes each step of a stage, and fails with the first that does not work.
   * @param number from 0
   * @returns a way to call what the stage starts, where and with what it would find there
   */
  take(number: number): { started: Started; call(words: readonly string[]): { status: number | null; text: string } } {
    const settings: Record<string, string> = {
      npm_config_prefix: this.placeOf('/usr/local'),
      npm_config_prefer_offline: 'true',
      // Asks the registry, and says nothing of the image.
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
    settings['PATH'] = `${join(settings['npm_config_prefix']!, 'bin')}:${process.env['PATH']}`;
    const started: Record<string, string[]> = {};
    let folder = this.#root;
    const call = ([command, ...argv]: readonly string[]) => {
      const options = { cwd: folder, env: { ...env, ...settings }, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(command!, argv, options);
      return { status, text: `${stdout}${stderr}` };
    };
    for (const [instruction, rest] of this.#stages[number]!) {
      if (instruction === 'WORKDIR') folder = this.placeOf(rest);
      else if (instruction === 'COPY' && rest === '. .') copyTree(folder);
      else if (instruction === 'ENV')
        for (const one of rest.split(' '))
          settings[one.slice(0, one.indexOf('='))] = this.#relocate(one.slice(one.indexOf('=') + 1));
      else if (instruction === 'HEALTHCHECK') started[instruction] = JSON.parse(rest.slice(rest.indexOf('[')));
      else if (instruction === 'ENTRYPOINT' || instruction === 'CMD') started[instruction] = JSON.parse(rest);
      // The system's own packages are the system's affair; what one stage copies from the other lies there already.
      else if (instruction === 'RUN' && !rest.startsWith('apt-get ')) {
        const { status, text } = call(['sh', '-c', this.#relocate(borrowPackages(rest, folder))]);
        expect(status, `${rest}\n${text}`).toBe(0);
      } else expect(['FROM', 'USER', 'RUN', 'COPY'], rest).toContain(instruction);
    }
    return { started, call };
  }

  #relocate(command: string): string {
    return command.replace(/(?<![\w.])\/(?:src|tmp|project)(?=[/\s]|$)/g, (path) => this.placeOf(path));
  }
}

/**
 * What the lock file names is installed here already, by the same command: the copy takes it over, once npm said that package and lock file
 * agree. Another way of installing it is taken as it is written.
 */
function borrowPackages(command: string, folder: string): string {
  if (!/^npm ci(?= &&)/.test(command)) return command;
  symlinkSync(join(SUITE_FOLDER, 'node_modules'), join(folder, 'node_modules'));
  return command.replace('npm ci', 'npm ci --dry-run');
}

/** What a build would be given: the files that git tracks or would, and which commit it is, without what else lies beside them on this machine. */
function copyTree(to: string): void {
  const argv = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = spawnSync('git', argv, { cwd: SUITE_FOLDER, encoding: 'utf8' });
  for (const file of stdout.split('\0').filter((one) => one !== '' && existsSync(join(SUITE_FOLDER, one)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(SUITE_FOLDER, file), join(to, file));
  }
  const { commit } = describeSuite();
  if (commit === undefined) return;
  mkdirSync(join(to, '.git'));
  writeFileSync(join(to, '.git/HEAD'), `${commit}\n`);
}
