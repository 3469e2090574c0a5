import { readFileSync } from 'node:fs';
import type { Api } from '#apis';
import type { WireMutation } from '#sandbox';
import { EMBEDDED_TARGET } from '#target';

/** One untruth of a proof, and which checks are run against it. */
export interface ProofStep {
  /** Name of a lie, or of a mutant. */
  readonly name: string;
  /** The rule that a lie is about: only checks that claim it are run. */
  readonly rule?: string;
  /** Ids of the checks that are run; absent: every one that claims the rule. */
  readonly checks?: readonly string[];
  /** What a mutant does to what the sandbox sends. */
  readonly wire?: WireMutation;
}

/** How checks take turns at a target that all workers share. */
export interface CheckTurns {
  /** How many checks may ask a service at the same time. */
  readonly lanes: Readonly<Partial<Record<Api, number>>>;
  /** Whether messages can come to one port only, so that one check after the other takes them. */
  readonly isPortShared: boolean;
  /** Whose clock a check can move: that of its own service, or one for all. */
  readonly movedClocks: 'none' | 'own' | 'all';
}

/** What the CLI tells the workers, through the environment; every part has a default so that Playwright can run by itself. */
export interface HarnessSettings {
  /** Path of the target file. */
  readonly target: string;
  /** Run folder; absent: nothing is written. */
  readonly run: string | undefined;
  readonly seed: number;
  /** Lies the embedded sandbox tells. */
  readonly lies: readonly string[];
  /** What a proof tells; absent: none is under way. */
  readonly proof: readonly ProofStep[] | undefined;
  /** Folder in which the workers of a run share what they may spend at the target and owe it; absent: each by itself. */
  readonly state: string | undefined;
  /** How many machines ask the target at the same time, each for its part of the run. */
  readonly sharers: number;
  /** How the checks of a run share a target of which there is one: absent where each worker has a sandbox of its own. */
  readonly turns: CheckTurns | undefined;
  /** Whether checks are started in a drawn order. */
  readonly isShuffled: boolean;
  /** Folder in which workers show that they get along; absent: nobody watches. */
  readonly pulse: string | undefined;
  /** Where the workers of a run tell each other what digests none may show; absent: each by itself. */
  readonly digests: string | undefined;
  /** Whether a proof runs every check against every lie. */
  readonly full: boolean;
  /** Whether a proof is of mutants: then no check is run without one. */
  readonly mutants: boolean;
  /** Whether pictures of hosted pages are kept: where somebody reads a page of the run. */
  readonly pictures: boolean;
  /** Where properties say how far they came, and how long each may take; absent: each is tried as often as it says. */
  readonly marathon: { readonly folder: string; readonly milliseconds: number | undefined } | undefined;
}

/** Reads the settings of this process. */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): HarnessSettings {
  return {
    target: env.ASSAY_TARGET ?? EMBEDDED_TARGET,
    run: env.ASSAY_RUN,
    state: env.ASSAY_STATE,
    sharers: Number(env.ASSAY_SHARERS ?? 1),
    turns: env.ASSAY_TURNS === undefined ? undefined : (JSON.parse(env.ASSAY_TURNS) as CheckTurns),
    isShuffled: env.ASSAY_SHUFFLED === '1',
    pulse: env.ASSAY_PULSE,
    digests: env.ASSAY_DIGESTS,
    seed: Number(env.ASSAY_SEED ?? 1),
    lies: env.ASSAY_LIE ? env.ASSAY_LIE.split(',') : [],
    proof: env.ASSAY_PROOF === undefined ? undefined : plan(env.ASSAY_PROOF),
    full: env.ASSAY_FULL === '1',
    mutants: env.ASSAY_MUTANTS === '1',
    pictures: env.ASSAY_PICTURES === '1',
    marathon: env.ASSAY_MARATHON
      ? { folder: env.ASSAY_MARATHON, milliseconds: env.ASSAY_SLICE ? Number(env.ASSAY_SLICE) : undefined }
      : undefined,
  };
}

function plan(path: string): HarnessSettings['proof'] {
  return JSON.parse(readFileSync(path, 'utf8')) as HarnessSettings['proof'];
}
