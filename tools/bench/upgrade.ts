/**
 * Which changes of a description are told rightly as breaking or not: ours, `redocly diff` (a dev dependency, from the same node_modules)
 * and `oasdiff` where it is on the PATH, over every golden case and every pair that says the same; `npm run bench:upgrade`.
 * Ours is measured by cases we wrote ourselves: the table shows where others differ, not who is better in general.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { classifyChanges, equalCases, goldenCases, parseDescription } from '#upgrade';

const run = promisify(execFile);
const REDOCLY = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const CROWD = 2;

/** `breaking`, `unclear` (structure cannot tell; only we say so), `other` (told, not breaking), `none` (nothing told), `error`. */
type Word = 'breaking' | 'unclear' | 'other' | 'none' | 'error';

interface Case {
  readonly name: string;
  readonly old: Record<string, unknown>;
  readonly new: Record<string, unknown>;
  readonly wanted: Word;
}

interface Row {
  readonly name: string;
  readonly wanted: Word;
  readonly said: Readonly<Record<string, Word>>;
}

function word(levels: readonly string[]): Word {
  for (const level of ['breaking', 'unclear'] as const) if (levels.includes(level)) return level;
  return levels.length > 0 ? 'other' : 'none';
}

function ours(files: readonly [string, string]): Word {
  const [old, now] = files.map((file) => parseDescription(file, readFileSync(file, 'utf8')));
  return word(classifyChanges(old!, now!).map(({ level }) => level));
}

/** Its verdict is the version bump that the changes need: major is breaking. */
async function redocly(files: readonly [string, string], folder: string): Promise<Word> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const out = join(folder, 'redocly.json');
  const args = ['diff', ...files, '--format', 'json', '--fail-on', 'none', '--output', out];
  await run(process.execPath, [REDOCLY, ...args], { env, cwd: folder });
  const { bump, changes } = JSON.parse(readFileSync(out, 'utf8')) as { bump: string; changes: unknown[] };
  return bump === 'major' ? 'breaking' : changes.length > 0 ? 'other' : 'none';
}

/** Its errors are breaking; its warnings are not, as our `risky` is not. */
async function oasdiff(files: readonly [string, string]): Promise<Word> {
  const ask = async (command: string) => {
    const { stdout } = await run('oasdiff', [command, '--format', 'json', ...files]);
    return (JSON.parse(stdout || '[]') as { level: number }[] | null) ?? [];
  };
  if ((await ask('breaking')).some(({ level }) => level === 3)) return 'breaking';
  return (await ask('changelog')).length > 0 ? 'other' : 'none';
}

async function measure(one: Case, index: number, folder: string, tools: readonly string[]): Promise<Row> {
  const inside = join(folder, String(index));
  mkdirSync(inside);
  const files = ['old.json', 'new.json'].map((name) => join(inside, name)) as [string, string];
  writeFileSync(files[0], JSON.stringify(one.old));
  writeFileSync(files[1], JSON.stringify(one.new));
  const said: Record<string, Word> = { ours: ours(files) };
  const ask = { redocly: () => redocly(files, inside), oasdiff: () => oasdiff(files) };
  for (const tool of ['redocly', 'oasdiff'] as const)
    if (tools.includes(tool)) said[tool] = await ask[tool]().catch((): Word => 'error');
  return { name: one.name, wanted: one.wanted, said };
}

/** Right is to say breaking where it is expected and nowhere else; where structure cannot tell, any answer is a guess and none counts. */
function isRight({ wanted }: Row, said: Word): boolean {
  return said !== 'error' && (wanted === 'unclear' || (wanted === 'breaking') === (said === 'breaking'));
}

async function main(): Promise<void> {
  const has = async (file: string, args: string[]) =>
    run(file, args).then(
      () => true,
      () => false,
    );
  const tools = ['ours', 'redocly', ...((await has('oasdiff', ['--version'])) ? ['oasdiff'] : [])];
  const step = Number(process.argv[2] ?? 1);
  const cases: Case[] = [
    ...goldenCases().map((one) => ({ ...one, wanted: word(Object.values(one.expected)) })),
    ...equalCases().map((one) => ({ ...one, wanted: 'none' as const })),
  ].filter((_, i) => i % step === 0);
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const rows: Row[] = [];
  let next = 0;
  try {
    const work = async () => {
      for (let i = next++; i < cases.length; i = next++) rows[i] = await measure(cases[i]!, i, folder, tools);
    };
    await Promise.all(Array.from({ length: CROWD }, work));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${'case'.padEnd(64)}${['expected', ...tools].map((name) => name.padEnd(11)).join('')}`);
  for (const row of rows) {
    const cells = tools.map((tool) => `${row.said[tool]}${isRight(row, row.said[tool]!) ? '' : ' ✗'}`.padEnd(11));
    console.log(`${row.name.slice(0, 62).padEnd(64)}${row.wanted.padEnd(11)}${cells.join('')}`);
  }
  total(rows, tools);
}

function total(rows: readonly Row[], tools: readonly string[]): void {
  const line = (name: string, cells: readonly (string | number)[]) =>
    console.log(`${name.padEnd(34)}${cells.map((cell) => String(cell).padStart(9)).join('')}`);
  const of = (...words: Word[]) => rows.filter(({ wanted }) => words.includes(wanted));
  const right = (name: string, group: readonly Row[]) =>
    line(name, [group.length, ...tools.map((tool) => group.filter((row) => isRight(row, row.said[tool]!)).length)]);
  const said = (name: string, group: readonly Row[], word_: Word) =>
    line(name, [group.length, ...tools.map((tool) => group.filter((row) => row.said[tool] === word_).length)]);
  console.log();
  line('rightly told breaking or not', ['cases', ...tools]);
  right('breaking', of('breaking'));
  right('told, not breaking', of('other'));
  right('says the same', of('none'));
  right('all of these', of('breaking', 'other', 'none'));
  said('says the same, nothing told', of('none'), 'none');
  said('unclear, said to be unclear', of('unclear'), 'unclear');
  said('unclear, said to be breaking', of('unclear'), 'breaking');
  said('could not answer', rows, 'error');
}

await main();
