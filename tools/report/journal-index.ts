import type { Api } from '#contract';
import type {
  CheckLine,
  EffectLine,
  EncounterLine,
  EndLine,
  ExchangeLine,
  LearnedLine,
  Line,
  PictureLine,
  RunLine,
  SessionLine,
  TransitionLine,
} from '#evidence';
import { Trouble } from '#trouble';
import { type AnsweredBudget, RateBudgets } from './rate-budgets.ts';

/** What of an exchange a run is judged by and its page laid out with: all but headers, bodies and the time, which are most of it. */
export interface ExchangeHead
  extends Pick<ExchangeLine, 'id' | 'check' | 'api' | 'direction' | 'duration' | 'violations' | 'redactions'> {
  readonly operation: string | undefined;
  readonly method: string;
  readonly url: string;
  /** Of the answer; undefined when none came. */
  readonly status: number | undefined;
  readonly failure: string | undefined;
}

/** A journal's lines by kind, and the exchanges by the check they belong to. */
export interface JournalIndex {
  /** The journal itself, to be gone through again for what {@link ExchangeHead} leaves out. */
  readonly lines: Iterable<Line>;
  readonly run: RunLine;
  readonly end: EndLine | undefined;
  readonly checks: readonly CheckLine[];
  readonly exchanges: readonly ExchangeHead[];
  readonly byCheck: ReadonlyMap<string, readonly ExchangeHead[]>;
  /** What the rate headers of the answers said. */
  readonly budgets: readonly AnsweredBudget[];
  readonly learned: readonly LearnedLine[];
  readonly transitions: readonly TransitionLine[];
  readonly effects: readonly EffectLine[];
  /** What a client met and did not; empty for a run against a service. */
  readonly encounters: readonly EncounterLine[];
  readonly sessions: readonly SessionLine[];
  /** What customers saw of hosted pages. */
  readonly pictures: readonly PictureLine[];
  /** Whether an answer or event of the run met a place of a spec. */
  isMet(api: Api, place: string): boolean;
}

/**
 * Sorts a journal's lines by kind, each kind in the order of the journal.
 * @param lines of the journal, which can be gone through more than once
 * @param watch is shown every exchange as a whole
 * @throws Trouble (incomplete) when there is no run line
 */
export function indexJournal(lines: Iterable<Line>, watch?: (exchange: ExchangeLine) => void): JournalIndex {
  let run: RunLine | undefined;
  let end: EndLine | undefined;
  const checks: CheckLine[] = [];
  const exchanges: ExchangeHead[] = [];
  const byCheck = new Map<string, ExchangeHead[]>();
  const budgets = new RateBudgets();
  const learned: LearnedLine[] = [];
  const transitions: TransitionLine[] = [];
  const effects: EffectLine[] = [];
  const encounters: EncounterLine[] = [];
  const sessions: SessionLine[] = [];
  const pictures: PictureLine[] = [];
  const met = new Set<string>();
  /** Where in the effects what is not restored stands. */
  const open = new Map<string, number[]>();
  for (const line of lines) {
    if (line.kind === 'run') run ??= line;
    else if (line.kind === 'end') end = line;
    else if (line.kind === 'check') checks.push(line);
    else if (line.kind === 'learned') learned.push(line);
    else if (line.kind === 'transition') transitions.push(line);
    else if (line.kind === 'encounter') encounters.push(line);
    else if (line.kind === 'session') sessions.push(line);
    else if (line.kind === 'picture') pictures.push(line);
    else if (line.kind === 'trace') {
      if (line.side !== 'request') for (const place of line.at) met.add(`${line.api ?? ''} ${place}`);
    } else if (line.kind === 'effect') {
      // What was taken back later is said again, restored.
      const key = JSON.stringify([line.what, line.id]);
      const [before, ...others] = open.get(key) ?? [];
      if (before !== undefined && line.restored) {
        effects[before] = { ...line, check: line.check || effects[before]!.check };
        open.set(key, others);
      } else {
        effects.push(line);
        if (!line.restored) open.set(key, [...(open.get(key) ?? []), effects.length - 1]);
      }
    } else if (line.kind === 'exchange') {
      const head = headOf(line);
      exchanges.push(head);
      const siblings = byCheck.get(line.check);
      if (siblings) siblings.push(head);
      else byCheck.set(line.check, [head]);
      budgets.see(line);
      watch?.(line);
    }
  }
  if (run === undefined)
    throw new Trouble('incomplete', 'the journal has no run line', { fix: 'restore the file or run again' });
  const isMet = (api: Api, place: string) => met.has(`${api} ${place}`) || met.has(` ${place}`);
  return {
    ...{ lines, run, end, checks, exchanges, byCheck, budgets: budgets.list(), learned, transitions, effects },
    ...{ encounters, sessions, pictures, isMet },
  };
}

const NO_VIOLATIONS: ExchangeLine['violations'] = [];

/** One flat object: there are as many as exchanges. */
function headOf(line: ExchangeLine): ExchangeHead {
  const { id, check, api, direction, operation, duration, request, response, failure, violations, redactions } = line;
  return {
    id,
    check,
    api,
    direction,
    operation,
    duration,
    method: request.method,
    url: request.url,
    status: response?.status,
    failure,
    violations: violations.length === 0 ? NO_VIOLATIONS : violations,
    redactions,
  };
}
