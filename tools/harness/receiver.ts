import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contract } from '#contract';
import type { Recorder } from '#evidence';
import type { Target } from '#target';

/** One message the service sent to us. */
export interface Delivery {
  readonly at: number;
  readonly path: string;
  readonly method: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** What we answered. */
  readonly answered: number;
}

/** A receiver of callbacks and events: keeps what came and answers what it is told to. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  /** Base address that the service is given. */
  readonly address: string;
  /** What to answer: a status per delivery, or `silence`. */
  answer: (delivery: Omit<Delivery, 'answered'>) => number | 'silence' = () => 202;
  /** Event the deliveries are held against; absent: only recorded. */
  event: string | undefined;
  readonly #server: Server;

  private constructor(server: Server, address: string) {
    this.#server = server;
    this.address = address;
  }

  /** Opens a receiver where the target file says. */
  static async open(target: Target, recorder: Recorder): Promise<Receiver> {
    const { listen = '127.0.0.1', port = 0, public: outside } = target.callback ?? {};
    let receiver: Receiver;
    const server = createServer((request, response) => void receiver.#take(request, response, recorder));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, listen, resolve));
    receiver = new Receiver(
      server,
      (outside ?? `http://${listen}:${(server.address() as AddressInfo).port}`).replace(/\/$/, ''),
    );
    return receiver;
  }

  /** Stops listening and cuts open connections. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse, recorder: Recorder): Promise<void> {
    const began = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const pairs = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    const taken = {
      at: Date.now(),
      path: request.url ?? '/',
      method: request.method ?? '',
      headers: new Map(pairs),
      text: body.toString('utf8'),
    };
    const answered = this.answer(taken);
    this.deliveries.push({ ...taken, answered: answered === 'silence' ? 0 : answered });
    const { api, violations } = this.#judge(body.toString('utf8'));
    recorder.exchange({
      api,
      direction: 'in',
      operation: this.event,
      at: taken.at,
      duration: performance.now() - began,
      request: { method: taken.method, url: `${this.address}${taken.path}`, headers: pairs, body },
      ...(answered === 'silence'
        ? { failure: 'we gave no answer' }
        : { response: { status: answered, headers: [], body: Buffer.alloc(0) } }),
      violations,
    });
    if (answered === 'silence') return;
    response.writeHead(answered).end();
  }

  #judge(_text: string): { api: 'gateway' | 'v1'; violations: [] } {
    return { api: contract().events.get(this.event ?? '')?.api ?? 'gateway', violations: [] };
  }
}
