import type { Api, HoleObservation, TracedMessage, Violation } from '#contract';
import { Trouble } from '#trouble';
import { MASKED_CARD } from './card-number.ts';
import { JOURNAL, type JournalWriter } from './journal.ts';
import { LessonBook } from './lesson-book.ts';
import { MASK } from './mask.ts';
import { coverPicture, type PictureBox, type PictureFacts } from './picture.ts';
import type { Redactor } from './redact.ts';
import type { CheckLine, EffectLine, ExchangeLine, Line, Message, PictureLine, Redacted } from './types.ts';

/** An exchange as it happened, before redaction. */
export interface ExchangeAsSent {
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
  /** What it counts against the cap on money. */
  readonly paid?: number | undefined;
}

/** A page as a browser shows it, before anything of it is covered. */
export interface PageAsSeen {
  /** Which page it is, in words. */
  readonly page: string;
  /** What is painted over, in pixels of the picture. */
  readonly covers: readonly PictureBox[];
  /** What can be read there, fields apart. */
  readonly text: string;
  /** What tells it from pages that look otherwise once they are covered. */
  readonly looks: string;
  /** Takes the picture; undefined when the page is no more what it was. */
  readonly take: () => Promise<Uint8Array | undefined>;
}

const KEPT = 64 * 1024;
const MASKED_CARDS = new RegExp(MASKED_CARD, 'g');
/** What one answer may teach about one hole, and how long a note of it may be. */
const LESSONS = 50;
const LONGEST = 400;
/** Characters of any text of a line but a body: a service may put megabytes into a state, an id or a member's name. */
const LONGEST_TEXT = 16 * 1024;
/** Pictures that one worker takes. */
const MOST_PICTURES = 12;

/** Records what one check did: redacts it and appends it to the journal, when there is one. */
export class Recorder {
  readonly check: string;
  /** Exchanges so far. */
  count: number;
  /** Requests of the check to the service, and those that it answered; what it sends us by itself is neither. */
  asked = 0;
  answered = 0;
  /** Places of the specs that answers and events met so far. */
  readonly placesMet = new Set<string>();
  /** What could not be done of the check, and of which rule when not of all. */
  readonly partsLeftOut: { readonly text: string; readonly rule?: string }[] = [];
  /** Violations so far, with the exchange that shows each. */
  readonly violations: (Violation & { exchange: string })[] = [];
  readonly #journal: JournalWriter | undefined;
  readonly #whole: boolean;
  readonly #redactor: Redactor;
  static readonly #pictures = new WeakMap<JournalWriter, Map<string, PictureFacts>>();
  #state = new Map<string, string>();

  /**
   * @param check id of the check
   * @param journal absent: nothing is written (a single check run by hand)
   * @param count exchanges that are on record of the check already, from before the run was continued
   * @param whole false: only what became of the check is written (a proof runs a check hundreds of times)
   */
  constructor(check: string, redactor: Redactor, journal?: JournalWriter, whole = true, count = 0) {
    this.count = count;
    this.#whole = whole;
    this.check = check;
    this.#redactor = redactor;
    this.#journal = journal;
  }

  /** Records one exchange, what it taught and what of the spec it met; returns the exchange's id. */
  exchange(
    happened: ExchangeAsSent,
    observations: readonly HoleObservation[] = [],
    traces: readonly TracedMessage[] = [],
  ): string {
    this.count += 1;
    const id = `${this.check}.${this.count}`;
    const { request, response } = happened;
    if (happened.direction !== 'in') {
      this.asked += 1;
      if (response !== undefined) this.answered += 1;
    }
    for (const { side, at } of traces) if (side !== 'request') for (const place of at) this.placesMet.add(place);
    const asked = this.#windowOf(request.body);
    const answered = this.#windowOf(response?.body);
    const sentCard = this.#redactor.holdsCard(asked);
    const holdsCard = sentCard || this.#redactor.holdsCard(answered);
    if (sentCard || this.#redactor.holdsCard(request.url))
      this.#redactor.learnRequest(
        `${asked}\n${request.url}`,
        request.body ?? new Uint8Array(),
        signaturesIn(request.headers),
      );
    const violations = happened.violations.map((one) => ({
      ...one,
      where: this.redact(one.where),
      expected: this.redact(one.expected),
      actual: this.redact(one.actual),
    }));
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
      request: {
        method: this.redact(request.method),
        url,
        ...this.#message(request.headers, asked, request.body, holdsCard),
      },
      ...(response === undefined
        ? {}
        : {
            response: {
              status: response.status,
              ...this.#message(response.headers, answered, response.body, holdsCard, response.cut),
            },
          }),
      ...(happened.failure === undefined ? {} : { failure: this.redact(happened.failure) }),
      violations,
      ...(happened.paid === undefined ? {} : { paid: happened.paid }),
      redactions: 0,
    };
    if (this.#journal === undefined || !this.#whole) return id;
    const text = JSON.stringify(line);
    const redactions = countRedactions(text);
    // The last member of the line.
    const counted = redactions === 0 ? text : `${text.slice(0, -'0}'.length)}${redactions}}`;
    this.#write(redactions === 0 ? line : { ...line, redactions }, counted);
    for (const one of traces) this.#journal.note(one, id);
    for (const one of capped(observations)) this.learn(one, id);
    return id;
  }

  /** Records what was seen in a hole; of its own the contract sees single answers only, a check compares several. */
  learn({ hole, where, what }: HoleObservation, exchange = `${this.check}.${this.count}`): void {
    if (this.#journal === undefined || !this.#whole) return;
    const book = LessonBook.of(this.#journal);
    // Nearly all of it came before, and redacting it anew would cost more than judging the answer did.
    if (!book.isNews({ hole, where, what })) return;
    const line = book.admit({ kind: 'learned', hole, exchange, where: this.#short(where), what: this.#short(what) });
    if (line !== undefined) this.#write(line);
  }

  /**
   * Records the state an order was seen in. A change of state becomes a transition, and so does an operation that left the state
   * as it was; that a mere look (`status`) found it unchanged does not.
   */
  state(order: string, state: string, via: string): void {
    const shown = this.#short(state);
    const from = this.#state.get(order) ?? 'new';
    this.#state.set(order, shown);
    if (from !== shown || via !== 'status')
      this.#write({ kind: 'transition', from, to: shown, via, exchange: `${this.check}.${this.count}` });
  }

  /** Records something created at the target. An id of digits may look like a card number: then it is cut like one. Of a stored card only the end is shown. */
  effect(effect: Omit<EffectLine, 'kind' | 'check'>): void {
    // A stored card is as good as the card to whoever has a token.
    const id = effect.what === 'card' ? `******${effect.id.slice(-4)}` : this.#short(effect.id);
    this.#write({ kind: 'effect', check: this.check, ...effect, id });
  }

  /**
   * Records what a page looks like, covered; one that looks like an earlier one is named and not taken again. Where a card number or
   * another secret can be read, no picture is taken at all.
   * @returns whether there is a picture
   */
  async picture({ page, covers, text, looks, take }: PageAsSeen): Promise<boolean> {
    if (this.#journal === undefined || !this.#whole || this.#redactor.leaks(text).length > 0) return false;
    const taken = Recorder.#pictures.get(this.#journal) ?? new Map<string, PictureFacts>();
    Recorder.#pictures.set(this.#journal, taken);
    const known = taken.get(looks);
    if (known === undefined && taken.size >= MOST_PICTURES) return false;
    const png = known === undefined ? await take() : undefined;
    const covered = png && coverPicture(png, covers);
    if (known === undefined && covered === undefined) return false;
    const { sha256, width, height } = known ?? covered!;
    taken.set(looks, { sha256, width, height });
    const line: PictureLine = {
      kind: 'picture',
      check: this.check,
      exchange: `${this.check}.${this.count}`,
      page: this.#short(page),
      width,
      height,
      sha256,
    };
    // Only the words are looked through: what the pixels showed is covered, and their bytes say nothing.
    this.#write(line, undefined, covered && { png: covered.png.toString('base64') });
    return true;
  }

  /** Notes that part of the check could not be done: what could is then no pass. */
  leaveOut(text: string, rule?: string): void {
    this.partsLeftOut.push({ text: this.redact(text), ...(rule === undefined ? {} : { rule }) });
  }

  /** Records what became of the check. */
  finish(line: Omit<CheckLine, 'kind' | 'id' | 'exchanges'>): void {
    this.#write({ kind: 'check', id: this.check, exchanges: this.count, ...line });
  }

  /** The text with every secret taken out; of a text that no line has room for, its beginning. */
  redact(text: string): string {
    // Cut before it is redacted: whoever answers with megabytes must not hold up the run.
    const kept = this.#redactor.window(text, 4 * LONGEST_TEXT);
    const shown = this.#redactor.text(kept);
    return kept.length < text.length && shown.length <= LONGEST_TEXT ? `${shown}…` : shown;
  }

  #message(
    headers: readonly (readonly [string, string])[],
    text: string,
    body: Uint8Array | undefined,
    holdsCard: boolean,
    cut = false,
  ): Message {
    const size = body?.byteLength ?? 0;
    return {
      headers: headers.map(
        ([name, value]) => [this.redact(name), this.#redactor.header(name, value, holdsCard)] as const,
      ),
      ...(size === 0 ? {} : { body: this.#redactor.body(text, holdsCard).slice(0, KEPT) }),
      size,
      ...(size > KEPT || cut ? { cut: true as const } : {}),
    };
  }

  #short(text: string): string {
    const shown = this.redact(this.#redactor.window(text, 4 * LONGEST));
    return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
  }

  /** What is kept of a body: cut before it is redacted, for whoever answers with megabytes must not hold up the run. */
  #windowOf(body: Uint8Array | undefined): string {
    if (body === undefined) return '';
    const text = decode(body.byteLength > 4 * KEPT ? body.subarray(0, 4 * KEPT) : body);
    return this.#redactor.window(text, KEPT);
  }

  /** @param written the line as JSON, where it is at hand */
  #write(whole: Line, written?: string, more?: Pick<PictureLine, 'png'>): void {
    if (this.#journal === undefined || (!this.#whole && whole.kind !== 'check')) return;
    const [line, text] = withoutLongTexts(whole, written ?? JSON.stringify(whole));
    const kinds = this.#redactor.leaks(text);
    if (kinds.length > 0)
      throw new Trouble('incomplete', `a line of ${JOURNAL} is withheld: it holds ${kinds.join(' and ')}`, {
        reason: `a ${line.kind} of check ${this.check} was redacted and still holds it`,
        fix: 'name the member in the target file, or report what kind of text it was',
      });
    if (more === undefined) this.#journal.write(line as Redacted<Line>, text);
    else this.#journal.write({ ...line, ...more } as Redacted<Line>);
  }
}

/** How often a secret was taken out of a text, or a card number in part. */
function countRedactions(text: string): number {
  let count = text.includes('******') ? (text.match(MASKED_CARDS)?.length ?? 0) : 0;
  for (let at = text.indexOf(MASK); at >= 0; at = text.indexOf(MASK, at + MASK.length)) count += 1;
  return count;
}

/** A line whose texts are cut, bodies apart, and the line as JSON; what was taken out of them is taken out before. */
function withoutLongTexts(line: Line, text: string): readonly [Line, string] {
  if (text.length <= LONGEST_TEXT) return [line, text];
  const cut = JSON.parse(text, (key, value) =>
    typeof value === 'string' && key !== 'body' && value.length > LONGEST_TEXT
      ? `${value.slice(0, LONGEST_TEXT)}…`
      : value,
  ) as Line;
  return [cut, JSON.stringify(cut)];
}

/** The first observations of each hole; the last of them says how many there were besides. */
function capped(observations: readonly HoleObservation[]): HoleObservation[] {
  const counts = new Map<string, number>();
  const kept: HoleObservation[] = [];
  for (const one of observations) {
    const count = (counts.get(one.hole) ?? 0) + 1;
    counts.set(one.hole, count);
    if (count <= LESSONS) kept.push(one);
  }
  for (const [hole, count] of counts)
    if (count > LESSONS) kept.push({ hole, where: 'and', what: `${count - LESSONS} more in this answer` });
  return kept;
}

const UTF8 = new TextDecoder('utf-8');

function decode(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/** Signatures of OAuth headers: one over the hash of a body that holds a card number gives the number back. */
function signaturesIn(headers: readonly (readonly [string, string])[]): string[] {
  return headers.flatMap(([, value]) => [...value.matchAll(/oauth_signature="?([^",]+)/g)].map(([, one]) => one!));
}
