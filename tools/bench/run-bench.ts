/**
 * Measures the house, side by side with others where there are others, and draws a page of it.
 *
 *     npm run bench                     everything but the whole run and the whole proof
 *     npm run bench -- --whole          these as well: many minutes
 *     npm run bench -- --only signing   some parts (may be repeated)
 *     npm run bench -- --trial          tiny sizes, to see that it works; --offline fetches nothing
 *     npm run bench -- --accept         makes the result the committed one; with --only just these parts of it
 *
 * Writes reports/bench/bench.json, one more named by its time, and index.html; compares with reports/baseline/bench.json.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPORTS_FOLDER } from '#folders';
import { EXIT_CODES, Trouble } from '#trouble';
import type { BenchPart, BenchResult, BenchSize } from './bench-figure.ts';
import { goalsOf, renderBenchPage } from './bench-page.ts';
import { provideRivals } from './bench-rivals.ts';
import { compareResults } from './compare-results.ts';
import { formatFigure } from './format-figure.ts';

/** Each is loaded when it is its turn. */
const PARTS: Readonly<Record<string, (size: BenchSize) => Promise<BenchPart>>> = {
  contract: async (size) => (await import('./contract-load.ts')).benchContractLoad(size),
  validation: async (size) => (await import('./response-validation.ts')).benchResponseValidation(size),
  exchange: async (size) => (await import('./checked-exchange.ts')).benchCheckedExchange(size),
  sandbox: async (size) => (await import('./sandbox-throughput.ts')).benchSandboxThroughput(size),
  proxy: async (size) => (await import('./proxy-overhead.ts')).benchProxyOverhead(size),
  signing: async (size) => (await import('./signing.ts')).benchSigning(size),
  classifier: async (size) => (await import('./classifier.ts')).benchClassifier(size),
  run: async (size) => (await import('./whole-run.ts')).benchWholeRun(size),
  page: async (size) => (await import('./audit-page.ts')).benchAuditPage(size),
  growth: async (size) => (await import('./work-growth.ts')).benchWorkGrowth(size),
};

const ACCEPTED = join(REPORTS_FOLDER, 'baseline/bench.json');

async function main(): Promise<number> {
  const values = readOptions();
  const names = values.only ?? Object.keys(PARTS);
  const unknown = names.find((name) => PARTS[name] === undefined);
  if (unknown !== undefined)
    throw new Trouble('usage', `no part of the bench is called ${unknown}`, { fix: Object.keys(PARTS).join(', ') });
  if (values.accept && values.trial)
    throw new Trouble('usage', 'a trial is no result to compare with', { fix: 'npm run bench -- --accept' });
  const provided = values.offline ? { reason: 'asked to fetch nothing' } : await provideRivals();
  if ('reason' in provided) console.log(`without programs of other hands: ${provided.reason}`);
  const rivals = 'folder' in provided ? provided.folder : undefined;
  const parts: BenchPart[] = [];
  for (const name of names) {
    console.log(`${name} …`);
    const part = await PARTS[name]!({ isTrial: values.trial, isWhole: values.whole, rivals });
    parts.push(part);
    for (const { title, contestants, unit } of part.figures ?? [])
      console.log(
        `  ${title}: ${contestants.map((one) => `${one.name} ${formatFigure(one.median)} ${unit}`).join(', ')}`,
      );
    for (const { title, what, exponent } of part.growth ?? [])
      console.log(`  ${title}, by ${what}: exponent ${exponent.toFixed(2)}`);
  }
  const result: BenchResult = {
    format: 'assay.bench/1',
    measuredAt: new Date().toISOString(),
    machine: { node: process.version, cores: availableParallelism(), processor: cpus()[0]?.model ?? 'unknown' },
    isTrial: values.trial,
    figures: parts.flatMap(({ figures = [] }) => figures),
    growth: parts.flatMap(({ growth = [] }) => growth),
  };
  keepResult(values.out, result);
  if (values.accept) writeFileSync(ACCEPTED, textOf(withOtherParts(result, readAccepted())));
  if (!values.trial)
    for (const { title, text, value, isReached } of goalsOf(result))
      console.log(`${isReached ? 'reached' : 'MISSED '}  ${formatFigure(value).padStart(8)}  ${title}: ${text}`);
  console.log(join(values.out, 'index.html'));
  // A figure of a busy machine is no promise broken: whoever reads it decides.
  return EXIT_CODES.kept;
}

/** What was asked for. @throws Trouble (usage) for an option that there is not */
function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        trial: { type: 'boolean', default: false },
        whole: { type: 'boolean', default: false },
        offline: { type: 'boolean', default: false },
        accept: { type: 'boolean', default: false },
        out: { type: 'string', default: join(REPORTS_FOLDER, 'bench') },
      },
    }).values;
  } catch (error) {
    const fix = 'npm run bench -- [--only PART]… [--whole] [--trial] [--offline] [--accept] [--out FOLDER]';
    throw new Trouble('usage', (error as Error).message, { fix });
  }
}

function keepResult(folder: string, result: BenchResult): void {
  mkdirSync(folder, { recursive: true });
  const accepted = readAccepted();
  const changes = accepted === undefined ? [] : compareResults(accepted, result);
  const stamp = result.measuredAt.replaceAll(/[-:]/g, '').slice(0, 15);
  for (const name of ['bench.json', `${stamp}.json`]) writeFileSync(join(folder, name), textOf(result));
  writeFileSync(join(folder, 'index.html'), renderBenchPage(result, changes));
}

function readAccepted(): BenchResult | undefined {
  return existsSync(ACCEPTED) ? (JSON.parse(readFileSync(ACCEPTED, 'utf8')) as BenchResult) : undefined;
}

/** A result with what only an earlier one measured. */
function withOtherParts(result: BenchResult, before: BenchResult | undefined): BenchResult {
  const others = <Part extends { readonly id: string }>(now: readonly Part[], old: readonly Part[] = []) => [
    ...old.filter(({ id }) => !now.some((one) => one.id === id)),
    ...now,
  ];
  return {
    ...result,
    figures: others(result.figures, before?.figures),
    growth: others(result.growth, before?.growth),
  };
}

function textOf(result: BenchResult): string {
  return `${JSON.stringify(result, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value), 1)}\n`;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(String(error));
  process.exitCode = EXIT_CODES[error.outcome];
}
