/** How much a change matters to a client of the service. `unclear`: structure alone cannot tell. */
export type ChangeLevel = 'breaking' | 'risky' | 'safe' | 'note' | 'unclear';

/** Who reads what changed: `request` is what a client sends, `response` what it receives (inverted in callbacks and webhooks). */
export type ChangeDirection = 'request' | 'response';

/** Where something stands in a file, line counted from 1. */
export interface FileSpot {
  readonly file: string;
  readonly line: number;
  /** JSON Pointer within the file. */
  readonly pointer: string;
}

/** One place of use that a change reaches. */
export interface PlaceOfUse {
  /** Operation id, or name of a webhook. */
  readonly operation: string;
  readonly status?: string;
  readonly media?: string;
  /** As in a {@link SpecChange}. */
  readonly subject: string;
}

/** One difference between two descriptions of a service. */
export interface SpecChange {
  /** Kind of the change, such as `response-property-became-optional`. */
  readonly id: string;
  readonly level: ChangeLevel;
  /** Operation id, or name of a webhook; the first of several; absent when it concerns the whole description. */
  readonly operation?: string;
  /** Every operation that meets it, sorted; more than one where a shared component changed. */
  readonly uses?: readonly string[];
  /** Every place that meets it: one for each operation, status and media type. */
  readonly places?: readonly PlaceOfUse[];
  readonly direction?: ChangeDirection;
  /** Status of the answer it stands in, as the description writes it. */
  readonly status?: string;
  readonly media?: string;
  /** What it is about, for people: `query parameter per_page`, `/data/status`, `header Retry-After`. */
  readonly subject: string;
  /** One sentence: what changed, with both values. */
  readonly text: string;
  /** Why it has its level, in one sentence. */
  readonly why: string;
  readonly old?: FileSpot;
  readonly new?: FileSpot;
  /** Twelve letters that stay as long as the change stays: over kind, place and values, never over lines or file names. */
  readonly fingerprint: string;
}

/** What a finding does to the verdict. */
export type FindingWeight = 'work' | 'unknown' | 'note';
