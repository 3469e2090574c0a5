import type { AlternateDefects } from '../defects.ts';
import type { V1AlternateChoices } from './choices.ts';
import { demandFields, refuseWithStatus } from './refusals.ts';

interface Paging {
  readonly perPage: number;
  readonly page: number;
  readonly direction: 'asc' | 'desc';
}

/** How a list was asked for. @throws Refusal for what a page cannot be */
export function readPaging(choices: V1AlternateChoices, query: URLSearchParams): Paging {
  const whole = (least: number, most: number) => (value: unknown) =>
    value === null || (/^-?\d+$/.test(String(value)) && Number(value) >= least && Number(value) <= most);
  const given = {
    per_page: query.get('per_page'),
    page: query.get('page'),
    sort: query.get('sort'),
    direction: query.get('direction'),
  };
  demandFields(choices, given, {
    per_page: whole(1, 100),
    page: whole(1, 1e9),
    sort: (value) => [null, 'created_at'].includes(value as null),
    direction: (value) => [null, 'desc', choices.ascending === 'refused' ? null : 'asc'].includes(value as null),
  });
  return {
    perPage: Number(given.per_page ?? 15),
    page: Number(given.page ?? 1),
    direction: given.direction === 'asc' && choices.ascending === 'asc' ? 'asc' : 'desc',
  };
}

/** Entries that a list shows by now: each after another part of the time that it may take, some at once. */
export function listedBy<T extends { readonly uuid: string; readonly at: number }>(
  { listedAfter = 0 }: V1AlternateChoices,
  all: readonly T[],
  now: number,
): readonly T[] {
  const late = ({ uuid }: T) => ([...uuid].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 4) / 3;
  return all.filter((one) => one.at + late(one) * listedAfter * 1000 <= now);
}

/** One page: by creation in whole seconds, then by uuid, so that the order is a stable one that nobody can foresee. */
export function selectPage<T extends { readonly uuid: string; readonly at: number }>(
  choices: V1AlternateChoices,
  all: readonly T[],
  { perPage, page: number, direction }: Paging,
  defects: AlternateDefects,
): readonly T[] {
  const second = ({ at }: T) => Math.floor(at / 1000);
  const sign = direction === 'asc' ? 1 : -1;
  const sorted = [...all].sort(
    (one, other) => sign * (second(one) - second(other)) || (one.uuid < other.uuid ? -1 : 1),
  );
  const shift = defects.has('pages overlap') && number > 1 ? 1 : 0;
  const from = (number - 1) * perPage - shift;
  if (number > 1 && from >= sorted.length && choices.beyond === 404) throw refuseWithStatus(choices, 404);
  return sorted.slice(from, from + perPage);
}
