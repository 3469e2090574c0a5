import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds for which a clock that is set forward waits for what that sets off. */
const PATIENCE = 2000;

/** A clock that runs by itself and can be set forward, with tasks that become due on it. */
export class AlternateClock {
  #ahead: number;
  readonly #tasks: { at: number; task: () => unknown }[] = [];
  readonly #ticking: NodeJS.Timeout;
  readonly #open = new Set<Promise<unknown>>();

  /** @param start where it begins, in milliseconds since the Unix epoch; default now */
  constructor(start = Date.now()) {
    this.#ahead = start - Date.now();
    this.#ticking = setInterval(() => this.#run(), 20);
    this.#ticking.unref();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Does something in so many seconds; a promise it returns is under way until it is settled. */
  after(seconds: number, task: () => unknown): void {
    this.#tasks.push({ at: this.now() + seconds * 1000, task });
  }

  /** Takes note of something that is under way. */
  track(doing: Promise<unknown>): void {
    const open: Promise<unknown> = doing.catch(() => {}).finally(() => this.#open.delete(open));
    this.#open.add(open);
  }

  /**
   * Sets the clock forward and waits until what is under way is done, though not for long: whoever sets it wants to see what
   * came of it, on a machine at its limit as well.
   */
  async advance(seconds: number): Promise<void> {
    this.#ahead += seconds * 1000;
    this.#run();
    await Promise.race([Promise.all(this.#open), wait(PATIENCE, undefined, { ref: false })]);
  }

  stop(): void {
    clearInterval(this.#ticking);
  }

  #run(): void {
    const now = this.now();
    const due = this.#tasks.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
    for (const one of due) this.#tasks.splice(this.#tasks.indexOf(one), 1);
    for (const { task } of due) this.track(Promise.resolve(task()));
  }
}
