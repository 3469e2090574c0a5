import { seededRandom } from './seeded-random.ts';

/** How a service writes the objects of its answers. */
export interface JsonStyle {
  readonly memberOrder: 'as written' | 'backwards' | 'shuffled';
  readonly extraMembers: 'none' | 'some' | 'many';
}

const SOME = { debug_note: null };
const MANY = { _links: { self: '/nowhere' }, debug_note: 'none', hints: [], revision: 3, is_new: false };

/**
 * A JSON value in a service's own hand: members in another order, and some that no document names.
 * @param closed names of members whose own members are names of something else, and are left alone
 */
export function applyJsonStyle(value: unknown, hand: JsonStyle, closed: ReadonlySet<string> = NONE): unknown {
  if (Array.isArray(value)) return value.map((one) => applyJsonStyle(one, hand, closed));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    closed.has(name) ? inner : applyJsonStyle(inner, hand, closed),
  ]) as [string, unknown][];
  const extra = hand.extraMembers === 'none' ? {} : hand.extraMembers === 'some' ? SOME : MANY;
  for (const one of Object.entries(extra)) if (!(one[0] in value)) members.push(one);
  return Object.fromEntries(orderMembers(members, hand));
}

/** Members in the order that a hand writes them in. */
export function orderMembers<Member extends readonly [string, unknown]>(
  members: Member[],
  { memberOrder }: JsonStyle,
): Member[] {
  if (memberOrder === 'backwards') return members.reverse();
  if (memberOrder === 'as written') return members;
  const place = ([name]: Member) => seededRandom(name)();
  return members.sort((one, other) => place(one) - place(other));
}

const NONE: ReadonlySet<string> = new Set();
