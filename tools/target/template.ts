import { withValueAt } from '#json-pointer';
import type { RequestTemplate } from './types.ts';

/** Values for `${name}` placeholders; an absent one drops the member it stands in. */
export type PlaceholderValues = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

/**
 * Fills a request template. A string that is nothing but one placeholder takes the value's own type, or the one that
 * `${name:number}` or `${name:string}` asks for.
 * @returns a new value; members whose placeholder has no value are left out
 */
export function fillTemplate(template: RequestTemplate, values: PlaceholderValues): unknown {
  if (typeof template === 'string') {
    const whole = /^\$\{(\w+)(?::(number|string))?\}$/.exec(template);
    if (whole) return coerce(values[whole[1]!], whole[2]);
    let missing = false;
    const text = template.replace(PLACEHOLDER_PATTERN, (_, name: string) => {
      missing ||= values[name] === undefined;
      return String(values[name]);
    });
    return missing ? undefined : text;
  }
  if (Array.isArray(template))
    return template.map((one) => fillTemplate(one as RequestTemplate, values)).filter((one) => one !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([key, one]) => [key, fillTemplate(one as RequestTemplate, values)] as const)
      .filter(([, one]) => one !== undefined),
  );
}

/** A placeholder inside a text. */
export const PLACEHOLDER_PATTERN = /\$\{(\w+)(?::(?:number|string))?\}/g;

/** Whether a template, or anything in it, names one of these placeholders. */
export function namesPlaceholder(template: unknown, ...names: readonly string[]): boolean {
  const text = JSON.stringify(template) ?? '';
  return [...text.matchAll(PLACEHOLDER_PATTERN)].some(([, name]) => names.includes(name!));
}

function coerce(value: PlaceholderValues[string], type: string | undefined): PlaceholderValues[string] {
  if (value === undefined || type === undefined) return value;
  if (type === 'string') return String(value);
  const number = Number(value);
  // Digits that no number holds exactly stay as they are.
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(String(value))
    ? BigInt(value)
    : number;
}

/** Two request bodies in one: objects are merged however deep, of anything else the later wins. */
export function mergeBodies(
  first: Readonly<Record<string, unknown>>,
  second: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const there = merged[key];
    merged[key] = isObject(there) && isObject(value) ? mergeBodies(there, value) : value;
  }
  return merged;
}

/** A body with one value in it, at a member name or at a JSON Pointer. */
export function placeValue(where: string, value: unknown): Record<string, unknown> {
  if (!where.startsWith('/')) return { [where]: value };
  return withValueAt({}, where, value) as Record<string, unknown>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
