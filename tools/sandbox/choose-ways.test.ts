import { expect, test } from '@playwright/test';
import { Trouble } from '#trouble';
import { chooseWays, listChoices } from './choose-ways.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';
import { drawVariation, PLAIN_CHOICES } from './variation.ts';

const trouble = (...wishes: string[]) => {
  try {
    chooseWays(PLAIN_CHOICES, wishes);
  } catch (error) {
    if (error instanceof Trouble) return [error.message, error.fix];
    throw error;
  }
  return [];
};

test('takes a way for one service, or for each that has the choice, and leaves the others', () => {
  expect(chooseWays(PLAIN_CHOICES, [])).toEqual(PLAIN_CHOICES);
  const one = chooseWays(PLAIN_CHOICES, ['v1.extraMembers=many', 'outcomeAfter=9']);
  expect(one).toEqual({
    gateway: { ...PLAIN_CHOICES.gateway, outcomeAfter: 9 },
    v1: { ...PLAIN_CHOICES.v1, extraMembers: 'many' },
  });
  expect(chooseWays(PLAIN_CHOICES, ['extraMembers=some'])).toMatchObject({
    gateway: { extraMembers: 'some' },
    v1: { extraMembers: 'some' },
  });
  const drawn = drawVariation({ seed: 7, number: 3 });
  expect(chooseWays(drawn, ['hold=longer']).gateway).toEqual({ ...drawn.gateway, hold: 'longer' });
  expect(listChoices().filter(({ ways }) => ways.length < 2)).toEqual([]);
});

test('says what there is for a choice or a way that does not exist', () => {
  expect(trouble('stepShownby=html')).toEqual([
    'no free choice of the sandbox is called “stepShownby”',
    'did you mean stepShownBy?',
  ]);
  expect(trouble('gateway.refusals=x')[1]).toBe('did you mean gateway.refusal?');
  expect(trouble('zzzzzzzzzzzzzzzz')[1]).toBe('assay sandbox --choices prints them all');
  expect(trouble('customerReturn=post')).toEqual([
    'gateway.customerReturn cannot be “post”',
    "one of --choose 'customerReturn=bare', --choose 'customerReturn=posted form', --choose 'customerReturn=a link'",
  ]);
  expect(trouble('customerReturn')[0]).toBe('gateway.customerReturn cannot be “”');
});

test.describe('pages of another origin', () => {
  let sandbox: Sandbox;
  test.afterEach(() => sandbox.close());
  const ORIGIN = { origin: 'https://shop.example' };
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');
  const ask = (url: string, method = 'GET', headers: Record<string, string> = {}) =>
    fetch(url, { method, headers: { ...ORIGIN, ...headers } });
  const PREFLIGHT = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };

  test('are told nothing as a rule', async () => {
    sandbox = await startSandbox();
    for (const url of [`${sandbox.addresses.v1}/api/v1/auth`, `${sandbox.addresses.gateway}/payments/sale/1001`])
      for (const method of ['GET', 'OPTIONS']) expect(allowed(await ask(url, method, PREFLIGHT))).toBeNull();
  });

  test('may read answers, refusals too, and ask beforehand, when chosen so; never the control plane', async () => {
    sandbox = await startSandbox({ choose: ['crossOrigin=allowed'], control: true });
    const { v1, gateway, control } = sandbox.addresses;
    for (const url of [`${v1}/api/v1/auth`, `${v1}/api/v1/nothing`, `${gateway}/payments/sale/1001`]) {
      const beforehand = await ask(url, 'OPTIONS', PREFLIGHT);
      expect([beforehand.status, allowed(beforehand)]).toEqual([204, '*']);
      expect(beforehand.headers.get('access-control-allow-methods')).toBe('POST');
      expect(beforehand.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
      const answer = await ask(url, 'POST');
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(allowed(answer)).toBe('*');
    }
    const plain = await fetch(`${v1}/api/v1/auth`);
    expect(allowed(plain)).toBeNull();
    const refused = await ask(`${control}/clock`);
    expect([refused.status, allowed(refused)]).toEqual([403, null]);
  });

  test('cost a request beforehand as any other, with the limit in its headers', async () => {
    sandbox = await startSandbox({ choose: ['v1.crossOrigin=allowed'] });
    const url = `${sandbox.addresses.v1}/api/v1/auth`;
    const remaining = async () => Number((await ask(url, 'OPTIONS', PREFLIGHT)).headers.get('x-ratelimit-remaining'));
    const first = await remaining();
    expect(first).toBe(499);
    for (let asked = 1; asked < 500; asked += 1) await remaining();
    expect((await ask(url, 'OPTIONS', PREFLIGHT)).status).toBe(429);
  });
});
