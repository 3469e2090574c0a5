import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { REPORTS_FOLDER } from '#folders';
import { renderMutantPage } from '#report';
import type { MutantResult } from './judge-mutants.ts';
import type { RuleSeals } from './rule-seals.ts';

const FILE = 'mutants.json';
const FORMAT = 'assay.mutants/2';

/** What the fate of mutants rests on. */
export interface MutantGround {
  /** Hash of the whole suite: whether no check at all turns red. */
  readonly suite: string;
  /** By rule: whether those that turned red do so still. */
  readonly seals: RuleSeals;
}

interface KeptMutant extends MutantResult {
  /** The seals of the rules that turned red, else the hash of the suite: while they stay, so does the fate. */
  readonly ground: string;
}

/** Keeps what became of mutants, and draws it as reports/mutants.html. @param copy another file for the page */
export function keepMutants(results: readonly MutantResult[], ground: MutantGround, copy?: string): void {
  const whole = [...new Map([...readKeptMutants(ground), ...results.map((one) => [one.id, one] as const)]).values()];
  const kept = whole.map((one): KeptMutant => ({ ...one, ground: groundOf(one, ground) }));
  mkdirSync(REPORTS_FOLDER, { recursive: true });
  const lines = kept.map((one) => JSON.stringify(one)).join(',\n');
  writeFileSync(join(REPORTS_FOLDER, FILE), `{"format":"${FORMAT}","results":[\n${lines}\n]}\n`);
  const page = renderMutantPage(whole);
  for (const path of [join(REPORTS_FOLDER, 'mutants.html'), ...(copy === undefined ? [] : [resolve(copy)])]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page);
  }
}

/** What became of mutants and still holds, by id; a damaged file is as good as none. */
export function readKeptMutants(ground: MutantGround): ReadonlyMap<string, MutantResult> {
  const path = join(REPORTS_FOLDER, FILE);
  if (!existsSync(path)) return new Map();
  try {
    const { format, results } = JSON.parse(readFileSync(path, 'utf8')) as { format: string; results: KeptMutant[] };
    const current = format === FORMAT ? results.filter((one) => one.ground === groundOf(one, ground)) : [];
    return new Map(current.map(({ ground: _, ...one }) => [one.id, one]));
  } catch {
    return new Map();
  }
}

function groundOf({ rules }: MutantResult, { suite, seals }: MutantGround): string {
  return rules.length === 0 ? suite : rules.map((id) => seals.get(id)).join(' ');
}
