/** A clock that runs by itself and can be set forward, with tasks that become due on it. */
export class Clock {
  #ahead: number;
  readonly #tasks: { at: number; task: () => void }[] = [];
  readonly #ticking: NodeJS.Timeout;

  /** @param start where it begins, in milliseconds since the Unix epoch; default now */
  constructor(start = Date.now()) {
    this.#ahead = start - Date.now();
    this.#ticking = setInterval(() => this.#run(), 20);
    this.#ticking.unref();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  after(seconds: number, task: () => void): void {
    this.#tasks.push({ at: this.now() + seconds * 1000, task });
  }

  advance(seconds: number): void {
    this.#ahead += seconds * 1000;
    this.#run();
  }

  stop(): void {
    clearInterval(this.#ticking);
  }

  #run(): void {
    const now = this.now();
    const due = this.#tasks.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
    for (const one of due) this.#tasks.splice(this.#tasks.indexOf(one), 1);
    for (const { task } of due) task();
  }
}
