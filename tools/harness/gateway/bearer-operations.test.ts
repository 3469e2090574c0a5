import { expect, test } from '@playwright/test';
import { projectContract } from '#contract';
import { listLies } from '#sandbox';
import { BEARER_OPERATIONS, OPERATIONS_LEFT_OUT } from './bearer-operations.ts';
import { BearerRequests, listBearerOperations } from './bearer-requests.ts';

const bearer = listBearerOperations().map(({ id }) => id);

test('a sweep sends every operation of the contract that a token opens, but for those with a reason', () => {
  expect([...Object.keys(BEARER_OPERATIONS), ...Object.keys(OPERATIONS_LEFT_OUT)].sort()).toEqual(bearer.toSorted());
  for (const reason of Object.values(OPERATIONS_LEFT_OUT)) {
    const rule = projectContract().rules.get(/GW-\w+-\d+$/.exec(reason)?.[0] ?? '');
    expect(rule?.needs, reason).toContain('browser');
  }
});

test('only the transfer, which is signed, and the placeholders are opened by no token', () => {
  const others = [...projectContract().operations.values()].filter(
    ({ api, id }) => api === 'gateway' && !bearer.includes(id),
  );
  const signed = others.filter(({ security }) => security.length > 0).map(({ id }) => id);
  expect(signed).toEqual(['transfer']);
  for (const { path, security } of others) if (security.length === 0) expect(path).toMatch(/\/_Overview$/);
});

test('the sandbox can leave out each guard at each operation', () => {
  const lies = new Set(listLies().map(({ name }) => name));
  const missing = ['no-authentication', 'any-scheme-accepted', 'any-token-accepted'].flatMap((lie) =>
    bearer.map((id) => `${lie}-at-${id}`).filter((name) => !lies.has(name)),
  );
  expect(missing).toEqual([]);
});

test('requests that are to be refused share the orders that they are about, others have their own', async () => {
  const arranged: string[] = [];
  let isRefused = true;
  const gateway = {
    arrangeApproved: async (operation: string) => {
      if (isRefused) throw new Error('the payment was refused');
      arranged.push(operation);
      return { systemId: arranged.length, merchantId: 'own' };
    },
    orderBody: ({ systemId }: { systemId: number }) => ({ orderSystemId: systemId }),
    preparePayment: () => ({ body: {} }),
    urlOf: String,
    sendRaw: async () => ({ status: 400 }),
  };
  const target = { gateway: { requestors: { main: { id: 1, token: 'token' } }, cards: {}, wire: {} } };
  const sweep = async (areRefused: boolean) => {
    const parts = { gateway, target, areRefused, recorder: { leaveOut: () => {} } };
    const bodies: unknown[] = [];
    for await (const { operation, options } of new BearerRequests(parts as never).all())
      if (['capture', 'reversal', 'status'].includes(operation)) bodies.push((options.body as never)['orderSystemId']);
    return bodies;
  };
  await expect(sweep(true)).rejects.toThrow('the payment was refused');
  isRefused = false;
  const first = await sweep(true);
  expect(arranged.toSorted()).toEqual(['auth', 'sale', 'sale']);
  expect(await sweep(true), 'what could not be arranged is tried again, what could is not').toEqual(first);
  expect(new Set([...first, ...(await sweep(false))]).size).toBe(6);
});
