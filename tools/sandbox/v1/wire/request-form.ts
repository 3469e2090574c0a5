import { type FieldComplaints, V1Refusal } from './v1-refusal.ts';

type Json = Record<string, unknown>;

/** Five alphanumeric groups of 8-4-4-4-12 characters. */
export const UUID_PATTERN = /^[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}$/i;

/** A body or query under examination: reads members, gathers complaints, and refuses once at the end. */
export class RequestForm {
  readonly #values: Json;
  readonly #prefix: string;
  readonly #complaints: FieldComplaints;

  constructor(values: Json, prefix = '', complaints: FieldComplaints = {}) {
    this.#values = values;
    this.#prefix = prefix;
    this.#complaints = complaints;
  }

  /** The same form with another value of one member. */
  with(name: string, value: unknown): RequestForm {
    return new RequestForm({ ...this.#values, [name]: value }, this.#prefix, this.#complaints);
  }

  /** The raw value; an explicit null counts as absent. */
  get(name: string): unknown {
    return this.#values[name] ?? undefined;
  }

  /** Everything as it was sent. */
  all(): Readonly<Record<string, unknown>> {
    return this.#values;
  }

  /** The value exactly as sent: null is null, absent is undefined. */
  raw(name: string): unknown {
    return this.#values[name];
  }

  /** Notes what is wrong with a field. */
  complain(name: string, message: string): void {
    const field = this.#prefix + name;
    this.#complaints[field] ??= [];
    this.#complaints[field].push(message);
  }

  /** A text, or undefined when it is absent or no text; `nullable` decides whether an explicit null is fine. */
  text(name: string, { required = false, nullable = false } = {}): string | undefined {
    const value = this.#values[name];
    if (typeof value === 'string') return value;
    if (value === undefined || (value === null && nullable)) {
      if (required) this.complain(name, `The ${name} field is required.`);
    } else this.complain(name, `The ${name} field must be a string.`);
    return undefined;
  }

  /** A text that reads as a uuid. */
  uuid(name: string, options: { required?: boolean } = {}): string | undefined {
    const value = this.text(name, options);
    if (value === undefined || UUID_PATTERN.test(value)) return value;
    this.complain(name, `The ${name} field must be a uuid.`);
    return undefined;
  }

  /** One of the accepted values. */
  choice<Value extends string>(
    name: string,
    accepted: readonly Value[],
    options: { required?: boolean; nullable?: boolean } = {},
  ): Value | undefined {
    const value = this.text(name, options);
    if (value === undefined || accepted.includes(value as Value)) return value as Value | undefined;
    this.complain(name, `The selected ${name} is not accepted.`);
    return undefined;
  }

  /** The form of a nested object; undefined when it is absent or no object. */
  object(name: string): RequestForm | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return new RequestForm(value as Json, `${this.#prefix}${name}.`, this.#complaints);
    this.complain(name, `The ${name} field must be an object.`);
    return undefined;
  }

  /** @throws Refusal with everything complained about, when there is anything */
  refuseComplaints(): void {
    if (Object.keys(this.#complaints).length > 0) throw new V1Refusal(422, 'VALIDATION_ERROR', this.#complaints);
  }
}

/** How many characters a text has, as a reader counts them: code points, not bytes or UTF-16 units. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
