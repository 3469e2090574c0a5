import type { ExchangeLine } from '#evidence';
import type { Baseline } from '../baseline.ts';
import type { JournalIndex } from '../journal-index.ts';
import type { RunHistory } from '../run-history.ts';
import type { CheckResult, RunResult } from '../types.ts';

/** What every section draws from. */
export interface AuditView {
  readonly run: RunResult;
  readonly journal: JournalIndex;
  /** Exchanges as a whole, those that the page writes out or repeats. */
  readonly exchanges: ReadonlyMap<string, ExchangeLine>;
  readonly checks: ReadonlyMap<string, CheckResult>;
  /** Other runs, for the trend. */
  readonly history: RunHistory | undefined;
  /** The run that this one is compared with. */
  readonly previous: Baseline | undefined;
  /** Ids of the exchanges that are written out; all others are packed. */
  readonly written: ReadonlySet<string>;
  /** Numbers of the packs that hold a check's exchanges. */
  readonly packsOf: ReadonlyMap<string, readonly number[]>;
}

/** The command that repeats a rule's checks as this run did. */
export function reproduceCommand({ run }: AuditView, rule: string): string {
  // What a client did is done again by the client.
  if (run.subject === 'client') return `npx assay ${run.argv.join(' ')}`;
  const target = run.target.kind === 'embedded' ? '' : ` --target ${run.target.file}`;
  const lies = (run.lie?.split(/,\s*/) ?? []).map((lie) => ` --lie ${lie}`).join('');
  return `npx assay run --rule ${rule}${target}${lies} --seed ${run.seed}`;
}
