import { createHash } from 'node:crypto';
import type { Api, HoleObservation, TracedMessage, Violation } from '#contract';
import { Trouble } from '#trouble';
import { JOURNAL, type Journal } from './journal.ts';
import { MASK, type Redactor } from './redact.ts';
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
  /** Exchanges with the service that it answered; what it sends us by itself is no answer. */
  answered = 0;
  /** Places of the specs that answers and events met so far. */
  readonly placesMet = new Set<string>();
  /** What could not be done of the check, and of which rule when not of all. */
  readonly partsLeftOut: { readonly text: string; readonly rule?: string }[] = [];
  /** Violations so far, with the exchange that shows each. */
  readonly violations: (Violation & { exchange: string })[] = [];
  readonly #journal: Journal | undefined;
  readonly #whole: boolean;
  readonly #redactor: Redactor;
  static readonly #seen = new WeakMap<Journal, Set<string>>();
  readonly #hashes = new Set<string>();
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

  /** Records one exchange, what it taught and what of the spec it met; returns the exchange's id. */
  exchange(
    happened: Happened,
    observations: readonly HoleObservation[] = [],
    traces: readonly TracedMessage[] = [],
  ): string {
    this.count += 1;
    const id = `${this.check}.${this.count}`;
    const { request, response } = happened;
    if (response !== undefined && happened.direction !== 'in') this.answered += 1;
    for (const { side, at } of traces) if (side !== 'request') for (const place of at) this.placesMet.add(place);
    const text = request.body === undefined ? '' : decode(request.body);
    const answered = response === undefined ? '' : decode(response.body);
    const holdsCard = this.#redactor.holdsCard(text) || this.#redactor.holdsCard(answered);
    if (holdsCard) this.#hideHashes(request.headers, request.body);
    const violations = happened.violations.map((one) => ({
      ...one,
      where: this.redact(one.where),
      expected: this.redact(one.expected),
      actual: this.redact(one.actual),
    }));
    for (const one of violations) this.violations.push({ ...one, exchange: id });
    const url = this.#hide(this.#redactor.url(request.url));
    const line: ExchangeLine = {
      kind: 'exchange',
      id,
      check: this.check,
      api: happened.api,
      direction: happened.direction,
      ...(happened.operation === undefined ? {} : { operation: happened.operation }),
      at: new Date(happened.at).toISOString(),
      duration: Math.round(happened.duration * 10) / 10,
      request: { method: this.redact(request.method), url, ...this.#message(request.headers, request.body, holdsCard) },
      ...(response === undefined
        ? {}
        : {
            response: {
              status: response.status,
              ...this.#message(response.headers, response.body, holdsCard, response.cut),
            },
          }),
      ...(happened.failure === undefined ? {} : { failure: this.redact(happened.failure) }),
      violations,
      redactions: 0,
    };
    const redactions = JSON.stringify(line).split(/\[redacted\]|\d{6}\*{6}\d{4}/).length - 1;
    this.#write({ ...line, redactions });
    if (this.#whole) for (const one of traces) this.#journal?.note(one, id);
    for (const one of observations) this.learn(one, id);
    return id;
  }

  /** Records what was seen in a hole; of its own the contract sees single answers only, a check compares several. */
  learn({ hole, where, what }: HoleObservation, exchange = `${this.check}.${this.count}`): void {
    this.#once({ kind: 'learned', hole, exchange, where: this.redact(where), what: this.redact(what) });
  }

  /**
   * Records the state an order was seen in. A change of state becomes a transition, and so does an operation that left the state
   * as it was; that a mere look (`status`) found it unchanged does not.
   */
  state(order: string, state: string, via: string): void {
    const from = this.#state.get(order) ?? 'new';
    this.#state.set(order, state);
    if (from !== state || via !== 'status')
      this.#write({ kind: 'transition', from, to: state, via, exchange: `${this.check}.${this.count}` });
  }

  /** Records something created at the target. An id of digits may look like a card number: then it is cut like one. */
  effect(effect: Omit<EffectLine, 'kind' | 'check'>): void {
    this.#write({ kind: 'effect', check: this.check, ...effect, id: this.redact(effect.id) });
  }

  /** Notes that part of the check could not be done: what could is then no pass. */
  leaveOut(text: string, rule?: string): void {
    this.partsLeftOut.push({ text: this.redact(text), ...(rule === undefined ? {} : { rule }) });
  }

  /** Records what became of the check. */
  finish(line: Omit<CheckLine, 'kind' | 'id' | 'exchanges'>): void {
    this.#write({ kind: 'check', id: this.check, exchanges: this.count, ...line });
  }

  /** The text with every secret taken out. */
  redact(text: string): string {
    return this.#hide(this.#redactor.text(text));
  }

  /** A hash of a body that holds a card number, and a signature over it, give the number back: from now on neither stays. */
  #hideHashes(headers: readonly (readonly [string, string])[], body: Uint8Array | undefined): void {
    const hash = createHash('sha256').update(body ?? '');
    const digest = hash.digest();
    const signed = headers.flatMap(([, value]) =>
      [...value.matchAll(/oauth_signature="?([^",]+)/g)].map(([, one]) => one!),
    );
    for (const value of [digest.toString('base64'), ...signed.map(plain)]) {
      const bare = value.replace(/=+$/, '');
      for (const form of [
        value,
        encodeURIComponent(value),
        bare,
        bare.replaceAll('+', '-').replaceAll('/', '_'),
        encodeURIComponent(bare),
      ])
        for (const one of [form, encodeURIComponent(form), encodeURIComponent(encodeURIComponent(form))])
          this.#hashes.add(one);
    }
    this.#hashes.add(digest.toString('hex'));
  }

  #hide(text: string): string {
    let out = text;
    for (const hash of this.#hashes) if (out.includes(hash)) out = out.replaceAll(hash, MASK);
    return out;
  }

  #message(
    headers: readonly (readonly [string, string])[],
    body: Uint8Array | undefined,
    holdsCard: boolean,
    cut = false,
  ): Message {
    const size = body?.byteLength ?? 0;
    return {
      headers: headers.map(
        ([name, value]) => [this.redact(name), this.#hide(this.#redactor.header(name, value, holdsCard))] as const,
      ),
      // Redacted before it is cut: half a card number is no card number to look at, and still half a secret.
      ...(size === 0 ? {} : { body: this.#hide(this.#redactor.body(decode(body!), holdsCard)).slice(0, KEPT) }),
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
    if (this.#journal === undefined || (!this.#whole && line.kind !== 'check')) return;
    const kinds = this.#redactor.leaks(JSON.stringify(line));
    if (kinds.length > 0)
      throw new Trouble('incomplete', `a line of ${JOURNAL} is withheld: it holds ${kinds.join(' and ')}`, {
        reason: `a ${line.kind} of check ${this.check} was redacted and still holds it`,
        fix: 'name the member in the target file, or report what kind of text it was',
      });
    this.#journal.write(line as Redacted<Line>);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
