import { type ActiveLies, decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import type { V1Choices } from '../choices.ts';
import { requiredField } from './field-limits.ts';
import type { RequestForm } from './request-form.ts';
import { refuseMissing, V1Refusal } from './v1-refusal.ts';

/** Which slice of a list is asked for, and in which order. */
export interface ListPage {
  readonly size: number;
  readonly number: number;
  readonly sort: string;
  readonly direction: Way;
  /** What is listed in an order that there is not; undefined where the order is one. */
  readonly unknownOrder: V1Choices['unknownWords'] | 'none' | 'all but the latest' | undefined;
  readonly beside: Beside;
  /** Which of equals come first, where that goes by what is asked: the same on all pages of one size that are asked for by number. */
  readonly tie: 1 | -1;
}

/** What every entry of a list has; `serial` breaks ties, so that the order is the same on every page. */
interface Entry {
  readonly serial: number;
  readonly created: number;
}

/** No fields: orders that only lies take. */
const LAST_CHANGE = 'last change';
const TIME_OF_DAY = 'time of day';

/** What an entry is ordered by where that is its creation. */
const momentOf = ({ created }: Entry, { sort }: ListPage): number => (sort === TIME_OF_DAY ? created % DAY : created);

const WAYS = ['asc', 'desc'] as const;
type Way = (typeof WAYS)[number];

/** What is asked for beside a page. */
interface Beside {
  readonly filtered: boolean;
  readonly ordered: boolean;
  /** Whether entries of one file name are asked for. */
  readonly named: boolean;
  /** Whether a field is named to order by. */
  readonly sorted: boolean;
  readonly upwards: boolean;
  /** Whether both a page and its size are named. */
  readonly paged: boolean;
  /** Whether the list is that of the caller's first account. */
  readonly isFirst: boolean;
  /** Whether the size of a page is named. */
  readonly sized: boolean;
  /** Whether entries of one type are asked for. */
  readonly typed: boolean;
}

/** A list: how its entries are compared, by sort field beside `created_at`. */
export interface PagedList<T extends Entry> {
  readonly name: string;
  readonly fields: Readonly<Record<string, (one: T, other: T) => number>>;
  /** Field that the lies about sorting use instead of `created_at`. */
  readonly instead: string;
  /** How entries are compared by what happened to them last, where anything does: an order that only a lie takes. */
  readonly lastChange?: (one: T, other: T) => number;
  /** Parameters that leave entries out, beside those that must be sent. */
  readonly filters?: readonly string[];
}

/**
 * Paging and order of one list: reads the four parameters, then cuts the page out of the entries.
 * Both lists promise the same, so each has its own decisions and lies for the same rules.
 */
export function createPager<T extends Entry>({ name, fields, instead, filters = [], lastChange }: PagedList<T>) {
  const isFiltered = (form: RequestForm) => filters.some((filter) => form.get(filter) !== undefined);
  const isOrdered = (form: RequestForm) => ['sort', 'direction'].some((name) => form.get(name) !== undefined);
  /** Lies that can only be told where there are filters. */
  const besideFilters = <Lie>(lies: Readonly<Record<string, Lie>>): Readonly<Record<string, Lie>> =>
    filters.length === 0 ? {} : lies;
  /** Lies that show beside a filter already, and are told where there is none. */
  const withoutFilters = <Lie>(lies: Readonly<Record<string, Lie>>): Readonly<Record<string, Lie>> =>
    filters.length === 0 ? lies : {};
  const sizeLeast = decision({
    rule: 'V1-PAG-02',
    honest: (size: number, _beside: Beside, _number: number) => size >= 1,
    lies: {
      [`${name}-per-page-0-accepted-beside-an-order`]: (size, { ordered }) => size >= (ordered ? 0 : 1),
      [`${name}-per-page-0-accepted-upwards`]: (size, { upwards }) => size >= (upwards ? 0 : 1),
      [`${name}-per-page-0-accepted-on-later-pages`]: (size, _beside, number) => size >= (number > 1 ? 0 : 1),
      ...besideFilters({
        [`${name}-per-page-0-accepted-beside-a-file-name`]: (size: number, { named }: Beside) =>
          size >= (named ? 0 : 1),
        [`${name}-per-page-0-accepted-beside-a-filter`]: (size: number, { filtered }: Beside) =>
          size >= (filtered ? 0 : 1),
      }),
      [`${name}-per-page-0-accepted`]: (size) => size >= 0,
      [`${name}-per-page-0-accepted-in-second-account`]: (size, { isFirst }) => size >= (isFirst ? 1 : 0),
      [`${name}-per-page-1-refused`]: (size) => size >= 2,
      [`${name}-per-page-1-refused-where-a-page-is-named`]: (size, { paged }) => size >= (paged ? 2 : 1),
      [`${name}-per-page-0-accepted-where-a-page-is-named`]: (size, { paged }) => size >= (paged ? 0 : 1),
    },
  });
  const sizeMost = decision({
    rule: 'V1-PAG-03',
    honest: (size: number, _beside: Beside, _number: number) => size <= 100,
    lies: {
      [`${name}-per-page-above-100-accepted-beside-an-order`]: (size, { ordered }) => ordered || size <= 100,
      [`${name}-per-page-above-100-accepted-upwards`]: (size, { upwards }) => upwards || size <= 100,
      [`${name}-per-page-above-100-accepted-on-later-pages`]: (size, _beside, number) => number > 1 || size <= 100,
      ...besideFilters({
        [`${name}-per-page-above-100-accepted-beside-a-file-name`]: (size: number, { named }: Beside) =>
          named || size <= 100,
        [`${name}-per-page-above-100-accepted-beside-a-filter`]: (size: number, { filtered }: Beside) =>
          filtered || size <= 100,
      }),
      [`${name}-per-page-101-accepted`]: (size) => size <= 101,
      [`${name}-per-page-101-accepted-in-second-account`]: (size, { isFirst }) => size <= (isFirst ? 100 : 101),
      [`${name}-per-page-100-refused`]: (size) => size <= 99,
      [`${name}-per-page-100-refused-in-second-account`]: (size, { isFirst }) => size <= (isFirst ? 100 : 99),
      [`${name}-per-page-51-to-99-refused`]: (size) => size <= 50 || size === 100,
      [`${name}-per-page-99-refused`]: (size) => size <= 98 || size === 100,
      [`${name}-per-page-100-refused-where-a-page-is-named`]: (size, { paged }) => size <= (paged ? 99 : 100),
      [`${name}-per-page-51-to-99-refused-beside-an-order`]: (size, { ordered }) =>
        size <= 50 || size === 100 || (size < 100 && !ordered),
    },
  });
  const sizeDefault = decision({
    rule: 'V1-PAG-04',
    honest: (_beside: Beside) => 15,
    lies: {
      [`${name}-per-page-default-14`]: () => 14,
      [`${name}-per-page-default-20`]: () => 20,
      [`${name}-per-page-default-10-in-second-account`]: ({ isFirst }) => (isFirst ? 15 : 10),
      [`${name}-per-page-default-20-upwards`]: ({ upwards }) => (upwards ? 20 : 15),
      [`${name}-per-page-default-10-beside-an-order`]: ({ ordered }) => (ordered ? 10 : 15),
      ...besideFilters({
        [`${name}-per-page-default-10-beside-a-filter`]: ({ filtered }: Beside) => (filtered ? 10 : 15),
      }),
    },
  });
  const numberLeast = decision({
    rule: 'V1-PAG-06',
    honest: (number: number, _beside: Beside, _asked: number | undefined) => number >= 1,
    lies: {
      [`${name}-page-0-accepted`]: (number) => number >= 0,
      [`${name}-page-0-accepted-in-second-account`]: (number, { isFirst }) => number >= (isFirst ? 1 : 0),
      [`${name}-page-0-accepted-beside-an-order`]: (number, { ordered }) => number >= (ordered ? 0 : 1),
      [`${name}-page-0-accepted-where-per-page-is-named`]: (number, _beside, asked) =>
        number >= (asked === undefined ? 1 : 0),
      ...besideFilters({
        [`${name}-page-0-accepted-beside-a-file-name`]: (number: number, { named }: Beside) =>
          number >= (named ? 0 : 1),
        [`${name}-page-0-accepted-beside-a-filter`]: (number: number, { filtered }: Beside) =>
          number >= (filtered ? 0 : 1),
      }),
      [`${name}-page-below-0-accepted`]: (number) => number !== 0,
      [`${name}-page-below-0-accepted-where-per-page-is-named`]: (number, _beside, asked) =>
        asked === undefined ? number >= 1 : number !== 0,
    },
  });
  const numberDefault = decision({
    rule: 'V1-PAG-07',
    honest: (_isFirst: boolean) => 1,
    lies: {
      [`${name}-page-default-2`]: () => 2,
      [`${name}-page-default-2-in-second-account`]: (isFirst) => (isFirst ? 1 : 2),
    },
  });
  const order = decision({
    rule: 'V1-PAG-08',
    honest: (asked: string | undefined, _beside: Beside) => asked ?? 'created_at',
    lies: {
      ...besideFilters({
        [`${name}-sort-by-created-at-ignored-beside-a-filter`]: (
          asked: string | undefined,
          { filtered }: Beside,
        ): string => (asked === 'created_at' && filtered ? instead : (asked ?? 'created_at')),
        [`${name}-sort-default-other-beside-a-filter`]: (asked: string | undefined, { filtered }: Beside) =>
          asked ?? (filtered ? instead : 'created_at'),
      }),
      ...(lastChange === undefined
        ? {}
        : { [`${name}-sorted-by-their-last-change`]: (asked: string | undefined) => asked ?? LAST_CHANGE }),
      [`${name}-sorted-by-their-time-of-day`]: (asked) => asked ?? TIME_OF_DAY,
      [`${name}-sort-default-other`]: (asked) => asked ?? instead,
      [`${name}-sort-default-other-in-second-account`]: (asked, { isFirst }) =>
        asked ?? (isFirst ? 'created_at' : instead),
      [`${name}-sort-by-created-at-ignored`]: (asked) => (asked === 'created_at' ? instead : (asked ?? 'created_at')),
      [`${name}-sort-by-created-at-ignored-in-second-account`]: (asked, { isFirst }) =>
        asked === 'created_at' && !isFirst ? instead : (asked ?? 'created_at'),
      [`${name}-sort-by-created-at-ignored-where-a-page-is-named`]: (asked, { paged }) =>
        asked === 'created_at' && paged ? instead : (asked ?? 'created_at'),
    },
  });
  const direction = decision({
    rule: 'V1-PAG-09',
    honest: (asked: Way | undefined, _beside: Beside, _number: number): Way => asked ?? 'desc',
    lies: {
      ...besideFilters({
        [`${name}-direction-desc-ignored-beside-a-filter`]: (asked: Way | undefined, { filtered }: Beside): Way =>
          asked === 'desc' && filtered ? 'asc' : (asked ?? 'desc'),
        [`${name}-direction-default-asc-beside-a-filter`]: (asked: Way | undefined, { filtered }: Beside): Way =>
          asked ?? (filtered ? 'asc' : 'desc'),
      }),
      [`${name}-direction-default-asc`]: (asked) => asked ?? 'asc',
      [`${name}-direction-default-asc-beside-a-field`]: (asked, { sorted }) => asked ?? (sorted ? 'asc' : 'desc'),
      [`${name}-direction-default-asc-in-second-account`]: (asked, { isFirst }) => asked ?? (isFirst ? 'desc' : 'asc'),
      [`${name}-direction-desc-ignored-on-later-pages`]: (asked, _beside, number) =>
        asked === 'desc' && number > 1 ? 'asc' : (asked ?? 'desc'),
      [`${name}-direction-desc-ignored-in-second-account`]: (asked, { isFirst }) =>
        asked === 'desc' && !isFirst ? 'asc' : (asked ?? 'desc'),
      [`${name}-direction-desc-ignored-where-a-page-is-named`]: (asked, { paged }) =>
        asked === 'desc' && paged ? 'asc' : (asked ?? 'desc'),
      [`${name}-direction-desc-ignored`]: (asked) => (asked === 'desc' ? 'asc' : (asked ?? 'desc')),
    },
  });
  const length = decision({
    rule: 'V1-PAG-01',
    honest: (asked: number, _beside: Beside) => asked,
    lies: {
      [`${name}-page-never-above-20-beside-an-order`]: (asked, { ordered }) => (ordered ? Math.min(asked, 20) : asked),
      ...besideFilters({
        [`${name}-page-never-above-20-beside-a-filter`]: (asked: number, { filtered }: Beside) =>
          filtered ? Math.min(asked, 20) : asked,
        [`${name}-per-page-ignored-beside-a-file-name`]: (asked: number, { named }: Beside) => (named ? 100 : asked),
        [`${name}-per-page-ignored-beside-a-filter-alone`]: (asked: number, { filtered, ordered }: Beside) =>
          filtered && !ordered ? 100 : asked,
      }),
      [`${name}-page-one-short-in-second-account`]: (asked, { isFirst }) => (isFirst ? asked : Math.max(1, asked - 1)),
      [`${name}-page-one-short`]: (asked) => Math.max(1, asked - 1),
      [`${name}-page-of-100-one-short`]: (asked) => (asked === 100 ? 99 : asked),
      [`${name}-page-of-10-to-50-one-short`]: (asked) => (asked >= 10 && asked <= 50 ? asked - 1 : asked),
      [`${name}-page-one-over`]: (asked) => asked + 1,
      [`${name}-page-never-above-20`]: (asked) => Math.min(asked, 20),
      [`${name}-page-never-above-20-in-second-account`]: (asked, { isFirst }) =>
        isFirst ? asked : Math.min(asked, 20),
      [`${name}-page-never-above-50`]: (asked) => Math.min(asked, 50),
      [`${name}-page-never-above-75`]: (asked) => Math.min(asked, 75),
      [`${name}-page-never-above-50-where-a-page-is-named`]: (asked, { paged }) =>
        paged ? Math.min(asked, 50) : asked,
      [`${name}-page-of-100-one-short-beside-an-order`]: (asked, { ordered }) =>
        asked === 100 && ordered ? 99 : asked,
    },
  });
  const start = decision({
    rule: 'V1-PAG-05',
    honest: ({ size, number }: ListPage) => (number - 1) * size,
    lies: {
      [`${name}-pages-overlap-beside-an-order`]: ({ size, number, beside }) =>
        (number - 1) * size - (beside.ordered && number > 1 ? 1 : 0),
      ...besideFilters({
        [`${name}-page-ignored-beside-a-file-name`]: ({ size, number, beside }: ListPage) =>
          beside.named ? 0 : (number - 1) * size,
        [`${name}-pages-overlap-beside-a-filter`]: ({ size, number, beside }: ListPage) =>
          (number - 1) * size - (beside.filtered && number > 1 ? 1 : 0),
      }),
      [`${name}-pages-of-one-overlap`]: ({ size, number }) => (number - 1) * size - (size === 1 && number > 1 ? 1 : 0),
      [`${name}-pages-of-the-usual-size-overlap`]: ({ size, number }) => (number - 1) * (size === 15 ? 10 : size),
      [`${name}-pages-overlap`]: ({ size, number }) => (number - 1) * size - (number > 1 ? 1 : 0),
      [`${name}-pages-from-the-eighth-on-overlap`]: ({ size, number }) => (number - 1) * size - (number >= 8 ? 1 : 0),
      [`${name}-pages-overlap-in-second-account`]: ({ size, number, beside }) =>
        (number - 1) * size - (number > 1 && !beside.isFirst ? 1 : 0),
      [`${name}-pages-skip`]: ({ size, number }) => (number - 1) * size + (number > 1 ? 1 : 0),
      [`${name}-pages-skip-in-second-account`]: ({ size, number, beside }) =>
        (number - 1) * size + (number > 1 && !beside.isFirst ? 1 : 0),
      [`${name}-third-page-repeats-second-in-second-account`]: ({ size, number, beside }) =>
        ((beside.isFirst ? number : Math.min(number, 2)) - 1) * size,
      [`${name}-third-page-repeats-second`]: ({ size, number }) => (Math.min(number, 2) - 1) * size,
      [`${name}-page-ignored`]: () => 0,
    },
  });

  /** Where a page begins that may lie past the last entry. */
  const beyond = decision({
    rule: 'V1-PAG-01',
    honest: (from: number, _entries: number, _page: ListPage) => from,
    lies: {
      [`${name}-page-after-the-last-repeats-it`]: (from, count, { size }) =>
        from >= count ? Math.max(0, count - size) : from,
      [`${name}-page-after-the-last-fails`]: (from, count) => {
        if (count > 0 && from >= count) throw new V1Refusal(500, 'INTERNAL_SERVER_ERROR', ['Server error.']);
        return from;
      },
      [`${name}-page-far-beyond-the-last-is-the-first`]: (from, count, { size }) =>
        from >= count + 10 * size ? 0 : from,
    },
  });
  /** The order of a page behind the first. */
  const laterWay = decision({
    rule: 'V1-PAG-05',
    honest: (way: 'asc' | 'desc', _number: number) => way,
    lies: { [`${name}-upwards-on-the-first-page-alone`]: (way, number) => (number > 1 ? 'desc' : way) },
  });
  const turned = decision({
    rule: 'V1-PAG-09',
    honest: (page: T[], _number: number) => page,
    lies: {
      [`${name}-second-page-turned-round`]: (page, number) => (number === 2 ? page.reverse() : page),
      [`${name}-later-pages-turned-round`]: (page, number) => (number > 2 ? page.reverse() : page),
    },
  });
  const complete = decision({
    rule: 'V1-PAG-05',
    honest: (page: T[], _whole: readonly T[], _wanted: ListPage) => page,
    lies: {
      [`${name}-last-page-lacks-its-last`]: (page, whole, { number }) =>
        number > 1 && page.at(-1) === whole.at(-1) ? page.slice(0, -1) : page,
      [`${name}-last-page-repeats-the-first`]: (page, whole, { number }) =>
        number > 1 && page.at(-1) === whole.at(-1) ? [...page.slice(0, -1), whole[0]!] : page,
    },
  });
  /** The page, where it holds as many entries as there are at most. */
  const filled = decision({
    rule: 'V1-PAG-01',
    honest: (page: T[], _whole: readonly T[], _wanted: ListPage) => page,
    lies: withoutFilters({
      [`${name}-page-that-holds-all-lacks-its-last`]: (page: T[], whole: readonly T[], { number, size }: ListPage) =>
        number === 1 && whole.length === size ? page.slice(0, -1) : page,
    }),
  });
  const lastFull = decision({
    rule: 'V1-PAG-05',
    honest: (page: T[], _whole: readonly T[], _wanted: ListPage) => page,
    lies: withoutFilters({
      [`${name}-last-page-that-is-full-is-empty`]: (page: T[], whole: readonly T[], { number, size }: ListPage) =>
        number > 1 && page.length === size && page.at(-1) === whole.at(-1) ? [] : page,
    }),
  });
  const laterSize = decision({
    rule: 'V1-PAG-04',
    honest: (size: number, _number: number, _beside: Beside) => size,
    lies: {
      [`${name}-per-page-default-10-on-later-pages`]: (size, number) => (number > 1 ? 10 : size),
      [`${name}-per-page-default-10-on-later-pages-in-second-account`]: (size, number, { isFirst }) =>
        number > 1 && !isFirst ? 10 : size,
    },
  });

  /** Where a page begins whose size is left out. */
  const usualStart = decision({
    rule: 'V1-PAG-04',
    honest: (from: number, _wanted: ListPage) => from,
    lies: {
      [`${name}-page-of-the-usual-size-lacks-the-latest`]: (from, { beside, number }) =>
        from + (beside.sized || number > 1 ? 0 : 1),
    },
  });

  const unknownOrder = decision({
    rule: 'V1-PAG-05',
    honest: (way: V1Choices['unknownWords']): ListPage['unknownOrder'] => way,
    lies: {
      [`${name}-in-an-unknown-order-are-none`]: (): ListPage['unknownOrder'] => 'none',
      [`${name}-in-an-unknown-order-lack-the-latest`]: (): ListPage['unknownOrder'] => 'all but the latest',
    },
  });

  /** What was asked for in the request before. */
  const lastAsked = new WeakMap<ActiveLies, Readonly<Record<string, unknown>>>();
  /** What a parameter stands at that is left out, whatever was asked for before. */
  const leftOut = [
    ['V1-PAG-07', 'page', 'page'],
    ['V1-PAG-08', 'sort', 'sort'],
  ].map(([rule, parameter, word]) =>
    decision({
      rule: rule!,
      honest: (form: RequestForm, _before: Readonly<Record<string, unknown>>) => form,
      lies: {
        [`${name}-${word}-left-out-is-the-last-one`]: (form, before) =>
          form.get(parameter!) === undefined && before[parameter!] !== undefined
            ? form.with(parameter!, before[parameter!])
            : form,
      },
    }),
  );
  const remember = (activeLies: ActiveLies, sent: RequestForm): RequestForm => {
    if (activeLies.size === 0) return sent;
    const before = lastAsked.get(activeLies) ?? {};
    lastAsked.set(activeLies, { ...before, ...sent.all() });
    return leftOut.reduce((form, tells) => tells(activeLies, form, before), sent);
  };

  const takesHigh = requiredField('V1-PAG-01', `${name}-page-above-32-bits-answered-500`);
  const whole = requiredField('V1-ERR-14', `${name}-numbers-in-words-accepted`);

  const integer = (activeLies: ActiveLies, form: RequestForm, field: string): number | undefined => {
    const text = form.text(field);
    if (text === undefined) return undefined;
    if (field === 'page' && Number(text) >= 2 ** 31 && !takesHigh(activeLies))
      throw new Error('the page is out of range');
    if (/^-?\d{1,15}$/.test(text)) return Number(text);
    if (whole(activeLies)) form.complain(field, `The ${field} field must be an integer.`);
    return undefined;
  };

  const way = (form: RequestForm, { ascending }: V1Choices) => {
    const asked = form.choice('direction', ascending === 'refused' ? ['desc'] : WAYS);
    return asked === 'asc' && ascending === 'ignored' ? 'desc' : asked;
  };

  /** Whether a parameter has a value that there is not. */
  const isUnknown = (form: RequestForm, parameter: string, known: readonly string[]): boolean => {
    const asked = form.get(parameter);
    return typeof asked === 'string' && !known.includes(asked);
  };

  return {
    /** Reads per_page, page, sort and direction; complains in the form. @param isFirst whether the account is the caller's first */
    read(activeLies: ActiveLies, sent: RequestForm, choices: V1Choices, isFirst: boolean): ListPage {
      const form = remember(activeLies, sent);
      const sorts = ['created_at', ...Object.keys(fields)];
      const unknown = { sort: isUnknown(form, 'sort', sorts), direction: isUnknown(form, 'direction', WAYS) };
      const fate: ListPage['unknownOrder'] =
        unknown.sort || unknown.direction ? unknownOrder(activeLies, choices.unknownWords) : undefined;
      const isTaken = fate !== undefined && fate !== 'refused';
      const upwards = form.get('direction') === 'asc';
      const named = filters.includes('filename') && form.get('filename') !== undefined;
      const sorted = form.get('sort') !== undefined;
      const paged = form.get('page') !== undefined && form.get('per_page') !== undefined;
      const typed = filters.includes('type') && form.get('type') !== undefined;
      const sized = form.get('per_page') !== undefined;
      const beside = {
        filtered: isFiltered(form),
        ordered: isOrdered(form),
        named,
        sorted,
        upwards,
        paged,
        isFirst,
        sized,
        typed,
      };
      const asked = integer(activeLies, form, 'per_page');
      const number = integer(activeLies, form, 'page') ?? numberDefault(activeLies, isFirst);
      if (asked !== undefined && !sizeLeast(activeLies, asked, beside, number))
        form.complain('per_page', 'The per_page field must be at least 1.');
      if (asked !== undefined && !sizeMost(activeLies, asked, beside, number))
        form.complain('per_page', 'The per_page field must not be greater than 100.');
      if (!numberLeast(activeLies, number, beside, asked)) form.complain('page', 'The page field must be at least 1.');
      return {
        size:
          asked === undefined
            ? laterSize(activeLies, sizeDefault(activeLies, beside), number, beside)
            : length(activeLies, asked, beside),
        number: Math.max(1, number),
        sort: order(activeLies, unknown.sort && isTaken ? undefined : form.choice('sort', sorts), beside),
        direction: laterWay(
          activeLies,
          direction(activeLies, unknown.direction && isTaken ? undefined : way(form, choices), beside, number),
          number,
        ),
        unknownOrder: fate,
        beside,
        tie: asked === undefined || form.get('page') === undefined ? -1 : 1,
      };
    },
    /** The entries of the page, in order. @throws Refusal 404 for a page past the last one, where that is the service's way */
    cut(activeLies: ActiveLies, entries: readonly T[], page: ListPage, { pageBeyond, sortedBy }: V1Choices): T[] {
      const unit = sortedBy === 'milliseconds' ? 1 : 1000;
      const compare =
        (page.sort === LAST_CHANGE ? lastChange : fields[page.sort]) ??
        ((one: T, other: T) => Math.floor(momentOf(one, page) / unit) - Math.floor(momentOf(other, page) / unit));
      const sign = page.direction === 'asc' ? 1 : -1;
      const ties = { milliseconds: sign, 'seconds, as entered': 1, 'seconds, latest first': -1 };
      const tie = sortedBy === 'seconds, by what is asked' ? page.tie : ties[sortedBy];
      const sorted = [...entries].sort((one, other) => sign * compare(one, other) || tie * (one.serial - other.serial));
      const from = beyond(activeLies, usualStart(activeLies, start(activeLies, page), page), sorted.length, page);
      if (pageBeyond === 404 && page.number > 1 && from >= sorted.length) throw refuseMissing('The page');
      if (page.unknownOrder === 'none') return [];
      if (page.unknownOrder === 'all but the latest') sorted.shift();
      const there = filled(activeLies, sorted.slice(from, from + page.size), sorted, page);
      const cut = complete(activeLies, lastFull(activeLies, there, sorted, page), sorted, page);
      return turned(activeLies, cut, page.number);
    },
  };
}
