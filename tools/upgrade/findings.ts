import { formatCount } from '#report';
import type { ReadChangelog } from './changelog.ts';
import { type ImpactFollower, registeredId } from './impact.ts';
import type { SpecPair } from './read/sides.ts';
import type { ChangeWaiver, JudgedChange, UpgradeFinding } from './result.ts';

/** A breaking change asks for a new major version; below 1.0.0 for a new minor one. */
export function versionFindings(pair: SpecPair, changes: readonly JudgedChange[]): UpgradeFinding[] {
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
  { file, sentences, unannounced }: ReadChangelog,
  changes: readonly JudgedChange[],
): UpgradeFinding[] {
  const idle = sentences.filter(({ matches, names }) => matches.length === 0 && names.length > 0);
  // The register and the number of the version are no news that a publisher owes.
  const owed = changes.filter((one) => registeredId(one) === undefined && one.id !== 'version-changed');
  const silent = owed.filter(({ fingerprint }) => unannounced.includes(fingerprint));
  const loud = silent.filter(({ level }) => ['breaking', 'risky', 'unclear'].includes(level));
  const quiet = silent.length - loud.length;
  return [
    ...idle.map(
      ({ line, begins, names }): UpgradeFinding => ({
        kind: 'not-found',
        weight: 'note',
        text: `The changelog speaks of ${names.join(', ')} (“${begins} …”), and no change is behind it`,
        advice: 'Ask what is meant: the description may be incomplete.',
        place: { file, line },
      }),
    ),
    ...loud.map(
      (change): UpgradeFinding => ({
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
): UpgradeFinding[] {
  return waivers.flatMap(({ fingerprint, until, owner, place }): UpgradeFinding[] => {
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
export function removalFindings(pair: SpecPair, follower: ImpactFollower, today: string): UpgradeFinding[] {
  const [old, now] = follower.registers;
  return old!.removals
    .filter(({ day }) => day <= today)
    .flatMap(({ name, at, day }): UpgradeFinding[] => {
      const checks = follower.checks(old!.rules.filter((rule) => rule.at === at).map(({ id }) => id));
      const exchanges = follower.met(at);
      if (checks.length === 0 && exchanges.length === 0) return [];
      const still = now!.removals.some((one) => one.name === name);
      const uses = [
        exchanges.length > 0 ? `seen in ${formatCount(exchanges.length, 'recorded exchange')}` : '',
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
