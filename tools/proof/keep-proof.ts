import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { projectContract } from '#contract';
import { REPORTS_FOLDER, SUITE_FOLDER } from '#folders';
import {
  type LieOutcome,
  type ProofFile,
  type ProofState,
  type ProvenRule,
  readProof,
  renderProofPage,
  stateOfProof,
  testableRules,
  writeProof,
} from '#report';
import { type DeclaredCollateral, declarationsFor } from './collateral.ts';
import { listDishonest } from './judge-lies.ts';
import { listKnownLies } from './known-lies.ts';
import { listIdleClaims } from './plan-plays.ts';
import { type RuleSeals, sealRules } from './rule-seals.ts';
import type { HonestCheck, LieResult } from './types.ts';

const BASE = join(REPORTS_FOLDER, 'baseline');

/** The proof that a package brings along. */
const SHIPPED = join(SUITE_FOLDER, 'reports/baseline');

/** What one call of `assay prove` found. */
export interface FinishedProof {
  readonly results: readonly LieResult[];
  /** The checks of the honest run. */
  readonly honestChecks: readonly HonestCheck[];
  readonly declared: readonly DeclaredCollateral[];
  readonly finishedAt: string;
  readonly full: boolean;
  /** Hash of the suite that was proved, and its seals: as it stood when the proof began. */
  readonly suite: string;
  readonly seals: RuleSeals;
}

/**
 * Keeps what a proof found in reports/proof.json, beside what earlier proofs found about other rules, and draws all of it as
 * reports/proof.html.
 * @param copy another file for the page
 */
export function keepProof(part: FinishedProof, copy?: string): void {
  const known = projectContract();
  const { suite, seals } = part;
  const proof = joined(proofOf(seals, [REPORTS_FOLDER, BASE, SHIPPED]), part);
  const pages = [join(REPORTS_FOLDER, 'proof.html'), ...(copy === undefined ? [] : [resolve(copy)])];
  mkdirSync(REPORTS_FOLDER, { recursive: true });
  writeProof(REPORTS_FOLDER, withoutStaleness(proof));
  const page = renderProofPage(
    { ...proof, suite },
    {
      areas: [...known.areas.values()],
      rules: [...known.rules.values()],
      holes: [],
      readings: [],
      operations: [],
    },
  );
  for (const path of pages) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page);
  }
}

function joined(before: ProofFile, part: FinishedProof): ProofFile {
  const { results, honestChecks: honest, declared, finishedAt, full, seals } = part;
  const rules: Record<string, ProvenRule> = { ...before.rules };
  const dishonest = new Set(listDishonest(honest));
  for (const id of new Set(results.map(({ rule }) => rule))) {
    const earlier = rules[id]?.stale === true ? undefined : rules[id];
    // A check that is red without a lie catches none.
    const own = results
      .filter(({ rule }) => rule === id)
      .map((result) => outcomeOf(dishonest.has(id) ? { ...result, by: [] } : result, declared));
    const again = new Set(own.map(({ name }) => name));
    const kept = (earlier?.lies ?? []).filter(({ name }) => !again.has(name));
    const lies = [...kept, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
    const all = listKnownLies().filter(({ rule }) => rule === id);
    const of = all.length;
    const idle =
      lies.length < of
        ? []
        : listIdleClaims(
            all,
            lies.map((lie) => ({ ...lie, rule: id })),
            honest,
          );
    rules[id] = {
      seal: seals.get(id)!,
      finishedAt,
      checks: honest.filter((check) => check.rules.includes(id)).length,
      ...(full && (kept.length === 0 || earlier?.full === true) ? { full } : {}),
      ...(lies.length < of ? { of } : {}),
      ...(idle.length === 0 ? {} : { idle: idle.map(({ file, title }) => `${file}: ${title}`) }),
      lies,
    };
  }
  return { ...before, rules };
}

function outcomeOf(result: LieResult, declared: readonly DeclaredCollateral[]): LieOutcome {
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

/** What is kept of the rules' proofs, here or in the accepted baseline; each says whether something it rests on was changed since. */
export async function readKeptProof(): Promise<ProofFile> {
  return proofOf(await sealRules(projectContract()), [REPORTS_FOLDER, BASE, SHIPPED]);
}

/** As {@link readKeptProof}, of the accepted baseline alone. */
export async function readAcceptedProof(): Promise<ProofFile> {
  return proofOf(await sealRules(projectContract()), [BASE]);
}

/** Of each rule the proof that is current, else the latest. @param folders that may hold a proof, the preferred one first */
function proofOf(seals: RuleSeals, folders: readonly string[]): ProofFile {
  const kept = folders.flatMap((folder) => readKept(folder) ?? []);
  const rules = [...seals].flatMap(([id, seal]): [string, ProvenRule][] => {
    const own = kept.flatMap((one) => one.rules[id] ?? []).sort((a, b) => (a.finishedAt < b.finishedAt ? 1 : -1));
    const rule = own.find((one) => one.seal === seal) ?? own[0];
    return rule === undefined ? [] : [[id, { ...rule, ...(rule.seal === seal ? {} : { stale: true }) }]];
  });
  return { known: listKnownLies().length, rules: Object.fromEntries(rules) };
}

/** A proof as it is kept: whether it is current is seen by its seals. */
function withoutStaleness(proof: ProofFile): ProofFile {
  const rules = Object.entries(proof.rules).map(([id, { stale: _, ...rule }]) => [id, rule] as const);
  return { ...proof, rules: Object.fromEntries(rules) };
}

/** Lays what is kept of the rules' proofs into a run folder for its page. @param suite hash of the suite that judged */
export async function copyProof(folder: string, suite: string): Promise<void> {
  const { rules, ...proof } = await readKeptProof();
  if (Object.keys(rules).length === 0) return;
  const shown = Object.entries(rules).map(([id, rule]) => [id, withoutWords(rule)] as const);
  writeProof(folder, { suite, ...proof, rules: Object.fromEntries(shown) });
}

/** What was found under each lie stands in the proof's own file and page. */
function withoutWords(rule: ProvenRule): ProvenRule {
  return { ...rule, lies: rule.lies.map(({ found: _, ...lie }) => lie) };
}

/** Testable rules by where their proof stands. */
export function rulesByProof(proof: ProofFile): Readonly<Record<ProofState, readonly string[]>> {
  const states: Record<ProofState, string[]> = { proven: [], 'proven before these changes': [], 'not proven': [] };
  for (const { id } of testableRules([...projectContract().rules.values()]))
    states[stateOfProof(proof.rules[id])].push(id);
  return states;
}

/** One that is damaged, or of another format, is as good as none: proving again writes it anew. */
function readKept(folder: string): ProofFile | undefined {
  try {
    return readProof(folder);
  } catch {
    return undefined;
  }
}
