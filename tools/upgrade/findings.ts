import { type Comparison, plural } from '#report';
import type { Changelog } from './changelog.ts';
import type { DocumentsComparison } from './documents.ts';
import { type Follower, registered } from './impact.ts';
import type { Pair } from './read/sides.ts';
import type { Refusal, Replayed } from './replay/replay.ts';
import { type Search, speaksOf } from './replay/search.ts';
import type { ChangeWaiver, Finding, JudgedChange } from './result.ts';
import type { Retirement } from './retirements.ts';

/** A breaking change asks for a new major version; below 1.0.0 for a new minor one. */
export function versionFindings(pair: Pair, changes: readonly JudgedChange[]): Finding[] {
  const breaking = changes.filter(({ level }) => level === 'breaking');
  const [old, now] = [pair.old, pair.new].map(({ root }) =>
    String((root.info as { version?: unknown })?.version ?? ''),
  );
  const [a, b] = [old!, now!].map((version) => version.replace(/^v/i, '').split(/[.+-]/));
  const bumped = a![0] !== b![0] || (a![0] === '0' && a![1] !== b![1]);
  if (breaking.length === 0 || bumped) return [];
  return [
    {
      kind: 'no-version-bump',
      weight: 'note',
      text:
        old === now
          ? `${pair.new.file} breaks clients and still calls itself version ${now || 'nothing'}`
          : `${pair.new.file} breaks clients from version ${old} to ${now}, which is no new major version`,
      advice: 'Ask the publisher for a new major version, or pin the old one.',
      place: { file: pair.new.file },
      changes: breaking.map(({ fingerprint }) => fingerprint),
    },
  ];
}

/** What the changelog says and does not say. */
export function changelogFindings(
  { file, sentences, unannounced }: Changelog,
  changes: readonly JudgedChange[],
): Finding[] {
  const idle = sentences.filter(({ matches, names }) => matches.length === 0 && names.length > 0);
  // The register and the number of the version are no news that a publisher owes.
  const owed = changes.filter((one) => registered(one) === undefined && one.id !== 'version-changed');
  const silent = owed.filter(({ fingerprint }) => unannounced.includes(fingerprint));
  const loud = silent.filter(({ level }) => ['breaking', 'risky', 'unclear'].includes(level));
  const quiet = silent.length - loud.length;
  return [
    ...idle.map(
      ({ line, begins, names }): Finding => ({
        kind: 'not-found',
        weight: 'note',
        text: `The changelog speaks of ${names.join(', ')} (“${begins} …”), and no change is behind it`,
        advice: 'Ask what is meant: the description may be incomplete.',
        place: { file, line },
      }),
    ),
    ...loud.map(
      (change): Finding => ({
        kind: 'not-announced',
        weight: 'note',
        text: `The changelog does not say: ${change.text}`,
        advice: 'Take the description for true, and tell the publisher.',
        place: { file },
        changes: [change.fingerprint],
      }),
    ),
    ...(quiet === 0
      ? []
      : [
          {
            kind: 'not-announced' as const,
            weight: 'note' as const,
            text: `The changelog does not speak of ${quiet} smaller ${quiet === 1 ? 'change' : 'changes'}`,
            advice: 'Nothing to do.',
            place: { file },
          },
        ]),
  ];
}

/** Waivers that are over, and waivers for what is not there. */
export function waiverFindings(
  waivers: readonly ChangeWaiver[],
  changes: readonly JudgedChange[],
  today: string,
): Finding[] {
  return waivers.flatMap(({ fingerprint, until, owner, place }): Finding[] => {
    const change = changes.find((one) => one.fingerprint === fingerprint);
    if (change === undefined || ['safe', 'note'].includes(change.level))
      return [
        {
          kind: 'unused-waiver',
          weight: 'note',
          text: `The waiver for ${fingerprint} (${owner}) covers nothing: ${change === undefined ? 'there is no such change' : 'the change breaks nobody'}`,
          advice: 'Take the waiver out.',
          place,
        },
      ];
    if (today <= until) return [];
    return [
      {
        kind: 'expired-waiver',
        weight: 'note',
        text: `The waiver for ${fingerprint} (${owner}) ended on ${until}`,
        advice: 'Mend the cause, or decide anew and give a later day.',
        place,
        changes: [fingerprint],
      },
    ];
  });
}

/** Elements that are still used although the day of their removal is over. */
export function removalFindings(pair: Pair, follower: Follower, today: string): Finding[] {
  const [old, now] = follower.registers;
  return old!.removals
    .filter(({ day }) => day <= today)
    .flatMap(({ name, at, day }): Finding[] => {
      const checks = follower.checks(old!.rules.filter((rule) => rule.at === at).map(({ id }) => id));
      const exchanges = follower.met(at);
      if (checks.length === 0 && exchanges.length === 0) return [];
      const still = now!.removals.some((one) => one.name === name);
      const uses = [
        exchanges.length > 0 ? `seen in ${plural(exchanges.length, 'recorded exchange')}` : '',
        checks.length > 0
          ? `read by ${checks.length === 1 ? 'a check' : `${checks.length} checks`} (${checks[0]!.place})`
          : '',
      ];
      return [
        {
          kind: 'past-removal',
          weight: 'note',
          text: `${name} is past the day of its removal, ${day}, and is still ${uses.filter(Boolean).join(' and ')}`,
          advice: still ? 'Stop reading it before it goes.' : 'It is gone from the new description: stop reading it.',
          place: { file: pair.old.file },
          ...(exchanges.length > 0 ? { exchanges } : {}),
        },
      ];
    });
}

/** What the service says of its own end. */
export function retirementFindings(retirements: readonly Retirement[], today: string): Finding[] {
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
export function replayFindings({ refusals }: Replayed, changes: readonly JudgedChange[]): Finding[] {
  return refusals.flatMap((refusal): Finding[] => {
    const because = changes.filter((change) => explains(change, refusal));
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
export function explains(change: JudgedChange, { at, keyword, member }: Refusal): boolean {
  const spot = change.new?.pointer;
  if (spot === undefined || at === '') return false;
  return keyword === undefined
    ? spot === at || spot.startsWith(`${at}/`) || at.startsWith(`${spot}/`)
    : speaksOf({ at, keyword, ...(member === undefined ? {} : { member }) }, spot);
}

/** Bodies on which the two descriptions part, where no change admits it. */
export function bodyFindings(searches: readonly Search[], changes: readonly JudgedChange[]): Finding[] {
  return searches.flatMap(({ counterexample, operation, direction, status }): Finding[] => {
    if (counterexample === undefined) return [];
    const told = changes.some((change) => {
      const spot = (direction === 'request' ? change.new : change.old)?.pointer;
      return !['safe', 'note'].includes(change.level) && spot !== undefined && speaksOf(counterexample.fault, spot);
    });
    if (told) return [];
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

/** Clauses that rules hang on and that are not as they were; and clauses that are new. */
export function documentFindings({ changes }: DocumentsComparison): Finding[] {
  const claimed = changes.filter(({ fate, rules }) => (fate === 'gone' || fate === 'changed') && rules.length > 0);
  const rules = new Set(claimed.flatMap((one) => one.rules));
  const fresh = changes.filter(({ fate, rules: of, holes }) => fate === 'new' && of.length + holes.length === 0);
  return [
    ...(claimed.length === 0
      ? []
      : [
          {
            kind: 'documents' as const,
            weight: 'note' as const,
            text: `${claimed.length} ${claimed.length === 1 ? 'clause' : 'clauses'} changed or gone that ${rules.size} ${rules.size === 1 ? 'rule comes' : 'rules come'} from`,
            advice: 'Read them again and correct or retire the rules.',
          },
        ]),
    ...(fresh.length === 0
      ? []
      : [
          {
            kind: 'documents' as const,
            weight: 'note' as const,
            text: `${fresh.length} new ${fresh.length === 1 ? 'clause' : 'clauses'} that no rule, hole or context claims`,
            advice: 'Give each its rule, hole or context.',
          },
        ]),
  ];
}

/** What got worse and what drifted between two runs. */
export function runFindings({ verdicts, drift, shapes }: Comparison): Finding[] {
  const drifted = drift.length + shapes.length;
  return [
    ...verdicts
      .filter(({ worse }) => worse)
      .map(
        ({ rule, from, to }): Finding => ({
          kind: 'worse-verdict',
          weight: to === 'fail' ? 'work' : 'note',
          text: `${rule} went from ${from} to ${to}`,
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
