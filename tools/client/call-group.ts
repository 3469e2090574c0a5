import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallTicket } from './rate-budget.ts';

const beforehand = new AsyncLocalStorage<true>();

/** Finds out what calls have to know before they can leave: the requests that it takes wait for no call of a group, for those wait for them. */
export function findBeforehand<Found>(find: () => Promise<Found>): Promise<Found> {
  return beforehand.run(true, find);
}

/** Whether a request only finds something out for others. */
export const isBeforehand = (): boolean => beforehand.getStore() === true;

/** Calls to one host that leave at the same moment: when each is ready, or has come to nothing. */
export class CallGroup {
  readonly host: string;
  readonly #tickets: CallTicket[];
  readonly #departure: Promise<void>;
  #depart = () => {};
  #awaited: number;

  /** @param tickets one for each call, of a rate budget that has room for all of them */
  constructor(host: string, tickets: readonly CallTicket[]) {
    this.host = host;
    this.#tickets = [...tickets];
    this.#awaited = tickets.length;
    this.#departure = new Promise((depart) => {
      this.#depart = depart;
    });
  }

  /** Waits with a call that is ready for the others. @returns its ticket; undefined for one call more than there are tickets */
  async join(): Promise<CallTicket | undefined> {
    const ticket = this.#tickets.shift();
    if (ticket === undefined) return undefined;
    this.noteReady();
    await this.#departure;
    return ticket;
  }

  /** Takes note of a call that the others need not wait for any more. */
  noteReady(): void {
    this.#awaited -= 1;
    if (this.#awaited <= 0) this.#depart();
  }

  /** Tickets that no call used. */
  get unused(): readonly CallTicket[] {
    return this.#tickets;
  }
}
