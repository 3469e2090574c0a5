import type { Line } from '#evidence';
import { valueAt } from '#json-pointer';
import { formatCount } from '#report';
import { readDay } from './classify/schema-texts.ts';
import { changedOperations, type ImpactFollower, registeredId, usesOf } from './impact.ts';
import { callsOf } from './read/calls.ts';
import type { RegisterEntry } from './read/register.ts';
import type { SpecPair } from './read/sides.ts';
import type { JudgedChange, UpgradeFinding } from './result.ts';

/** Where somebody of ours reads a member of a service's answers: file and line. */
export type ReadersOf = (api: SpecPair['api'], name: string) => readonly string[];

/** What weighing what is gone needs. */
export interface RemovalScales {
  readonly pair: SpecPair;
  readonly follower: ImpactFollower;
  readonly lines: readonly Line[] | undefined;
  readonly readersOf: ReadersOf;
  readonly today: string;
}

const GONE = ['response-optional-property-removed', 'response-optional-header-removed'];
/** Days of notice that are usual before something goes, by how stable its operation is said to be. */
const NOTICE: Readonly<Record<string, number>> = { draft: 0, alpha: 0, beta: 31, stable: 180 };

/**
 * Weighs what is gone from answers although it never had to be there: it breaks clients where recorded answers carry it, where a rule that
 * binds speaks of it, where a client of ours reads it, or where most of an answer goes. What was announced for a day that is over is let go.
 */
export function weighRemovals(changes: readonly JudgedChange[], scales: RemovalScales): JudgedChange[] {
  const { pair, today } = scales;
  const gone = changes.filter((one) => GONE.includes(one.id) && one.level === 'risky' && one.old !== undefined);
  return changes.map((change) => {
    if (!gone.includes(change)) return change;
    const day = announced(pair.old.root, change.old!.pointer);
    if (day !== undefined && day <= today) return change;
    const why = [
      carried(change, scales),
      promised(change, scales),
      read(change, scales),
      mostOf(change, gone, pair.old.root),
    ].filter((one) => one !== undefined);
    return why.length === 0 ? change : { ...change, level: 'breaking', settled: `${why.join('; ')}.` };
  });
}

function carried(change: JudgedChange, { lines }: RemovalScales): string | undefined {
  if (change.id.includes('header')) {
    const name = nameOf(change).toLowerCase();
    const operations = changedOperations(change);
    const count = (lines ?? []).filter(
      (line) =>
        line.kind === 'exchange' &&
        operations.includes(line.operation ?? '') &&
        line.response?.headers.some(([one]) => one.toLowerCase() === name),
    ).length;
    return count > 0 ? `${formatCount(count, 'recorded answer')} carried it` : undefined;
  }
  const { exchanges = [], by } = change.impact;
  return by === 'trace' && exchanges.length > 0
    ? `${formatCount(exchanges.length, 'recorded answer')} carried it`
    : undefined;
}

function promised(change: JudgedChange, { follower }: RemovalScales): string | undefined {
  const [register] = follower.registers;
  const pointer = change.old!.pointer;
  const name = nameOf(change);
  // A name that is also an everyday word proves nothing in a sentence.
  const speaks = /_|-|[a-z][A-Z]/.test(name)
    ? new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`)
    : undefined;
  const rules = register!.rules.filter(
    ({ level, at: where, text }: RegisterEntry) =>
      level === 'must' && (where === pointer || where.startsWith(`${pointer}/`) || speaks?.test(text) === true),
  );
  if (rules.length === 0) return undefined;
  const named = rules.slice(0, 3).map(({ id }) => id);
  return `${named.join(', ')}${rules.length > 3 ? ` and ${rules.length - 3} more` : ''} ${rules.length === 1 ? 'speaks' : 'speak'} of it and must be kept`;
}

function read(change: JudgedChange, { readersOf, pair }: RemovalScales): string | undefined {
  const places = readersOf(pair.api, nameOf(change));
  return places.length === 0
    ? undefined
    : `${places[0]}${places.length > 1 ? ` and ${formatCount(places.length - 1, 'other place')}` : ''} ${places.length === 1 ? 'reads' : 'read'} it`;
}

/** Whether more than half of the fields of one object go at once. */
function mostOf(change: JudgedChange, gone: readonly JudgedChange[], root: unknown): string | undefined {
  const parent = parentOf(change);
  const fields = parent === undefined ? undefined : valueAt(root, parent);
  if (typeof fields !== 'object' || fields === null) return undefined;
  const all = Object.keys(fields).length;
  const count = gone.filter((one) => parentOf(one) === parent).length;
  return count > 1 && count > all / 2 ? `${count} of ${all} fields go at once` : undefined;
}

const parentOf = ({ old }: JudgedChange) => /^(.*\/properties)\/[^/]+$/.exec(old?.pointer ?? '')?.[1];

function nameOf({ subject }: JudgedChange): string {
  return subject.startsWith('/')
    ? subject
        .slice(subject.lastIndexOf('/') + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~')
    : subject.split(' ').at(-1)!;
}

function announced(root: unknown, pointer: string): string | undefined {
  const value = valueAt(root, pointer) as Record<string, unknown> | null | undefined;
  const day = value?.['x-sunset'] ?? value?.['x-removed'];
  return day === undefined ? undefined : readDay(String(day));
}

/** Nothing is promised to stay of an operation that is a draft or alpha: what breaks it is told and does not stand in the way. */
export function weighStability(changes: readonly JudgedChange[], { old }: SpecPair): JudgedChange[] {
  const level = new Map(callsOf(old.root).map(({ id, at: where }) => [id, stabilityAt(old.root, where)]));
  return changes.map((change) => {
    const levels = usesOf(change).map(({ operation }) => level.get(operation));
    const loose = levels.length > 0 && levels.every((one) => one === 'draft' || one === 'alpha');
    if (!loose || registeredId(change) !== undefined || !['breaking', 'unclear'].includes(change.level)) return change;
    return { ...change, level: 'risky', settled: `The operation is ${levels[0]}: nothing of it is promised to stay.` };
  });
}

const stabilityAt = (root: unknown, pointer: string) =>
  String((valueAt(root, pointer) as Record<string, unknown> | undefined)?.['x-stability-level'] ?? 'stable');

/** What goes before its announced day, and days that leave less notice than is usual. */
export function removalDateFindings(
  { old, new: now }: SpecPair,
  changes: readonly JudgedChange[],
  today: string,
): UpgradeFinding[] {
  return changes.flatMap((change): UpgradeFinding[] => {
    if (/-removed$/.test(change.id) && change.old !== undefined) {
      const day = announced(old.root, change.old.pointer);
      if (day === undefined || day <= today) return [];
      return [
        {
          kind: 'early-removal',
          weight: 'work',
          text: `${change.subject} is gone before the day that was announced for it, ${day}`,
          advice: 'Ask the publisher to keep it until then, or stop using it now.',
          place: change.old,
          changes: [change.fingerprint],
        },
      ];
    }
    if (!['removal-date-set', 'removal-date-moved-up'].includes(change.id) || change.new === undefined) return [];
    const day = readDay(String(valueAt(now.root, change.new.pointer)));
    const stability = stabilityAt(now.root, change.new.pointer.replace(/\/[^/]*$/, ''));
    const days = day === undefined ? undefined : Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
    const usual = NOTICE[stability] ?? NOTICE.stable!;
    if (days === undefined || days >= usual) return [];
    return [
      {
        kind: 'near-removal',
        weight: 'note',
        text: `${change.subject} goes on ${day}, ${days < 0 ? 'a day that is over' : `in ${formatCount(days, 'day')}`}; usual are ${usual}`,
        advice: 'Move away from it first.',
        place: change.new,
        changes: [change.fingerprint],
      },
    ];
  });
}
