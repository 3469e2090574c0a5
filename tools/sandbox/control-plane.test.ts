import { request } from 'node:http';
import { expect, test } from '@playwright/test';
import { startSandbox } from './index.ts';

/** Status of a POST to the control plane with these headers. */
function post(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((done, fail) => {
    request(url, { method: 'POST', headers }, (answer) => done(answer.resume().statusCode))
      .once('error', fail)
      .end();
  });
}

test('takes no order from a page of somebody else, nor under another name', async () => {
  const sandbox = await startSandbox({ control: true });
  try {
    const url = `${sandbox.addresses.control}/reset`;
    const { host } = new URL(url);
    expect(await post(url, {})).toBe(200);
    expect(await post(url, { origin: `http://${host}` })).toBe(200);
    expect(await post(url, { host: `localhost:${new URL(url).port}` })).toBe(200);
    expect(await post(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await post(url, { origin: 'null' })).toBe(403);
    expect(await post(url, { host: 'rebound.example' })).toBe(403);
  } finally {
    await sandbox.close();
  }
});
