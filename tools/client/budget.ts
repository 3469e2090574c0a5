import type { Api } from '#contract';
import type { Time } from './time.ts';

const WINDOW = 60;
const RESERVE = 5;

/** Keeps below the rate limit that the service announces: waits for the next window before the last few calls are spent. */
export class Budget {
  readonly #time: Time;
  readonly #left = new Map<Api, number>();

  constructor(time: Time) {
    this.#time = time;
  }

  /** Waits, when the announced remainder is nearly gone, until the window has passed. */
  async take(api: Api): Promise<void> {
    const left = this.#left.get(api);
    if (left !== undefined && left <= RESERVE) {
      await this.#time.sleep(WINDOW);
      this.#left.delete(api);
    }
  }

  /** Takes note of what an answer announces. */
  learn(api: Api, headers: ReadonlyMap<string, string>): void {
    const remaining = Number(headers.get('x-ratelimit-remaining'));
    if (headers.has('x-ratelimit-remaining') && Number.isInteger(remaining)) this.#left.set(api, remaining);
  }
}
