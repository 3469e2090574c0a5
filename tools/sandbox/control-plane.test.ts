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

test('moves the clock of one service, or of all, and refuses another one', async () => {
  const sandbox = await startSandbox({ control: true });
  try {
    const { control } = sandbox.addresses;
    const send = async (path: string, body?: object) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await fetch(control + path, body === undefined ? {} : init);
      return { status: answer.status, ...((await answer.json()) as { now?: string; message?: string }) };
    };
    const hours = async (service: string) =>
      Math.round(Math.abs(Date.parse((await send(`/clock?service=${service}`)).now!) - Date.now()) / 3_600_000);
    await send('/clock/advance', { seconds: 7200, service: 'v1' });
    expect([await hours('gateway'), await hours('v1')]).toEqual([0, 2]);
    await send('/clock/advance', { seconds: 3600 });
    expect([await hours('gateway'), await hours('v1')]).toEqual([1, 3]);
    for (const answer of [await send('/clock?service=v2'), await send('/clock/advance', { seconds: 1, service: 'v2' })])
      expect(answer).toEqual({ status: 400, message: 'service must be one of gateway, v1, or absent' });
  } finally {
    await sandbox.close();
  }
});
