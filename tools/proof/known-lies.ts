import { type Contract, projectContract } from '#contract';
import { type Lie, listLies, type WireMutation } from '#sandbox';

/** A lie and how it is told: by the sandbox itself, or at the wire. */
export interface KnownLie extends Lie {
  readonly wire?: WireMutation;
}

/** Every lie that can be told: those of the sandbox, then those that a workspace composes about rules of its own. */
export function listKnownLies({ own }: Pick<Contract, 'own'> = projectContract()): readonly KnownLie[] {
  return [...listLies(), ...own.lies];
}
