interface Task {
  readonly due: number;
  readonly run: () => void | Promise<void>;
}

/** The sandbox's time: runs with real time and can be advanced; everything that happens later is scheduled on it. */
export class VirtualClock {
  #offset = 0;
  #tasks: Task[] = [];
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  /** Milliseconds since the Unix epoch. */
  now(): number {
    return Date.now() + this.#offset;
  }

  /** Runs a task once, `seconds` from now on this clock. */
  after(seconds: number, run: Task['run']): void {
    const task = { due: this.now() + seconds * 1000, run };
    // After everything due at the same moment: a task that is due later than none goes to the end at once.
    let [from, to] = [0, this.#tasks.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#tasks[middle]!.due <= task.due) from = middle + 1;
      else to = middle;
    }
    this.#tasks.splice(from, 0, task);
    if (from === 0) this.#arm();
  }

  /**
   * Moves time forward; everything that falls due runs in its order, each at its own moment, and has ended before this resolves.
   * What is under way already is waited for first, since what it schedules may fall due as well.
   */
  async advance(seconds: number): Promise<void> {
    const end = this.now() + seconds * 1000;
    do {
      await Promise.allSettled(this.#running);
      await this.#run(end);
      // What falls due at the same moment as another may have been begun by the timer.
    } while (this.#running.size > 0);
    this.#offset += Math.max(0, end - this.now());
    this.#arm();
  }

  /** Forgets everything scheduled and the offset. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#tasks = [];
    this.#offset = 0;
  }

  async #run(end: number): Promise<void> {
    for (let task = this.#tasks[0]; task !== undefined && task.due <= end; task = this.#tasks[0]) {
      this.#tasks.shift();
      this.#offset += Math.max(0, task.due - this.now());
      this.#arm();
      const running = Promise.resolve(task.run());
      this.#running.add(running);
      try {
        await running;
      } finally {
        this.#running.delete(running);
      }
    }
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#tasks[0];
    if (next === undefined) return;
    const wait = Math.min(Math.max(0, next.due - this.now()), 2 ** 31 - 1);
    this.#timer = setTimeout(() => void this.#run(this.now()), wait);
    this.#timer.unref();
  }
}
