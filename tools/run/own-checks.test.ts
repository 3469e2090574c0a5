import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { hashClause } from '#contract';
import { SUITE_FOLDER } from '#folders';
import { suiteHash } from './suite-hash.ts';

const RULES = `api: v1
document: addendum.md
areas:
  SHOP-IBN: Lookups, as promised to us
rules:
  - id: SHOP-IBN-01
    level: must
    text: Our bank is called by its name.
    source: { section: '', sha256: '${hashClause('Our bank is called by its name.')}' }
    needs: [iban.valid]
    lies:
      forgets-it: { answer: getIbanDetails, drop: /bank_name }
      calls-it-otherwise: { answer: getIbanDetails, change: /bank_name, to: Theirs }
  - id: SHOP-IBN-02
    level: must
    text: Lookups take a second at most.
    source: { section: '', sha256: '${hashClause('Lookups take a second at most.')}' }
    lies:
      waits: { answer: getIbanDetails, delay: 1500ms }
  - id: SHOP-IBN-03
    level: must
    text: Nobody wrote a check of this.
    source: { section: '', sha256: '${hashClause('Nobody checks this.')}' }
sandbox:
  - { answer: getIbanDetails, change: /bank_name, to: Ours }
`;

const CHECKS = `import { type ApiReply, expect, rule, test } from '@assay-conformance/assay/checks';

interface Lookup { reply: ApiReply }
const own = test.extend<Lookup>({
  reply: async ({ v1 }, use) => use(await v1.send('getIbanDetails', { query: { iban: v1.iban } })),
});

own('knows our bank', rule('SHOP-IBN-01'), async ({ reply }) => {
  expect(reply.object['bank_name']).toBe('Ours');
});
own('is quick', rule('SHOP-IBN-02'), async ({ reply }) => {
  expect(reply.milliseconds).toBeLessThan(1000);
});
`;

/** A project whose suite is a clone, which it depends on by its path. */
test.describe('own rules and checks of a workspace', () => {
  test.describe.configure({ mode: 'serial', timeout: 240_000 });
  let project: string;

  const assay = (...argv: readonly string[]) => {
    const { ASSAY_RUN: _run, ASSAY_WORKSPACE: _workspace, TEST_WORKER_INDEX: _index, ...env } = process.env;
    const program = join(SUITE_FOLDER, 'tools/cli/assay.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
      cwd: project,
      env: { ...env, ASSAY_WORKERS: '1' },
      encoding: 'utf8',
    });
    return { status, out: stdout, err: stderr };
  };
  const put = (name: string, text: string) => writeFileSync(join(project, name), text);
  const lastRun = () => {
    const [run] = readdirSync(join(project, 'reports'))
      .filter((name) => /^\d/.test(name))
      .sort()
      .slice(-1);
    return JSON.parse(readFileSync(join(project, 'reports', run!, 'run.json'), 'utf8'));
  };

  test.beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'assay-own-'));
    for (const folder of ['rules', 'checks', 'node_modules/@assay-conformance'])
      mkdirSync(join(project, folder), { recursive: true });
    symlinkSync(SUITE_FOLDER, join(project, 'node_modules/@assay-conformance/assay'));
    put('package.json', '{ "type": "module" }');
    put('assay.config.yaml', 'profiles: {}\n');
    put('rules/addendum.md', 'Our bank is called by its name. Lookups take a second at most. Nobody checks this.\n');
    put('rules/addendum.yaml', RULES);
    put('checks/lookups.spec.ts', CHECKS);
  });
  test.afterAll(() => rmSync(project, { recursive: true, force: true }));

  test('can be lied to at the wire, which is their proof', () => {
    const lied = assay('run', '--rule', 'SHOP-IBN-01', '--lie', 'shop-ibn-01-calls-it-otherwise');
    expect([lied.status, lied.out]).toEqual([1, expect.stringMatching(/^fail {2}SHOP-IBN-01[\s\S]*"Theirs"/m)]);
    const proved = assay('prove', '--rule', 'SHOP-IBN-01', '--rule', 'SHOP-IBN-02');
    expect([proved.status, proved.out]).toEqual([
      0,
      expect.stringContaining('2 of 2 rules proven, 3 of 3 lies caught'),
    ]);
  });

  test('stand beside those of the house, and a rule without a check is no pass', () => {
    const { status, out, err } = assay('run', '--rule', 'SHOP', '--seed', '1');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^kept, of 2 judged: /m);
    const run = lastRun();
    const verdicts = run.rules.filter(({ area }: { area: string }) => area === 'SHOP-IBN');
    expect(verdicts.map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict])).toEqual([
      ['SHOP-IBN-01', 'pass'],
      ['SHOP-IBN-02', 'pass'],
      ['SHOP-IBN-03', 'skipped'],
    ]);
    expect(run.checks.map(({ file, project: part }: { file: string; project: string }) => [file, part])).toEqual([
      ['checks/lookups.spec.ts', 'own'],
      ['checks/lookups.spec.ts', 'own'],
    ]);
    // What was proved before is shown beside the rule, as a proof of what judged.
    const { proof } = run.rules.find(({ id }: { id: string }) => id === 'SHOP-IBN-01');
    expect(proof).toMatchObject({ lies: [{ caught: true }, { caught: true }] });
    expect(proof.stale).toBeUndefined();
    expect(run.suite.own).toMatch(/^[0-9a-f]{64}$/);
    expect(run.suite.sha256, 'what judged is more than the suite').not.toBe(suiteHash());
    const folder = join(project, 'reports', run.id);
    for (const [file, text] of [
      ['index.html', run.suite.own],
      ['junit.xml', 'SHOP-IBN-01'],
      ['ctrf.json', 'knows our bank'],
    ])
      expect(readFileSync(join(folder, file), 'utf8')).toContain(text);
    expect(assay('verify', folder).status).toBe(0);
  });

  test('whose check cannot fail is found out', () => {
    put('checks/lookups.spec.ts', CHECKS.replace(".toBe('Ours')", '.not.toBe(7)'));
    const proved = assay('prove', '--rule', 'SHOP-IBN-01');
    expect([proved.status, proved.out]).toEqual([4, expect.stringMatching(/^missed +SHOP-IBN-01/m)]);
    put('checks/lookups.spec.ts', CHECKS);
  });

  test('have a document of their own, accounted for like the others', () => {
    const { status, out } = assay('ledger');
    expect([status, out]).toEqual([0, expect.stringMatching(/^addendum +3 +3 .*100\.0 %$/m)]);
    put(
      'rules/addendum.md',
      'Our bank is called by its full name. Lookups take a second at most. Nobody checks this.\n',
    );
    const changed = assay('ledger');
    expect([changed.status, changed.out]).toEqual([1, expect.stringMatching(/changed to line 1\s+rule SHOP-IBN-01/)]);
    expect(changed.out).toContain('checks/lookups.spec.ts:8');
  });

  const HEAD = "import { rule, test } from '@assay-conformance/assay/checks';\n";
  for (const [what, text, says] of [
    [
      'claims an unknown rule',
      `${HEAD}test('x', rule('SHOP-IBN-10'), async () => {});\n`,
      /bad\.spec\.ts:2: no rule is called SHOP-IBN-10[\s\S]*did you mean SHOP-IBN-01\?/,
    ],
    [
      'claims a rule of the house',
      `${HEAD}test('x', rule('GW-CAP-03'), async () => {});\n`,
      /bad\.spec\.ts:2: GW-CAP-03 is a rule of the house\n {2}cause: .*\n {2}fix: /,
    ],
    [
      'claims nothing',
      `${HEAD}\ntest('x', async () => {});\n`,
      /bad\.spec\.ts:3: the check "x" claims no rule\n {2}cause: .*\n {2}fix: /,
    ],
    [
      'is not TypeScript',
      `${HEAD}test('x' rule('SHOP-IBN-01'));\n`,
      /bad\.spec\.ts:2: the check cannot be loaded\n {2}cause: SyntaxError.*\n {2}fix: /,
    ],
    [
      'imports what is not there',
      `${HEAD}import './nowhere.ts';\n`,
      /bad\.spec\.ts:2: the check cannot be loaded\n {2}cause: .*\n {2}fix: /,
    ],
  ] as const)
    test(`a check that ${what} ends with 2 before anything is asked`, () => {
      const before = readdirSync(join(project, 'reports')).length;
      put('package.json', what === 'claims an unknown rule' ? '{}' : '{ "type": "module" }');
      put('checks/bad.spec.ts', text);
      const { status, err, out } = assay('run', '--rule', 'SHOP');
      rmSync(join(project, 'checks/bad.spec.ts'));
      expect([status, out, err]).toEqual([2, '', expect.stringMatching(says)]);
      expect(readdirSync(join(project, 'reports'))).toHaveLength(before);
    });
});
