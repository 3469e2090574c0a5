import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { namesCallbackUrl, type Target } from '#target';
import { ConnectionGuard } from '../connection-guard.ts';

/** Hosts from which a port of this machine's own can be reached. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

let opened: Promise<string> | undefined;

/**
 * Where callbacks are taken, answered and forgotten: merchants name an address with every payment, and what is promised of an order is
 * promised of those as well. A check that looks at callbacks names one of its own.
 * @returns the address; undefined where requests have no place for it, and where the gateway does not run on this machine or the port is not
 *   ours to choose
 */
export async function standingCallback(target: Target): Promise<string | undefined> {
  if (!isReached(target)) return undefined;
  opened ??= listenOn(target.callback?.listen ?? '127.0.0.1');
  return opened;
}

/** Whether the gateway can call a port of our choice, and requests tell it which. */
function isReached({ gateway, callback, offers }: Target): boolean {
  const isFree = (callback?.port ?? 0) === 0 && callback?.public === undefined;
  return (
    isFree && LOOPBACK.test(new URL(gateway!.address).hostname) && offers.has('callback') && namesCallbackUrl(gateway)
  );
}

/** Answers everybody, for as long as the worker lives. */
async function listenOn(host: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  new ConnectionGuard(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  server.unref();
  return `http://${host}:${(server.address() as AddressInfo).port}/callback`;
}
