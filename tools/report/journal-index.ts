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

/** A journal's lines by kind, and the exchanges by the check they belong to. */
export interface JournalIndex {
  readonly run: RunLine;
  readonly end: EndLine | undefined;
  readonly checks: readonly CheckLine[];
  readonly exchanges: readonly ExchangeLine[];
  readonly byCheck: ReadonlyMap<string, readonly ExchangeLine[]>;
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
 * @throws Trouble (incomplete) when there is no run line
 */
export function indexJournal(lines: Iterable<Line>): JournalIndex {
  let run: RunLine | undefined;
  let end: EndLine | undefined;
  const checks: CheckLine[] = [];
  const exchanges: ExchangeLine[] = [];
  const byCheck = new Map<string, ExchangeLine[]>();
  const learned: LearnedLine[] = [];
  const transitions: TransitionLine[] = [];
  const effects: EffectLine[] = [];
  const encounters: EncounterLine[] = [];
  const sessions: SessionLine[] = [];
  const pictures: PictureLine[] = [];
  const met = new Set<string>();
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
      const before = effects.findIndex(({ what, id, restored }) => !restored && what === line.what && id === line.id);
      if (before >= 0 && line.restored) effects[before] = { ...line, check: line.check || effects[before]!.check };
      else effects.push(line);
    } else if (line.kind === 'exchange') {
      exchanges.push(line);
      const siblings = byCheck.get(line.check);
      if (siblings) siblings.push(line);
      else byCheck.set(line.check, [line]);
    }
  }
  if (run === undefined)
    throw new Trouble('incomplete', 'the journal has no run line', { fix: 'restore the file or run again' });
  const isMet = (api: Api, place: string) => met.has(`${api} ${place}`) || met.has(` ${place}`);
  return { run, end, checks, exchanges, byCheck, learned, transitions, effects, encounters, sessions, pictures, isMet };
}
