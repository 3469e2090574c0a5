import { UnarrangedError } from './failures.ts';
import { openSharedTally, type SharedTally } from './shared-tally.ts';
import type { TargetTime } from './target-time.ts';

/** Seconds of a window, and of the pause after a 429 (v1, Limits). */
const WINDOW = 60;
const RESERVE = 5;
/** Windows in a row, without a call left in any, after which no further one is waited for. */
const DRY_WINDOWS = 3;

interface State {
  /** Calls left in this window, less those under way; null while nothing was announced. */
  readonly left: number | null;
  readonly limit: number | null;
  /** Calls whose answers have not come. */
  readonly under: number;
  /** Answers in a row that left nothing, each after a wait. */
  readonly dry: number;
  /** Until when nobody calls, Unix milliseconds; 0: no pause. */
  readonly until: number;
}

/**
 * Keeps below the rate limit that an address announces, for all workers together: stops before the last few calls are spent and
 * waits for the next window. Where nothing is announced nothing is held back.
 */
export class RateBudget {
  readonly #time: TargetTime;
  readonly #folder: string | undefined;
  readonly #sharers: number;
  readonly #states = new Map<string, SharedTally<State>>();
  /** Calls that were left when a window was passed by a lever nobody has seen work; absent: no such doubt. */
  readonly #doubts = new Map<string, number>();

  /**
   * @param folder where workers share; absent: this worker has the address to itself
   * @param sharers how many machines call it; each leaves the others their last few calls
   */
  constructor(time: TargetTime, folder?: string, sharers = 1) {
    this.#time = time;
    this.#folder = folder;
    this.#sharers = sharers;
  }

  /** Waits until a call to this host can be made without passing its limit. @throws Unarranged when that never comes */
  async awaitCall(host: string): Promise<void> {
    for (;;) {
      const pause = await this.#at(host).update((was) => requestCall(was, this.#sharers));
      if (pause === 0) return;
      if (pause === 'never')
        throw new UnarrangedError(
          `${host} announced for ${DRY_WINDOWS} windows in a row that no call is left (X-RateLimit-Remaining, or 429); no more are waited for`,
        );
      const sleeping = this.#time.lever('limits');
      await this.#time.sleep(pause / 1000, 'limits');
      // A clock that is moved has its window behind it, whatever ours says.
      if (sleeping === 'stands') continue;
      const left = await this.#at(host).update((now) => ({ next: fresh(now), result: now.left }));
      if (sleeping === 'unknown' && left !== null) this.#doubts.set(host, left);
    }
  }

  /**
   * Takes note of an answer, or of its absence.
   * @param taken whether {@link awaitCall} was asked before
   */
  async noteAnswer(
    host: string,
    taken: boolean,
    answer?: { readonly status: number; readonly headers: ReadonlyMap<string, string> },
  ): Promise<void> {
    await this.#at(host).update((was) => {
      const now = { ...was, under: Math.max(0, was.under - (taken ? 1 : 0)) };
      if (answer?.status === 429) {
        const asked = Number(answer.headers.get('retry-after'));
        const seconds = Math.min(Math.max(WINDOW, Number.isFinite(asked) ? asked : 0), 2 * WINDOW);
        const dry = now.dry + (taken ? 1 : 0);
        return { next: { ...now, dry, left: 0, until: Date.now() + seconds * 1000 }, result: undefined };
      }
      const left = whole(answer?.headers.get('x-ratelimit-remaining'));
      this.#look(host, left);
      const limit = whole(answer?.headers.get('x-ratelimit-limit')) ?? now.limit;
      const dry = left !== 0 ? 0 : now.dry + (taken ? 1 : 0);
      const rest = left === undefined ? now.left : left - now.under;
      return { next: { ...now, limit, dry, left: rest }, result: undefined };
    });
  }

  /** A window that goes on after it was passed was not: from then on it is waited for. */
  #look(host: string, left: number | undefined): void {
    const doubt = this.#doubts.get(host);
    if (doubt === undefined || left === undefined) return;
    this.#doubts.delete(host);
    this.#time.noteLever('limits', left > doubt ? 'moves' : 'stands');
  }

  #at(host: string): SharedTally<State> {
    const there = this.#states.get(host);
    if (there !== undefined) return there;
    const made = openSharedTally<State>(this.#folder, `budget ${host}`, {
      left: null,
      limit: null,
      under: 0,
      dry: 0,
      until: 0,
    });
    this.#states.set(host, made);
    return made;
  }
}

/** One call more, or how long to wait first (milliseconds). */
function requestCall(was: State, sharers: number): { next: State; result: number | 'never' } {
  if (was.dry > DRY_WINDOWS) return { next: was, result: 'never' };
  const time = Date.now();
  const now = was.until !== 0 && was.until <= time ? fresh(was) : was;
  if (now.until > time) return { next: now, result: now.until - time };
  const reserve = now.limit === null ? RESERVE : Math.max(1, Math.min(RESERVE, Math.floor(now.limit / 20)));
  if (now.left !== null && now.left <= reserve * sharers) {
    const until = time + WINDOW * 1000;
    return { next: { ...now, until }, result: WINDOW * 1000 };
  }
  return { next: { ...now, under: now.under + 1, left: now.left === null ? null : now.left - 1 }, result: 0 };
}

function fresh(now: State): State {
  return { ...now, left: null, until: 0 };
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
}
