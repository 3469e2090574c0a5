import type { Api } from '#apis';
import { projectContract, type TargetNeed } from '#contract';
import { SERVICE_TURNS } from './services.ts';
import { type CheckTurns, readSettings } from './settings.ts';

/** What a check says of itself, as far as others have to make way for it. */
export interface ClaimedCheck {
  readonly rules: readonly string[];
  readonly needs: ReadonlySet<TargetNeed>;
  readonly isAlone: boolean;
  readonly movesClock: boolean;
}

/** Playwright's lock of a test that runs while no other one does. */
const EXCLUSIVE = '-exclusive-';
const { turns } = readSettings();
let counted = 0;

/**
 * Names what a check must not share with another one that runs at the same time, as Playwright's locks. A service is asked in lanes, as
 * many as its rate limit feeds; a check that is alone at its service takes all of them. Without turns there is nothing to share.
 * @param at which turns; by default those of this process
 */
export function locksOfCheck(
  { rules, needs, isAlone, movesClock }: ClaimedCheck,
  at: CheckTurns | undefined = turns,
  serial = counted++,
): string[] {
  const known = projectContract();
  const [first] = rules.flatMap((id) => known.rules.get(id) ?? []);
  if (at === undefined || first === undefined) return [];
  const areas = rules.flatMap((id) => known.rules.get(id)?.area ?? []);
  const concerned = SERVICE_TURNS.filter(
    (one) => areas.some((area) => one.areas?.includes(area)) || one.needs?.some((need) => needs.has(need)),
  );
  const isMoving = movesClock || needs.has('clock') || concerned.some((one) => one.movesClock);
  if (isMoving && at.movedClocks === 'all') return [EXCLUSIVE];
  const lanes = lanesOf(first.api, at);
  const takesAll = isAlone || (isMoving && at.movedClocks === 'own') || concerned.some((one) => one.isAlone);
  return [
    ...(takesAll ? lanes : lanes.slice(serial % Math.max(1, lanes.length)).slice(0, 1)),
    ...concerned.flatMap(({ shared }) => shared ?? []),
    ...(at.isPortShared && concerned.some(({ usesPort }) => usesPort) ? ['port'] : []),
  ];
}

/** Whether a check with these locks is alone at its service while others could ask it, too. */
export function takesAllLanes(locks: readonly string[], api: Api, at: CheckTurns | undefined = turns): boolean {
  const lanes = at === undefined ? [] : lanesOf(api, at);
  return lanes.length > 1 && lanes.every((lane) => locks.includes(lane));
}

/** Locks that stand for the lanes of a service. */
export function lanesOf(api: Api, { lanes }: CheckTurns): string[] {
  return Array.from({ length: lanes[api] ?? 0 }, (_, i) => `${api} ${i + 1}`);
}
