import { setTimeout as wait } from 'node:timers/promises';
import { type ApiReply, parseJsonText, type TargetTime } from '#client';
import type { Target } from '#target';
import { pollTarget } from '../poll-target.ts';

/** What is made by one operation, and the list that shows it. */
const LIST_OF: Readonly<Record<string, DelayedList>> = {
  createTransaction: 'listTransactions',
  uploadDocument: 'listDocuments',
  deleteDocument: 'listDocuments',
};

type DelayedList = 'listTransactions' | 'listDocuments';

/** What was sent, and came of it. */
interface Done {
  readonly operation: string;
  /** The accounts that it named. */
  readonly accounts: readonly string[];
  readonly body: unknown;
  readonly reply: ApiReply;
}

/** By how many seconds of the service's clock a list is late at most, as far as was seen: none but for a service that writes its lists later. */
interface Delay {
  readonly delay: number;
  /** Milliseconds of real time that went by meanwhile: what writes the list may keep to that, whatever clock is moved. */
  readonly real: number;
}

/** How often it was looked at how late a list is, and what came of it. */
interface Lateness extends Delay {
  readonly looks: number;
}

/** What a list has not been asked about since: as it names it, and whether there is more that it does not tell by name. */
interface Changes {
  readonly names: readonly string[];
  readonly isMore: boolean;
}

const IN_TIME: Lateness = { looks: 0, delay: 0, real: 0 };

/** What is known of each list, by target. */
const lateness = new WeakMap<Target, Map<string, Lateness>>();
/** Looks until it is taken for sure that a list is not late: some may have come just in time. */
const LOOKS = 8;
/** For how many of these a look counts that was in vain. */
const IN_VAIN = 3;
/** Most entries that are waited for by name: the last ones, which are on the first page for sure. */
const MOST_NAMES = 20;

/** Lets lists catch up: that what was made is listed is promised, how soon is not, nor that it is equally soon each time. */
export class ListDelay {
  readonly #target: Target;
  readonly #time: TargetTime;
  /** What lists have not been asked about since, by list and account: as they name it, if they do. */
  readonly #changed = new Map<string, Changes>();
  /** What was ever made, by list, account and name: a name that comes again tells nothing. */
  readonly #made = new Set<string>();

  constructor(target: Target, time: TargetTime) {
    this.#target = target;
    this.#time = time;
  }

  /** Takes note of what a list is to show from now on, or is not: what was refused may come as late as anything else. */
  note({ operation, accounts, body, reply }: Done): void {
    const list = LIST_OF[operation];
    if (list === undefined) return;
    const isMade = reply.status < 300 && operation !== 'deleteDocument';
    const shown = list === 'listTransactions' ? parseJsonText(reply.text) : body;
    const [name] = namesOf(shown);
    const places = new Set(accounts.map((account) => keyOf(list, account)));
    for (const place of places) {
      // What was taken away is no longer waited for, whichever it was.
      const isTakenAway = reply.status < 300 && !isMade;
      const { names, isMore } = (isTakenAway ? undefined : this.#changed.get(place)) ?? { names: [], isMore: false };
      // In which of two accounts it is, nothing tells.
      const isNamed = isMade && name !== undefined && places.size === 1 && !this.#made.has(`${place} ${name}`);
      if (isNamed) this.#made.add(`${place} ${name}`);
      this.#changed.set(
        place,
        isNamed ? { names: [...names, name].slice(-MOST_NAMES), isMore } : { names, isMore: true },
      );
    }
  }

  /**
   * Waits, before a list is asked for, until it shows what came before. The first times it is looked at how long that takes; what never
   * comes is for a check of its own to say.
   * @param look asks for the newest entries
   */
  async wait(list: string, account: string, look: () => Promise<ApiReply>): Promise<void> {
    const changes = this.#changed.get(keyOf(list, account));
    if (changes === undefined) return;
    const { names, isMore } = changes;
    this.#changed.delete(keyOf(list, account));
    const known = lateness.get(this.#target) ?? new Map<string, Lateness>();
    lateness.set(this.#target, known);
    const { looks, delay, real } = known.get(list) ?? IN_TIME;
    if (delay > 0 && isMore) await Promise.all([this.#time.sleep(delay, 'records'), wait(real)]);
    if (names.length > 0 && (delay > 0 || looks < LOOKS)) {
      const { pollGap, pollLimit } = this.#target.manners;
      // Of a list that is known to be late, several times the longest it took is waited: what is late is so by another time each time.
      const most = delay > 0 ? Math.min(pollLimit, (4 * delay) / pollGap) : pollLimit;
      const seen = await this.#measure(names, look, most);
      known.set(list, {
        looks: looks + (seen === undefined ? IN_VAIN : 1),
        delay: Math.max(delay, seen?.delay ?? 0),
        real: Math.max(real, seen?.real ?? 0),
      });
    }
  }

  /** @returns undefined where it was looked in vain */
  async #measure(names: readonly string[], look: () => Promise<ApiReply>, most: number): Promise<Delay | undefined> {
    const began = performance.now();
    const manners = { ...this.#target.manners, pollLimit: most };
    const wasUnknown = this.#time.lever('records') === 'unknown';
    let polls = -1;
    const read = async () => {
      polls += 1;
      const reply = await look();
      // A list that may not be seen never shows it.
      if (reply.status >= 400 && reply.status < 500) return 'refused';
      const shown = listNames(parseJsonText(reply.text));
      return names.every((name) => shown.includes(name)) ? 'listed' : 'missing';
    };
    const isEnough = (one: string) => one !== 'missing';
    const last = await pollTarget(await read(), read, isEnough, { manners, time: this.#time });
    // What the lever did not bring, as many looks in real time did.
    const inVain = wasUnknown && this.#time.lever('records') === 'stands' ? most : 0;
    if (last !== 'listed') return undefined;
    if (polls === 0) return { delay: 0, real: 0 };
    // One more, for it may have been quick.
    const real = performance.now() - began;
    return { delay: (polls - inVain + 1) * manners.pollGap, real: real + real / polls };
  }
}

/** What an entry is called, in small letters: an entry that names another one, as a fee its transfer, is not that one. */
function namesOf(entry: unknown): readonly string[] {
  const { uuid, file_name } = Object(entry);
  return [uuid, file_name].filter((name) => typeof name === 'string').map((name) => name.toLowerCase());
}

function listNames(body: unknown): readonly string[] {
  const entries: unknown = Array.isArray(body) ? body : Object(body).transactions;
  return Array.isArray(entries) ? entries.flatMap(namesOf) : [];
}

/** Where it is kept what a list of an account is to show. */
function keyOf(list: string, account: string): string {
  return `${list} ${account.toLowerCase()}`;
}
