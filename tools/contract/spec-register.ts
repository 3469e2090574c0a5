import { API_NAMES, APIS, EXAMPLE_RULE, RULE_PREFIXES } from '#apis';
import { appendPointer } from '#json-pointer';
import { suggestWord } from '#trouble';
import { CLAUSE_HASH_DIGITS } from './clause.ts';
import { failForSpec, type SpecFile } from './spec-file.ts';
import {
  type Api,
  type ClauseSource,
  type ContextClause,
  type Hole,
  type HoleSight,
  type Reading,
  type Rule,
  type RuleArea,
  TARGET_NEEDS,
  type TargetNeed,
} from './types.ts';

/** What one spec file registers beside its operations. */
export interface SpecRegister {
  readonly rules: Rule[];
  readonly holes: Hole[];
  readonly readings: Reading[];
  readonly contexts: ContextClause[];
  readonly areas: RuleArea[];
}

/** Whether a rule is in force and shows to a client, a receiver or a signer. */
export function isTestable({ untestable, retired }: Pick<Rule, 'untestable' | 'retired'>): boolean {
  return untestable === undefined && retired === undefined;
}

type Fields = Record<string, unknown>;

const HOLES = APIS.map(({ holePrefix }) => holePrefix);
const AREA = new RegExp(`^(?:${RULE_PREFIXES.join('|')})-[A-Z0-9]{3}$`);
const ID = new RegExp(`^(?:${RULE_PREFIXES.join('|')})-[A-Z0-9]{3}-\\d{2}$`);
const HOLE = new RegExp(`^(?:${HOLES.join('|')})-HOLE-\\d{2}$`);
const READING = new RegExp(`^(?:${HOLES.join('|')})-READ-\\d{2}$`);
const EXAMPLE_AREA = EXAMPLE_RULE.slice(0, -3);
const METHODS = new Set(['get', 'put', 'post', 'delete', 'head', 'patch', 'options']);

/**
 * Collects rules, holes, readings, contexts and areas of one spec, wherever they stand.
 * @throws Trouble (usage) naming file and line of a malformed or doubled entry
 */
export function readRegister(spec: SpecFile): SpecRegister {
  const fail = failForSpec(spec);
  const text = (value: unknown, pointer: string, name: string): string =>
    typeof value === 'string' && value.trim() !== ''
      ? value.trim().replace(/\s+/g, ' ')
      : fail(appendPointer(pointer, name), `${name} must be a sentence`, `write a non-empty ${name}`);
  const known = (entry: Fields, pointer: string, keys: readonly string[]) => {
    for (const key of Object.keys(entry)) {
      if (!keys.includes(key))
        fail(
          appendPointer(pointer, key),
          `unknown key ${key}`,
          suggestWord(key, keys) || `use one of ${keys.join(', ')}`,
        );
    }
  };
  const source = (value: unknown, pointer: string): ClauseSource => {
    const entry = record(value) ?? fail(pointer, 'a source is a mapping of section and sha256');
    if (typeof entry.section !== 'string') fail(pointer, 'a source needs its section');
    if (typeof entry.sha256 !== 'string' || !/^[0-9a-f]{12,64}$/.test(entry.sha256)) {
      fail(
        pointer,
        'a source needs the SHA-256 of its clause, its first 12 hex digits',
        'assay ledger --documents DIR --list prints them',
      );
    }
    const document = entry.document ?? spec.api;
    if (!API_NAMES.includes(document as Api)) {
      fail(
        appendPointer(pointer, 'document'),
        `unknown document ${String(document)}`,
        `document is ${API_NAMES.join(' or ')}`,
      );
    }
    return {
      document: document as Api,
      section: entry.section as string,
      sha256: (entry.sha256 as string).slice(0, CLAUSE_HASH_DIGITS),
    };
  };
  const sources = (value: unknown, pointer: string): ClauseSource[] =>
    (Array.isArray(value) ? value : [value]).map((one, i) =>
      source(one, Array.isArray(value) ? appendPointer(pointer, i) : pointer),
    );
  const words = (value: unknown, pointer: string, name: string): string[] =>
    Array.isArray(value) ? value.map(String) : fail(appendPointer(pointer, name), `${name} must be a list`);
  const list = (value: unknown, pointer: string): Fields[] =>
    Array.isArray(value)
      ? value.map((entry, i) => record(entry) ?? fail(appendPointer(pointer, i), 'an entry must be a mapping'))
      : fail(pointer, 'must be a list');

  const areas = Object.entries(record(spec.root['x-areas']) ?? {}).map(([id, value]): RuleArea => {
    const pointer = appendPointer('/x-areas', id);
    if (!AREA.test(id)) fail(pointer, `malformed area ${id}`, `write it like ${EXAMPLE_AREA}`);
    const entry = record(value) ?? fail(pointer, 'an area has a title and a file');
    return { id, api: spec.api, title: text(entry.title, pointer, 'title'), file: text(entry.file, pointer, 'file') };
  });
  const areaIds = areas.map(({ id }) => id);

  const readRule = (entry: Fields, pointer: string, operation: string | undefined): Rule => {
    known(entry, pointer, ['id', 'level', 'text', 'source', 'needs', 'untestable', 'retired', 'absence']);
    const id = String(entry.id);
    if (!ID.test(id)) fail(pointer, `malformed rule id ${id}`, `write it like ${EXAMPLE_RULE}`);
    const area = id.slice(0, -3);
    if (!areaIds.includes(area)) fail(pointer, `rule ${id} has an unknown area`, suggestWord(area, areaIds));
    if (entry.level !== 'must' && entry.level !== 'should') {
      fail(appendPointer(pointer, 'level'), `rule ${id} has level ${String(entry.level)}`, 'level is must or should');
    }
    if (entry.absence !== undefined && entry.absence !== true)
      fail(
        appendPointer(pointer, 'absence'),
        `rule ${id} has absence ${String(entry.absence)}`,
        'absence is true or left out',
      );
    const needs = (entry.needs ?? []) as unknown[];
    if (!Array.isArray(needs)) fail(appendPointer(pointer, 'needs'), 'needs must be a list');
    for (const need of needs) {
      if (!TARGET_NEEDS.includes(need as TargetNeed))
        fail(appendPointer(pointer, 'needs'), `unknown need ${String(need)}`, suggestWord(String(need), TARGET_NEEDS));
    }
    return {
      id,
      api: spec.api,
      area,
      level: entry.level as Rule['level'],
      text: text(entry.text, pointer, 'text'),
      source: sources(entry.source, appendPointer(pointer, 'source')),
      needs: needs as TargetNeed[],
      ...(entry.untestable === undefined ? {} : { untestable: text(entry.untestable, pointer, 'untestable') }),
      ...(entry.retired === undefined ? {} : { retired: text(entry.retired, pointer, 'retired') }),
      ...(entry.absence === undefined ? {} : { absence: true }),
      at: pointer.replace(/\/x-rules\/\d+$/, ''),
      ...(operation === undefined ? {} : { operation }),
    };
  };
  const readHole = (entry: Fields, pointer: string): Hole => {
    known(entry, pointer, ['id', 'unknown', 'source', 'where']);
    const id = String(entry.id);
    if (!HOLE.test(id)) fail(pointer, `malformed hole id ${id}`, `write it like ${HOLES[0]}-HOLE-04`);
    const where = list(entry.where ?? [], appendPointer(pointer, 'where')).map((sight, i): HoleSight => {
      const here = appendPointer(appendPointer(pointer, 'where'), i);
      known(sight, here, ['operation', 'event', 'status', 'observe', 'body']);
      if (!['fields', 'values', 'headers', 'presence', 'status'].includes(String(sight.observe))) {
        fail(
          here,
          `unknown observation ${String(sight.observe)}`,
          'observe is fields, values, headers, presence or status',
        );
      }
      return sight as unknown as HoleSight;
    });
    return {
      id,
      api: spec.api,
      unknown: text(entry.unknown, pointer, 'unknown'),
      source: sources(entry.source, appendPointer(pointer, 'source')),
      where,
      at: pointer.replace(/\/x-holes\/\d+$/, ''),
    };
  };

  const seen = new Set<unknown>();
  const once = (kind: string, id: unknown, pointer: string) => {
    if (seen.has(id))
      fail(pointer, `${kind} ${String(id)} is registered twice`, 'give one of them the next free number');
    seen.add(id);
  };
  const rules: Rule[] = [];
  const holes: Hole[] = [];
  const attributions: [pointer: string, value: unknown][] = [];
  const walk = (node: unknown, pointer: string, operation: string | undefined) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const here = appendPointer(pointer, key);
      if (key === 'x-rules') {
        list(value, here).forEach((entry, i) => {
          rules.push(readRule(entry, appendPointer(here, i), operation));
          once('rule', entry.id, appendPointer(here, i));
        });
      } else if (key === 'x-holes') {
        list(value, here).forEach((entry, i) => {
          holes.push(readHole(entry, appendPointer(here, i)));
          once('hole', entry.id, appendPointer(here, i));
        });
      } else if (key === 'x-attributions') {
        attributions.push([here, value]);
      } else if (key !== 'example' && key !== 'examples' && !key.startsWith('x-')) {
        const inside = METHODS.has(key) && /^\/paths\/[^/]+$/.test(pointer) ? record(value)?.operationId : undefined;
        walk(value, here, typeof inside === 'string' ? inside : operation);
      }
    }
  };
  walk(spec.root, '', undefined);

  for (const [pointer, value] of attributions) {
    const entry = record(value) ?? fail(pointer, 'x-attributions is a mapping of media and json to a rule');
    known(entry, pointer, ['media', 'json']);
    for (const [key, id] of Object.entries(entry)) {
      if (!rules.some((rule) => rule.id === id))
        fail(
          appendPointer(pointer, key),
          `no rule is called ${String(id)}`,
          suggestWord(
            String(id),
            rules.map((rule) => rule.id),
          ),
        );
    }
  }

  const readings = list(spec.root['x-readings'] ?? [], '/x-readings').map((entry, i): Reading => {
    const pointer = appendPointer('/x-readings', i);
    known(entry, pointer, ['id', 'question', 'readings', 'taken', 'why', 'notices']);
    const id = text(entry.id, pointer, 'id');
    if (!READING.test(id)) fail(pointer, `malformed reading id ${id}`, `write it like ${HOLES[0]}-READ-04`);
    once('reading', id, pointer);
    return {
      id,
      api: spec.api,
      question: text(entry.question, pointer, 'question'),
      readings: words(entry.readings, pointer, 'readings'),
      taken: text(entry.taken, pointer, 'taken'),
      why: text(entry.why, pointer, 'why'),
      notices: words(entry.notices ?? [], pointer, 'notices'),
    };
  });
  const contexts = list(spec.root['x-context'] ?? [], '/x-context').map((entry, i): ContextClause => {
    const pointer = appendPointer('/x-context', i);
    return { ...source(entry, pointer), why: text(entry.why, pointer, 'why') };
  });
  return { rules, holes, readings, contexts, areas };
}

function record(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
