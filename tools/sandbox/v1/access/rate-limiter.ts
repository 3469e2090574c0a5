import { type ActiveLies, decision } from '../../decision.ts';
import type { VirtualClock } from '../../virtual-clock.ts';
import { toldAtEach } from './told-at-each.ts';

/** What one request costs its address, and what is left. */
export interface RateAllowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Takes the request back: what it leaves is as if it had not been made. */
  readonly takeBack: () => RateAllowance;
}

interface Window {
  readonly opened: number;
  used: number;
  /** The same by path; only lies look at it. */
  readonly usedAt: Map<string, number>;
  refused: boolean;
  /** What the first request brought to identify its sender. */
  readonly opener: string;
  /** Whether one was refused in the window before. */
  readonly wasRefused: boolean;
}

const MINUTE = 60;
const MOST = 500;

const served = decision({
  rule: 'V1-LIM-01',
  honest: (used: number, _wasRefused: boolean, _path: string, _usedThere: number) => used <= MOST,
  lies: {
    'v1-rate-limit-of-100-at-iban-details': (used, _wasRefused, path, usedThere) =>
      used <= (path.endsWith('/iban-details') && usedThere > 100 ? 0 : MOST),
    'v1-rate-limit-of-60-at-lists-of-transactions': (used, _wasRefused, path, usedThere) =>
      used <= (path.endsWith('/transactions') && usedThere > 60 ? 0 : MOST),
    'v1-rate-limit-at-499': (used) => used <= MOST - 1,
    'v1-rate-limit-at-450': (used) => used <= 450,
    'v1-rate-limit-halved-after-a-429': (used, wasRefused) => used <= (wasRefused ? MOST / 2 : MOST),
  },
});

const refused = decision({
  rule: 'V1-LIM-02',
  honest: (used: number, _path: string, _isOpener: boolean) => used > MOST,
  lies: {
    'v1-rate-limit-absent-for-another-token': (used, _path, isOpener) => used > MOST && isOpener,
    'v1-rate-limit-absent-at-iban-details': (used, path) => used > MOST && !path.endsWith('/iban-details'),
    'v1-rate-limit-at-501': (used) => used > MOST + 1,
    'v1-rate-limit-absent': () => false,
    'v1-rate-limit-every-other-request': (used) => used > MOST && used % 2 === 1,
  },
});

/** Whether a request past the limit leaves nothing behind; it is answered 429 either way. */
export const leavesNothingPastLimit = decision({
  rule: 'V1-LIM-02',
  honest: (_operation: string | undefined) => true,
  lies: {
    'v1-creations-past-the-limit-entered-all-the-same': (operation) => operation !== 'createTransaction',
    'v1-uploads-past-the-limit-kept-all-the-same': (operation) => operation !== 'uploadDocument',
    'v1-documents-deleted-past-the-limit-all-the-same': (operation) => operation !== 'deleteDocument',
    'v1-webhook-replaced-past-the-limit-all-the-same': (operation) => operation !== 'replaceWebhook',
  },
});

const callerAddress = decision({
  rule: 'V1-LIM-10',
  honest: (address: string, _forwarded: string, _real: string) => address,
  lies: {
    'v1-rate-limit-by-forwarded-address': (address, forwarded) => forwarded || address,
    'v1-rate-limit-by-real-address': (address, _forwarded, real) => real || address,
  },
});

const owner = decision({
  rule: 'V1-LIM-03',
  honest: (address: string, _credential: string, _path: string) => address,
  lies: {
    'v1-rate-limit-by-token': (address, credential) => `${address} ${credential}`,
    'v1-rate-limit-of-documents-apart': (address, _credential, path) =>
      path.endsWith('/documents') ? `${address} documents` : address,
    'v1-rate-limit-of-webhooks-apart': (address, _credential, path) =>
      path.endsWith('/webhooks') ? `${address} webhooks` : address,
    'v1-rate-limit-by-path': (address, _credential, path) => `${address} ${path}`,
    'v1-rate-limit-for-all-addresses': () => 'everybody',
  },
});

/** Whether a request counts. */
const counts = decision({
  rule: 'V1-LIM-08',
  honest: (_operation: string | undefined) => true,
  lies: toldAtEach('v1-request-not-counted', (operation: string | undefined, at) => operation !== at),
});

/** How many requests one counts for that may have been processed before. */
export const repeatCosts = decision({
  rule: 'V1-LIM-08',
  honest: (_comesAgain: () => boolean) => 1,
  lies: { 'v1-repeated-creation-not-counted': (comesAgain) => (comesAgain() ? 0 : 1) },
});

/** How many seconds a window lasts. */
const duration = decision({
  rule: 'V1-LIM-02',
  honest: () => MINUTE,
  lies: { 'v1-rate-window-of-20-seconds': () => 20, 'v1-rate-window-of-30-seconds': () => 30 },
});

/** How many seconds a window lasts once a request has been refused in it. */
const recovery = decision({
  rule: 'V1-LIM-04',
  honest: () => MINUTE,
  lies: { 'v1-rate-limit-for-two-minutes': () => 2 * MINUTE, 'v1-rate-limit-for-good': () => Number.POSITIVE_INFINITY },
});

const left = decision({
  rule: 'V1-LIM-08',
  honest: (used: number) => Math.max(0, MOST - used),
  lies: {
    'v1-remaining-stays': () => MOST - 1,
    'v1-remaining-stays-at-100': (used) => Math.max(100, MOST - used),
    'v1-remaining-rises': (used) => Math.min(MOST, used),
    'v1-remaining-falls-every-other-request': (used) => Math.max(0, MOST - 2 * Math.ceil(used / 2)),
  },
});

/** Counts requests by client address in fixed windows of a minute, the first opened by the first request. */
export class RateLimiter {
  readonly #clock: VirtualClock;
  readonly #byTheClock: boolean;
  readonly #windows = new Map<string, Window>();

  /** @param byTheClock whether windows open with the minutes of the clock instead of with the first request */
  constructor(clock: VirtualClock, byTheClock = false) {
    this.#clock = clock;
    this.#byTheClock = byTheClock;
  }

  /** Counts one request. */
  countRequest(
    activeLies: ActiveLies,
    address: string,
    forwarded: string,
    real: string,
    credential: string,
    path: string,
    operation: string | undefined,
  ): RateAllowance {
    const now = this.#clock.now();
    const key = owner(activeLies, callerAddress(activeLies, address, forwarded, real), credential, path);
    let window = this.#windows.get(key);
    if (window === undefined || this.#closed(activeLies, window, now)) {
      if (this.#windows.size > 10_000) this.#forget(activeLies, now);
      const opened = this.#byTheClock ? now - (now % (MINUTE * 1000)) : now;
      const wasRefused = window?.refused ?? false;
      window = { opened, used: 0, usedAt: new Map(), refused: false, opener: credential, wasRefused };
      this.#windows.set(key, window);
    }
    if (counts(activeLies, operation)) window.used += 1;
    const usedThere = (window.usedAt.get(path) ?? 0) + 1;
    window.usedAt.set(path, usedThere);
    const allowed =
      served(activeLies, window.used, window.wasRefused, path, usedThere) ||
      !(window.used <= MOST || refused(activeLies, window.used, path, credential === window.opener));
    if (!allowed) window.refused = true;
    const counting = window;
    const allowance = (): RateAllowance => ({
      allowed,
      remaining: left(activeLies, counting.used),
      takeBack() {
        counting.used -= 1;
        return allowance();
      },
    });
    return allowance();
  }

  /** Opens a new window for everybody. */
  reset(): void {
    this.#windows.clear();
  }

  #closed(activeLies: ActiveLies, window: Window, now: number): boolean {
    const seconds = Math.min(
      window.refused ? recovery(activeLies) : MINUTE,
      duration(activeLies) < MINUTE ? duration(activeLies) : Number.POSITIVE_INFINITY,
    );
    return now >= window.opened + seconds * 1000;
  }

  #forget(activeLies: ActiveLies, now: number): void {
    for (const [key, window] of this.#windows) if (this.#closed(activeLies, window, now)) this.#windows.delete(key);
  }
}
