/** Milliseconds of real time that lies need to mix up what was sent at once: all of it has come by then, on a busy machine as well. */
export const MIX_UP = 200;

/** Tells what is done within milliseconds, of real time, of something like it: a race that only lies lose. */
export class Rush {
  readonly #ends = new Map<string, number>();

  /**
   * Whether the like is being done already.
   * @param milliseconds for which this goes on; none: it is over at once, and joins nothing
   */
  joins(what: string, milliseconds: number): boolean {
    if (milliseconds === 0) return false;
    const isRunning = Date.now() < (this.#ends.get(what) ?? 0);
    this.#ends.set(what, Date.now() + milliseconds);
    return isRunning;
  }
}
