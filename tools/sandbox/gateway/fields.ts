import { invalid } from './refusal.ts';

/** A JSON object as it came. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A non-empty string, or a number written as one; undefined for anything else. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * An object that must be there.
 * @throws Refusal 400 naming it
 */
export function needObject(body: Json, name: string): Json {
  const value = body[name];
  if (!isObject(value)) throw invalid(name);
  return value;
}

/**
 * A text that must be there.
 * @throws Refusal 400 naming it
 */
export function needText(body: Json, name: string): string {
  const value = text(body[name]);
  if (value === undefined) throw invalid(name);
  return value;
}

/**
 * An order's system id: number or digits.
 * @throws Refusal 400 when it is there and is neither
 */
export function orderId(body: Json): number | undefined {
  const value = body['orderSystemId'];
  if (value === undefined || value === null || value === '') return undefined;
  const digits = text(value);
  if (digits === undefined || !/^\d{1,15}$/.test(digits)) throw invalid('orderSystemId');
  return Number(digits);
}

/** An http(s) address out of a request, else undefined. */
export function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  return /^https?:$/.test(new URL(value).protocol) ? value : undefined;
}
