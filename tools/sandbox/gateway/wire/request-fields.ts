import { refuseParameter } from './gateway-refusal.ts';

/** A JSON object as it came. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A non-empty string, or a number written as one; undefined for anything else. */
export function readFieldText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * An object that must be there.
 * @throws Refusal 400 naming it
 */
export function requireObject(body: JsonObject, name: string): JsonObject {
  const value = body[name];
  if (!isJsonObject(value)) throw refuseParameter(name);
  return value;
}

/**
 * A text that must be there.
 * @throws Refusal 400 naming it
 */
export function requireText(body: JsonObject, name: string): string {
  const value = readFieldText(body[name]);
  if (value === undefined) throw refuseParameter(name);
  return value;
}

/**
 * An order's system id: number or digits.
 * @throws Refusal 400 when it is there and is neither
 */
export function readOrderId(body: JsonObject): number | undefined {
  const value = body['orderSystemId'];
  if (value === undefined || value === null || value === '') return undefined;
  const digits = readFieldText(value);
  if (digits === undefined || !/^\d{1,15}$/.test(digits)) throw refuseParameter('orderSystemId');
  return Number(digits);
}
