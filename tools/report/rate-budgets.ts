import type { Api } from '#contract';
import { type ExchangeLine, readRateHeaders } from '#evidence';

/** What the answers of a service said of its rate limit: the limit, and the least that was left of it. */
export interface AnsweredBudget {
  readonly api: Api;
  readonly limit: number;
  readonly least: number;
  readonly requests: number;
}

/** Reads the rate headers of every answer. */
export class RateBudgets {
  readonly #found = new Map<Api, Omit<AnsweredBudget, 'api'>>();

  see({ api, direction, response }: ExchangeLine): void {
    if (direction !== 'out' || response === undefined) return;
    const { limit, left } = readRateHeaders(response.headers);
    if (limit === undefined || left === undefined) return;
    const known = this.#found.get(api);
    this.#found.set(api, {
      limit: Math.min(known?.limit ?? limit, limit),
      least: Math.min(known?.least ?? left, left),
      requests: (known?.requests ?? 0) + 1,
    });
  }

  list(): AnsweredBudget[] {
    return [...this.#found].map(([api, budget]) => ({ api, ...budget }));
  }
}
