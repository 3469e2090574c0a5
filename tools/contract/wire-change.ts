import { appendPointer, pointerTokens } from '#json-pointer';
import { suggestWord } from '#trouble';
import { type EntryFields, type RegisterFields, readRecord } from './register-fields.ts';
import { requestPathPattern } from './request-path.ts';
import type { Contract, WireChange } from './types.ts';

/** What a change does; each is the key of its own place. */
const EFFECTS = ['drop', 'change', 'add', 'delay'] as const;

/** Milliseconds by the letters of a duration. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000 };

/**
 * Reads one change of what the embedded sandbox sends: `answer` (operation) or `message` (event), then `drop`, `change`, `add` or
 * `delay`. A place is a JSON Pointer into the body, `header:name`, `status`, or true for the whole.
 * @throws Trouble (usage) with file and line: no such operation or event, no effect or several, a wrong place or duration
 */
export function readWireChange(
  fields: RegisterFields,
  value: unknown,
  pointer: string,
  { operations, events }: Pick<Contract, 'operations' | 'events'>,
): WireChange {
  const entry = readRecord(value) ?? fields.fail(pointer, 'a change is a mapping', 'answer: OPERATION, drop: /member');
  fields.refuseUnknownKeys(entry, pointer, ['answer', 'message', 'status', 'to', ...EFFECTS]);
  const [effect, ...more] = EFFECTS.filter((key) => key in entry);
  if (effect === undefined || more.length > 0)
    return fields.fail(pointer, 'a change does one thing', `give one of ${EFFECTS.join(', ')}`);
  const place = entry[effect];
  const at = appendPointer(pointer, effect);
  if ((effect === 'change' || effect === 'add') !== 'to' in entry)
    fields.fail(pointer, `${effect} ${'to' in entry ? 'takes no' : 'needs a'} value`, 'change and add have a to:');
  if (entry.message !== undefined) {
    const message = oneOf(fields, entry, pointer, 'message', events.keys());
    if (effect === 'delay') return { message, operator: 'send-late' };
    if (effect === 'drop' && place === true) return { message, operator: 'suppress' };
    return { message, ...readPart(fields, effect, place, at, entry.to) };
  }
  const answer = operations.get(oneOf(fields, entry, pointer, 'answer', operations.keys()))!;
  const { status = Math.min(...answer.answers.keys()) } = entry;
  if (typeof status !== 'number') return fields.fail(appendPointer(pointer, 'status'), 'status is a number', '200');
  const of = { method: answer.method.toUpperCase(), path: requestPathPattern(operations.values(), answer), status };
  if (effect === 'delay') return { answer: of, operator: 'delay', value: readDelay(fields, place, at) };
  if (effect === 'drop' && place === true) return { answer: of, operator: 'empty' };
  if (effect === 'change' && place === 'status') return { answer: of, operator: 'status', value: entry.to };
  return { answer: of, ...readPart(fields, effect, place, at, entry.to) };
}

/** The part of a body or the header that is dropped, changed or added. */
function readPart(
  fields: RegisterFields,
  effect: 'drop' | 'change' | 'add' | 'delay',
  place: unknown,
  at: string,
  value: unknown,
): Omit<WireChange, 'answer' | 'message'> {
  const operator = effect === 'change' ? 'value' : (effect as 'drop' | 'add');
  const put = effect === 'drop' ? {} : { value };
  if (typeof place === 'string' && place.startsWith('header:'))
    return { operator, header: place.slice(7).trim().toLowerCase(), ...put };
  if (typeof place === 'string' && place.startsWith('/')) return { operator, member: pointerTokens(place), ...put };
  return fields.fail(at, `${effect} names no place`, 'give a JSON Pointer such as /member, or header:name');
}

function readDelay(fields: RegisterFields, text: unknown, at: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(String(text)) ?? [];
  return number === undefined
    ? fields.fail(at, 'delay is no duration', 'write it like 800ms or 3s')
    : Number(number) * UNITS[unit!]!;
}

function oneOf(
  fields: RegisterFields,
  entry: EntryFields,
  pointer: string,
  key: string,
  known: Iterable<string>,
): string {
  const names = [...known];
  const name = entry[key];
  if (name === undefined) return fields.fail(pointer, 'a change names no answer and no message', 'answer: OPERATION');
  if (typeof name === 'string' && names.includes(name)) return name;
  return fields.fail(
    appendPointer(pointer, key),
    `no ${key === 'answer' ? 'operation' : 'message'} is called ${String(name)}`,
    suggestWord(String(name), names) || `use one of ${names.join(', ')}`,
  );
}
