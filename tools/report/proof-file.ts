import { join } from 'node:path';
import type { Rule } from '#contract';
import { readStoredFile } from './stored-file.ts';
import type { Proof, ProofFile, ProofSummary } from './types.ts';

/** Name of the file that holds a proof: in `reports/`, in a run folder, in a baseline. */
export const PROOF_FILE = 'proof.json';

/**
 * The proof that lies in a folder.
 * @returns undefined when there is none
 * @throws Trouble (usage) when it is damaged or of a format that this version does not read
 */
export function readProof(folder: string): ProofFile | undefined {
  return readStoredFile(join(folder, PROOF_FILE), 'assay.proofs/1', {
    what: 'proof',
    fix: 'prove again or remove the file',
  });
}

/** Rules that a proof must speak of. */
export function testableRules(rules: readonly Rule[]): Rule[] {
  return rules.filter((rule) => rule.untestable === undefined && rule.retired === undefined);
}

/** Whether lies were told about a rule and every one of them was caught. */
export function isProven(proof: Proof | undefined): boolean {
  return proof !== undefined && proof.lies.length > 0 && proof.lies.every(({ caught }) => caught);
}

/** A proof in numbers. @param rules the register's */
export function summariseProof(proofs: ProofFile, rules: readonly Rule[]): ProofSummary {
  const asked = testableRules(rules);
  const told = Object.values(proofs.rules).flatMap(({ lies }) => lies);
  const caught = told.filter((lie) => lie.caught);
  const claims = Object.values(proofs.rules).flatMap(({ checks }) => checks ?? []);
  const beside = sum(caught.map((lie) => lie.beside?.length ?? 0));
  const apart = caught.flatMap((lie) => lie.apart ?? []);
  const declared = apart.filter(({ reason }) => reason !== undefined).length;
  const red = caught.length + beside + apart.length;
  return {
    suite: proofs.suite,
    finishedAt:
      proofs.parts
        .map(({ finishedAt }) => finishedAt)
        .sort()
        .at(-1) ?? '',
    seconds: sum(proofs.parts.map(({ seconds }) => seconds)),
    full: proofs.parts.every(({ full }) => full),
    rules: { testable: asked.length, proven: asked.filter(({ id }) => isProven(proofs.rules[id])).length },
    lies: { known: Math.max(proofs.known, told.length), told: told.length, caught: caught.length },
    checksPerRule: claims.length === 0 ? 0 : sum(claims) / claims.length,
    precision: red === 0 ? 1 : caught.length / red,
    collateral: { beside, declared, undeclared: apart.length - declared },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
