import { fingerprintText } from '../fingerprint.ts';
import { kindOf } from '../kinds.ts';
import { type Description, placeOf } from '../read/description.ts';
import type { ChangeDirection, FileSpot, PlaceOfUse, SpecChange } from '../types.ts';
import { stableText } from './source.ts';

/** One difference at one place of use. */
export interface FoundDifference {
  readonly id: string;
  readonly operation?: string | undefined;
  readonly direction?: ChangeDirection | undefined;
  readonly status?: string | undefined;
  readonly media?: string | undefined;
  /** Where in the operation it is, independent of how the file is laid out. */
  readonly place: string;
  readonly subject: string;
  /** `{}` stands for the subject. */
  readonly text: string;
  readonly old: unknown;
  readonly new: unknown;
  /** The entries that say so. */
  readonly at: readonly [old: string | undefined, new: string | undefined];
  /** Where to look when no entry says so. */
  readonly near?: readonly [old: string | undefined, new: string | undefined];
}

/** One change for all places that differ by the same entries of the files, most grave first. */
export function gatherChanges(old: Description, now: Description, findings: readonly FoundDifference[]): SpecChange[] {
  const groups = new Map<string, FoundDifference[]>();
  for (const finding of findings) {
    const { id, at, place, operation, direction } = finding;
    const spot = at[0] === undefined && at[1] === undefined ? `${operation} ${place}` : `${at[0]} ${at[1]}`;
    const kind = kindOf(id).direction ? direction : undefined;
    const key = stableText([id, kind, spot, finding.old, finding.new, id.endsWith('renamed') ? operation : undefined]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const changes = [...groups.values()].map((group) => toChange(old, now, group.sort(byPlace)));
  return changes.sort((a, b) => compareTexts(rank(a), rank(b)));
}

const GRAVITY = ['breaking', 'unclear', 'risky', 'note', 'safe'];

function rank({ level, operation, direction, status, media, subject, id, fingerprint }: SpecChange): string {
  return [GRAVITY.indexOf(level), operation ?? '', direction, status, media, subject, id, fingerprint].join('\n');
}

const where = ({ operation, status, media, place }: FoundDifference) => [operation, status, media, place].join('\n');
const byPlace = (a: FoundDifference, b: FoundDifference) => compareTexts(where(a), where(b));
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function toChange(old: Description, now: Description, group: readonly FoundDifference[]): SpecChange {
  const [first] = group as [FoundDifference, ...FoundDifference[]];
  const { id, operation, status, media, subject } = first;
  const { level, direction, why } = kindOf(id);
  const uses = [...new Set(group.flatMap((one) => one.operation ?? []))].sort();
  const places = [...new Map(group.map((one) => [stableText(toUse(one)), toUse(one)])).values()];
  const text = first.text.replaceAll('{}', subject);
  return {
    id,
    level,
    ...(operation === undefined ? {} : { operation, uses, places: places as PlaceOfUse[] }),
    ...(direction ? { direction } : {}),
    ...(status === undefined ? {} : { status }),
    ...(media === undefined ? {} : { media }),
    subject,
    text: isName(first) ? text : text[0]!.toUpperCase() + text.slice(1),
    why,
    ...spot('old', old, first.at[0] ?? first.near?.[0]),
    ...spot('new', now, first.at[1] ?? first.near?.[1]),
    fingerprint: fingerprintOf(first),
  };
}

/** A sentence that starts with a name leaves it as it is written. */
const isName = ({ subject, text }: FoundDifference) =>
  text.startsWith('{}') && !subject.includes(' ') && subject !== 'security';

function toUse({ operation, status, media, subject }: FoundDifference): Partial<PlaceOfUse> {
  return {
    ...(operation === undefined ? {} : { operation }),
    ...(status === undefined ? {} : { status }),
    ...(media === undefined ? {} : { media }),
    subject,
  };
}

function spot(
  side: 'old' | 'new',
  description: Description,
  pointer: string | undefined,
): Partial<Record<'old' | 'new', FileSpot>> {
  if (pointer === undefined) return {};
  return { [side]: { ...placeOf(description, pointer), pointer } };
}

function fingerprintOf({ id, operation, direction, status, media, place, ...values }: FoundDifference): string {
  const named = stableText([id, operation, direction, status, media, place, values.old, values.new]);
  return fingerprintText(named);
}
