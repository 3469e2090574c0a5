import { request } from 'node:http';
import { expect, test } from '@playwright/test';
import { startSandbox } from './index.ts';

/** Status of a request to the control plane with these headers. */
function ask(url: string, headers: Record<string, string>, method = 'POST'): Promise<number | undefined> {
  return new Promise((done, fail) => {
    request(url, { method, headers }, (answer) => done(answer.resume().statusCode))
      .once('error', fail)
      .end();
  });
}

test('takes no order from a page of somebody else, nor under another name', async () => {
  const sandbox = await startSandbox({ control: true });
  try {
    const url = `${sandbox.addresses.control}/reset`;
    const { host } = new URL(url);
    expect(await ask(url, {})).toBe(200);
    expect(await ask(url, { origin: `http://${host}` })).toBe(200);
    expect(await ask(url, { host: `localhost:${new URL(url).port}` })).toBe(200);
    expect(await ask(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await ask(url, { origin: 'null' })).toBe(403);
    expect(await ask(url, { host: 'rebound.example' })).toBe(403);
  } finally {
    await sandbox.close();
  }
});

test('shows its page and its log to nobody under another name', async () => {
  const sandbox = await startSandbox({ control: true, log: { since: () => [] } });
  try {
    const { control } = sandbox.addresses;
    for (const path of ['/', '/log', '/gateway/deliveries', '/v1/deliveries']) {
      expect(await ask(control + path, {}, 'GET'), path).toBe(200);
      expect(await ask(control + path, { host: 'rebound.example' }, 'GET'), path).toBe(403);
      expect(await ask(control + path, { origin: 'https://evil.example' }, 'GET'), path).toBe(403);
    }
  } finally {
    await sandbox.close();
  }
});
