import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { isFields } from './classify/source.ts';
import type { ChangeLevel } from './types.ts';

/** Two descriptions that differ in one thing, and what must be told of it. */
export interface GoldenCase {
  readonly name: string;
  readonly old: Fields;
  readonly new: Fields;
  readonly expected: Readonly<Record<string, ChangeLevel>>;
}

type Fields = Record<string, unknown>;
type Told = Record<string, ChangeLevel | readonly (ChangeLevel | null)[]>;

interface Entry {
  readonly name: string;
  readonly side?: 'asked' | 'answered';
  readonly old?: unknown;
  readonly new: unknown;
  readonly there?: Told;
  readonly request?: Record<string, ChangeLevel>;
  readonly response?: Record<string, ChangeLevel>;
  readonly back?: Told;
}

interface Equal {
  readonly name: string;
  readonly value?: readonly [unknown, unknown];
  readonly over?: readonly [Fields, Fields];
}

const SIDES = ['request', 'response'] as const;

const BASE: Fields = {
  openapi: '3.1.0',
  info: { title: 'Base', version: '1.0.0' },
  paths: { '/a': { post: { responses: { 200: { description: 'Fine.' } } } } },
  components: {
    schemas: { S: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
      login: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://a.invalid/token', scopes: { read: 'Read.', write: 'Write.' } },
        },
      },
    },
  },
};

/** Every case of one change, those that can be turned round also the other way. */
export function goldenCases(): GoldenCase[] {
  return [
    ...read<Entry>('values').flatMap((entry) =>
      SIDES.flatMap((side, i) =>
        both(entry, side, (value) => valueIn(side, value), [
          entry[side] ?? told(entry.there, side, i),
          told(entry.back, side, i),
        ]),
      ),
    ),
    ...read<Entry>('operations').flatMap((entry) =>
      [false, true].flatMap((event) => {
        const i = (entry.side === 'asked') === event ? 1 : 0;
        const direction = SIDES[i]!;
        const levels = [told(entry.there, direction, i), told(entry.back, direction, i)] as const;
        return both(entry, event ? 'webhook' : 'operation', (value) => operationIn(event, value as Fields), levels);
      }),
    ),
    ...read<Entry>('documents').flatMap((entry) =>
      both(entry, 'document', (value) => over(BASE, (value ?? {}) as Fields), [
        entry.there as Record<string, ChangeLevel>,
        entry.back as Record<string, ChangeLevel> | undefined,
      ]),
    ),
  ];
}

/** Pairs of descriptions that say the same. */
export function equalCases(): Pick<GoldenCase, 'name' | 'old' | 'new'>[] {
  return read<Equal>('equal').flatMap(({ name, value, over: patches }) =>
    patches
      ? [{ name, old: over(BASE, patches[0]), new: over(BASE, patches[1]) }]
      : SIDES.map((side) => ({
          name: `${name} (${side})`,
          old: valueIn(side, value![0]),
          new: valueIn(side, value![1]),
        })),
  );
}

function read<T>(name: string): T[] {
  return parse(readFileSync(fileURLToPath(new URL(`golden/${name}.yaml`, import.meta.url)), 'utf8')) as T[];
}

type Levels = Readonly<Record<string, ChangeLevel>>;

function both(
  { name, old, new: now }: Entry,
  where: string,
  build: (value: unknown) => Fields,
  [there, back]: readonly [Levels, Levels | undefined],
): GoldenCase[] {
  const [a, b] = [build(old), build(now)];
  return [
    { name: `${name} (${where})`, old: a, new: b, expected: there },
    ...(back ? [{ name: `${name} (${where}, back)`, old: b, new: a, expected: back }] : []),
  ];
}

/** Levels under whole ids: a single level belongs to an id without direction, of two each to one direction. */
function told(written: Told | undefined, direction: string, i: number): Levels {
  return Object.fromEntries(
    Object.entries(written ?? {}).flatMap(([name, level]): [string, ChangeLevel][] => {
      if (typeof level === 'string') return [[name, level]];
      const one = level[i];
      return one ? [[`${direction}-${name}`, one]] : [];
    }),
  );
}

function valueIn(side: (typeof SIDES)[number], value: unknown): Fields {
  const content = { 'application/json': { schema: { type: 'object', properties: { value } } } };
  return operationIn(
    false,
    side === 'request'
      ? { requestBody: { required: true, content } }
      : { responses: { 200: { description: 'Fine.', content } } },
  );
}

function operationIn(event: boolean, operation: Fields | undefined): Fields {
  const bare = { responses: { 200: { description: 'Fine.' } } };
  return event
    ? over({ ...BASE, webhooks: { paid: { post: bare } } }, { webhooks: { paid: { post: operation ?? {} } } })
    : over(BASE, { paths: { '/a': { post: operation ?? {} } } });
}

/** One mapping laid over another; null takes away. */
function over(base: Fields, patch: Fields): Fields {
  const made: Fields = structuredClone(base);
  for (const [key, value] of Object.entries(patch)) {
    const below = made[key];
    if (value === null) delete made[key];
    else made[key] = isFields(value) && isFields(below) ? over(below, value) : value;
  }
  return made;
}
