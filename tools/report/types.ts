import type { RunResult } from './run-result.generated.ts';

/** The content of run.json: everything the page says, in machine form. Stated in run.schema.json. */
export type { RunResult };

/** One promise of the register and what became of it. */
export type RuleResult = RunResult['rules'][number];

/** One way in which a rule was found broken; the same finding in several exchanges is listed once. */
export type RuleFinding = RuleResult['failures'][number];

/** Why something was not judged: a documented code and a sentence. */
export type VerdictReason = NonNullable<RuleResult['reason']>;

/** Lies told about one rule, and which checks noticed; comes from a proof, not from the run itself. */
export type Proof = NonNullable<RuleResult['proof']>;

/** What became of one lie told about a rule. */
export type LieOutcome = Proof['lies'][number] & {
  /** What the first of the checks that caught it found, in words; kept in proof.json alone. */
  readonly found?: string;
};

/** A proof in numbers. */
export type ProofSummary = NonNullable<RunResult['proof']>;

/** One check of the run; `verdict` differs from `outcome` where a failure is only a warning or is waived. */
export type CheckResult = RunResult['checks'][number];

/** How often an operation was seen with each status; `documented` lists those the contract knows. */
export type OperationCoverage = RunResult['coverage'][number];

/** A hole of the documents and what this run saw in it. */
export type HoleResult = RunResult['holes'][number];

/** Where a waiver stands: covering a failure, past its day, covering nothing, or naming an unknown rule. */
export type WaiverResult = RunResult['waivers'][number];

/** One sum that must come out; `holds` says whether it does. */
export type ReconciledSum = RunResult['sums'][number];

/** What changed since an earlier run. */
export type ChangesSince = NonNullable<RunResult['since']>;

/** What changed from one run to a later one; slower or faster: at least twice, or half. */
export type RunComparison = Omit<ChangesSince, 'fromStartedAt' | 'fromVerdict'>;

/** Something that is there in one run and not in the other. */
export type ObservedChange = RunComparison['drift'][number];

/** A {@link Proof} as proof.json keeps it. */
export interface ProvenRule extends Proof {
  readonly lies: readonly LieOutcome[];
}

/** The content of proof.json: what every lie came to, as far as one and the same suite was proven, in one go or several. */
export interface ProofFile {
  readonly format: 'assay.proofs/1';
  /** SHA-256 over promises, checks, sandbox and all between them: a proof says nothing about another suite. */
  readonly suite: string;
  /** How many lies the sandbox can tell. */
  readonly known: number;
  readonly parts: readonly {
    readonly finishedAt: string;
    readonly seconds: number;
    readonly lies: number;
    /** Whether every check was asked, not those of the rule alone. */
    readonly full: boolean;
  }[];
  readonly rules: Readonly<Record<string, ProvenRule>>;
}
