import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Most connections held open for callers who have not named an address of ours. */
const STRANGERS = 128;
/** Most requests that are answered in a second; what is above that is cut off. */
const REQUESTS_A_SECOND = 500;
/** Milliseconds in which a caller has to have sent its headers, and its whole request. */
const HEADERS_IN = 10_000;
const REQUEST_IN = 30_000;

/**
 * Bounds what strangers may hold of a listener that anybody can reach. Callers who name an address of ours are none: they neither count
 * against the connections nor against the rate.
 */
export class ConnectionGuard {
  readonly #strangers = new Set<Socket>();
  readonly #now: () => number;
  #second = 0;
  #requests = 0;
  /** Connections that were cut so that others find room. */
  evicted = 0;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(server: Server, now: () => number = () => performance.now()) {
    this.#now = now;
    server.headersTimeout = HEADERS_IN;
    server.requestTimeout = REQUEST_IN;
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => {});
      socket.once('close', () => this.#strangers.delete(socket));
      this.#strangers.add(socket);
      const [oldest] = this.#strangers;
      if (this.#strangers.size <= STRANGERS) return;
      this.evicted += 1;
      oldest!.destroy();
      this.#strangers.delete(oldest!);
    });
  }

  /** Lets a connection stay for as long as it needs: its caller named an address of ours. */
  admit(socket: Socket): void {
    this.#strangers.delete(socket);
  }

  /** Whether a stranger's request still gets an answer this second. */
  allowsAnswer(): boolean {
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) [this.#second, this.#requests] = [second, 0];
    this.#requests += 1;
    return this.#requests <= REQUESTS_A_SECOND;
  }
}
