import { join } from 'node:path';
import type { Rule } from '#contract';
import { replaceFile } from '#kept-files';
import { readStoredFile } from './stored-file.ts';
import type { LieOutcome, Proof, ProofFile, ProofState, ProofSummary, ProvenRule } from './types.ts';

/** Name of the file that holds a proof: in `reports/`, in a run folder, in a baseline. */
export const PROOF_FILE = 'proof.json';

const FORMAT = 'assay.proofs/2';

/** A rule as the file keeps it, one a line: each lie by its name with the checks that caught it, none for a missed one. */
interface StoredRule extends Omit<ProvenRule, 'lies'> {
  readonly lies: Readonly<Record<string, string>>;
  readonly found?: Readonly<Record<string, string>>;
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  readonly apart?: Readonly<Record<string, NonNullable<LieOutcome['apart']>>>;
}

interface StoredProof extends Omit<ProofFile, 'rules'> {
  readonly format: typeof FORMAT;
  readonly rules: Readonly<Record<string, StoredRule>>;
}

/**
 * The proof that lies in a folder.
 * @returns undefined when there is none
 * @throws Trouble (usage) when it is damaged or of a format that this version does not read
 */
export function readProof(folder: string): ProofFile | undefined {
  const stored = readStoredFile<StoredProof>(join(folder, PROOF_FILE), FORMAT, {
    what: 'proof',
    fix: 'prove again or remove the file',
  });
  if (stored === undefined) return undefined;
  const { format: _, rules, ...rest } = stored;
  return {
    ...rest,
    rules: mapRules(rules, ({ lies, found, beside, apart, ...rule }) => ({
      ...rule,
      lies: Object.entries(lies).map(([name, by]) => ({
        name,
        caught: by !== '',
        by: by === '' ? [] : by.split(' '),
        ...(found?.[name] !== undefined && { found: found[name] }),
        ...(beside?.[name] !== undefined && { beside: beside[name] }),
        ...(apart?.[name] !== undefined && { apart: apart[name] }),
      })),
    })),
  };
}

/** Writes a proof, a line a rule, rules and lies in order; at once, so that a run beside it reads the one before or this one. */
export function writeProof(folder: string, { rules, ...rest }: ProofFile): void {
  replaceFile(join(folder, PROOF_FILE), renderProofFile({ rules, ...rest }));
}

/** The text of {@link writeProof}. */
export function renderProofFile({ rules, ...rest }: ProofFile): string {
  const stored = mapRules(rules, ({ lies, ...rule }): StoredRule => {
    const byName = <Part>(part: (lie: LieOutcome) => Part | undefined) =>
      lies.flatMap((lie) => {
        const value = part(lie);
        return value === undefined ? [] : [[lie.name, value] as const];
      });
    const parts = {
      found: byName(({ found }) => found),
      beside: byName(({ beside }) => beside),
      apart: byName(({ apart }) => apart),
    };
    return {
      ...rule,
      lies: Object.fromEntries(byName(({ by }) => by.join(' '))),
      ...Object.fromEntries(
        Object.entries(parts).flatMap(([name, all]) => (all.length > 0 ? [[name, Object.fromEntries(all)]] : [])),
      ),
    };
  });
  const lines = Object.entries(stored).sort(([one], [other]) => (one < other ? -1 : 1));
  const head = JSON.stringify({ format: FORMAT, ...rest }).slice(0, -1);
  return `${head},"rules":{\n${lines.map(([id, rule]) => `${JSON.stringify(id)}:${JSON.stringify(rule)}`).join(',\n')}\n}}\n`;
}

function mapRules<From, To>(rules: Readonly<Record<string, From>>, make: (rule: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(rules).map(([id, rule]) => [id, make(rule)]));
}

/** Rules that a proof must speak of. */
export function testableRules(rules: readonly Rule[]): Rule[] {
  return rules.filter((rule) => rule.untestable === undefined && rule.retired === undefined);
}

/**
 * Where the proof of a rule stands: proven is one about which every lie was told and caught, whose checks each turned red at one of them, and
 * nothing of it changed since.
 */
export function stateOfProof(proof: Proof | undefined): ProofState {
  const { lies = [], idle = [], of = lies.length, stale = false } = proof ?? {};
  const isOpen = lies.length === 0 || lies.length < of || idle.length > 0;
  if (isOpen || lies.some(({ caught }) => !caught)) return 'not proven';
  return stale ? 'proven before these changes' : 'proven';
}

/** A proof in numbers; what was changed since counts for none of its lies. @param rules the register's */
export function summariseProof(proofs: ProofFile, rules: readonly Rule[]): ProofSummary {
  const asked = testableRules(rules);
  const states = asked.map(({ id }) => stateOfProof(proofs.rules[id]));
  const proofsNow = Object.values(proofs.rules).filter(({ stale }) => stale !== true);
  const told = proofsNow.flatMap(({ lies }) => lies);
  const caught = told.filter((lie) => lie.caught);
  const claims = proofsNow.flatMap(({ checks }) => checks ?? []);
  const beside = sum(caught.map((lie) => lie.beside?.length ?? 0));
  const apart = caught.flatMap((lie) => lie.apart ?? []);
  const declared = apart.filter(({ reason }) => reason !== undefined).length;
  const red = caught.length + beside + apart.length;
  return {
    suite: proofs.suite ?? '',
    finishedAt:
      Object.values(proofs.rules)
        .map(({ finishedAt }) => finishedAt)
        .sort()
        .at(-1) ?? '',
    full: proofsNow.every(({ full }) => full === true),
    rules: {
      testable: asked.length,
      proven: states.filter((state) => state === 'proven').length,
      before: states.filter((state) => state === 'proven before these changes').length,
    },
    lies: { known: Math.max(proofs.known, told.length), told: told.length, caught: caught.length },
    checksPerRule: claims.length === 0 ? 0 : sum(claims) / claims.length,
    precision: red === 0 ? 1 : caught.length / red,
    collateral: { beside, declared, undeclared: apart.length - declared },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
