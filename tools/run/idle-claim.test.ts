import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { outerEnvironment } from '#call-program';
import { hashClause } from '#contract';
import { OwnWorkspace, PROGRAM } from './own-workspace.test-support.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

const SENTENCE = 'A lookup shows the IBAN and whether it is valid.';
const rules = (more = '') => `api: v1
document: shop.md
areas:
  SHOP-IBN: Lookups of our shop
rules:
  - id: SHOP-IBN-01
    level: must
    text: ${SENTENCE}
    source: { section: '', sha256: '${hashClause(SENTENCE)}' }
    lies:
      leaves-out-the-iban: { answer: getIbanDetails, drop: /iban }
${more}`;
const CHECKS = `import { expect, rule, test } from '@assay-conformance/assay/checks';

test('shows the IBAN', rule('SHOP-IBN-01'), async ({ v1 }) => {
  const reply = await v1.send('getIbanDetails', { query: { iban: v1.iban } });
  expect(reply.object['iban']).toBe(v1.iban);
});
test('shows whether it is valid', rule('SHOP-IBN-01'), async ({ v1 }) => {
  const reply = await v1.send('getIbanDetails', { query: { iban: v1.iban } });
  expect(typeof reply.object['is_valid']).toBe('boolean');
});
`;

let workspace: OwnWorkspace;
test.beforeAll(() => {
  workspace = new OwnWorkspace({
    'rules/shop.md': `${SENTENCE}\n`,
    'rules/shop.yaml': rules(),
    'checks/lookups.spec.ts': CHECKS,
  });
});
test.afterAll(() => workspace.remove());

/** Proves in the workspace; what was said, and the exit code. */
function prove(...argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'prove', '--rule', 'SHOP', ...argv], {
    cwd: workspace.folder,
    env: outerEnvironment(),
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

test('a check that no lie about its rule turns red is named, and the rule is not proven', () => {
  const { status, said } = prove();
  expect(said).toMatch(/^never red +SHOP-IBN-01 +checks\/lookups\.spec\.ts: shows whether it is valid:/m);
  expect(said).not.toMatch(/^never red.*shows the IBAN/m);
  expect(said).toContain('0 of 1 rules proven, 1 of 1 lies caught');
  expect(status).toBe(4);
});

test('it stays open until a lie turns it red', () => {
  expect(prove('--changed').status).toBe(4);
  workspace.put(
    'rules/shop.yaml',
    rules('      leaves-out-the-validity: { answer: getIbanDetails, drop: /is_valid }\n'),
  );
  const mended = prove('--changed');
  expect(mended.said).toContain('1 of 1 rules proven, 2 of 2 lies caught');
  expect(mended.status).toBe(0);
  expect(prove('--changed').said).toContain('nothing to prove');
});

test('a check that lets through what it caught before leaves the lie to the others', () => {
  // Caught by the first of two checks alone so far; what it asks now is what the second asks, and the other way round.
  const [head, ...checks] = CHECKS.split(/^(?=test\()/m) as [string, string, string];
  const bodies = checks.map((text) => text.replace(/test\('[^']*'/, ''));
  const titles = checks.map((text) => /test\('[^']*'/.exec(text)![0]);
  workspace.put('checks/lookups.spec.ts', [head, titles[0]!, bodies[1]!, titles[1]!, bodies[0]!].join(''));
  const { status, said } = prove();
  expect(said).toContain('2 lies came otherwise than before; told to the other checks of 1 rules');
  expect(said).toContain('1 of 1 rules proven, 2 of 2 lies caught');
  expect(status).toBe(0);
});
