import type { ErrorObject } from 'ajv/dist/2020.js';
import { APIS, type Api, type ApiNeed } from '#apis';

export type { Api };

/** Loudness of a broken rule: `must` fails, `should` warns. */
export type RuleLevel = 'must' | 'should';

/** What a target can offer whatever its services are. */
const COMMON_NEEDS = ['browser', 'clock'] as const;

/** What a target must offer before a check can run: one of {@link TARGET_NEEDS}. */
export type TargetNeed = ApiNeed | (typeof COMMON_NEEDS)[number];

/** Everything that a check can need of a target. */
export const TARGET_NEEDS: readonly TargetNeed[] = [...APIS.flatMap(({ needs }) => needs), ...COMMON_NEEDS];

/** A clause of a document that something is claimed from; see specs/README.md. */
export interface ClauseSource {
  readonly document: string;
  readonly section: string;
  readonly sha256: string;
}

/**
 * What a broken rule harms, the gravest first: money moves wrongly; somebody gets at what is not theirs; a payment is taken for what it is
 * not; a client or its customers cannot go on; a fault is harder to find.
 */
export const HARMS = ['money', 'exposure', 'outcome', 'service', 'support'] as const;

/** What it costs when a rule is broken. */
export interface Consequence {
  readonly harm: (typeof HARMS)[number];
  /** A sentence for somebody who does not know the service. */
  readonly text: string;
}

/** One documented statement that a client, a receiver or a signer can observe. */
export interface Rule {
  readonly id: string;
  readonly api: Api;
  /** Prefix of the id without its number, e.g. `GW-CAP`. */
  readonly area: string;
  readonly level: RuleLevel;
  readonly text: string;
  /** Its own, else that of its area. */
  readonly consequence?: Consequence;
  readonly source: readonly ClauseSource[];
  readonly needs: readonly TargetNeed[];
  /** Whom it binds, when it is not the service: who calls it, receives its messages or signs requests. */
  readonly side?: 'client';
  readonly untestable?: string;
  readonly retired?: string;
  /** JSON Pointer, within its spec, of the object that holds the rule. */
  readonly at: string;
  /** Whether `at` is a place of an answer or event, a member of its body mostly, so that the trace of a run tells whether it ever came. */
  readonly traced?: true;
  /** Whether it is kept by what does not come: a run that never met its place has seen it kept. */
  readonly absence?: true;
  /** The operation it stands in, when it stands in one. */
  readonly operation?: string;
}

/** One place where an observation of a hole would show up. */
export interface HoleSight {
  readonly operation?: string;
  readonly event?: string;
  readonly status?: number;
  readonly observe: 'fields' | 'values' | 'headers' | 'presence' | 'status';
  readonly body?: string;
}

/** Something a document says is not shown. */
export interface Hole {
  readonly id: string;
  readonly api: Api;
  readonly unknown: string;
  readonly source: readonly ClauseSource[];
  readonly where: readonly HoleSight[];
  readonly at: string;
}

/** A place where a document can be read in more than one way, and what is taken. */
export interface Reading {
  readonly id: string;
  readonly api: Api;
  readonly question: string;
  readonly readings: readonly string[];
  readonly taken: string;
  readonly why: string;
  readonly notices: readonly string[];
}

/** A clause that promises nothing, with a word why. */
export interface ContextClause extends ClauseSource {
  readonly why: string;
}

/** Title and test file (below `tests/`, without suffix) of an area. */
export interface RuleArea {
  readonly id: string;
  readonly api: Api;
  readonly title: string;
  readonly file: string;
}

/** A schema of a spec with its validator, which is compiled when first used. */
export interface SpecSchema {
  /** JSON Pointer within its spec. */
  readonly at: string;
  /** Whether the value keeps every constraint. */
  accepts(value: unknown): boolean;
  /** Every constraint that the value does not keep, as ajv words them. */
  errorsFor(value: unknown): readonly ErrorObject[];
}

/** A documented answer of an operation. */
export interface DocumentedAnswer {
  readonly status: number;
  /** Documented media type, or undefined when there is no body. */
  readonly media: string | undefined;
  readonly schema: SpecSchema | undefined;
  /** Pointer of the response object in its spec. */
  readonly at: string;
  /** Lower-case header name to its schema and whether it must be there. */
  readonly headers: ReadonlyMap<string, { required: boolean; schema: SpecSchema | undefined; at: string }>;
}

/** One documented operation. */
export interface DocumentedOperation {
  readonly id: string;
  readonly api: Api;
  readonly method: string;
  /** Path template with `{name}` parameters, relative to the service's base address. */
  readonly path: string;
  /** Names of the security schemes that open it; empty when none is needed. */
  readonly security: readonly string[];
  readonly request: { readonly media: string; readonly required: boolean; readonly schema: SpecSchema } | undefined;
  readonly answers: ReadonlyMap<number, DocumentedAnswer>;
  readonly at: string;
}

/** One documented message that the service sends. */
export interface DocumentedEvent {
  readonly name: string;
  readonly api: Api;
  readonly schema: SpecSchema | undefined;
  readonly at: string;
}

/** A state that a document names, and whether an order stays in it. */
export interface DocumentedState {
  readonly api: Api;
  readonly name: string;
  readonly isFinal: boolean;
}

/** A constraint of the contract that something on the wire did not keep. */
export interface Violation {
  readonly rule: string;
  /** What the contract says, in words. */
  readonly expected: string;
  /** What came, in words; the value itself is not repeated. */
  readonly actual: string;
  /** JSON Pointer into the body, or `header: name`, or `status`. */
  readonly where: string;
}

/** Identity of one spec file. */
export interface SpecIdentity {
  readonly api: Api;
  readonly file: string;
  readonly version: string;
  readonly sha256: string;
}

/** A change of what the embedded sandbox sends, as data: a lie about an own rule, or the way in which the sandbox keeps one. */
export interface WireChange {
  /** Which answers: method, regular expression over the path, status. */
  readonly answer?: { readonly method: string; readonly path: string; readonly status: number };
  /** Which messages that a service sends by itself. */
  readonly message?: string;
  readonly operator: 'drop' | 'value' | 'add' | 'status' | 'delay' | 'empty' | 'suppress' | 'send-late';
  /** Member of the body: tokens of its path, `*` for each entry of a list. */
  readonly member?: readonly string[];
  /** A header, in lower case, instead of a member. */
  readonly header?: string;
  /** What is put there, the status, or the milliseconds of a delay. */
  readonly value?: unknown;
}

/** A lie about a rule of a workspace's own. */
export interface OwnLie {
  readonly name: string;
  readonly rule: string;
  readonly wire: WireChange;
}

/** What a workspace promises itself beside the documents of the services. */
export interface OwnRegister {
  /** Ids of its rules, which stand among those of the contract. */
  readonly rules: ReadonlySet<string>;
  readonly lies: readonly OwnLie[];
  /** What the embedded sandbox does so as to keep these rules. */
  readonly sandbox: readonly WireChange[];
  /** Its documents: path by name. */
  readonly documents: ReadonlyMap<string, string>;
}

/** Everything promised and everything not shown, frozen. */
export interface Contract {
  readonly specs: readonly SpecIdentity[];
  readonly rules: ReadonlyMap<string, Rule>;
  readonly holes: ReadonlyMap<string, Hole>;
  readonly readings: readonly Reading[];
  readonly contexts: readonly ContextClause[];
  readonly areas: ReadonlyMap<string, RuleArea>;
  /** What the documents ask of those who use a service; judged from their traffic, never by a check of the service. */
  readonly clientRules: ReadonlyMap<string, Rule>;
  readonly clientAreas: ReadonlyMap<string, RuleArea>;
  /** The files that these rules stand in. */
  readonly clientSpecs: readonly SpecIdentity[];
  readonly operations: ReadonlyMap<string, DocumentedOperation>;
  readonly events: ReadonlyMap<string, DocumentedEvent>;
  /** In the order of the documents. */
  readonly states: readonly DocumentedState[];
  /** What of it is a workspace's own. */
  readonly own: OwnRegister;
  /** The spec as parsed, for readers that walk it (coverage, upgrade, examples). */
  document(api: Api): unknown;
}
