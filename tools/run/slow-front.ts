import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** An address that leads to another one by a long way. */
export interface SlowFront {
  /** Where it answers, with the path of the address behind it. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Opens an address in front of another one on this machine: every request goes through as it is, and takes its time.
 * @param behind http address
 * @param delay milliseconds that the next request takes on its way
 */
export async function openSlowFront(behind: string, delay: () => number): Promise<SlowFront> {
  const { hostname, port, pathname } = new URL(behind);
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    await wait(delay());
    const { method, url: path, headers } = request;
    const onward = forward({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  };
  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname.replace(/\/$/, '')}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
