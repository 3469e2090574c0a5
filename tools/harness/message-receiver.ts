import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { API_NAMES, type Api } from '#apis';
import { witness } from '#client';
import { projectContract } from '#contract';
import type { Recorder } from '#evidence';
import type { Target } from '#target';
import { ConnectionGuard } from './connection-guard.ts';

/** One message the service sent to us. */
export interface ReceivedDelivery {
  readonly at: number;
  readonly path: string;
  readonly method: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** What we answered; 0 for nothing, or nothing yet. */
  readonly answered: number;
}

/** Milliseconds for which a receiver that gives no answer keeps the connection. */
export const SILENCE_MILLISECONDS = 400;

/** Most that is read of one message, in bytes. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Most messages, and incomplete ones, that are kept for one check. */
const MOST_DELIVERIES = 2000;
const MOST_INCOMPLETE = 20;

/** What to answer: a status, or nothing at all. */
export type ReceiverAnswer = number | 'silence';

/** A page for a customer's browser: what it is shown, and what came with the visit. */
export interface MerchantPage {
  readonly address: string;
  readonly html: string;
  readonly visits: ReceivedDelivery[];
}

/**
 * A receiver of callbacks and events: keeps what came to the addresses it expects and answers what it is told to. It serves the merchant's
 * own pages as well. The port is open to anybody: what comes elsewhere is counted and otherwise ignored.
 */
export class MessageReceiver {
  readonly deliveries: ReceivedDelivery[] = [];
  readonly #pages = new Map<string, MerchantPage>();
  readonly #expected = new Set<string>();
  /** Requests to other addresses, and those above the bounds. */
  ignored = 0;
  /** Requests to an address of ours that ended before they were complete, or were too long. */
  incomplete = 0;
  /** What went wrong with us, not with a caller, while a message was taken. */
  failure: unknown;
  /** Base address that the service is given. */
  readonly address: string;
  /** Query that the addresses of the merchant's pages have. */
  pageQuery = '';
  /** What to answer to each delivery; a promise answers slowly. */
  answer: (delivery: Omit<ReceivedDelivery, 'answered'>) => ReceiverAnswer | Promise<ReceiverAnswer> = () => 202;
  /** Documented event that the deliveries are held against; absent: they are only recorded. */
  expectedEvent: string | undefined;
  /** Body of an answer that is a status, with its media type; absent: none. */
  answerBody: { readonly type: string; readonly body: string } | undefined;
  readonly #server: Server;
  readonly #guard: ConnectionGuard;
  #api: Api = API_NAMES[0]!;
  #onMessage: ((what: string) => void) | undefined;
  #closed = false;

  private constructor(server: Server, address: string) {
    this.#server = server;
    this.#guard = new ConnectionGuard(server);
    this.address = address;
  }

  /**
   * Opens a receiver where the target file says.
   * @param options.api service whose messages are expected; `onMessage` is told of a message before it is read
   */
  static async open(
    target: Target,
    recorder: Recorder,
    options: { readonly api?: Api; readonly onMessage?: (what: string) => void } = {},
  ): Promise<MessageReceiver> {
    const { listen = '127.0.0.1', port = 0, public: outside } = target.callback ?? {};
    let receiver: MessageReceiver;
    const server = createServer((request, response) => void receiver.#admit(request, response, recorder));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, listen, resolve));
    receiver = new MessageReceiver(
      server,
      (outside ?? `http://${listen}:${(server.address() as AddressInfo).port}`).replace(/\/$/, ''),
    );
    receiver.#onMessage = options.onMessage;
    receiver.#api = options.api ?? API_NAMES[0]!;
    return receiver;
  }

  /** From now on takes messages to addresses that begin with this path. */
  expectPath(path: string): void {
    this.#expected.add(path);
  }

  /** Serves a page of the merchant at a path of its own. @returns its address, and the visits to it as they come */
  servePage(path: string, html = '<!doctype html><title>Merchant</title><p>Thank you.</p>'): MerchantPage {
    const page = { address: this.address + path + this.pageQuery, html, visits: [] };
    this.#pages.set(path, page);
    return page;
  }

  /** Stops listening and cuts open connections. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Strangers are answered without reading what they send; an error of a caller is the caller's, an error of ours breaks the check. */
  async #admit(request: IncomingMessage, response: ServerResponse, recorder: Recorder): Promise<void> {
    const url = request.url ?? '/';
    const isOurs = this.#pages.has(withoutQuery(url)) || [...this.#expected].some((path) => url.startsWith(path));
    request.on('error', () => {});
    if (!isOurs || this.deliveries.length >= MOST_DELIVERIES) {
      this.ignored += 1;
      if (!this.#guard.allowsAnswer()) return void request.socket.destroy();
      response.writeHead(isOurs ? 503 : 404, { connection: 'close' }).end();
      return void response.once('finish', () => request.socket.destroySoon());
    }
    this.#guard.admit(request.socket);
    try {
      await this.#take(request, response, recorder);
    } catch (error) {
      this.failure ??= error;
      if (!response.headersSent) response.writeHead(500, { connection: 'close' });
      response.end();
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse, recorder: Recorder): Promise<void> {
    const began = performance.now();
    const at = Date.now();
    const body = await readBody(request);
    if (typeof body === 'string') {
      this.incomplete += 1;
      const tooLong = body === TOO_LONG;
      if (this.incomplete <= MOST_INCOMPLETE && !this.#closed)
        witness(recorder, projectContract(), {
          api: projectContract().events.get(this.expectedEvent ?? '')?.api ?? this.#api,
          direction: 'in',
          at,
          duration: performance.now() - began,
          request: {
            method: request.method ?? '',
            url: `${this.address}${request.url ?? '/'}`,
            headers: headerPairs(request),
          },
          failure: tooLong ? `${body}; we answered 413` : body,
        });
      if (!tooLong) return void request.socket.destroy();
      response.writeHead(413, { connection: 'close' }).end();
      return void response.once('finish', () => request.socket.destroySoon());
    }
    this.#onMessage?.(`a message of ${body.byteLength} bytes to us`);
    const pairs = headerPairs(request);
    const taken = {
      at: Date.now(),
      path: request.url ?? '/',
      method: request.method ?? '',
      headers: new Map(pairs),
      text: body.toString('utf8'),
    };
    const page = this.#pages.get(withoutQuery(taken.path));
    if (page !== undefined) return this.#show(page, taken, pairs, body, response, recorder);
    // Whoever looks whether somebody is there brings no message.
    if (PROBES.has(taken.method)) return void response.writeHead(200).end();
    const delivery = { ...taken, answered: 0 };
    this.deliveries.push(delivery);
    const event = projectContract().events.get(this.expectedEvent ?? '');
    const answered = await this.answer(taken);
    delivery.answered = answered === 'silence' ? 0 : answered;
    if (this.#closed) return;
    witness(recorder, projectContract(), {
      api: event?.api ?? this.#api,
      direction: 'in',
      operation: this.expectedEvent,
      at: taken.at,
      duration: performance.now() - began,
      request: { method: taken.method, url: `${this.address}${taken.path}`, headers: pairs, body },
      ...(answered === 'silence'
        ? { failure: 'we gave no answer' }
        : { response: { status: answered, headers: [], body: Buffer.alloc(0) } }),
    });
    if (answered === 'silence') {
      // How long a service waits is not shown, and on a clock that is moved it may wait by another: so the line goes dead.
      await wait(SILENCE_MILLISECONDS);
      return void request.socket.destroy();
    }
    const { type, body: content } = this.answerBody ?? {};
    response.writeHead(answered, type === undefined ? {} : { 'content-type': type }).end(content);
  }

  /** What a browser posts on its way back is on record; our own pages are not. */
  #show(
    { html, visits }: MerchantPage,
    taken: Omit<ReceivedDelivery, 'answered'>,
    pairs: readonly (readonly [string, string])[],
    body: Buffer,
    response: ServerResponse,
    recorder: Recorder,
  ): void {
    visits.push({ ...taken, answered: 200 });
    const headers = [['content-type', 'text/html; charset=utf-8']] as const;
    if (body.length > 0 && !this.#closed)
      witness(recorder, projectContract(), {
        api: this.#api,
        direction: 'in',
        at: taken.at,
        duration: 0,
        request: { method: taken.method, url: `${this.address}${taken.path}`, headers: pairs, body },
        response: { status: 200, headers, body: Buffer.alloc(0) },
      });
    response.writeHead(200, { ...Object.fromEntries(headers), 'cache-control': 'no-store' }).end(html);
  }
}

/** Methods that carry nothing. */
const PROBES: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

const TOO_LONG = `the body exceeds ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`;

/** The whole body, else why there is none. */
async function readBody(request: IncomingMessage): Promise<Buffer | string> {
  const chunks: Buffer[] = [];
  let size = 0;
  if (Number(request.headers['content-length'] ?? 0) > MAX_MESSAGE_BYTES) return TOO_LONG;
  return new Promise((done) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > MAX_MESSAGE_BYTES) {
        request.pause();
        done(TOO_LONG);
      } else chunks.push(chunk);
    });
    request.once('end', () => done(Buffer.concat(chunks)));
    request.once('close', () => done('the caller ended the connection before its request was complete'));
  });
}

function headerPairs({ headers }: IncomingMessage): (readonly [string, string])[] {
  return Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '');
}
