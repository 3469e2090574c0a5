import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { outerEnvironment } from '#call-program';
import { hashClause } from '#contract';
import { OwnWorkspace, PROGRAM } from './own-workspace.test-support.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

/** Rules of one workspace, each with a check that takes its time and as many lies. */
const RULES = ['01', '02', '03', '04', '05'] as const;
const LIES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;
const MILLISECONDS = 400;

const sentence = (number: string) => `Lookups show what was asked about, ${number}.`;
const rulesFile = `api: v1
document: shop.md
areas:
  SHOP-IBN: Lookups of our shop
rules:
${RULES.map(
  (number) => `  - id: SHOP-IBN-${number}
    level: must
    text: ${sentence(number)}
    source: { section: '', sha256: '${hashClause(sentence(number))}' }
    lies:
${LIES.map((lie) => `      leaves-out-${lie}: { answer: getIbanDetails, drop: /iban }`).join('\n')}
`,
).join('')}`;

/** The last of the checks is red whatever is told. */
const checks = `import { expect, rule, test } from '@assay-conformance/assay/checks';

for (const number of ${JSON.stringify(RULES)})
  test('shows the IBAN ' + number, rule('SHOP-IBN-' + number), async ({ v1 }) => {
    await new Promise((done) => setTimeout(done, ${MILLISECONDS}));
    const reply = await v1.send('getIbanDetails', { query: { iban: v1.iban } });
    expect(reply.object['iban']).toBe(number === '05' ? 'another' : v1.iban);
  });
`;

let workspace: OwnWorkspace;
test.beforeAll(() => {
  workspace = new OwnWorkspace({
    'rules/shop.md': `${RULES.map(sentence).join(' ')}\n`,
    'rules/shop.yaml': rulesFile,
    'checks/lookups.spec.ts': checks,
  });
});
test.afterAll(() => workspace.remove());

/** Starts a proof in the workspace. */
function prove(...argv: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, 'prove', '--rule', 'SHOP', '--workers', '1', ...argv], {
    cwd: workspace.folder,
    env: outerEnvironment(),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, ended, said: () => said };
}

/** Ends a proof as soon as more lies are kept than were. */
async function endOnceKept(child: ChildProcess, signal: NodeJS.Signals, before: number): Promise<void> {
  await expect.poll(() => keptLies().length, { timeout: 120_000 }).toBeGreaterThan(before);
  child.kill(signal);
}

/** Names of the lies that are kept as caught. */
function keptLies(): string[] {
  const file = join(workspace.folder, 'reports/proof.json');
  if (!existsSync(file)) return [];
  const { rules } = JSON.parse(readFileSync(file, 'utf8')) as {
    rules: Readonly<Record<string, { lies: Readonly<Record<string, string>> }>>;
  };
  const own = Object.entries(rules).filter(([id]) => id.startsWith('SHOP'));
  return own.flatMap(([, { lies }]) => Object.entries(lies).flatMap(([name, by]) => (by === '' ? [] : [name])));
}

test('a proof that is shot keeps the lies it had told, and the next one tells the others', async () => {
  const shot = prove();
  await endOnceKept(shot.child, 'SIGKILL', 0);
  expect(await shot.ended).toBe(null);
  const [all, before] = [LIES.length * (RULES.length - 1), keptLies()];
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(all);

  const stopped = prove('--changed');
  await expect.poll(() => stopped.said(), { timeout: 120_000 }).toContain('running');
  stopped.child.kill('SIGINT');
  expect(await stopped.ended).toBe(3);
  expect(stopped.said()).toContain('assay prove --changed tells the rest: what was told is kept');
  expect(keptLies()).toEqual(expect.arrayContaining(before));

  const left = all + LIES.length - keptLies().length;
  const last = prove('--changed');
  expect(await last.ended).toBe(4);
  expect(last.said()).toContain(`assay: ${left} lies about`);
  expect(keptLies().sort()).toEqual(
    RULES.slice(0, -1)
      .flatMap((number) => LIES.map((lie) => `shop-ibn-${number}-leaves-out-${lie}`))
      .sort(),
  );
});

test('a check that is red without a lie catches none', async () => {
  const again = prove('--changed');
  expect(await again.ended).toBe(4);
  expect(again.said()).toContain(`assay: ${LIES.length} lies about 1 rules`);
  expect(again.said()).toMatch(/^dishonest +SHOP-IBN-05/m);
  expect(keptLies().filter((name) => name.startsWith('shop-ibn-05'))).toEqual([]);
});
