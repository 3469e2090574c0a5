import { expect, test } from '@playwright/test';
import { suiteFiles } from './suite-hash.ts';

const FILES = suiteFiles();

test('the suite is promises, checks, sandbox and all between them', () => {
  expect(FILES).toEqual(
    expect.arrayContaining([
      'specs/gateway.yaml',
      'tests/collateral.yaml',
      'tests/gateway/capture.spec.ts',
      'tests/oauth/golden/own.json',
      'tools/contract/judge.ts',
      'tools/harness/test.ts',
      'tools/sandbox/decision.ts',
    ]),
  );
  expect(FILES).toEqual([...new Set(FILES)].sort());
});

test('own tests, documents and lists that change no verdict are not of the suite', () => {
  const beside = /\.test\.ts$|test-support|\.md$|ids\.txt$|waivers|decisions|(?:^tools\/.*)golden/;
  expect(FILES.filter((file) => beside.test(file))).toEqual([]);
});
