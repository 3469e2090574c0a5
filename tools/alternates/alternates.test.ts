import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { isTestable, projectContract, selectRules } from '#contract';
import { type CheckLine, type LearnedLine, type Line, readJournal } from '#evidence';
import { exitCode, judgeJournal } from '#report';
import { createRunLine, playRehearsal } from '#run';
import { parseTarget } from '#target';
import { GATEWAY_ALTERNATES, type GatewayAlternateChoices } from './gateway/choices.ts';
import { openGatewayAlternate } from './gateway/gateway-alternate.ts';
import { gatewayTargetSecrets, writeGatewayTarget } from './gateway/target-file.ts';
import { V1_ALTERNATES, type V1AlternateChoices } from './v1/choices.ts';
import { v1TargetSecrets, writeV1Target } from './v1/target-file.ts';
import { openV1Alternate } from './v1/v1-alternate.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A cap, not what it takes: on a machine at its limit everything takes many times as long. */
const RUN = 600_000;

/** Areas in parts that take about equally long. Each alternate is asked about one of them; ASSAY_ALTERNATES=all asks about all. */
const PARTS = {
  v1: [
    ['V1-TRC', 'V1-IBN', 'V1-EVT'],
    ['V1-DOC', 'V1-WHK', 'V1-TRN', 'V1-TRR', 'V1-AUT'],
    ['V1-PAG', 'V1-TRL', 'V1-ERR', 'V1-GEN', 'V1-DEP'],
    ['V1-LIM'],
  ],
  gateway: [
    ['GW-CAP', 'GW-REV', 'GW-ATH', 'GW-SAL'],
    ['GW-STS', 'GW-STA', 'GW-STR', 'GW-VER', 'GW-BAL'],
    ['GW-HIS', 'GW-INF', 'GW-RAT', 'GW-OVW', 'GW-ADR', 'GW-BEA', 'GW-ERR', 'GW-GEN', 'GW-VRS'],
    ['GW-TDS'],
    ['GW-FRM', 'GW-REC', 'GW-TRF', 'OA-SIG', 'OA-ERR'],
    ['GW-CBK', 'GW-REP'],
  ],
} as const;

const ALL = process.env.ASSAY_ALTERNATES === 'all';

interface Alternate {
  readonly name: string;
  readonly parts: readonly (readonly string[])[];
  /** Whether its lists say how long they are. */
  readonly paging?: boolean;
  /** Opens it and tells its target file and secrets. */
  open(defect?: string): Promise<{ target: string; secrets: Readonly<Record<string, string>>; close(): Promise<void> }>;
}

const v1Alternate = (choices: V1AlternateChoices, parts: Alternate['parts'] = PARTS.v1): Alternate => ({
  name: `v1, ${choices.name}`,
  parts,
  paging: choices.paging !== undefined,
  open: async (defect?: string) => {
    const one = await openV1Alternate(choices, defect);
    return { target: writeV1Target(one), secrets: v1TargetSecrets(one), close: one.close };
  },
});
const gatewayAlternate = (choices: GatewayAlternateChoices, parts: Alternate['parts'] = PARTS.gateway): Alternate => ({
  name: `gateway, ${choices.name}`,
  parts,
  open: async (defect?: string) => {
    const one = await openGatewayAlternate(choices, defect);
    return { target: writeGatewayTarget(one), secrets: gatewayTargetSecrets(one), close: one.close };
  },
});

const ALTERNATES: readonly Alternate[] = [
  ...V1_ALTERNATES.map((choices) => v1Alternate(choices)),
  ...GATEWAY_ALTERNATES.map((choices) => gatewayAlternate(choices)),
  // What the lever moves is not all that goes by a clock: records keep their dates, payments and deliveries take real time.
  v1Alternate({ ...V1_ALTERNATES[2]!, name: 'with a lever for limits', lever: 'limits' }, [
    ['V1-PAG-08', 'V1-PAG-09', 'V1-TRL', 'V1-TRN'],
    ['V1-EVT'],
    ['V1-LIM'],
  ]),
  gatewayAlternate({ ...GATEWAY_ALTERNATES[2]!, name: 'with a lever for something else', lever: 'nothing' }, [
    ['GW-CAP', 'GW-ATH-03', 'GW-STS-06', 'OA-SIG-01'],
    ['GW-CBK-01', 'GW-CBK-08', 'GW-TDS-23'],
    ['GW-STA', 'GW-CBK-03'],
  ]),
];

test('the parts are the areas of the register, each once', () => {
  const areas = [...projectContract().rules.values()].filter(isTestable).map(({ area }) => area);
  expect(Object.values(PARTS).flat(2).sort()).toEqual([...new Set(areas)].sort());
});

/** What a journal says of checks and holes. */
type Examined = Pick<Judged, 'code'> & {
  readonly checks: readonly CheckLine[];
  readonly learned: readonly LearnedLine[];
};

/** What a play came to. */
interface Judged {
  readonly code: number | null;
  readonly lines: readonly Line[];
}

/** How the checks are played: by the real program, or by what it calls for that, without a page and its signature. */
type Play = (target: string, rules: readonly string[], env: Readonly<Record<string, string>>) => Promise<Judged>;

const playAlone: Play = async (file, names, env) => {
  const known = projectContract();
  const first = createRunLine({
    known,
    written: parseTarget(file),
    id: 'alternate',
    seed: 7,
    hosts: {},
    selection: names,
    argv: [],
    lies: [],
  });
  const ids = selectRules(known, names).map(({ id }) => id);
  const lines = await playRehearsal(first, 'the alternate', {
    target: file,
    seed: 7,
    ids,
    workers: '1',
    quiet: true,
    env,
  });
  return { code: exitCode(judgeJournal(lines)), lines };
};

const runProgram: Play = async (file, rules, secrets) => {
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  const out = join(dirname(file), 'run');
  const argv = ['run', '--target', file, '--out', out, '--workers', '1', '--seed', '7'];
  const asked = rules.flatMap((rule) => ['--rule', rule]);
  const child = spawn(process.execPath, [join(ROOT, 'tools/cli/assay.mjs'), ...argv, ...asked], {
    cwd: ROOT,
    env: { ...env, ...secrets },
    stdio: 'ignore',
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, lines: readJournal(out) };
};

/** Holds the checks of some rules against an alternate. */
async function examine(
  alternate: Alternate,
  rules: readonly string[],
  defect?: string,
  play = playAlone,
): Promise<Examined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-alternate-'));
  const { target, secrets, close } = await alternate.open(defect);
  try {
    const file = join(folder, 'target.yaml');
    writeFileSync(file, target);
    for (const name of ['tmp', 'state']) mkdirSync(join(folder, name));
    const own = { TMPDIR: join(folder, 'tmp'), ...(play === playAlone ? { ASSAY_STATE: join(folder, 'state') } : {}) };
    const { code, lines } = await play(file, rules, { ...secrets, ...own });
    return {
      code,
      checks: lines.filter((line) => line.kind === 'check'),
      learned: lines.filter((line) => line.kind === 'learned'),
    };
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const [i, alternate] of ALTERNATES.entries())
  for (const part of ALL ? alternate.parts : [alternate.parts[i % alternate.parts.length]!])
    test(`finds nothing wrong with a right service that chooses otherwise: ${alternate.name}; ${part.join(', ')}`, async () => {
      test.setTimeout(RUN);
      const { code, checks, learned } = await examine(
        alternate,
        part,
        undefined,
        ALL || i === 0 ? runProgram : playAlone,
      );
      const others = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'broken');
      expect(others.map(({ title, failures }) => ({ title, failures }))).toEqual([]);
      expect(code).toBe(0);
      const passed = checks.filter(({ outcome }) => outcome === 'pass').length;
      expect(passed).toBeGreaterThan(0.8 * checks.length);
      const told = part.includes('V1-PAG') && alternate.paging ? ['total as listed'] : [];
      expect(learned.map(({ what }) => what)).toEqual(expect.arrayContaining(told));
    });

test('accuses nobody where an account is empty: what could not be arranged is undecided', async () => {
  test.setTimeout(RUN);
  const empty = v1Alternate({ ...V1_ALTERNATES[2]!, name: 'without funds', funds: 'none' });
  const { code, checks } = await examine(
    empty,
    ['V1-GEN-01', 'V1-GEN-05', 'V1-TRL', 'V1-TRR', 'V1-TRN'],
    undefined,
    runProgram,
  );
  expect(
    checks.filter(({ outcome }) => outcome === 'fail').map(({ title, failures }) => ({ title, failures })),
  ).toEqual([]);
  expect(checks.some(({ outcome }) => outcome === 'broken')).toBe(true);
  expect(code).toBe(3);
});

/** Defects: which alternate has it, what it is called, which rules are asked about, and those of them that it breaks. */
const DEFECTS = [
  [0, 'code of 36 characters', ['V1-TRC-15', 'V1-TRC-17', 'V1-TRC-19'], ['V1-TRC-17']],
  [0, 'token readable', ['V1-WHK-03', 'V1-WHK-04', 'V1-WHK-05'], ['V1-WHK-04']],
  [1, 'pages overlap', ['V1-PAG-02', 'V1-PAG-05', 'V1-PAG-09'], ['V1-PAG-05']],
  [1, 'sends again after 202', ['V1-EVT-05', 'V1-EVT-09'], ['V1-EVT-09']],
  [2, 'processes twice', ['V1-TRC-02', 'V1-TRC-03', 'V1-TRC-05'], ['V1-TRC-03']],
  [0, '401 without a body', ['V1-AUT-02', 'V1-ERR-02', 'V1-ERR-03', 'V1-ERR-08'], ['V1-ERR-02', 'V1-ERR-08']],
  [2, 'deletes nothing', ['V1-DOC-10', 'V1-DOC-11', 'V1-DOC-12'], ['V1-DOC-11']],
  [3, 'captures one unit more', ['GW-CAP-03', 'GW-CAP-04', 'GW-CAP-05'], ['GW-CAP-05']],
  [3, 'score above one', ['GW-HIS-04', 'GW-HIS-05', 'GW-HIS-06'], ['GW-HIS-06']],
  [4, 'refunds the same money twice', ['GW-REV-03', 'GW-REV-06'], ['GW-REV-06']],
  [4, 'any token will do', ['GW-ERR-02', 'GW-BEA-04'], ['GW-BEA-04']],
  [5, 'live too high', ['GW-BAL-02', 'GW-BAL-03'], ['GW-BAL-03']],
  [5, 'verification charges', ['GW-VER-02', 'GW-VER-04'], ['GW-VER-04']],
  [3, 'any PaRes will do', ['GW-TDS-13', 'GW-TDS-14'], ['GW-TDS-14']],
  [3, 'captures are not told', ['GW-CBK-01', 'GW-CBK-05'], ['GW-CBK-05']],
  [4, 'cards work for everybody', ['GW-REC-01', 'GW-REC-02'], ['GW-REC-02']],
  [5, 'any body hash will do', ['OA-SIG-01', 'OA-ERR-04', 'OA-ERR-05'], ['OA-ERR-04']],
] as const;

for (const [n, [i, defect, asked, broken]] of DEFECTS.entries()) {
  // A third of them stands for all.
  if (!ALL && n % 3 !== 0) continue;
  test(`finds that one ${defect}: ${ALTERNATES[i]!.name}`, async () => {
    test.setTimeout(RUN);
    const { code, checks } = await examine(ALTERNATES[i]!, asked, defect, ALL || n === 0 ? runProgram : playAlone);
    const red = checks.filter(({ outcome }) => outcome === 'fail');
    const charged = red.flatMap(({ rules, failures }) => failures.flatMap(({ rule }) => rule ?? rules));
    expect([...new Set(charged)].filter((rule) => (asked as readonly string[]).includes(rule)).sort()).toEqual(broken);
    expect(code).toBe(1);
  });
}
