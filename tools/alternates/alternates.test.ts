import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { isTestable, projectContract } from '#contract';
import { type CheckLine, type Line, readJournal } from '#evidence';
import { rehearseTarget } from '#rehearse-target';
import { AlternateClock } from './clock.ts';
import type { AlternateDefects } from './defects.ts';
import { GATEWAY_ALTERNATES, type GatewayAlternateChoices } from './gateway/choices.ts';
import { openGatewayAlternate } from './gateway/gateway-alternate.ts';
import { gatewayTargetSecrets, writeGatewayTarget } from './gateway/target-file.ts';
import {
  drawExamination,
  EXAMINES_ALL,
  type Examined,
  hashTree,
  keepExaminations,
  readExaminations,
} from './kept-examinations.test-support.ts';
import { V1_ALTERNATES, type V1AlternateChoices } from './v1/choices.ts';
import { v1TargetSecrets, writeV1Target } from './v1/target-file.ts';
import { openV1Alternate } from './v1/v1-alternate.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A cap, not what it takes: on a machine at its limit everything takes many times as long. */
const RUN = 1_200_000;

/** Areas in parts that take about equally long. Each alternate is asked about one of them; `npm run examinations` asks about all. */
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

const TREE = hashTree();
const KEPT = EXAMINES_ALL ? undefined : readExaminations(TREE);
/** Whether all is known or asked for; else each service is asked about a part. */
const WHOLE = EXAMINES_ALL || KEPT !== undefined;

interface Alternate {
  readonly name: string;
  readonly parts: readonly (readonly string[])[];
  /** Whether its lists say how long they are. */
  readonly paging?: boolean;
  /** Least share of its checks that pass, where it is not {@link MOST}. */
  readonly share?: number;
  /** Opens it and tells its target file and secrets. */
  open(
    defects?: AlternateDefects,
  ): Promise<{ target: string; secrets: Readonly<Record<string, string>>; close(): Promise<void> }>;
}

const v1Alternate = (choices: V1AlternateChoices, parts: Alternate['parts'] = []): Alternate => ({
  name: `v1, ${choices.name}`,
  parts,
  open: async (defects) => {
    const one = await openV1Alternate(choices, defects);
    return { target: writeV1Target(one), secrets: v1TargetSecrets(one), close: one.close };
  },
});
const gatewayAlternate = (choices: GatewayAlternateChoices, parts: Alternate['parts']): Alternate => ({
  name: `gateway, ${choices.name}`,
  parts,
  open: async (defects) => {
    const one = await openGatewayAlternate(choices, defects);
    return { target: writeGatewayTarget(one), secrets: gatewayTargetSecrets(one), close: one.close };
  },
});

/** Both services of one owner, who has one clock for them: one target file, and one run for what is asked about either. */
const bothAlternates = (v1: V1AlternateChoices, gateway: GatewayAlternateChoices): Alternate => ({
  name: `v1, ${v1.name}, and gateway, ${gateway.name}`,
  parts: PARTS.gateway.map((areas, i) => [...(PARTS.v1[i] ?? []), ...areas]),
  paging: v1.paging !== undefined,
  // Where the amount decides what a card does, verifications, which have none, lead to no 3-D Secure.
  ...(gateway.steers === 'amount' && { share: 0.6 }),
  open: async (defects) => {
    const clock = new AlternateClock(v1.start === undefined ? undefined : Date.parse(v1.start));
    const one = await openV1Alternate(v1, defects, undefined, clock);
    const other = await openGatewayAlternate(gateway, defects, clock);
    const [ours, theirs] = [JSON.parse(writeV1Target(one)), JSON.parse(writeGatewayTarget(other))];
    const joined = (section: string) => ({ ...theirs[section], ...ours[section] });
    const sections = ['control', 'callback', 'manners'].map((section) => [section, joined(section)]);
    return {
      target: JSON.stringify({ ...theirs, ...ours, ...Object.fromEntries(sections) }),
      secrets: { ...gatewayTargetSecrets(other), ...v1TargetSecrets(one) },
      close: async () => {
        await one.close();
        await other.close();
      },
    };
  },
});

const ALTERNATES: readonly Alternate[] = V1_ALTERNATES.map((v1, i) => bothAlternates(v1, GATEWAY_ALTERNATES[i]!));

/** Parts of its services that one of them is asked about where not every one is. */
const PICKED = ALTERNATES.map((_, i) => [...PARTS.v1[i]!, ...PARTS.gateway[i + ALTERNATES.length]!]);

/** What the lever moves is not all that goes by a clock: records keep their dates, payments and deliveries take real time. */
const HALF_STEERED: readonly Alternate[] = [
  {
    ...v1Alternate({ ...V1_ALTERNATES[2]!, name: 'with a lever for limits', lever: 'limits' }, [
      ['V1-PAG-08', 'V1-PAG-09', 'V1-TRL', 'V1-TRN'],
      // Each message is waited for in real time, and longer where none is to come.
      ['V1-EVT-01', 'V1-EVT-02', 'V1-EVT-03', 'V1-EVT-04', 'V1-EVT-05', 'V1-EVT-07', 'V1-EVT-10', 'V1-EVT-11'],
      ['V1-EVT-06'],
      ['V1-EVT-08', 'V1-EVT-09'],
      ['V1-LIM'],
    ]),
    // What needs days to pass is skipped.
    share: 0.7,
  },
  {
    ...gatewayAlternate({ ...GATEWAY_ALTERNATES[2]!, name: 'with a lever for something else', lever: 'nothing' }, [
      ['GW-CBK-01', 'GW-CBK-08', 'GW-TDS-23'],
      // Each capture is waited for in real time.
      ['GW-CAP-01', 'GW-CAP-02', 'GW-CAP-03', 'GW-CAP-06', 'GW-ATH-03'],
      ['GW-CAP-04', 'GW-CAP-07', 'GW-CAP-08', 'GW-CAP-09', 'GW-STS-06', 'OA-SIG-01'],
      ['GW-CAP-05'],
      ['GW-STA'],
      ['GW-CBK-03'],
    ]),
    // What needs days to pass is skipped.
    share: 0.7,
  },
];

test('the parts are the areas of the register, each once', () => {
  const areas = [...projectContract().rules.values()].filter(isTestable).map(({ area }) => area);
  expect(Object.values(PARTS).flat(2).sort()).toEqual([...new Set(areas)].sort());
});

/** What a play came to. */
interface Judged {
  readonly code: number | null;
  readonly lines: readonly Line[];
}

/** How the checks are played: by the real program, or by what it calls for that, without a page and its signature. */
type Play = (target: string, rules: readonly string[], env: Readonly<Record<string, string>>) => Promise<Judged>;

const runProgram: Play = async (file, rules, secrets) => {
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  const out = join(dirname(file), 'run');
  const argv = ['run', '--target', file, '--out', out, '--workers', '1', '--seed', '7'];
  const asked = rules.flatMap((rule) => ['--rule', rule]);
  const child = spawn(process.execPath, [join(ROOT, 'tools/cli/assay.mjs'), ...argv, ...asked], {
    cwd: ROOT,
    env: { ...env, ...secrets },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [code, ...said] = await Promise.all([
    new Promise<number | null>((done) => child.once('close', done)),
    text(child.stdout),
    text(child.stderr),
  ]);
  try {
    return { code, lines: readJournal(out) };
  } catch (cause) {
    throw new Error(
      `the program ended with ${code} and left no journal that can be read; it said:\n${said.join('\n')}`,
      { cause },
    );
  }
};

/** What a journal says of checks and holes. */
function sumUp({ code, lines }: Judged): Examined {
  const checks = lines.filter((line) => line.kind === 'check');
  const isOfV1 = (check: CheckLine) => check.rules.some((rule) => rule.startsWith('V1-'));
  const tally = (some: readonly CheckLine[]) => ({
    checks: some.length,
    passed: some.filter(({ outcome }) => outcome === 'pass').length,
  });
  return {
    code,
    tallies: { v1: tally(checks.filter(isOfV1)), gateway: tally(checks.filter((check) => !isOfV1(check))) },
    red: checks
      .filter(({ outcome }) => outcome === 'fail' || outcome === 'broken')
      .map(({ title, rules, outcome, failures, reason }) => ({
        title,
        rules,
        outcome,
        charged: failures.flatMap(({ rule }) => rule ?? rules),
        reasons: [...failures.map(({ message }) => message), ...(reason === undefined ? [] : [reason.text])],
      })),
    learned: [...new Set(lines.filter((line) => line.kind === 'learned').map(({ what }) => what))],
  };
}

/** Holds the checks of some rules against an alternate. */
async function examine(
  alternate: Alternate,
  rules: readonly string[],
  defects: AlternateDefects,
  play: Play,
): Promise<Examined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-alternate-'));
  const { target, secrets, close } = await alternate.open(defects);
  try {
    const file = join(folder, 'target.yaml');
    writeFileSync(file, target);
    mkdirSync(join(folder, 'tmp'));
    return sumUp(await play(file, rules, { ...secrets, TMPDIR: join(folder, 'tmp') }));
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is to be examined, and what has to come of it. */
interface Examination {
  readonly title: string;
  readonly alternate: Alternate;
  readonly rules: readonly string[];
  readonly defects?: AlternateDefects;
  /** Absent: without a page and its signature. */
  readonly play?: Play;
  judge(examined: Examined): void;
}

/** Least share of the checks of a service that pass: the others are skipped. */
const MOST = 0.8;

const right = (alternate: Alternate, rules: readonly string[], play: Play = rehearseTarget): Examination => ({
  title: `finds nothing wrong with a right service that chooses otherwise: ${alternate.name}; ${rules.join(', ')}`,
  alternate,
  rules,
  play,
  judge: ({ code, red, tallies, learned }) => {
    expect(red).toEqual([]);
    expect(code).toBe(0);
    expect(tallies.v1.checks + tallies.gateway.checks).toBeGreaterThan(0);
    for (const [service, { checks, passed }] of Object.entries(tallies))
      if (checks > 0)
        expect(passed, `checks of ${service} that passed`).toBeGreaterThan((alternate.share ?? MOST) * checks);
    const told = rules.includes('V1-PAG') && alternate.paging ? ['total as listed'] : [];
    expect(learned).toEqual(expect.arrayContaining(told));
  },
});

const EMPTY: Examination = {
  title: 'accuses nobody where an account is empty: what could not be arranged is undecided',
  alternate: v1Alternate({ ...V1_ALTERNATES[2]!, name: 'without funds', funds: 'none' }),
  rules: ['V1-GEN-01', 'V1-GEN-05', 'V1-TRL', 'V1-TRR', 'V1-TRN'],
  judge: ({ code, red }) => {
    expect(new Set(red.map(({ outcome }) => outcome))).toEqual(new Set(['broken']));
    expect(code).toBe(3);
  },
};

/** A defect: what it is called, which rules are asked about, and those of them that it breaks. */
type Defect = readonly [name: string, asked: readonly string[], broken: readonly string[]];

/** None of them touches what is asked about another. */
const DEFECTS: readonly Defect[] = [
  ['code of 36 characters', ['V1-TRC-15', 'V1-TRC-17', 'V1-TRC-19'], ['V1-TRC-17']],
  ['token readable', ['V1-WHK-03', 'V1-WHK-04', 'V1-WHK-05'], ['V1-WHK-04']],
  ['401 without a body', ['V1-AUT-02', 'V1-ERR-02', 'V1-ERR-03', 'V1-ERR-08'], ['V1-ERR-02', 'V1-ERR-08']],
  ['pages overlap', ['V1-PAG-02', 'V1-PAG-05', 'V1-PAG-09'], ['V1-PAG-05']],
  ['sends again after 202', ['V1-EVT-05', 'V1-EVT-09'], ['V1-EVT-09']],
  ['gives up after three', ['V1-EVT-06', 'V1-EVT-08'], ['V1-EVT-08']],
  ['processes twice', ['V1-TRC-02', 'V1-TRC-03', 'V1-TRC-05'], ['V1-TRC-03']],
  ['deletes nothing', ['V1-DOC-10', 'V1-DOC-11', 'V1-DOC-12'], ['V1-DOC-11']],
  ['captures one unit more', ['GW-CAP-03', 'GW-CAP-04', 'GW-CAP-05'], ['GW-CAP-05']],
  ['score above one', ['GW-HIS-04', 'GW-HIS-05', 'GW-HIS-06'], ['GW-HIS-06']],
  ['any PaRes will do', ['GW-TDS-13', 'GW-TDS-14'], ['GW-TDS-14']],
  ['callbacks tell no state', ['GW-CBK-01', 'GW-CBK-05'], ['GW-CBK-01']],
  ['refunds the same money twice', ['GW-REV-03', 'GW-REV-06'], ['GW-REV-06']],
  ['any token will do', ['GW-ERR-02', 'GW-BEA-04'], ['GW-BEA-04']],
  ['cards work for everybody', ['GW-REC-01', 'GW-REC-02'], ['GW-REC-02']],
  ['live too high', ['GW-BAL-02', 'GW-BAL-03'], ['GW-BAL-03']],
  ['verification charges', ['GW-VER-02', 'GW-VER-04'], ['GW-VER-04']],
  ['any body hash will do', ['OA-SIG-01', 'OA-ERR-04', 'OA-ERR-05'], ['OA-ERR-04']],
];

const wrong = (alternate: Alternate, play: Play): Examination => ({
  title: `finds each of ${DEFECTS.length} defects, and charges nothing else: ${alternate.name}`,
  alternate,
  rules: DEFECTS.flatMap(([, asked]) => asked),
  defects: new Set(DEFECTS.map(([name]) => name)),
  play,
  judge: ({ code, red }) => {
    const charged = new Set(red.filter(({ outcome }) => outcome === 'fail').flatMap((one) => one.charged));
    for (const [name, asked, broken] of DEFECTS)
      expect([name, asked.filter((rule) => charged.has(rule))]).toEqual([name, broken]);
    expect(code).toBe(1);
  },
});

const EXAMINATIONS: readonly Examination[] = [
  // What stays away is waited for: these take longest.
  ...(WHOLE ? ALTERNATES : ALTERNATES.slice(0, 1)).map((one) => wrong(one, EXAMINES_ALL ? runProgram : rehearseTarget)),
  // Nothing has shown yet what its lever moves: to learn that takes days, which do not count for the order that grows old.
  right(gatewayAlternate(GATEWAY_ALTERNATES[0]!, []), ['GW-ATH-03']),
  // What a check uploads fills the last page: the one after it is refused.
  right(v1Alternate({ ...V1_ALTERNATES[0]!, name: 'with a page of documents', oldDocuments: 99 }), ['V1-DOC-07']),
  ...HALF_STEERED.flatMap((one) => (WHOLE ? one.parts : one.parts.slice(0, 1)).map((part) => right(one, part))),
  ...ALTERNATES.flatMap((one, i) =>
    (WHOLE ? one.parts : [PICKED[i]!]).map((part) => right(one, part, EXAMINES_ALL ? runProgram : rehearseTarget)),
  ),
  EMPTY,
];

/** What was examined of these very files is not examined again, but for one, whichever the files draw. */
const DRAWN = drawExamination(
  EXAMINATIONS.map(({ title }) => title),
  TREE,
);
const keptOf = ({ title }: Examination): Examined | undefined =>
  title === DRAWN ? undefined : (KEPT?.[title] as Examined | undefined);

test.describe('independent services', () => {
  // One after the other in one worker, while the next ones are under way: they wait more than they work.
  test.describe.configure({ mode: 'default', timeout: RUN });
  const LANES = 4;
  const started = new Map<number, Promise<Examined>>();
  const found = new Map<string, Examined>();
  let under = 0;
  let isOver = false;
  /** Starts the one of a number, and those after it while there are lanes for them. */
  const startFrom = (number: number): void => {
    for (const [i, one] of EXAMINATIONS.entries()) {
      if (i < number || started.has(i) || keptOf(one) !== undefined) continue;
      if (isOver || (under >= LANES && i !== number)) return;
      const { alternate, rules, defects = new Set<string>(), play = rehearseTarget } = one;
      under += 1;
      const examination = examine(alternate, rules, defects, play).finally(() => {
        under -= 1;
        startFrom(i + 1);
      });
      examination.catch(() => {});
      started.set(i, examination);
    }
  };
  const examined = (number: number): Promise<Examined> => {
    startFrom(number);
    return started.get(number)!;
  };
  test.afterAll(async () => {
    // Those that are under way when a test is red, or the last of a selection done, are let come to their end.
    test.setTimeout(RUN);
    isOver = true;
    await Promise.allSettled(started.values());
    // One that was red is missing, and is examined again wherever these are read.
    if (EXAMINES_ALL)
      keepExaminations({ tree: TREE, examined: { ...readExaminations(TREE), ...Object.fromEntries(found) } });
  });

  for (const [i, one] of EXAMINATIONS.entries())
    test(one.title, async () => {
      const came = keptOf(one) ?? (await examined(i));
      one.judge(came);
      found.set(one.title, came);
    });
});
