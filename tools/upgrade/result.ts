import type { Api } from '#contract';
import type { RunComparison } from '#report';
import type { ReadChangelog } from './changelog.ts';
import type { DocumentsComparison } from './documents/documents.ts';
import type { ChangeImpact } from './impact.ts';
import type { ReplayedRun } from './replay/replay.ts';
import type { BodySearch } from './replay/search.ts';
import type { AnnouncedRetirement } from './retirements.ts';
import type { ChangeLevel, FindingWeight, SpecChange } from './types.ts';

/** The answer: adopt it, adopt it knowing something, change something first, or nobody knows. */
export type UpgradeVerdict = 'safe' | 'safe with notes' | 'needs work' | 'cannot tell';

/** An accepted change: which, whose, why and until when. */
export interface ChangeWaiver {
  readonly fingerprint: string;
  readonly reason: string;
  readonly owner: string;
  /** Last day it holds, YYYY-MM-DD. */
  readonly until: string;
  readonly place: { readonly file: string; readonly line?: number };
}

/** A change with all that is known of it. */
export interface JudgedChange extends SpecChange {
  readonly api: Api;
  /** The level that structure alone gave; `level` is the one that counts. */
  readonly classified: ChangeLevel;
  /** How the search for a counterexample ended, in a sentence. */
  readonly settled?: string;
  readonly search?: BodySearch;
  readonly impact: ChangeImpact;
  readonly waiver?: ChangeWaiver & { readonly state: 'in force' | 'expired' };
  /** Ids of the recorded exchanges that no longer fit because of it; absent without a run. */
  readonly unfit?: readonly string[];
  /** Lines of the changelog that speak of it. */
  readonly announced?: readonly number[];
}

/** What a finding is about. */
export type FindingKind =
  | 'described-once'
  | 'no-version-bump'
  | 'not-announced'
  | 'not-found'
  | 'expired-waiver'
  | 'unused-waiver'
  | 'past-removal'
  | 'early-removal'
  | 'near-removal'
  | 'retirement'
  | 'recorded-request'
  | 'recorded-response'
  | 'unexplained-body'
  | 'documents'
  | 'open-clause'
  | 'early-decision'
  | 'idle-decision'
  | 'worse-verdict'
  | 'drift'
  | 'incomplete-run'
  | 'other-specs'
  | 'not-searched';

/** Something found beside the changes themselves. */
export interface UpgradeFinding {
  readonly kind: FindingKind;
  readonly weight: FindingWeight;
  readonly text: string;
  /** What to do about it. */
  readonly advice: string;
  readonly place?: { readonly file: string; readonly line?: number };
  /** Fingerprints of the changes it is about. */
  readonly changes?: readonly string[];
  readonly exchanges?: readonly string[];
  /** Letters of the changed clause it is about. */
  readonly clause?: string;
}

/** One reason of the verdict. */
export interface UpgradeReason {
  readonly weight: FindingWeight;
  readonly text: string;
  /** Fingerprint of a change, or the kind of a finding. */
  readonly about: string;
}

/** One description of a service, before and after. */
export interface ComparedSpec {
  readonly api: Api;
  readonly from: { readonly file: string; readonly version: string; readonly sha256: string };
  readonly to: { readonly file: string; readonly version: string; readonly sha256: string };
}

/** The whole answer; the content of upgrade.json. */
export interface Upgrade {
  readonly format: 'assay.upgrade/1';
  readonly verdict: UpgradeVerdict;
  readonly reasons: readonly UpgradeReason[];
  readonly today: string;
  readonly seed: number;
  readonly specs: readonly ComparedSpec[];
  readonly counts: Readonly<Record<ChangeLevel | 'waived' | 'total', number>>;
  readonly changes: readonly JudgedChange[];
  readonly findings: readonly UpgradeFinding[];
  /** Fingerprints of the changes whose place no recorded exchange met; absent without a run. */
  readonly unexercised?: readonly string[];
  readonly searches: readonly BodySearch[];
  readonly documents?: DocumentsComparison;
  readonly runs?: RunComparison;
  readonly replay?: ReplayedRun;
  readonly changelog?: ReadChangelog;
  readonly retirements?: readonly AnnouncedRetirement[];
}
