import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds that a connection may lie idle: longer than the answers passed on promise. */
const IDLE = 60_000;

/** An address that leads to another one by a long way. */
export interface SlowFront {
  /** Where it answers, with the path of the address behind it. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Opens an address in front of another one on this machine: every request goes through as it is, from the
 * address that it came from, and takes its time.
 * @param behind http address
 * @param delay milliseconds that the next request takes on its way
 */
export async function openSlowFront(behind: string, delay: () => number): Promise<SlowFront> {
  const { hostname, port, pathname } = new URL(behind);
  // A connection that lies idle may be closed behind it just when a request comes.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 0 });
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    await wait(delay());
    const { method, url: path, headers } = request;
    const localAddress = request.socket.remoteAddress;
    const onward = forward({ hostname, port, method, path, headers, localAddress, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  };
  const server = createServer((request, response) => void pass(request, response));
  server.keepAliveTimeout = IDLE;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname.replace(/\/$/, '')}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
