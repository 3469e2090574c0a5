import type { Api, ClauseSource, Reading, RuleArea, RuleLevel, SpecIdentity } from '#contract';
import type { CheckLine, EffectLine, RunLine, Verdict, Waiver } from '#evidence';

/** What became of one lie told about a rule. */
export interface LieOutcome {
  readonly name: string;
  readonly caught: boolean;
  /** Ids of the checks of its rule that turned red. */
  readonly by: readonly string[];
  /** What the first of them found, in words. */
  readonly found?: string;
  /** Other rules that such a check claims as well and turned red: one observation settles both. */
  readonly beside?: readonly string[];
  /** Other rules that checks of those rules turned red, and why that is right; without a reason nothing accounts for it. */
  readonly apart?: readonly { readonly rule: string; readonly reason?: string }[];
}

/** Lies told about one rule, and which checks noticed; comes from a proof, not from the run itself. */
export interface Proof {
  /** How many checks claim the rule. */
  readonly checks?: number;
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
  readonly rules: Readonly<Record<string, Proof>>;
}

/** A proof in numbers. */
export interface ProofSummary {
  readonly suite: string;
  readonly finishedAt: string;
  /** Wall time of all its parts. */
  readonly seconds: number;
  /** Whether every check was asked about every lie, not those of its rule alone. */
  readonly full: boolean;
  readonly rules: { readonly testable: number; readonly proven: number };
  readonly lies: { readonly known: number; readonly told: number; readonly caught: number };
  /** Checks that claim a rule, on average. */
  readonly checksPerRule: number;
  /** Share of red rules that are the lied one, 0 to 1. */
  readonly precision: number;
  /** Other rules that turned red: by one observation with the rule, by declaration, and with nothing to account for it. */
  readonly collateral: { readonly beside: number; readonly declared: number; readonly undeclared: number };
}

/** One way in which a rule was found broken; the same finding in several exchanges is listed once. */
export interface RuleFinding {
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** JSON Pointer into the body, `header: name` or `status`. */
  readonly where?: string;
  readonly checks: readonly string[];
  readonly exchanges: readonly string[];
}

/** Why something was not judged: a documented code and a sentence. */
export interface VerdictReason {
  readonly code: string;
  readonly text: string;
}

/** One promise of the register and what became of it. */
export interface RuleResult {
  readonly id: string;
  readonly api: Api;
  readonly area: string;
  readonly level: RuleLevel;
  readonly text: string;
  readonly source: readonly ClauseSource[];
  readonly operation?: string;
  readonly verdict: Verdict;
  readonly reason?: VerdictReason;
  /** Rules whose findings stopped every check of this one, where it is undecided for that alone. */
  readonly causedBy?: readonly string[];
  /** Ids of the checks that claim it. */
  readonly checks: readonly string[];
  /** Ids of the exchanges of those checks, and of those that broke it elsewhere. */
  readonly exchanges: readonly string[];
  readonly failures: readonly RuleFinding[];
  readonly waiver?: Waiver;
  readonly proof?: Proof;
}

/** One check of the run; `verdict` differs from `outcome` where a failure is only a warning or is waived. */
export interface CheckResult extends Omit<CheckLine, 'kind' | 'exchanges' | 'lie'> {
  readonly verdict: Verdict;
  readonly exchanges: readonly string[];
}

/** How often an operation was seen with each status; `documented` lists those the contract knows. */
export interface OperationCoverage {
  readonly operation: string;
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  readonly documented: readonly number[];
  readonly seen: Readonly<Record<string, number>>;
  readonly unanswered: number;
}

/** A hole of the documents and what this run saw in it. */
export interface HoleResult {
  readonly id: string;
  readonly api: Api;
  readonly unknown: string;
  readonly at: string;
  readonly learned: readonly {
    readonly where: string;
    readonly what: string;
    readonly times: number;
    readonly exchange: string;
  }[];
}

/** Where a waiver stands: covering a failure, past its day, covering nothing, or naming an unknown rule. */
export interface WaiverResult extends Waiver {
  readonly state: 'in force' | 'expired' | 'stale' | 'not judged' | 'unknown rule';
}

/** One sum that must come out; `holds` says whether it does. */
export interface ReconciledSum {
  readonly claim: string;
  readonly parts: readonly { readonly label: string; readonly count: number }[];
  readonly total: number;
  readonly holds: boolean;
}

/** Something that is there in one run and not in the other. */
export interface ObservedChange {
  readonly where: string;
  readonly appeared: readonly string[];
  readonly vanished: readonly string[];
}

/** What changed from one run to a later one. */
export interface RunComparison {
  readonly from: string;
  readonly to: string;
  /** Whether both judged the same promises. */
  readonly sameSpecs: boolean;
  readonly verdicts: readonly {
    readonly rule: string;
    readonly from: string;
    readonly to: string;
    readonly worse: boolean;
  }[];
  /** What was seen in the holes of the documents; no promise is broken by it. */
  readonly drift: readonly ObservedChange[];
  /** Members and types of answers, for operations and statuses that both runs saw. */
  readonly shapes: readonly ObservedChange[];
  /** Operations whose answers take at least twice as long, or half. */
  readonly timing: readonly {
    readonly operation: string;
    readonly from: readonly [median: number, p90: number];
    readonly to: readonly [median: number, p90: number];
    readonly slower: boolean;
  }[];
}

/** What changed since an earlier run. */
export interface ChangesSince extends RunComparison {
  readonly fromStartedAt: string;
  readonly fromVerdict: string;
}

/** The content of run.json: everything the page says, in machine form. Described by run.schema.json. */
export interface RunResult {
  readonly format: 'assay.run/1';
  readonly id: string;
  readonly verdict: 'kept' | 'broken' | 'incomplete';
  readonly complete: boolean;
  readonly incompleteReason?: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly target: RunLine['target'];
  readonly suite: RunLine['suite'];
  readonly runtime: RunLine['runtime'];
  readonly specs: readonly SpecIdentity[];
  readonly seed: number;
  readonly argv: readonly string[];
  readonly selection?: string;
  readonly lie?: string;
  readonly counts: {
    readonly rules: Readonly<Record<'total' | 'retired' | Verdict, number>>;
    readonly checks: Readonly<Record<'total' | CheckLine['outcome'], number>>;
    readonly exchanges: Readonly<Record<'total' | 'out' | 'in' | 'browser' | 'unanswered' | 'violating', number>>;
    readonly skipped: Readonly<Record<string, number>>;
    readonly holes: { readonly total: number; readonly learned: number };
    readonly effects: { readonly total: number; readonly restored: number };
    readonly redactions: number;
  };
  readonly sums: readonly ReconciledSum[];
  readonly rules: readonly RuleResult[];
  readonly retired: readonly { readonly id: string; readonly text: string; readonly retired: string }[];
  readonly checks: readonly CheckResult[];
  readonly areas: readonly RuleArea[];
  readonly coverage: readonly OperationCoverage[];
  readonly transitions: readonly {
    readonly from: string;
    readonly to: string;
    readonly via: string;
    readonly times: number;
    readonly exchange: string;
  }[];
  readonly holes: readonly HoleResult[];
  readonly readings: readonly Reading[];
  readonly waivers: readonly WaiverResult[];
  readonly effects: readonly Omit<EffectLine, 'kind'>[];
  /** Per service: the tightest rate limit seen and the least that remained. */
  readonly budgets: readonly {
    readonly api: Api;
    readonly limit: number;
    readonly least: number;
    readonly requests: number;
  }[];
  /** The proof of the very suite that judged, when one is at hand. */
  readonly proof?: ProofSummary;
  /** What changed since the run that lies beside the journal. */
  readonly since?: ChangesSince;
  /** What does not fit: claims of unknown rules and the like. */
  readonly oddities: readonly string[];
}
