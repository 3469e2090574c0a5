import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { classifyChanges, equalCases, goldenCases, parseDescription } from '#upgrade';
import type { BenchPart, BenchSize } from './bench-figure.ts';
import { fitGrowth } from './fit-growth.ts';
import { describePair } from './large-description.ts';
import { runMeasured } from './run-measured.ts';
import { takeTurns } from './take-turns.ts';

const run = promisify(execFile);
const REDOCLY = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const CLASSIFY = `import { readFileSync } from 'node:fs';
import { classifyChanges, parseDescription } from '#upgrade';
// measured
const [old, now] = ['old.json', 'new.json'].map((name) => parseDescription(name, readFileSync(process.env.FOLDER + '/' + name, 'utf8')));
if (classifyChanges(old, now).length === 0) throw new Error('no change was found');`;

/** `unclear`: structure cannot tell, and only we say so; `other`: told, not breaking. */
type Word = 'breaking' | 'unclear' | 'other' | 'none' | 'error';

interface Case {
  readonly old: Record<string, unknown>;
  readonly new: Record<string, unknown>;
  readonly wanted: Word;
}

/**
 * Which changes of a description are told rightly as breaking or not, by us and by `redocly diff`, over every golden case and every pair
 * that says the same; and how the time grows with the description. The cases are ours: the figure shows where others differ, not who is
 * better in general.
 */
export async function benchClassifier({ isTrial, isWhole }: BenchSize): Promise<BenchPart> {
  const step = isTrial ? 60 : isWhole ? 1 : 6;
  const cases: Case[] = [
    ...goldenCases().map((one) => ({ ...one, wanted: wordOf(Object.values(one.expected)) })),
    ...equalCases().map((one) => ({ ...one, wanted: 'none' as const })),
  ].filter(({ wanted }, i) => wanted !== 'unclear' && i % step === 0);
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const right = async (ask: (files: readonly [string, string], inside: string) => Word | Promise<Word>) => {
      let count = 0;
      for (const [index, one] of cases.entries()) {
        const inside = join(folder, String(index));
        mkdirSync(inside, { recursive: true });
        const files = ['old.json', 'new.json'].map((name) => join(inside, name)) as [string, string];
        writeFileSync(files[0], JSON.stringify(one.old));
        writeFileSync(files[1], JSON.stringify(one.new));
        const said = await ask(files, inside);
        if (said !== 'error' && (one.wanted === 'breaking') === (said === 'breaking')) count += 1;
      }
      return count;
    };
    const figure = await takeTurns(
      [
        { name: 'ours', turn: () => right(askOurs) },
        {
          name: 'redocly diff',
          turn: () => right((files, inside) => askRedocly(files, inside).catch((): Word => 'error')),
        },
      ],
      {
        id: 'classifier',
        title: `Of ${cases.length} changes, told rightly as breaking or not`,
        unit: 'cases',
        rounds: 1,
        warmUp: 0,
        isRate: true,
        goals: [{ text: 'all of them', atLeast: cases.length }],
      },
    );
    const points = (isTrial ? [2, 20] : [10, 100, 1000]).map((size) => {
      const [old, now] = describePair(size);
      writeFileSync(join(folder, 'old.json'), JSON.stringify(old));
      writeFileSync(join(folder, 'new.json'), JSON.stringify(now));
      return { size, ...runMeasured(CLASSIFY, { FOLDER: folder }) };
    });
    const growth = fitGrowth(
      { id: 'classifier-by-operations', title: 'Comparing two descriptions', what: 'operations' },
      points,
    );
    return { figures: [figure], growth: [growth] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function wordOf(levels: readonly string[]): Word {
  for (const level of ['breaking', 'unclear'] as const) if (levels.includes(level)) return level;
  return levels.length > 0 ? 'other' : 'none';
}

function askOurs(files: readonly [string, string]): Word {
  const [old, now] = files.map((file) => parseDescription(file, readFileSync(file, 'utf8')));
  return wordOf(classifyChanges(old!, now!).map(({ level }) => level));
}

/** Its verdict is the version bump that the changes need: major is breaking. */
async function askRedocly(files: readonly [string, string], folder: string): Promise<Word> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const out = join(folder, 'redocly.json');
  const args = ['diff', ...files, '--format', 'json', '--fail-on', 'none', '--output', out];
  await run(process.execPath, [REDOCLY, ...args], { env, cwd: folder });
  const { bump, changes } = JSON.parse(readFileSync(out, 'utf8')) as { bump: string; changes: unknown[] };
  return bump === 'major' ? 'breaking' : changes.length > 0 ? 'other' : 'none';
}
