import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Contract, hashClause } from '#contract';
import { classifyChanges, judgeUpgrade, registerOfOwnRules } from '../index.ts';

test('a changed clause of an own document leads to the own rule that comes from it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-own-document-'));
  try {
    const spec = join(folder, 'v1.yaml');
    writeFileSync(spec, 'openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths: {}\n');
    const [old, now] = ['Ten', 'Five'].map((word) => {
      const file = join(folder, `${word}.md`);
      writeFileSync(file, `# Addendum\n\n## Limits\n\n- ${word} calls a minute.\n`);
      return file;
    }) as [string, string];
    const source = { document: 'addendum', section: 'Limits', sha256: hashClause('Ten calls a minute.') };
    const rule = {
      id: 'SHOP-LIM-01',
      api: 'v1',
      area: 'SHOP-LIM',
      level: 'must',
      text: 'Ten.',
      source: [source],
      needs: [],
      at: '',
    };
    const contract = {
      rules: new Map([[rule.id, rule]]),
      contexts: [],
      own: { rules: new Set([rule.id]), lies: [], sandbox: [], documents: new Map([['addendum', old]]) },
    } as unknown as Contract;
    const asked = { from: spec, to: spec, documents: [old, now] as const, today: '2026-01-31', seed: 1 };
    const rulesOf = (own?: ReturnType<typeof registerOfOwnRules>) =>
      judgeUpgrade({ ...asked, ...(own ? { own } : {}) }, classifyChanges).documents!.changes.map(({ rules }) =>
        rules.map(({ id }) => id),
      );
    expect(rulesOf(registerOfOwnRules(contract))).toEqual([['SHOP-LIM-01']]);
    expect(rulesOf()).toEqual([[]]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
