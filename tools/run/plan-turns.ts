import { hasClocksApart, measurePace, type ServicePace } from '#client';
import type { CheckTurns } from '#harness';
import type { Target } from '#target';

/** How many checks at the same time, and how they take turns. */
export interface TurnPlan {
  readonly workers: number;
  readonly turns: CheckTurns;
  readonly paces: readonly ServicePace[];
}

/** Lanes beyond those that use a limit up: a check also waits, thinks, and writes. */
const SPARE_LANES = 1;

/**
 * Plans how a target is asked that all workers share: as many checks at the same time as its manners and what it announces allow.
 * @param asked number of workers that was asked for; absent: as many as may be
 */
export async function planTurns(target: Target, asked: number | undefined): Promise<TurnPlan> {
  const paces = await measurePace(target);
  return layTurns(paces, target, asked);
}

/**
 * Lays the turns for services whose pace is known: one that announces a limit gets as many lanes as use it up, unless the windows of limits
 * are said to go by a clock that is moved; others as many as there are workers. Of several services none gets all of many workers: what is
 * alone at another one, and takes long, goes on beside its checks.
 */
export function layTurns(
  paces: readonly ServicePace[],
  { manners: { parallel }, callback, control }: Pick<Target, 'manners' | 'callback' | 'control'>,
  asked: number | undefined,
): TurnPlan {
  const opensWindows = control.advance?.moves?.includes('limits') === true;
  const feeds = ({ limit, milliseconds }: ServicePace) =>
    limit === undefined || opensWindows
      ? parallel
      : Math.max(1, Math.ceil((limit / 60) * (milliseconds / 1000)) + SPARE_LANES);
  const wanted = paces.reduce((sum, pace) => sum + feeds(pace), 0);
  const workers = asked ?? Math.max(1, Math.min(parallel, wanted));
  const movedClocks = control.advance === undefined ? 'none' : hasClocksApart({ control }) ? 'own' : 'all';
  const most = paces.length > 1 && workers > 2 ? workers - 1 : workers;
  const lanes = Object.fromEntries(paces.map((pace) => [pace.api, Math.min(most, feeds(pace))]));
  return {
    workers,
    paces,
    turns: { lanes, isPortShared: (callback?.port ?? 0) !== 0, movedClocks },
  };
}

/** What is printed of it. */
export function describeTurns({ workers, paces }: TurnPlan): string {
  const services = paces.map(
    ({ api, limit, milliseconds }) =>
      `${api} answers after ${Math.round(milliseconds)} ms${limit === undefined ? '' : ` and announces ${limit} requests a minute`}`,
  );
  return `${workers} ${workers === 1 ? 'check' : 'checks'} at the same time: ${services.join('; ')}`;
}
