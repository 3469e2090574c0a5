import { type ActiveLies, type Decision, decision } from './decision.ts';

/** Milliseconds of real time that lies need to mix up what was sent at once: all of it has come by then, on a busy machine as well. */
const MIX_UP = 200;

/** How many milliseconds of real time something goes on in which others are mixed up. */
export type MixUp = Decision<[], number>;

/**
 * The decision not to mix up what is done at once.
 * @param rule that forbids it
 * @param lie that does it: what is begun goes on for a while then, honestly it is over at once
 */
export function decideMixUp(rule: string, lie: string): MixUp {
  return decision({ rule, honest: () => 0, lies: { [lie]: () => MIX_UP } });
}

/** Tells what is done within milliseconds, of real time, of something like it: a race that only lies lose. */
export class Rush {
  readonly #ends = new Map<string, number>();
  readonly #lent = new Map<string, unknown>();

  /**
   * Begins something.
   * @param mixUps that it may come to
   * @returns how many milliseconds it lasts, by the longest of them, and whether the like is being done already; what is over at once
   *   joins nothing
   */
  begin(activeLies: ActiveLies, what: string, ...mixUps: readonly MixUp[]): { lasts: number; isAtOnce: boolean } {
    const lasts = Math.max(0, ...mixUps.map((mixUp) => mixUp(activeLies)));
    if (lasts === 0) return { lasts, isAtOnce: false };
    const isAtOnce = Date.now() < (this.#ends.get(what) ?? 0);
    this.#ends.set(what, Date.now() + lasts);
    return { lasts, isAtOnce };
  }

  /**
   * Begins something that has a value of its own, which the like done at once takes for its own where it comes to a mix-up.
   * @param what names values of one type only
   * @returns the value to go by, honestly its own, and how many milliseconds it lasts
   */
  lend<Value>(activeLies: ActiveLies, what: string, mixUp: MixUp, own: Value): { value: Value; lasts: number } {
    const { lasts, isAtOnce } = this.begin(activeLies, what, mixUp);
    const value = isAtOnce ? (this.#lent.get(what) as Value) : own;
    if (lasts > 0) this.#lent.set(what, value);
    return { value, lasts };
  }

  /** Whether something like it is being done. */
  isUnderWay(what: string): boolean {
    return Date.now() < (this.#ends.get(what) ?? 0);
  }

  /**
   * Begins something, and has its answer wait for as long as it lasts.
   * @param answer told whether the like is being done already
   */
  answer<Reply extends { readonly status: number; readonly after?: number }>(
    activeLies: ActiveLies,
    what: string,
    mixUps: readonly MixUp[],
    answer: (isAtOnce: boolean) => Reply,
  ): Reply {
    const { lasts, isAtOnce } = this.begin(activeLies, what, ...mixUps);
    const reply = answer(isAtOnce);
    return lasts > 0 ? { ...reply, after: lasts } : reply;
  }
}
