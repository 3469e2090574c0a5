import { expect, test } from '@playwright/test';
import { projectContract } from '#contract';
import { listLies } from '#sandbox';
import { BEARER_OPERATIONS, OPERATIONS_LEFT_OUT } from './bearer-operations.ts';
import { listBearerOperations } from './bearer-requests.ts';

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
