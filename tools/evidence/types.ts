import type {
  Api,
  ClauseTally,
  Consequence,
  DocumentedState,
  Hole,
  Reading,
  Rule,
  RuleArea,
  RuleLevel,
  SpecIdentity,
  Violation,
} from '#contract';

declare const redacted: unique symbol;

/** A value that went through the redactor; the journal takes nothing else. */
export type Redacted<T> = T & { readonly [redacted]: true };

/** First line of a journal: the identity of the run and the register it is judged by. */
export interface RunLine {
  readonly kind: 'run';
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Who was judged; absent: the service. */
  readonly subject?: 'client';
  readonly target: {
    readonly name: string;
    readonly kind: 'embedded' | 'mock' | 'sandbox' | 'production';
    readonly file: string;
    readonly sha256: string;
    /** Base addresses without credentials; absent when the service is not part of the target. */
    readonly hosts: Partial<Record<Api, string>>;
  };
  /** `sha256` is over promises, checks, sandbox and all between them: what a proof speaks of; `own` over the workspace's part of it. */
  readonly suite: {
    readonly version: string;
    readonly commit?: string;
    readonly lock?: string;
    readonly sha256?: string;
    readonly own?: string;
  };
  readonly runtime: { readonly node: string; readonly openssl: string; readonly platform: string };
  readonly specs: readonly SpecIdentity[];
  readonly seed: number;
  readonly argv: readonly string[];
  /** What was selected with --rule, when not everything. */
  readonly selection?: string;
  /** Which part of the run this is, when several machines play it. */
  readonly shard?: RunShard;
  /** When it was taken up again after an interruption, and how many checks had ended by then. */
  readonly resumed?: readonly { readonly at: string; readonly checks: number }[];
  /** The lie that the embedded sandbox was told to tell. */
  readonly lie?: string;
  readonly register: {
    readonly areas: readonly RuleArea[];
    readonly rules: readonly Rule[];
    readonly holes: readonly Hole[];
    readonly readings: readonly Reading[];
    /** States that the documents name; absent in older journals. */
    readonly states?: readonly DocumentedState[];
    /** How the clauses of each document are accounted for; absent in older journals. */
    readonly clauses?: readonly ClauseTally[];
    readonly operations: readonly { id: string; api: Api; method: string; path: string; answers: readonly number[] }[];
  };
  readonly waivers: readonly Waiver[];
  /** What the run was asked to reach at least. */
  readonly gates?: RunGates;
}

/** One part of a run that several machines play, counted from 1. */
export interface RunShard {
  readonly index: number;
  readonly of: number;
}

/** What a run must have judged to count as kept, however green the rest is. */
export interface RunGates {
  /** Ids of rules that must be judged. */
  readonly require?: readonly string[];
  /** How many rules may be skipped, and how many not seen; untestable and unselected ones do not count. */
  readonly maxSkipped?: number;
  readonly maxNotSeen?: number;
  /** The only verdicts that a selected rule may end with. */
  readonly onlyVerdicts?: readonly Verdict[];
}

/** An accepted failure: whose, why and until when. */
export interface Waiver {
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
  /** Last day it holds, YYYY-MM-DD. */
  readonly until: string;
}

/** One side of an exchange, as it went over the wire, redacted. */
export interface Message {
  readonly headers: readonly (readonly [string, string])[];
  /** Text of the body, at most 64 KiB of it; absent when there was none. */
  readonly body?: string;
  /** Bytes of the body on the wire. */
  readonly size: number;
  /** True when `body` is only the beginning. */
  readonly cut?: true;
}

/** One request and what answered it. */
export interface ExchangeLine {
  readonly kind: 'exchange';
  /** `<check id>.<n>`, n counted from 1 in the order of sending. */
  readonly id: string;
  readonly check: string;
  readonly api: Api;
  /** `out`: we called the service; `in`: the service called our receiver; `browser`: a customer's browser called. */
  readonly direction: 'out' | 'in' | 'browser';
  /** Operation id, or event name when direction is `in`. */
  readonly operation?: string;
  readonly at: string;
  /** Milliseconds from sending to the last byte. */
  readonly duration: number;
  readonly request: Message & { readonly method: string; readonly url: string };
  readonly response?: Message & { readonly status: number };
  /** Why there is no response. */
  readonly failure?: string;
  readonly violations: readonly Violation[];
  /** Of a call that moves money: what it counts against the cap of the run, in major units; 0 where nothing is paid by it. */
  readonly paid?: number;
  /** How many values were redacted in it. */
  readonly redactions: number;
}

/** Why a check did not run. */
export type SkipCode =
  | 'capability'
  | 'credentials'
  | 'card'
  | 'browser'
  | 'cost'
  | 'untestable'
  | 'unselected'
  | 'unchecked'
  | 'service'
  /** The time that the run was given did not allow for it. */
  | 'time'
  /** Part of the check could not be done; what could was kept. */
  | 'partly'
  /** What the check is about never came. */
  | 'unseen';

/** Why a check broke. */
export type BreakCode = 'arrange' | 'unreachable' | 'timeout' | 'defect' | 'interrupted';

/** The clauses of the sentence that tells a finding: after what was done, what should have come of it, what did. */
export interface FindingClauses {
  /** Noun phrases, the earliest first. */
  readonly after?: readonly string[];
  /** Both absent where the title of the check says what should be so, and it is not. */
  readonly should?: string;
  readonly did?: string;
}

/** One thing a check found wrong. */
export interface Failure {
  readonly message: string;
  /** Absent in older journals, and where nothing but a text is known. */
  readonly clauses?: FindingClauses;
  readonly expected?: string;
  readonly actual?: string;
  /** The exchange that shows it. */
  readonly exchange?: string;
  /** The rule it is charged to; absent: every rule the check claims. */
  readonly rule?: string;
}

/** What became of one check. */
export interface CheckLine {
  readonly kind: 'check';
  /** Eight hex digits, stable as long as file and title stay. */
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly line: number;
  readonly project: string;
  readonly rules: readonly string[];
  readonly outcome: 'pass' | 'fail' | 'skipped' | 'broken';
  readonly reason?: { readonly code: SkipCode | BreakCode; readonly text: string };
  readonly failures: readonly Failure[];
  /** Rules it claims about which this run of it concluded nothing, or only in part, and why; a pass says nothing about them. */
  readonly unjudged?: readonly { readonly rule: string; readonly code: SkipCode; readonly text: string }[];
  readonly exchanges: number;
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  /** The lie it was run against, in a proof. */
  readonly lie?: string;
  /** Seeds, counts and shrunk cases of property tests. */
  readonly properties?: readonly TriedPropertyLine[];
}

/** A statement that was tried on drawn cases. */
export interface TriedPropertyLine {
  readonly name: string;
  readonly seed: number;
  readonly runs: number;
  /** Milliseconds; absent in older journals. */
  readonly duration?: number;
  readonly path?: string;
  /** The failing case, as small as it could be made. */
  readonly case?: string;
  /** One case of many, and what came of it step by step; absent in older journals. */
  readonly example?: {
    readonly case: string;
    readonly steps?: readonly { readonly name: string; readonly value: string }[];
  };
}

/** Something seen in a hole. */
export interface LearnedLine {
  readonly kind: 'learned';
  readonly hole: string;
  readonly exchange: string;
  /** Pointer, header name or status that was seen. */
  readonly where: string;
  /** JSON type, or the value itself where the hole asks for values. */
  readonly what: string;
}

/** A state change of an order as the suite saw it. */
export interface TransitionLine {
  readonly kind: 'transition';
  readonly from: string;
  readonly to: string;
  /** The operation or event after which it was seen. */
  readonly via: string;
  readonly exchange: string;
}

/** Something a run created at the target, and whether it was taken back. */
export interface EffectLine {
  readonly kind: 'effect';
  /** Kind of object, in a word of the service: `document`, `webhook`. */
  readonly what: string;
  readonly id: string;
  readonly check: string;
  readonly restored: boolean;
}

/** Something that a client can meet, and how often it did; from traffic of a client only. */
export interface EncounterLine {
  readonly kind: 'encounter';
  readonly api: Api;
  readonly group: 'state' | 'step' | 'error' | 'flow';
  readonly name: string;
  readonly times: number;
  /** The first exchange in which it was met. */
  readonly exchange?: string;
  /** What would bring it about. */
  readonly bring: string;
}

/** A session of a client's own tests and what the client did in it, or something that was to be told and never was. */
export interface SessionLine {
  readonly kind: 'session';
  /** Absent where it was never told. */
  readonly name?: string;
  /** What was told, and what happens then. */
  readonly lie: string;
  readonly does: string;
  /** Whether the documents permit it. */
  readonly gentle: boolean;
  /** Whether it showed in anything that was sent; absent where that cannot be told. */
  readonly met?: boolean;
  readonly exchanges: number;
  /** What a client may do to itself and others, and whether this one did. */
  readonly deeds: readonly {
    readonly deed: string;
    readonly harm: Consequence['harm'];
    readonly verdict: 'fail' | 'warn' | 'pass' | 'unseen';
    /** Rules that it broke by that. */
    readonly rules: readonly string[];
    /** The first exchange that shows it. */
    readonly exchange?: string;
  }[];
  /** Rules that it broke otherwise. */
  readonly others: readonly string[];
}

/** What the customer saw of a page, with everything covered that a card number or a code could be read from. */
export interface PictureLine {
  readonly kind: 'picture';
  readonly check: string;
  /** The exchange that led to the page. */
  readonly exchange: string;
  /** Which page it is, in words. */
  readonly page: string;
  readonly width: number;
  readonly height: number;
  /** Of the picture's bytes. */
  readonly sha256: string;
  /** Base64; absent where an earlier line has the same picture. */
  readonly png?: string;
}

/** What of a spec exchanges were held against: written when a worker first meets these places, and for all others when it ends. */
export interface TraceLine {
  readonly kind: 'trace';
  /** Absent in journals of earlier versions. */
  readonly api?: Api;
  /** Operation id, or event name. */
  readonly operation: string;
  readonly side: 'request' | 'response' | 'event';
  readonly status?: number;
  readonly media?: string;
  /** JSON Pointers into the spec. */
  readonly at: readonly string[];
  /** Ids of the exchanges that met exactly these places. */
  readonly exchanges: readonly string[];
}

/** Last line of a journal; a journal without it is incomplete. */
export interface EndLine {
  readonly kind: 'end';
  readonly finishedAt: string;
  readonly status: 'complete' | 'interrupted';
  readonly reason?: string;
  readonly counts: { readonly checks: number; readonly exchanges: number };
}

/** Any line of a journal. */
export type Line =
  | RunLine
  | ExchangeLine
  | CheckLine
  | LearnedLine
  | TransitionLine
  | EffectLine
  | EncounterLine
  | SessionLine
  | PictureLine
  | TraceLine
  | EndLine;

/** Every verdict that a rule can have in a run, the quietest first. */
export const VERDICTS = ['pass', 'skipped', 'unseen', 'waived', 'warn', 'broken', 'fail'] as const;

/** A rule's verdict in a run. */
export type Verdict = (typeof VERDICTS)[number];

export type { RuleLevel };
