import type { Api, Observation, Violation } from '#contract';
import type { Journal } from './journal.ts';
import type { Redactor } from './redact.ts';
import type { CheckLine, EffectLine, ExchangeLine, LearnedLine, Line, Message, Redacted } from './types.ts';

/** An exchange as it happened, before redaction. */
export interface Happened {
  readonly api: Api;
  readonly direction: ExchangeLine['direction'];
  readonly operation?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly duration: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body?: Uint8Array | undefined;
  };
  readonly response?:
    | {
        readonly status: number;
        readonly headers: readonly (readonly [string, string])[];
        readonly body: Uint8Array;
        readonly cut?: boolean;
      }
    | undefined;
  readonly failure?: string | undefined;
  readonly violations: readonly Violation[];
}

const KEPT = 64 * 1024;

/** Records what one check did: redacts it and appends it to the journal, when there is one. */
export class Recorder {
  readonly check: string;
  /** Exchanges so far. */
  count = 0;
  /** Violations so far, with the exchange that shows each. */
  readonly violations: (Violation & { exchange: string })[] = [];
  readonly #journal: Journal | undefined;
  readonly #whole: boolean;
  readonly #redactor: Redactor;
  static readonly #seen = new WeakMap<Journal, Set<string>>();
  #state = new Map<string, string>();

  /**
   * @param check id of the check
   * @param journal absent: nothing is written (a single check run by hand)
   * @param whole false: only what became of the check is written (a proof runs a check hundreds of times)
   */
  constructor(check: string, redactor: Redactor, journal?: Journal, whole = true) {
    this.#whole = whole;
    this.check = check;
    this.#redactor = redactor;
    this.#journal = journal;
  }

  /** Records one exchange and what it taught; returns the exchange's id. */
  exchange(happened: Happened, observations: readonly Observation[] = []): string {
    this.count += 1;
    const id = `${this.check}.${this.count}`;
    const { request, response } = happened;
    const text = request.body === undefined ? '' : decode(request.body);
    const holdsCard = this.#redactor.text(text) !== text || /"(?:cardNumber|pan)"/i.test(text);
    const violations = happened.violations.map((one) => ({ ...one, actual: this.#redactor.text(one.actual) }));
    for (const one of violations) this.violations.push({ ...one, exchange: id });
    const url = this.#redactor.url(request.url);
    const line: ExchangeLine = {
      kind: 'exchange',
      id,
      check: this.check,
      api: happened.api,
      direction: happened.direction,
      ...(happened.operation === undefined ? {} : { operation: happened.operation }),
      at: new Date(happened.at).toISOString(),
      duration: Math.round(happened.duration * 10) / 10,
      request: { method: request.method, url, ...this.#message(request.headers, request.body, holdsCard) },
      ...(response === undefined
        ? {}
        : {
            response: {
              status: response.status,
              ...this.#message(response.headers, response.body, holdsCard, response.cut),
            },
          }),
      ...(happened.failure === undefined ? {} : { failure: this.#redactor.text(happened.failure) }),
      violations,
      redactions: 0,
    };
    const redactions = JSON.stringify(line).split(/\[redacted\]|\d{6}\*{6}\d{4}/).length - 1;
    this.#write({ ...line, redactions });
    for (const { hole, where, what } of observations) {
      this.#once({ kind: 'learned', hole, exchange: id, where, what: this.#redactor.text(what) });
    }
    return id;
  }

  /** Records the state an order was seen in; a change of state becomes a transition. */
  state(order: string, state: string, via: string): void {
    const from = this.#state.get(order) ?? 'new';
    this.#state.set(order, state);
    if (from !== state)
      this.#write({ kind: 'transition', from, to: state, via, exchange: `${this.check}.${this.count}` });
  }

  /** Records something created at the target. */
  effect(effect: Omit<EffectLine, 'kind' | 'check'>): void {
    this.#write({ kind: 'effect', check: this.check, ...effect });
  }

  /** Records what became of the check. */
  finish(line: Omit<CheckLine, 'kind' | 'id' | 'exchanges'>): void {
    this.#write({ kind: 'check', id: this.check, exchanges: this.count, ...line });
  }

  /** The text with every secret taken out. */
  redact(text: string): string {
    return this.#redactor.text(text);
  }

  #message(
    headers: readonly (readonly [string, string])[],
    body: Uint8Array | undefined,
    holdsCard: boolean,
    cut = false,
  ): Message {
    const size = body?.byteLength ?? 0;
    return {
      headers: headers.map(([name, value]) => [name, this.#redactor.header(name, value, holdsCard)] as const),
      ...(size === 0 ? {} : { body: this.#redactor.body(decode(body!.subarray(0, KEPT)), holdsCard) }),
      size,
      ...(size > KEPT || cut ? { cut: true as const } : {}),
    };
  }

  #once(line: LearnedLine): void {
    if (this.#journal === undefined) return;
    const seen = Recorder.#seen.get(this.#journal) ?? new Set<string>();
    Recorder.#seen.set(this.#journal, seen);
    const key = `${line.hole} ${line.where} ${line.what}`;
    if (seen.has(key)) return;
    seen.add(key);
    this.#write(line);
  }

  #write(line: Line): void {
    if (!this.#whole && line.kind !== 'check') return;
    this.#journal?.write(line as Redacted<Line>);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}
