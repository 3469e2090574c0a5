import { APIS, EXAMPLE_RULE, RULE_PREFIXES } from '#apis';
import { appendPointer } from '#json-pointer';
import { suggestWord } from '#trouble';
import { type EntryFields, type RegisterFields, readRecord } from './register-fields.ts';
import {
  type Consequence,
  type ContextClause,
  type DocumentedState,
  HARMS,
  type Hole,
  type HoleSight,
  type Reading,
  type Rule,
  type RuleArea,
  TARGET_NEEDS,
  type TargetNeed,
} from './types.ts';

const HOLES = APIS.map(({ holePrefix }) => holePrefix);
const AREA = new RegExp(`^(?:${RULE_PREFIXES.join('|')})-[A-Z0-9]{3}$`);
const ID = new RegExp(`^(?:${RULE_PREFIXES.join('|')})-[A-Z0-9]{3}-\\d{2}$`);
const HOLE = new RegExp(`^(?:${HOLES.join('|')})-HOLE-\\d{2}$`);
const READING = new RegExp(`^(?:${HOLES.join('|')})-READ-\\d{2}$`);
const EXAMPLE_AREA = EXAMPLE_RULE.slice(0, -3);

/** An area: where its rules are checked. */
export function readArea(fields: RegisterFields, id: string, value: unknown): RuleArea {
  const pointer = appendPointer('/x-areas', id);
  if (!AREA.test(id)) fields.fail(pointer, `malformed area ${id}`, `write it like ${EXAMPLE_AREA}`);
  const entry = readRecord(value) ?? fields.fail(pointer, 'an area has a title and a file');
  return {
    id,
    api: fields.api,
    title: fields.readText(entry.title, pointer, 'title'),
    file: fields.readText(entry.file, pointer, 'file'),
  };
}

/** A state that a document names: `final` or `open`. */
export function readState(fields: RegisterFields, name: string, kind: unknown): DocumentedState {
  if (kind !== 'final' && kind !== 'open')
    fields.fail(appendPointer('/x-states', name), `state ${name} is ${String(kind)}`, 'a state is final or open');
  return { api: fields.api, name, isFinal: kind === 'final' };
}

/** What it costs when the rules of an area, or one rule, are broken. */
export function readConsequence(fields: RegisterFields, id: string, value: unknown): Consequence {
  const pointer = appendPointer('/x-consequences', id);
  const entry = readRecord(value) ?? fields.fail(pointer, 'a consequence has a harm and a text');
  fields.refuseUnknownKeys(entry, pointer, ['harm', 'text']);
  const harm =
    HARMS.find((one) => one === entry.harm) ??
    fields.fail(appendPointer(pointer, 'harm'), `unknown harm ${String(entry.harm)}`, `harm is ${HARMS.join(', ')}`);
  return { harm, text: fields.readText(entry.text, pointer, 'text') };
}

/**
 * A rule, in one of these areas.
 * @param operation that it stands at
 * @param ids form of its id, and an example
 */
export function readRule(
  fields: RegisterFields,
  entry: EntryFields,
  pointer: string,
  areaIds: readonly string[],
  operation: string | undefined,
  ids: { readonly form: RegExp; readonly example: string } = { form: ID, example: EXAMPLE_RULE },
): Rule {
  fields.refuseUnknownKeys(entry, pointer, [
    'id',
    'level',
    'text',
    'source',
    'needs',
    'untestable',
    'retired',
    'absence',
  ]);
  const id = String(entry.id);
  if (!ids.form.test(id)) fields.fail(pointer, `malformed rule id ${id}`, `write it like ${ids.example}`);
  const area = id.slice(0, -3);
  if (!areaIds.includes(area)) fields.fail(pointer, `rule ${id} has an unknown area`, suggestWord(area, areaIds));
  if (entry.level !== 'must' && entry.level !== 'should') {
    fields.fail(
      appendPointer(pointer, 'level'),
      `rule ${id} has level ${String(entry.level)}`,
      'level is must or should',
    );
  }
  if (entry.absence !== undefined && entry.absence !== true)
    fields.fail(
      appendPointer(pointer, 'absence'),
      `rule ${id} has absence ${String(entry.absence)}`,
      'absence is true or left out',
    );
  const needs = (entry.needs ?? []) as unknown[];
  if (!Array.isArray(needs)) fields.fail(appendPointer(pointer, 'needs'), 'needs must be a list');
  for (const need of needs) {
    if (!TARGET_NEEDS.includes(need as TargetNeed))
      fields.fail(
        appendPointer(pointer, 'needs'),
        `unknown need ${String(need)}`,
        suggestWord(String(need), TARGET_NEEDS),
      );
  }
  return {
    id,
    api: fields.api,
    area,
    level: entry.level as Rule['level'],
    text: fields.readText(entry.text, pointer, 'text'),
    source: fields.readSources(entry.source, appendPointer(pointer, 'source')),
    needs: needs as TargetNeed[],
    ...(entry.untestable === undefined ? {} : { untestable: fields.readText(entry.untestable, pointer, 'untestable') }),
    ...(entry.retired === undefined ? {} : { retired: fields.readText(entry.retired, pointer, 'retired') }),
    ...(entry.absence === undefined ? {} : { absence: true }),
    at: pointer.replace(/\/x-rules\/\d+$/, ''),
    ...(operation === undefined ? {} : { operation }),
  };
}

/** A hole: what a document leaves open, and where a run may see it. */
export function readHole(fields: RegisterFields, entry: EntryFields, pointer: string): Hole {
  fields.refuseUnknownKeys(entry, pointer, ['id', 'unknown', 'source', 'where']);
  const id = String(entry.id);
  if (!HOLE.test(id)) fields.fail(pointer, `malformed hole id ${id}`, `write it like ${HOLES[0]}-HOLE-04`);
  const where = fields.readList(entry.where ?? [], appendPointer(pointer, 'where')).map((sight, i): HoleSight => {
    const here = appendPointer(appendPointer(pointer, 'where'), i);
    fields.refuseUnknownKeys(sight, here, ['operation', 'event', 'status', 'observe', 'body']);
    if (!['fields', 'values', 'headers', 'presence', 'status'].includes(String(sight.observe))) {
      fields.fail(
        here,
        `unknown observation ${String(sight.observe)}`,
        'observe is fields, values, headers, presence or status',
      );
    }
    return sight as unknown as HoleSight;
  });
  return {
    id,
    api: fields.api,
    unknown: fields.readText(entry.unknown, pointer, 'unknown'),
    source: fields.readSources(entry.source, appendPointer(pointer, 'source')),
    where,
    at: pointer.replace(/\/x-holes\/\d+$/, ''),
  };
}

/** A reading: how an ambiguous clause is taken. */
export function readReading(fields: RegisterFields, entry: EntryFields, pointer: string): Reading {
  fields.refuseUnknownKeys(entry, pointer, ['id', 'question', 'readings', 'taken', 'why', 'notices']);
  const id = fields.readText(entry.id, pointer, 'id');
  if (!READING.test(id)) fields.fail(pointer, `malformed reading id ${id}`, `write it like ${HOLES[0]}-READ-04`);
  return {
    id,
    api: fields.api,
    question: fields.readText(entry.question, pointer, 'question'),
    readings: fields.readWords(entry.readings, pointer, 'readings'),
    taken: fields.readText(entry.taken, pointer, 'taken'),
    why: fields.readText(entry.why, pointer, 'why'),
    notices: fields.readWords(entry.notices ?? [], pointer, 'notices'),
  };
}

/** A clause that promises nothing, and why. */
export function readContext(fields: RegisterFields, entry: EntryFields, pointer: string): ContextClause {
  return { ...fields.readSource(entry, pointer), why: fields.readText(entry.why, pointer, 'why') };
}
