import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { openSlowFront } from './slow-front.ts';

/** Asks from an address of this machine, over a connection of its own. */
const askFrom = (url: string, localAddress: string): Promise<string> =>
  new Promise((done, fail) => {
    const asked = request(url, { localAddress, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => done(text));
    });
    asked.on('error', fail).end();
  });

test('what is behind it sees the address that each request comes from', async () => {
  test.skip(process.platform !== 'linux', 'elsewhere a machine has one address of its own');
  const behind = createServer((asked, response) => response.end(asked.socket.remoteAddress));
  await new Promise<void>((done) => behind.listen(0, '127.0.0.1', done));
  const front = await openSlowFront(`http://127.0.0.1:${(behind.address() as AddressInfo).port}/api`, () => 1);
  try {
    const seen = await Promise.all(['127.0.0.1', '127.0.0.2'].map((one) => askFrom(`${front.address}/x`, one)));
    expect(seen).toEqual(['127.0.0.1', '127.0.0.2']);
  } finally {
    await front.close();
    await new Promise((done) => behind.close(done));
  }
});
