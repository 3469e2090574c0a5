import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { callInTurn, type TurnCall } from '#call-in-turn';
import { outerEnvironment } from '#call-program';
import { hashClause } from '#contract';
import { verifyRun } from '#report';
import { OwnWorkspace, PROGRAM } from './own-workspace.test-support.ts';
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
  - id: SHOP-IBN-04
    level: must
    text: Lookups show what was asked about.
    source: { section: '', sha256: '${hashClause('Lookups show what was asked about.')}' }
    lies:
      shows-nothing: { answer: getIbanDetails, drop: /iban }
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
own('answers', rule('SHOP-IBN-04'), async ({ reply }) => {
  expect(reply.object['iban']).not.toBe(7);
});
`;

/** A project whose suite is a clone, which it depends on by its path. */
test.describe('own rules and checks of a workspace', () => {
  test.describe.configure({ mode: 'serial', timeout: 240_000 });
  let workspace: OwnWorkspace;
  let project: string;

  const assay = (...argv: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...argv], {
      cwd: project,
      env: { ...outerEnvironment(), ASSAY_WORKERS: '1' },
      encoding: 'utf8',
    });
    return { status, out: stdout, err: stderr };
  };
  const call = (...calls: readonly TurnCall[]) => callInTurn(calls, project);
  const lastRun = () => {
    const [run] = readdirSync(join(project, 'reports'))
      .filter((name) => /^\d/.test(name))
      .sort()
      .slice(-1);
    return JSON.parse(readFileSync(join(project, 'reports', run!, 'run.json'), 'utf8'));
  };

  test.beforeAll(() => {
    workspace = new OwnWorkspace({
      'rules/addendum.md':
        'Our bank is called by its name. Lookups take a second at most. Nobody checks this. Lookups show what was asked about.\n',
      'rules/addendum.yaml': RULES,
      'checks/lookups.spec.ts': CHECKS,
    });
    project = workspace.folder;
  });
  test.afterAll(() => workspace.remove());

  test('are proven by their lies, and one whose check cannot fail is found out', () => {
    const { status, out } = assay('prove', ...['01', '02', '04'].flatMap((number) => ['--rule', `SHOP-IBN-${number}`]));
    expect([status, out]).toEqual([4, expect.stringContaining('2 of 3 rules proven, 3 of 4 lies caught')]);
    expect(out).toMatch(/^missed +SHOP-IBN-04/m);
    expect(out).not.toMatch(/^missed +SHOP-IBN-0[12]/m);
  });

  test('stand beside those of the house, and a rule without a check is no pass', () => {
    const { status, out, err } = assay('run', '--rule', 'SHOP', '--seed', '1');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^kept, of 3 judged: /m);
    const run = lastRun();
    const verdicts = run.rules.filter(({ area }: { area: string }) => area === 'SHOP-IBN');
    expect(verdicts.map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict])).toEqual([
      ['SHOP-IBN-01', 'pass'],
      ['SHOP-IBN-02', 'pass'],
      ['SHOP-IBN-03', 'skipped'],
      ['SHOP-IBN-04', 'pass'],
    ]);
    expect(run.checks.map(({ file, project: part }: { file: string; project: string }) => [file, part])).toEqual([
      ['checks/lookups.spec.ts', 'own'],
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
    expect(verifyRun(folder).findings).toEqual([]);
  });

  test('have a document of their own, accounted for like the others', () => {
    const changed = readFileSync(join(project, 'rules/addendum.md'), 'utf8').replace('by its name', 'by its full name');
    const [whole, open] = call({ argv: ['ledger'] }, { argv: ['ledger'], files: { 'rules/addendum.md': changed } });
    expect(whole).toMatchObject({ code: 0, out: expect.stringMatching(/^addendum +4 +4 .*100\.0 %$/m) });
    expect(open).toMatchObject({ code: 1, out: expect.stringMatching(/changed to line 1\s+rule SHOP-IBN-01/) });
    expect(open!.out).toContain('checks/lookups.spec.ts:8');
  });

  const HEAD = "import { rule, test } from '@assay-conformance/assay/checks';\n";
  const WRONG = [
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
  ] as const;

  test('a wrong check ends with 2 before anything is asked', () => {
    const before = readdirSync(join(project, 'reports')).length;
    const ends = call(
      ...WRONG.map(([what, text]) => ({
        argv: ['run', '--rule', 'SHOP'],
        files: {
          'package.json': what === 'claims an unknown rule' ? '{}' : '{ "type": "module" }',
          'checks/bad.spec.ts': text,
        },
      })),
    );
    for (const [i, [what, , says]] of WRONG.entries())
      expect(ends[i], what).toEqual({ code: 2, out: '', err: expect.stringMatching(says) });
    expect(readdirSync(join(project, 'reports'))).toHaveLength(before);
  });
});
