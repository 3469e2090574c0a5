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
  readonly body: unknown;
  readonly reply: ApiReply;
}

/** By how many seconds of the service's clock a list is late: none but for a service that writes its lists later. */
interface Delay {
  readonly delay: number;
  /** Milliseconds of real time that went by meanwhile: what writes the list may keep to that, whatever clock is moved. */
  readonly real: number;
}

/** How often it was looked at how late a list is, and what came of it. */
interface Lateness extends Delay {
  readonly looks: number;
}

/** What is known of each list, by target. */
const lateness = new WeakMap<Target, Map<string, Lateness>>();
/** Looks until it is taken for sure that a list is not late: one may have come just in time. */
const LOOKS = 3;

/** Lets lists catch up: that what was made is listed is promised, how soon is not. */
export class ListDelay {
  readonly #target: Target;
  readonly #time: TargetTime;
  /** What lists have not been asked about since: as they name it, if they do. */
  readonly #changed = new Map<string, string | undefined>();

  constructor(target: Target, time: TargetTime) {
    this.#target = target;
    this.#time = time;
  }

  /** Takes note of what a list is to show from now on, or is not: what was refused may come as late as anything else. */
  note({ operation, body, reply }: Done): void {
    const list = LIST_OF[operation];
    if (list === undefined) return;
    if (reply.status >= 300) {
      if (!this.#changed.has(list)) this.#changed.set(list, undefined);
      return;
    }
    const shown = list === 'listTransactions' ? parseJsonText(reply.text) : body;
    const { uuid, file_name } = (shown ?? {}) as Readonly<Record<string, unknown>>;
    const name = uuid ?? file_name;
    this.#changed.set(list, typeof name === 'string' ? name : undefined);
  }

  /**
   * Waits, before a list is asked for, until it shows what came before. The first times it is looked at how long that takes; what never
   * comes is for a check of its own to say.
   * @param look asks for the newest entries
   */
  async wait(list: string, look: () => Promise<ApiReply>): Promise<void> {
    if (!this.#changed.has(list)) return;
    const name = this.#changed.get(list);
    this.#changed.delete(list);
    const known = lateness.get(this.#target) ?? new Map<string, Lateness>();
    lateness.set(this.#target, known);
    const { looks, delay, real } = known.get(list) ?? { looks: 0, delay: 0, real: 0 };
    if (delay > 0) await Promise.all([this.#time.sleep(delay, 'records'), wait(real)]);
    else if (looks < LOOKS && name !== undefined)
      known.set(list, { looks: looks + 1, ...(await this.#measure(name, look)) });
  }

  async #measure(name: string, look: () => Promise<ApiReply>): Promise<Delay> {
    const began = performance.now();
    const { manners } = this.#target;
    const wasUnknown = this.#time.lever('records') === 'unknown';
    let polls = -1;
    const read = async () => {
      polls += 1;
      return JSON.stringify(parseJsonText((await look()).text) ?? null).includes(JSON.stringify(name));
    };
    const isListed = await pollTarget(await read(), read, Boolean, { manners, time: this.#time });
    // What the lever did not bring, as many looks in real time did.
    const inVain = wasUnknown && this.#time.lever('records') === 'stands' ? manners.pollLimit : 0;
    // One more, for it may have been quick.
    if (!isListed || polls === 0) return { delay: 0, real: 0 };
    const real = performance.now() - began;
    return { delay: (polls - inVain + 1) * manners.pollGap, real: real + real / polls };
  }
}
