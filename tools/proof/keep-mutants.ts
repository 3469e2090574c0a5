import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { REPORTS_FOLDER } from '#folders';
import { renderMutantPage } from '#report';
import type { MutantResult } from './judge-mutants.ts';

const FILE = 'mutants.json';

/** Keeps what became of mutants, and draws it as reports/mutants.html. @param suite hash of the suite they were tried on */
export function keepMutants(results: readonly MutantResult[], suite: string, copy?: string): void {
  const whole = new Map([...readKeptMutants(suite), ...results.map((one) => [one.id, one] as const)]);
  mkdirSync(REPORTS_FOLDER, { recursive: true });
  writeFileSync(
    join(REPORTS_FOLDER, FILE),
    `${JSON.stringify({ format: 'assay.mutants/1', suite, results: [...whole.values()] })}\n`,
  );
  const page = renderMutantPage([...whole.values()]);
  for (const path of [join(REPORTS_FOLDER, 'mutants.html'), ...(copy === undefined ? [] : [resolve(copy)])]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page);
  }
}

/** What became of mutants of this very suite, by id; a file of another suite, or a damaged one, is as good as none. */
export function readKeptMutants(suite: string): ReadonlyMap<string, MutantResult> {
  const path = join(REPORTS_FOLDER, FILE);
  if (!existsSync(path)) return new Map();
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as { suite: string; results: MutantResult[] };
    return new Map(kept.suite === suite ? kept.results.map((one) => [one.id, one]) : []);
  } catch {
    return new Map();
  }
}
