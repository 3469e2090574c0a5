import { expect, test } from '@playwright/test';
import { loadContract } from '#contract';
import { registerOfOwnRules } from './own-rules.ts';

test('a clause that binds a client alone is claimed when documents are compared', () => {
  const contract = loadContract();
  const claims = registerOfOwnRules(contract).rules.filter(({ id }) => id === 'GW-CTK-03');
  expect(claims).toEqual([contract.clientRules.get('GW-CTK-03')]);
  const clause = claims[0]!.source[0]!.sha256;
  const ofServices = [...contract.rules.values()].filter(({ source }) =>
    source.some(({ sha256 }) => sha256 === clause),
  );
  expect(ofServices).toEqual([]);
});
