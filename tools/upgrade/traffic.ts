import { appendPointer } from '#json-pointer';
import { type RunComparison, verdictWord } from '#report';
import type { ReplayedRun, ReplayRefusal } from './replay/replay.ts';
import { type BodySearch, type Counterexample, speaksOf } from './replay/search.ts';
import type { JudgedChange, UpgradeFinding } from './result.ts';
import type { AnnouncedRetirement } from './retirements.ts';

/** What the service says of its own end. */
export function retirementFindings(retirements: readonly AnnouncedRetirement[], today: string): UpgradeFinding[] {
  return retirements.map(({ operation, header, value, date, problem, times, exchange }) => {
    const day = date?.slice(0, 10);
    const what =
      header === 'Sunset'
        ? `${operation} ${day !== undefined && day <= today ? 'was to end' : 'ends'} on ${day}`
        : `${operation} ${day !== undefined && day <= today ? 'is deprecated since' : 'will be deprecated on'} ${day}`;
    return {
      kind: 'retirement',
      weight: 'note',
      text: `${date === undefined ? `${operation} sends ${header}: ${value}` : what}${problem ? `; ${problem}` : ''} (${times} ${times === 1 ? 'answer' : 'answers'})`,
      advice: problem === undefined ? 'Plan to move away from it.' : 'Tell the publisher.',
      exchanges: [exchange],
    };
  });
}

/** Recorded requests and answers that do not fit the new description; those a change explains are told with the change. */
export function replayFindings({ refusals }: ReplayedRun, changes: readonly JudgedChange[]): UpgradeFinding[] {
  return refusals.flatMap((refusal): UpgradeFinding[] => {
    const because = changes.filter((change) => explainsRefusal(change, refusal));
    const { side, operation, status, where, problem, exchanges } = refusal;
    const sent = side === 'request';
    // A change that counts already says so itself; what it does to recorded traffic stands with it.
    if (because.some(({ level }) => level === 'breaking')) return [];
    return [
      {
        kind: sent ? 'recorded-request' : 'recorded-response',
        weight: sent ? 'work' : 'note',
        text: `${exchanges.length} recorded ${sent ? 'requests' : 'answers'} of ${operation}${status ? ` ${status}` : ''} ${sent ? 'would be refused' : 'are not as the new description says'}: ${where} ${problem}`,
        advice: sent ? 'Change what is sent before adopting.' : 'Make sure the new form can be read too.',
        exchanges,
        ...(because.length > 0 ? { changes: because.map(({ fingerprint }) => fingerprint) } : {}),
      },
    ];
  });
}

/** Whether a change is why something recorded no longer fits. */
export function explainsRefusal(change: JudgedChange, { at, keyword, member }: ReplayRefusal): boolean {
  const spot = change.new?.pointer;
  if (spot === undefined || at === '') return false;
  return keyword === undefined
    ? spot === at || spot.startsWith(`${at}/`) || at.startsWith(`${spot}/`)
    : speaksOf({ at, keyword, ...(member === undefined ? {} : { member }) }, spot);
}

/** Bodies on which the two descriptions part, where no change admits it. */
export function bodyFindings(searches: readonly BodySearch[], changes: readonly JudgedChange[]): UpgradeFinding[] {
  return searches.flatMap(({ counterexample, operation, direction, status }): UpgradeFinding[] => {
    if (counterexample === undefined) return [];
    if (changes.some((change) => admits(change, counterexample))) return [];
    const sent = direction === 'request';
    return [
      {
        kind: 'unexplained-body',
        weight: sent ? 'work' : 'note',
        text: `${operation}${status ? ` ${status}` : ''}: ${sent ? 'a body that was allowed is refused' : 'a body may come that was not allowed'}: ${counterexample.where} ${counterexample.problem}`,
        advice: 'Look at the body: no change of structure says so.',
      },
    ];
  });
}

/** Whether a change says itself that such a body parts the two descriptions: at its place in the files, or on its way in the body. */
function admits(change: JudgedChange, { direction, fault, where, operation, status }: Counterexample): boolean {
  if (['safe', 'note'].includes(change.level) && !['breaking', 'unclear', 'risky'].includes(change.classified))
    return false;
  const spot = (direction === 'request' ? change.new : change.old)?.pointer;
  if (spot !== undefined && speaksOf(fault, spot)) return true;
  if (change.direction !== direction) return false;
  const way = where === '/' ? '' : where.replace(/\/\d+(?=\/|$)/g, '/*');
  const full = fault.member === undefined ? way : appendPointer(way, fault.member);
  return (change.places ?? []).some((use) => {
    if (use.operation !== operation || (use.status !== undefined && use.status !== status)) return false;
    const path = use.subject.startsWith('/') ? use.subject : '';
    return full === path || full.startsWith(`${path}/`) || path.startsWith(`${full}/`);
  });
}

/** What got worse and what drifted between two runs. */
export function runFindings({ verdicts, drift, shapes }: RunComparison): UpgradeFinding[] {
  const drifted = drift.length + shapes.length;
  return [
    ...verdicts
      .filter(({ worse }) => worse)
      .map(
        ({ rule, from, to }): UpgradeFinding => ({
          kind: 'worse-verdict',
          weight: to === 'fail' ? 'work' : 'note',
          text: `${rule} went from ${verdictWord(from)} to ${verdictWord(to)}`,
          advice: `npx assay explain ${rule} says what it promises.`,
        }),
      ),
    ...(drifted === 0
      ? []
      : [
          {
            kind: 'drift' as const,
            weight: 'note' as const,
            text: `Drift in ${drift.length} ${drift.length === 1 ? 'hole' : 'holes'} and ${shapes.length} ${shapes.length === 1 ? 'shape' : 'shapes'} of answers`,
            advice: 'No promise is broken by it; make sure nothing relies on what was there.',
          },
        ]),
  ];
}
