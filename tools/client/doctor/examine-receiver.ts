import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { baseAddresses } from '#target';
import type { AddFinding, ExaminedTarget } from './types.ts';

/** Opens the callback receiver for a moment, and calls it by its public address. */
export async function examineReceiver({ target }: ExaminedTarget, tell: AddFinding): Promise<void> {
  const { callback } = target;
  if (callback === undefined) return;
  const { listen, port = 0, public: outside } = callback;
  const server = createServer((_request, response) => void response.writeHead(202, { 'x-assay': 'doctor' }).end());
  try {
    await new Promise<void>((done, fail) => server.once('error', fail).listen(port, listen, done));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return tell(
      'fail',
      'callback',
      `cannot listen on ${listen}:${port} (${code})`,
      'name an address and port of this machine that are free',
    );
  }
  try {
    tell('ok', 'callback.listen', `listens on ${listen}:${(server.address() as AddressInfo).port}`);
    const remote = baseAddresses(target).some(({ address }) => !/^https?:\/\/(127\.|localhost|\[::1\])/.test(address));
    if (outside === undefined) {
      if (remote)
        tell(
          'note',
          'callback.public',
          'absent: the service is told an address of this machine only',
          'give the address it can reach',
        );
      return;
    }
    const { request } = await import('undici');
    const answer = await request(outside, {
      method: 'HEAD',
      signal: AbortSignal.timeout(target.manners.timeout * 1000),
    }).catch((error: Error & { code?: string }) => error.code ?? error.name);
    if (typeof answer !== 'string' && answer.headers['x-assay'] === 'doctor')
      tell('ok', 'callback.public', 'leads here');
    else
      tell(
        'note',
        'callback.public',
        `does not lead here as seen from this machine (${typeof answer === 'string' ? answer : `answered ${answer.statusCode} by somebody else`})`,
        port === 0
          ? 'callback.port must be the port that it leads to'
          : 'it may still work from outside; if not, check the forwarding',
      );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
