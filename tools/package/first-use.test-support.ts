import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A file to write, or a command with what it prints and ends with. */
export type TranscriptStep =
  | { readonly file: string; readonly text: string }
  | { readonly command: string; readonly printed: readonly string[]; readonly code: number };

/** Reads a transcript: a path in code before a fenced block names a file, a `console` block holds commands. */
export function readTranscript(markdown: string): TranscriptStep[] {
  const blocks = markdown.matchAll(/(?:^`([^`\n]+)`\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, file, kind, text = '']): TranscriptStep[] => {
    if (file !== undefined) return [{ file, text }];
    if (kind !== 'console') throw new Error(`a block of ${kind} has no path`);
    return text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...rest] = part.trimEnd().split('\n');
        const code = Number(/^# exit code (\d)$/.exec(rest.at(-1) ?? '')?.[1] ?? 0);
        return { command, printed: code === 0 ? rest : rest.slice(0, -1), code };
      });
  });
}

/** What was printed, as a pattern: `…` stands for anything in a line, alone in one for any lines. */
export function patternOf(printed: readonly string[]): RegExp {
  const lines = printed.map((line) => {
    if (line === '…') return '(?:.*\\n)*?';
    return `${line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}\\n`;
  });
  return new RegExp(`^${lines.join('')}$`);
}

/** A shell in a folder, as one person uses it: what is exported stays, what is left running is ended with it. */
export class Session {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #running: ChildProcess[] = [];

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = { ...env, npm_config_loglevel: 'error' };
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, file)), { recursive: true });
    writeFileSync(join(this.#folder, file), text);
  }

  /** Runs a command to its end; one with `> FILE &` until the file has something in it. */
  async run(command: string): Promise<{ code: number; printed: string }> {
    const [, line, file] = /^(.*) > (\S+) &$/.exec(command) ?? [];
    if (line !== undefined) {
      await this.#start(line, join(this.#folder, file!));
      return { code: 0, printed: '' };
    }
    if (command.startsWith('export ')) appendFileSync(join(this.#folder, '.session'), `${command}\n`);
    // What npx does here: what it calls lies in the project. It starts a program of its own for that; `#start` has the real one do it. The few
    // checks of a run are done by one worker.
    const npx =
      'npx() { local name=$1; shift; [ "$1" != run ] || set -- "$@" --workers 1; "node_modules/.bin/$name" "$@"; }; ';
    const before = existsSync(join(this.#folder, '.session')) ? '. ./.session; ' : '';
    const { status, stdout } = spawnSync('bash', ['-c', `${npx}${before}exec 2>&1; ${command}`], {
      cwd: this.#folder,
      env: this.#env,
      encoding: 'utf8',
    });
    return { code: status ?? -1, printed: stdout };
  }

  close(): void {
    for (const child of this.#running) process.kill(-child.pid!, 'SIGTERM');
  }

  async #start(line: string, file: string): Promise<void> {
    const stdio = ['ignore', openSync(file, 'w'), 'ignore'] as const;
    const options = { cwd: this.#folder, env: this.#env, stdio: [...stdio], detached: true };
    this.#running.push(spawn('bash', ['-c', line], options));
    for (let tries = 0; statSync(file).size === 0 || !readFileSync(file, 'utf8').endsWith('}\n'); tries += 1) {
      if (tries > 600) throw new Error(`${line} says nothing`);
      await wait(100);
    }
  }
}
