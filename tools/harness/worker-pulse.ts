import { closeSync, existsSync, futimesSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const BEAT = 1000;

/** What a worker deals with: a check, and what of it. Ids and sizes only, no values of an exchange. */
export interface WorkerTask {
  readonly check: string;
  readonly text: string;
}

/** Shows a process that watches that this worker gets along, and what it deals with: a file that is touched each second. */
export class WorkerPulse {
  readonly #file: number | undefined;
  readonly #beat: NodeJS.Timeout | undefined;
  readonly #path: string;
  /** Bytes that were written for the task before this one. */
  #written = 0;

  /** @param folder where the pulses of a run are; absent: nobody watches */
  constructor(folder: string | undefined, pid = process.pid) {
    this.#path = join(folder ?? '', `pulse-${pid}`);
    if (folder === undefined) return;
    const file = openSync(this.#path, 'w');
    this.#file = file;
    this.#beat = setInterval(() => futimesSync(file, new Date(), new Date()), BEAT).unref();
  }

  /** Says what is dealt with from now on, at once, since what comes may keep the worker from saying it. */
  note(task: WorkerTask): void {
    if (this.#file === undefined) return;
    const text = JSON.stringify(task);
    const size = Buffer.byteLength(text);
    // Blanks over what is left of the last task: to cut the file first would be another call, at each exchange.
    writeSync(this.#file, text + ' '.repeat(Math.max(0, this.#written - size)), 0);
    this.#written = size;
  }

  close(): void {
    if (this.#file === undefined) return;
    clearInterval(this.#beat);
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}

/** What a pulse says its worker deals with; undefined when it says nothing. */
export function readWorkerTask(folder: string, pid: number): WorkerTask | undefined {
  return readTask(join(folder, `pulse-${pid}`));
}

/** File in which the one who watches says that it ended the worker of a check, and what it dealt with. */
export function stalledTaskFile(folder: string, check: string): string {
  return join(folder, `stalled-${check}`);
}

/** What a check's worker dealt with when it was ended for want of progress; undefined when it was not. */
export function readStalledTask(folder: string | undefined, check: string): WorkerTask | undefined {
  return folder === undefined ? undefined : readTask(stalledTaskFile(folder, check));
}

function readTask(path: string): WorkerTask | undefined {
  try {
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as WorkerTask) : undefined;
  } catch {
    return undefined;
  }
}
