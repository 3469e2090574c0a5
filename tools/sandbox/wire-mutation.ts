import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What a mutant does to one part of an answer or of a message, after the service has written it. `first-only` to `repeat-last` are
 * for lists; `first` sends the value that came first ever after; `stale` gives the answer before this one to the same request; `value`
 * puts a given value in, `add` even where nothing was, `delay` lets an answer wait, `cut-off` ends the connection in the middle of it. The
 * last ones are for messages: `send-late` sends one after the next, `send-before-again` after each one the one before it, `send-earlier` after
 * each what was so before it.
 */
export type WireOperator =
  | 'drop'
  | 'value'
  | 'add'
  | 'delay'
  | 'cut-off'
  | 'change-case'
  | 'shift'
  | 'flip'
  | 'first'
  | 'empty'
  | 'first-only'
  | 'reverse'
  | 'repeat-last'
  | 'stale'
  | 'status'
  | 'not-json'
  | 'media-type'
  | 'suppress'
  | 'suppress-some'
  | 'suppress-first'
  | 'suppress-later'
  | 'send-twice'
  | 'send-late'
  | 'send-before-again'
  | 'send-earlier';

/** One change of what goes over the wire, as data: the sandbox knows neither rules nor schemas. */
export interface WireMutation {
  /** Which answers: method, regular expression over the path without its query, status. */
  readonly answer?: { readonly method: string; readonly path: string; readonly status: number };
  /** Which messages that the service sends by itself. */
  readonly message?: string;
  readonly operator: WireOperator;
  /** Member of the body: tokens of its path, `*` for each entry of a list; absent: the whole. */
  readonly member?: readonly string[];
  /** A header, in lower case, instead of a member; of a message `*`, whatever headers of its own it has. */
  readonly header?: string;
  /** What `value` and `add` put in, the status of `status`, the milliseconds of `delay`, the members before of `send-earlier`. */
  readonly value?: unknown;
  /** How many answers are changed, the first ones; absent: all. */
  readonly times?: number;
}

/** An answer as it is about to be sent. */
export interface DraftAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A message as it is about to be sent; its headers are those beside the usual ones. */
export interface DraftMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Applies one mutation to everything that a sandbox sends, and remembers what `stale` needs. */
export class WireMutator {
  readonly #mutation: WireMutation;
  readonly #path: RegExp | undefined;
  readonly #earlier = new Map<string, string>();
  readonly #held: DraftMessage[] = [];
  #first: unknown;
  #messages = 0;
  #answers = 0;
  #hasChanged = false;

  constructor(mutation: WireMutation) {
    this.#mutation = mutation;
    this.#path = mutation.answer && new RegExp(mutation.answer.path);
  }

  /** Milliseconds that an answer waits. @param status the one that the service gave */
  delayOf(request: { method: string; path: string }, status: number): number {
    if (this.#mutation.operator !== 'delay' || !this.#takesNext(request, status)) return 0;
    const delay = Number(this.#mutation.value);
    if (delay > 0) this.#hasChanged = true;
    return delay;
  }

  /** Whether an answer breaks off in the middle. */
  cutsOff(request: { method: string; path: string }, status: number): boolean {
    if (this.#mutation.operator !== 'cut-off' || !this.#takesNext(request, status)) return false;
    this.#hasChanged = true;
    return true;
  }

  /** Whether anything that went out was another than the service had written. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** @param request what was asked; `content` tells one request from another */
  answer(request: { method: string; path: string; content: string }, sent: DraftAnswer): DraftAnswer {
    const changed = this.#answer(request, sent);
    if (changed !== sent && JSON.stringify(changed) !== JSON.stringify(sent)) this.#hasChanged = true;
    return changed;
  }

  /** The messages that go out in place of one: none, the same one changed, or two. */
  message(name: string, written: DraftMessage): DraftMessage[] {
    const sent = this.#message(name, written);
    if (JSON.stringify(sent) !== JSON.stringify([written])) this.#hasChanged = true;
    return sent;
  }

  /** Whether an answer is one of those that are changed; it is counted then. */
  #takesNext({ method, path }: { method: string; path: string }, status: number): boolean {
    const { answer, times = Number.POSITIVE_INFINITY } = this.#mutation;
    if (method !== answer?.method || status !== answer.status || !this.#path!.test(path)) return false;
    this.#answers += 1;
    return this.#answers <= times;
  }

  #answer(request: { method: string; path: string; content: string }, sent: DraftAnswer): DraftAnswer {
    const { operator, header, value } = this.#mutation;
    if (operator === 'delay' || operator === 'cut-off' || !this.#takesNext(request, sent.status)) return sent;
    if (header !== undefined) {
      const before = sent.headers[header];
      const isGone = operator === 'drop' || (before === undefined && operator !== 'add');
      const after = isGone ? undefined : String(this.#operate(before));
      return { ...sent, headers: { ...sent.headers, [header]: after } };
    }
    if (operator === 'status') return { ...sent, status: value as number };
    if (operator === 'media-type') return { ...sent, headers: { ...sent.headers, 'content-type': 'text/plain' } };
    return { ...sent, body: this.#body(sent.body, `${request.method} ${request.path} ${request.content}`) };
  }

  #message(name: string, written: DraftMessage): DraftMessage[] {
    const { message, operator, header } = this.#mutation;
    if (message !== name) return [written];
    this.#messages += 1;
    if (operator === 'suppress' || (operator === 'suppress-some' && this.#messages % 2 === 0)) return [];
    if (operator === 'suppress-some') return [written];
    if (operator === 'suppress-first') return this.#messages === 1 ? [] : [written];
    if (operator === 'suppress-later') return this.#messages === 1 ? [written] : [];
    if (operator === 'send-twice') return [written, written];
    if (operator === 'send-earlier')
      return [written, { ...written, body: { ...(written.body as object), ...(this.#mutation.value as object) } }];
    if (operator === 'send-late') {
      if (this.#messages % 2 === 0) return [written, this.#held.pop()!];
      this.#held.push(written);
      return [];
    }
    if (operator === 'send-before-again') {
      const before = this.#held.splice(0);
      this.#held.push(written);
      return [written, ...before];
    }
    if (header !== undefined) return [{ ...written, headers: this.#headers(written.headers) }];
    return [{ ...written, body: JSON.parse(this.#body(JSON.stringify(written.body), name)) as unknown }];
  }

  #headers(headers: DraftMessage['headers']): DraftMessage['headers'] {
    if (this.#mutation.operator === 'drop') return {};
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(this.#operate(value))]));
  }

  #body(text: string, subject: string): string {
    const { operator, member } = this.#mutation;
    if (operator === 'not-json') return `${text.slice(0, -1)},`;
    if (operator === 'empty' && member === undefined) return '';
    if (operator === 'stale') {
      const earlier = this.#earlier.get(subject);
      this.#earlier.set(subject, text);
      return earlier ?? text;
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return text;
    }
    return JSON.stringify(
      member === undefined || member.length === 0 ? this.#operate(parsed) : this.#change(parsed, member),
    );
  }

  /** The value with each part below a path changed; what has no such part stays as it is. */
  #change(node: unknown, path: readonly string[]): unknown {
    const [token, ...rest] = path as [string, ...string[]];
    const isDropped = this.#mutation.operator === 'drop' && rest.length === 0;
    if (token === '*') {
      if (!Array.isArray(node)) return node;
      if (rest.length > 0) return node.map((one) => this.#change(one, rest));
      return isDropped ? [] : node.map((one) => this.#operate(one));
    }
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
    const isAdded = this.#mutation.operator === 'add' && rest.length === 0;
    if (!isAdded && !Object.hasOwn(node, token)) return node;
    const { [token]: one, ...others } = node as Readonly<Record<string, unknown>>;
    if (isDropped) return others;
    return { ...node, [token]: rest.length > 0 ? this.#change(one, rest) : this.#operate(one) };
  }

  #operate(one: unknown): unknown {
    const { operator, value } = this.#mutation;
    if (operator !== 'first') return operate(operator, one, value);
    this.#first ??= one;
    return this.#first;
  }
}

function operate(operator: WireOperator, one: unknown, value: unknown): unknown {
  if (operator === 'value' || operator === 'add') return value;
  if (operator === 'empty') return Array.isArray(one) ? [] : typeof one === 'string' ? '' : {};
  if (Array.isArray(one)) {
    if (operator === 'first-only') return one.slice(0, 1);
    if (operator === 'reverse') return [...one].reverse();
    if (operator === 'repeat-last') return [...one, ...one.slice(-1)];
  }
  if (typeof one === 'boolean' && operator === 'flip') return !one;
  if (typeof one === 'number' && operator === 'shift') return one + 1;
  if (typeof one === 'string') {
    if (operator === 'shift') return shifted(one);
    if (operator === 'change-case') return one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase();
  }
  return one;
}

/** A text with its last number one higher, in as many figures, or its last letter another. */
function shifted(text: string): string {
  const [number] = text.match(/\d+(?=\D*$)/) ?? [];
  if (number !== undefined) {
    const at = text.lastIndexOf(number);
    const next = String(BigInt(number) + 1n)
      .padStart(number.length, '0')
      .slice(-number.length);
    return text.slice(0, at) + next + text.slice(at + number.length);
  }
  return text.replace(/[a-z](?=[^a-z]*$)/i, (letter) => (letter.toLowerCase() === 'x' ? 'y' : 'x'));
}

/**
 * What is sent in place of an answer that a service has written.
 * @returns it, after the time that it has to wait
 */
export async function mutateAnswer(
  mutators: readonly WireMutator[],
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const asked = { method: request.method, path: request.url.split('?')[0]! };
  const delay = mutators.reduce((sum, mutator) => sum + mutator.delayOf(asked, reply.statusCode), 0);
  if (delay > 0) await wait(delay);
  const isCut = mutators.filter((mutator) => mutator.cutsOff(asked, reply.statusCode)).length > 0;
  const sent = mutators.reduce((changed, mutator) => changeAnswer(mutator, request, reply, changed), payload);
  return isCut ? cutAnswer(reply, sent) : sent;
}

/** The first half of an answer, after which its connection ends. */
export class CutAnswer extends Readable {}

function cutAnswer(reply: FastifyReply, payload: unknown): CutAnswer {
  const whole = Buffer.from(payload as string);
  reply.header('content-length', whole.byteLength);
  let isSent = false;
  return new CutAnswer({
    read() {
      if (isSent) return;
      isSent = true;
      this.push(whole.subarray(0, Math.ceil(whole.byteLength / 2)));
      // What was sent has to have gone out before the connection ends.
      setTimeout(() => reply.raw.destroy(), 20);
    },
  });
}

function changeAnswer(mutator: WireMutator, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (payload !== undefined && typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  const content = Buffer.isBuffer(request.body) ? request.body.toString() : '';
  const sent = {
    status: reply.statusCode,
    headers: reply.getHeaders() as Readonly<Record<string, string>>,
    body: payload === undefined ? '' : payload.toString(),
  };
  const [path = '', query = ''] = request.url.split('?');
  const now = mutator.answer({ method: request.method, path, content: `${query} ${content}` }, sent);
  if (now === sent) return payload;
  reply.code(now.status);
  for (const [name, value] of Object.entries(now.headers)) {
    if (value === undefined) reply.removeHeader(name);
    else if (value !== sent.headers[name]) reply.header(name, value);
  }
  return now.body;
}
