import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Contract, projectContract } from '#contract';
import type { CheckLine } from '#evidence';
import { REPORTS_FOLDER, SUITE_FOLDER } from '#folders';
import {
  BASELINE_FILE,
  type LieOutcome,
  PROOF_FILE,
  type ProofFile,
  readBaseline,
  readProof,
  renderProofPage,
} from '#report';
import { listLies } from '#sandbox';
import { type DeclaredCollateral, declarationsFor } from './collateral.ts';
import type { LieResult } from './types.ts';

const BASE = join(REPORTS_FOLDER, 'baseline');

/** The proof that a package brings along. */
const SHIPPED = join(SUITE_FOLDER, 'reports/baseline');

/** What one call of `assay prove` found. */
export interface FinishedProof {
  readonly results: readonly LieResult[];
  /** Check lines of the honest run. */
  readonly honestChecks: readonly CheckLine[];
  readonly declared: readonly DeclaredCollateral[];
  readonly finishedAt: string;
  readonly seconds: number;
  readonly full: boolean;
}

/**
 * Keeps what a proof found in reports/proof.json, beside what earlier proofs of the very same suite found about other lies, and
 * draws all of it as reports/proof.html.
 * @param suite hash of the suite that was proved
 * @param copy another file for the page
 */
export function keepProof(part: FinishedProof, suite: string, copy?: string): void {
  const known = projectContract();
  const proofs = joined(earlier(REPORTS_FOLDER, suite), part, suite);
  const pages = [join(REPORTS_FOLDER, 'proof.html'), ...(copy === undefined ? [] : [resolve(copy)])];
  mkdirSync(REPORTS_FOLDER, { recursive: true });
  writeFileSync(join(REPORTS_FOLDER, PROOF_FILE), `${JSON.stringify(proofs, null, 1)}\n`);
  for (const page of pages) {
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, drawn(proofs, known));
  }
}

function joined(before: ProofFile | undefined, part: FinishedProof, suite: string): ProofFile {
  const { results, honestChecks: honest, declared, finishedAt, seconds, full } = part;
  const again = new Set(results.map(({ name }) => name));
  const told = Object.values(before?.rules ?? {}).flatMap((rule) => rule.lies);
  // What was told before and is told again now replaces it; else its parts would be counted twice.
  const kept = told.every(({ name }) => again.has(name)) ? undefined : before;
  const rules: Record<string, ProofFile['rules'][string]> = { ...kept?.rules };
  for (const result of results) {
    const others = (rules[result.rule]?.lies ?? []).filter(({ name }) => name !== result.name);
    rules[result.rule] = {
      checks: honest.filter((check) => check.rules.includes(result.rule)).length,
      lies: [...others, toldOf(result, declared)].sort((a, b) => (a.name < b.name ? -1 : 1)),
    };
  }
  return {
    format: 'assay.proofs/1',
    suite,
    known: listLies().length,
    parts: [...(kept?.parts ?? []), { finishedAt, seconds, lies: results.length, full }],
    rules: Object.fromEntries(Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function toldOf(result: LieResult, declared: readonly DeclaredCollateral[]): LieOutcome {
  const { name, by, found, collateral, apart } = result;
  const beside = collateral.filter((red) => !apart.includes(red));
  return {
    name,
    caught: by.length > 0,
    by,
    ...(found === undefined ? {} : { found: found.slice(0, 200) }),
    ...(beside.length === 0 ? {} : { beside }),
    ...(apart.length === 0
      ? {}
      : {
          apart: apart.map((rule) => {
            const [one] = declarationsFor(declared, result, rule);
            return { rule, ...(one ? { reason: one.reason } : {}) };
          }),
        }),
  };
}

function drawn(proofs: ProofFile, known: Contract): string {
  return renderProofPage(proofs, {
    areas: [...known.areas.values()],
    rules: [...known.rules.values()],
    holes: [],
    readings: [],
    operations: [],
  });
}

/** Lays the proof of this very suite, when one is kept, into a run folder for its page. @returns whether there was one */
export function copyProof(folder: string, suite: string): boolean {
  const home = [REPORTS_FOLDER, BASE, SHIPPED].find((one) => earlier(one, suite) !== undefined);
  if (home === undefined) return false;
  copyFileSync(join(home, PROOF_FILE), join(folder, PROOF_FILE));
  return true;
}

/** What the accepted baseline promised, rule by rule, and the lies that were told about it; undefined where none is accepted. */
export function readProvenBaseline():
  | { promises: Readonly<Record<string, string>>; lies: ReadonlySet<string> }
  | undefined {
  if (!existsSync(join(BASE, BASELINE_FILE))) return undefined;
  const told = Object.values(readKept(BASE)?.rules ?? {}).flatMap((rule) => rule.lies.map(({ name }) => name));
  return { promises: readBaseline(BASE).promises ?? {}, lies: new Set(told) };
}

/** The proof kept in a folder, when it is of this suite. */
function earlier(folder: string, suite: string): ProofFile | undefined {
  const kept = readKept(folder);
  return kept?.suite === suite ? kept : undefined;
}

/** One that is damaged, or of another format, is as good as none: proving again writes it anew. */
function readKept(folder: string): ProofFile | undefined {
  try {
    return readProof(folder);
  } catch {
    return undefined;
  }
}
