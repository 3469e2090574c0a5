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
export type GateResult = NonNullable<RunResult['gates']>[number];

/** A hosted page as a customer of the run saw it. */
export type PictureResult = NonNullable<RunResult['pictures']>[number];

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
  /** Hash over what the proof of this rule rests on: its promise, lies and checks, and what these load. */
  readonly seal: string;
  /** When its lies were told last, ISO 8601. */
  readonly finishedAt: string;
  /** Whether every check was asked, not those of the rule alone. */
  readonly full?: boolean;
}

/** What proof.json holds: what every lie came to, rule by rule, each as of the suite that its seal stands for. */
export interface ProofFile {
  /** In a run folder: SHA-256 of the suite that judged, by which the proof was found to be current or not. */
  readonly suite?: string;
  /** How many lies the sandbox can tell. */
  readonly known: number;
  readonly rules: Readonly<Record<string, ProvenRule>>;
}

/** Where the proof of a rule stands. */
export type ProofState = 'proven' | 'proven before these changes' | 'not proven';
