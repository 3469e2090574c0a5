import { appendPointer } from '#json-pointer';
import { suggestWord } from '#trouble';
import {
  readArea,
  readConsequence,
  readContext,
  readHole,
  readReading,
  readRule,
  readState,
} from './register-entries.ts';
import { RegisterFields, readRecord } from './register-fields.ts';
import type { SpecFile } from './spec-file.ts';
import type { Consequence, ContextClause, DocumentedState, Hole, Reading, Rule, RuleArea } from './types.ts';

/** What one spec file registers beside its operations. */
export interface SpecRegister {
  readonly rules: Rule[];
  readonly holes: Hole[];
  readonly readings: Reading[];
  readonly contexts: ContextClause[];
  readonly areas: RuleArea[];
  readonly states: DocumentedState[];
}

/** Whether a rule is in force and shows to a client, a receiver or a signer. */
export function isTestable({ untestable, retired }: Pick<Rule, 'untestable' | 'retired'>): boolean {
  return untestable === undefined && retired === undefined;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'head', 'patch', 'options']);

/**
 * Collects rules, holes, readings, contexts and areas of one spec, wherever they stand.
 * @throws Trouble (usage) naming file and line of a malformed or doubled entry
 */
export function readRegister(spec: SpecFile): SpecRegister {
  const fields = new RegisterFields(spec);
  const areas = Object.entries(readRecord(spec.root['x-areas']) ?? {}).map(([id, value]) =>
    readArea(fields, id, value),
  );
  const areaIds = areas.map(({ id }) => id);
  const seen = new Set<unknown>();
  const once = (kind: string, id: unknown, pointer: string) => {
    if (seen.has(id))
      fields.fail(pointer, `${kind} ${String(id)} is registered twice`, 'give one of them the next free number');
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
        fields.readList(value, here).forEach((entry, i) => {
          rules.push(readRule(fields, entry, appendPointer(here, i), areaIds, operation));
          once('rule', entry.id, appendPointer(here, i));
        });
      } else if (key === 'x-holes') {
        fields.readList(value, here).forEach((entry, i) => {
          holes.push(readHole(fields, entry, appendPointer(here, i)));
          once('hole', entry.id, appendPointer(here, i));
        });
      } else if (key === 'x-attributions') {
        attributions.push([here, value]);
      } else if (key !== 'example' && key !== 'examples' && !key.startsWith('x-')) {
        const inside =
          METHODS.has(key) && /^\/paths\/[^/]+$/.test(pointer) ? readRecord(value)?.operationId : undefined;
        walk(value, here, typeof inside === 'string' ? inside : operation);
      }
    }
  };
  walk(spec.root, '', undefined);

  checkAttributions(fields, attributions, rules);
  const consequences = readConsequences(fields, spec.root['x-consequences'], [
    ...areaIds,
    ...rules.map(({ id }) => id),
  ]);
  const readings = fields.readList(spec.root['x-readings'] ?? [], '/x-readings').map((entry, i) => {
    const pointer = appendPointer('/x-readings', i);
    once('reading', entry.id, pointer);
    return readReading(fields, entry, pointer);
  });
  const contexts = fields
    .readList(spec.root['x-context'] ?? [], '/x-context')
    .map((entry, i) => readContext(fields, entry, appendPointer('/x-context', i)));
  return {
    rules: rules.map((rule) => {
      const consequence = consequences.get(rule.id) ?? consequences.get(rule.area);
      return consequence === undefined ? rule : { ...rule, consequence };
    }),
    holes,
    readings,
    contexts,
    areas,
    states: Object.entries(readRecord(spec.root['x-states']) ?? {}).map(([name, kind]) =>
      readState(fields, name, kind),
    ),
  };
}

/** What it costs when a rule is broken, by its id or that of its area. */
function readConsequences(
  fields: RegisterFields,
  value: unknown,
  ids: readonly string[],
): ReadonlyMap<string, Consequence> {
  return new Map(
    Object.entries(readRecord(value) ?? {}).map(([id, one]) => {
      if (!ids.includes(id))
        fields.fail(appendPointer('/x-consequences', id), `no rule or area is called ${id}`, suggestWord(id, ids));
      return [id, readConsequence(fields, id, one)];
    }),
  );
}

/** What says which rule answers for media type and JSON names rules that there are. */
function checkAttributions(
  fields: RegisterFields,
  attributions: readonly (readonly [pointer: string, value: unknown])[],
  rules: readonly Rule[],
): void {
  for (const [pointer, value] of attributions) {
    const entry = readRecord(value) ?? fields.fail(pointer, 'x-attributions is a mapping of media and json to a rule');
    fields.refuseUnknownKeys(entry, pointer, ['media', 'json']);
    for (const [key, id] of Object.entries(entry)) {
      if (!rules.some((rule) => rule.id === id))
        fields.fail(
          appendPointer(pointer, key),
          `no rule is called ${String(id)}`,
          suggestWord(
            String(id),
            rules.map((rule) => rule.id),
          ),
        );
    }
  }
}
