import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { APIS } from '#apis';
import { isTestable, projectContract } from '#contract';
import { SUITE_FOLDER } from '#folders';
import { checksClaiming } from './claiming-checks.ts';
import { filesNaming } from './naming-files.ts';

test('no check of a rule stands in a file that is not looked into for it', () => {
  const rules = [...projectContract().rules.values()].filter(isTestable);
  const missed = rules.flatMap(({ id }) => {
    const named = filesNaming([id]);
    const files = new Set(checksClaiming(id).map(({ place }) => place.split(':')[0]!));
    return [...files].filter((file) => !named.some((one) => file.startsWith(one))).map((file) => `${id} ${file}`);
  });
  expect(missed).toEqual([]);
  expect(rules.length).toBeGreaterThan(400);
});

test('of a rule with one file no other is collected', () => {
  expect(filesNaming(['V1-IBN-02'])).toEqual(['tests/v1/iban-details.spec.']);
  expect(filesNaming(['V1-IBN-02', 'GW-CAP-05']).length).toBeGreaterThan(1);
});

test('what asks a server something is found as it is written and as it is compiled', () => {
  const specs = readdirSync(join(SUITE_FOLDER, 'tests'), { recursive: true, encoding: 'utf8' });
  for (const path of APIS.flatMap(({ serverChecks }) => serverChecks))
    for (const ending of ['ts', 'js']) {
      const files = specs.map((file) => file.replace(/\.ts$/, `.${ending}`));
      expect(
        files.filter((file) => file.startsWith(path)),
        `${path} .${ending}`,
      ).not.toEqual([]);
    }
});
