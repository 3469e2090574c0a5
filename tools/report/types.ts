import type { Api, Area, Level, Reading, Source, SpecIdentity } from '#contract';
import type { CheckLine, EffectLine, RunLine, Verdict, Waiver } from '#evidence';

/** Lies told about one rule, and which checks noticed; comes from a proof, not from the run itself. */
export interface Proof {
  readonly lies: readonly { readonly name: string; readonly caught: boolean; readonly by: readonly string[] }[];
}

/** One way in which a rule was found broken; the same finding in several exchanges is listed once. */
export interface Finding {
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** JSON Pointer into the body, `header: name` or `status`. */
  readonly where?: string;
  readonly checks: readonly string[];
  readonly exchanges: readonly string[];
}

/** Why something was not judged: a documented code and a sentence. */
export interface Reason {
  readonly code: string;
  readonly text: string;
}

/** One promise of the register and what became of it. */
export interface RuleResult {
  readonly id: string;
  readonly api: Api;
  readonly area: string;
  readonly level: Level;
  readonly text: string;
  readonly source: readonly Source[];
  readonly operation?: string;
  readonly verdict: Verdict;
  readonly reason?: Reason;
  /** Ids of the checks that claim it. */
  readonly checks: readonly string[];
  /** Ids of the exchanges of those checks, and of those that broke it elsewhere. */
  readonly exchanges: readonly string[];
  readonly failures: readonly Finding[];
  readonly waiver?: Waiver;
  readonly proof?: Proof;
}

/** One check of the run; `verdict` differs from `outcome` where a failure is only a warning or is waived. */
export interface CheckResult extends Omit<CheckLine, 'kind' | 'exchanges' | 'lie'> {
  readonly verdict: Verdict;
  readonly exchanges: readonly string[];
}

/** How often an operation was seen with each status; `documented` lists those the contract knows. */
export interface Coverage {
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
export interface Sum {
  readonly claim: string;
  readonly parts: readonly { readonly label: string; readonly count: number }[];
  readonly total: number;
  readonly holds: boolean;
}

/** The content of run.json: everything the page says, in machine form. Described by run.schema.json. */
export interface Run {
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
  readonly sums: readonly Sum[];
  readonly rules: readonly RuleResult[];
  readonly retired: readonly { readonly id: string; readonly text: string; readonly retired: string }[];
  readonly checks: readonly CheckResult[];
  readonly areas: readonly Area[];
  readonly coverage: readonly Coverage[];
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
  /** What does not fit: claims of unknown rules and the like. */
  readonly oddities: readonly string[];
}
