import type { ApiReply } from '#client';
import type { Target } from '#target';

/** Reads a card history answer, whose field names the documents do not show, through the target file. */
export class CardHistoryReader {
  readonly #names: Readonly<Record<string, string | undefined>>;

  constructor(target: Target) {
    this.#names = target.gateway?.wire.read.history ?? {};
  }

  /** The value a side of the history has; undefined when it is absent or the target file does not say where it is. */
  read(reply: ApiReply, side: 'deposits' | 'withdrawals', what: 'Found' | 'Days' | 'Score' | 'Several'): unknown {
    const pointer = this.#names[`${side}${what}`];
    return pointer === undefined ? undefined : reply.at(pointer);
  }

  /** Whether the value is there. */
  isPresent(reply: ApiReply, side: 'deposits' | 'withdrawals', what: 'Found' | 'Days' | 'Score' | 'Several'): boolean {
    return this.read(reply, side, what) !== undefined;
  }
}
