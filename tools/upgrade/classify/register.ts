import { appendPointer } from '#json-pointer';
import { compareWordings } from '../documents/wording.ts';
import { type ComparisonScope, noteDifference } from './scope.ts';
import { isFields, type SchemaFields, type SpecSource } from './source.ts';

interface Entry {
  readonly fields: SchemaFields;
  readonly pointer: string;
}

/** The second name is an older one. */
const HOLES = ['x-holes', 'x-unknowns'];

/** Compares the rules and holes that stand beside what they speak of, wherever that is, by their ids. */
export function compareRegister(scope: ComparisonScope): void {
  const { rules: a, holes: before } = collect(scope.old);
  const { rules: b, holes: after } = collect(scope.new);
  for (const [id, one] of a) {
    const other = b.get(id);
    const named = { subject: `rule ${id}`, place: id };
    if (!other)
      noteDifference(
        scope,
        'rule-removed',
        named,
        `There is no {} any more: ${one.fields.text}`,
        [id, undefined],
        [one.pointer, undefined],
      );
    else compareRule(scope, named, one, other);
  }
  for (const [id, other] of b)
    if (!a.has(id))
      noteDifference(
        scope,
        'rule-added',
        { subject: `rule ${id}`, place: id },
        `There is a new {}: ${other.fields.text}`,
        [undefined, id],
        [undefined, other.pointer],
      );
  for (const [id, one] of before)
    if (!after.has(id))
      noteDifference(
        scope,
        'hole-removed',
        { subject: `hole ${id}`, place: id },
        `{} is closed: ${one.fields.unknown}`,
        [id, undefined],
        [one.pointer, undefined],
      );
  for (const [id, other] of after)
    if (!before.has(id))
      noteDifference(
        scope,
        'hole-added',
        { subject: `hole ${id}`, place: id },
        `There is a new {}: ${other.fields.unknown}`,
        [undefined, id],
        [undefined, other.pointer],
      );
}

function compareRule(scope: ComparisonScope, named: { subject: string; place: string }, a: Entry, b: Entry): void {
  const at = [a.pointer, b.pointer] as const;
  const words = (value: unknown) => String(value).replace(/\s+/g, ' ').trim();
  const value = (key: string) => [a.fields[key], b.fields[key]] as const;
  const text = value('text');
  const level = value('level');
  if (words(text[0]) !== words(text[1])) {
    const { nature, gone, come } = compareWordings(words(text[0]), words(text[1]));
    const [was, is] = text.map((one) => `“${words(one).replace(/\.$/, '')}”`);
    const both = `It was ${was} and is ${is}.`;
    const ends = [appendPointer(at[0], 'text'), appendPointer(at[1], 'text')] as const;
    if (nature === 'facts' && level.includes('must'))
      noteDifference(
        scope,
        'rule-facts-changed',
        named,
        `{} says something else (${[...gone, '→', ...come].join(' ')}). ${both}`,
        text,
        ends,
      );
    else noteDifference(scope, 'rule-text-changed', named, `{} is worded otherwise. ${both}`, text, ends);
  }
  if (level[0] !== level[1])
    noteDifference(scope, 'rule-level-changed', named, `{} was a ${level[0]} and is a ${level[1]}.`, level, at);
  if (a.fields.retired === undefined && b.fields.retired !== undefined)
    noteDifference(scope, 'rule-retired', named, `{} is no longer in use: ${b.fields.retired}`, value('retired'), at);
}

/** Rules and holes by id, gathered in one walk. */
function collect(source: SpecSource): { rules: Map<string, Entry>; holes: Map<string, Entry> } {
  const found = { rules: new Map<string, Entry>(), holes: new Map<string, Entry>() };
  const seen = new Set<unknown>();
  const path: string[] = [];
  const keep = (entries: Map<string, Entry>, listed: readonly unknown[]) =>
    listed.forEach((entry, i) => {
      if (isFields(entry) && typeof entry.id === 'string')
        entries.set(entry.id, { fields: entry, pointer: appendPointer('', ...path, i) });
    });
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [key, below] of Object.entries(value)) {
      path.push(key);
      if (key === 'x-rules' && Array.isArray(below)) keep(found.rules, below);
      else if (HOLES.includes(key) && Array.isArray(below)) keep(found.holes, below);
      else if (!key.startsWith('x-') && key !== 'example' && key !== 'examples') walk(below);
      path.pop();
    }
  };
  walk(source.root);
  return found;
}
