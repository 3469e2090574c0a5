import { setTimeout as wait } from 'node:timers/promises';
import { RATE_WINDOW, readRateHeaders } from '#evidence';
import { UnarrangedError } from './failures.ts';
import { openSharedTally, type SharedTally } from './shared-tally.ts';
import type { TargetTime } from './target-time.ts';

const RESERVE = 5;
/** Seconds after which a window is looked at again that leaves little although it was waited for: one that slides, or ends with a minute. */
const SOON = 5;
/** Windows in a row, without a call left in any, after which no further one is waited for. */
const DRY_WINDOWS = 3;
/** Milliseconds for the first call of a window to say how many follow it; then another one asks. */
const TRIAL = 15_000;
/** Milliseconds between two looks whether it has. */
const LOOK = 20;

/** A call that was let through. */
export interface CallTicket {
  /** Calls let through before it. */
  readonly serial: number;
  /** Calls under way when it was let through: whether an answer to this one counts them, nobody can tell. */
  readonly before: number;
}

interface State {
  /** Calls that are left in this window for sure, less those under way; null while nothing is known of it. */
  readonly left: number | null;
  readonly limit: number | null;
  /** Whether an answer came and announced nothing, nor did any before it. */
  readonly isSilent: boolean;
  /** Calls let through, and those among them whose answers have not come. */
  readonly issued: number;
  readonly under: number;
  /** When the window was first seen: it began then or before. Unix milliseconds. */
  readonly opened: number;
  /** When the call was let through that tells what a new window holds; 0: none is under way. */
  readonly trial: number;
  /** Answers in a row that left nothing, each after a wait. */
  readonly dry: number;
  /** Until when nobody calls, Unix milliseconds; 0: no pause. */
  readonly until: number;
}

const UNKNOWN: State = {
  left: null,
  limit: null,
  isSilent: false,
  issued: 0,
  under: 0,
  opened: 0,
  trial: 0,
  dry: 0,
  until: 0,
};

/** Where the budget's own time comes from, in milliseconds. */
export interface BudgetClock {
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

const REAL: BudgetClock = { now: Date.now, wait: (milliseconds) => wait(milliseconds) };

/**
 * Keeps below the rate limit that an address announces, for all workers together: stops before the last few calls are spent and
 * waits for the next window, whose first call goes alone and tells how many may follow. Where nothing is announced nothing is held back.
 */
export class RateBudget {
  readonly #time: TargetTime;
  readonly #folder: string | undefined;
  readonly #sharers: number;
  readonly #clock: BudgetClock;
  readonly #states = new Map<string, SharedTally<State>>();
  /** Calls that were left when a window was passed by a lever nobody has seen work; absent: no such doubt. */
  readonly #doubts = new Map<string, number>();

  /**
   * @param folder where workers share; absent: this worker has the address to itself
   * @param sharers how many machines call it; each leaves the others their last few calls
   */
  constructor(time: TargetTime, folder?: string, sharers = 1, clock: BudgetClock = REAL) {
    this.#time = time;
    this.#folder = folder;
    this.#sharers = sharers;
    this.#clock = clock;
  }

  /** Waits until a call to this host can be made without passing its limit. @throws Unarranged when that never comes */
  async awaitCall(host: string): Promise<CallTicket> {
    const [ticket] = (await this.#awaitTickets(host, 1))!;
    return ticket!;
  }

  /**
   * Waits until so many calls to this host can be made at the same moment.
   * @returns undefined while nobody knows how many it holds: a call by itself will tell
   * @throws Unarranged when that never comes, or its limit is too low for them
   */
  awaitCalls(host: string, count: number): Promise<readonly CallTicket[] | undefined> {
    return this.#awaitTickets(host, count);
  }

  async #awaitTickets(host: string, count: number): Promise<readonly CallTicket[] | undefined> {
    for (;;) {
      const answer = await this.#at(host).update((was) => requestCalls(was, this.#clock.now(), this.#sharers, count));
      if (answer.tickets !== undefined) return answer.tickets;
      if (answer.pause === 'never')
        throw new UnarrangedError(
          `${host} announced for ${DRY_WINDOWS} windows in a row that no call is left (X-RateLimit-Remaining, or 429); no more are waited for. Is it a limit that goes by the clock which control.advance moves?`,
        );
      if (answer.pause === 'low')
        throw new UnarrangedError(`${host} announces a limit that is too low for ${count} calls at the same moment`);
      if (answer.pause === 'unknown') return undefined;
      if (answer.pause === 'trial') await this.#clock.wait(LOOK);
      else await this.#passWindow(host, answer.pause);
    }
  }

  /** Counts a call that waits for nothing: a check about the limit itself may pass it. */
  takeCall(host: string): Promise<CallTicket> {
    return this.#at(host).update((was) => issueCall(was));
  }

  async #passWindow(host: string, milliseconds: number): Promise<void> {
    const lever = this.#time.lever('limits');
    await this.#time.sleep(milliseconds / 1000, 'limits');
    // A clock that is moved has its window behind it, whatever ours says.
    if (lever === 'stands') return;
    const left = await this.#at(host).update((now) => ({ next: renewWindow(now), result: now.left }));
    if (lever === 'unknown' && left !== null) this.#doubts.set(host, left);
  }

  /**
   * Takes note of an answer, or of its absence.
   * @param ticket of the call, where {@link awaitCall} let it through or {@link takeCall} counted it
   * @param isMetered whether it was waited for
   */
  async noteAnswer(
    host: string,
    ticket: CallTicket | undefined,
    answer?: { readonly status: number; readonly headers: ReadonlyMap<string, string> },
    isMetered = ticket !== undefined,
  ): Promise<void> {
    const { limit: announced, left } = readRateHeaders(answer?.headers ?? []);
    this.#settleDoubt(host, answer?.status === 429 ? undefined : left);
    await this.#at(host).update((was) => {
      const time = this.#clock.now();
      const waited = isMetered ? 1 : 0;
      const now = { ...was, under: Math.max(0, was.under - (ticket === undefined ? 0 : 1)), trial: 0 };
      if (answer?.status === 429) {
        const asked = Number(answer.headers.get('retry-after'));
        const seconds = Math.min(Math.max(RATE_WINDOW, Number.isFinite(asked) ? asked : 0), 2 * RATE_WINDOW);
        return { next: { ...now, dry: now.dry + waited, left: 0, until: time + seconds * 1000 }, result: undefined };
      }
      const limit = announced ?? now.limit;
      const dry = left !== 0 ? 0 : now.dry + waited;
      if (left === undefined) {
        const isSilent = now.isSilent || (answer !== undefined && now.left === null && limit === null);
        return { next: { ...now, limit, dry, isSilent }, result: undefined };
      }
      // Answers overtake each other: what may not be counted in this one is taken off.
      const rest = left - (ticket === undefined ? now.under : now.issued - ticket.serial - 1 + ticket.before);
      const isNew = now.left === null || rest > now.left + (limit ?? left) / 10;
      const isSpent = now.left === null && left > 0 && rest < (limit ?? 0) / 20;
      const since = isSpent ? time - (RATE_WINDOW - SOON) * 1000 : time;
      const next = { ...now, limit, dry, left: rest, isSilent: false, opened: isNew ? since : now.opened };
      return { next, result: undefined };
    });
  }

  /** A window that goes on after it was passed was not: from then on it is waited for. */
  #settleDoubt(host: string, left: number | undefined): void {
    const doubt = this.#doubts.get(host);
    if (doubt === undefined || left === undefined) return;
    this.#doubts.delete(host);
    this.#time.noteLever('limits', left > doubt ? 'moves' : 'stands');
  }

  #at(host: string): SharedTally<State> {
    const there = this.#states.get(host);
    if (there !== undefined) return there;
    const made = openSharedTally<State>(this.#folder, `budget ${host}`, UNKNOWN);
    this.#states.set(host, made);
    return made;
  }
}

/**
 * What becomes of calls: they are let through, or have to wait (milliseconds, or for the one that goes first); several of which nobody knows
 * whether a window holds them wait for one by itself, and for ever where no window does.
 */
type CallAnswer =
  | { readonly tickets: readonly CallTicket[]; readonly pause?: never }
  | { readonly tickets?: never; readonly pause: number | 'never' | 'low' | 'trial' | 'unknown' };

/** So many calls more, or how long to wait first. */
function requestCalls(was: State, time: number, sharers: number, count: number): { next: State; result: CallAnswer } {
  if (was.dry > DRY_WINDOWS) return { next: was, result: { pause: 'never' } };
  const now = was.until !== 0 && was.until <= time ? renewWindow(was) : was;
  if (now.until > time) return { next: now, result: { pause: now.until - time } };
  const reserve = now.limit === null ? RESERVE : Math.max(1, Math.min(RESERVE, Math.floor(now.limit / 20)));
  const least = reserve * sharers + count;
  // The first call of a window goes by itself.
  if (count > 1 && now.limit !== null && now.limit - 1 < least) return { next: now, result: { pause: 'low' } };
  if (now.left !== null && now.left < least) {
    // A window is no longer than a minute; one that slides opens again bit by bit.
    const end = now.opened + RATE_WINDOW * 1000;
    const until = end > time ? end : time + RATE_WINDOW * 1000;
    return { next: { ...now, until }, result: { pause: until - time } };
  }
  const isTrial = now.left === null && !now.isSilent;
  if (isTrial && now.trial !== 0 && time - now.trial < TRIAL) return { next: now, result: { pause: 'trial' } };
  if (isTrial && count > 1) return { next: now, result: { pause: 'unknown' } };
  const tickets: CallTicket[] = [];
  let next: State = { ...now, trial: isTrial ? time : 0 };
  for (let i = 0; i < count; i += 1) {
    const issued = issueCall(next);
    next = issued.next;
    tickets.push(issued.result);
  }
  return { next, result: { tickets } };
}

function issueCall(now: State): { next: State; result: CallTicket } {
  const ticket = { serial: now.issued, before: now.under };
  const left = now.left === null ? null : now.left - 1;
  return { next: { ...now, issued: now.issued + 1, under: now.under + 1, left }, result: ticket };
}

function renewWindow(now: State): State {
  return { ...now, left: null, until: 0, trial: 0 };
}
