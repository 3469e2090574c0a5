import { parse } from 'lossless-json';
import { valueAt } from '#json-pointer';
import { PromiseFinding, UnarrangedError } from './failures.ts';

/** An answer as it came, with readers that turn a wrong shape into a finding instead of a crash. */
export class ApiReply {
  /** Id of the recorded exchange. */
  readonly exchange: string;
  readonly operation: string | undefined;
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  /** From sending the request to the last byte of the answer; waiting for the rate limit is no part of it. */
  readonly milliseconds: number;
  #json: { value: unknown } | undefined;

  constructor(parts: {
    exchange: string;
    operation: string | undefined;
    status: number;
    headers: ReadonlyMap<string, string>;
    body: Uint8Array;
    milliseconds?: number;
  }) {
    this.exchange = parts.exchange;
    this.operation = parts.operation;
    this.status = parts.status;
    this.headers = parts.headers;
    this.body = parts.body;
    this.milliseconds = parts.milliseconds ?? 0;
  }

  /**
   * This answer, where a check needs one of this status to judge anything in it.
   * @throws Unarranged for another: that the request is taken, is for a check of its own
   */
  requireStatus(status: number): this {
    if (this.status === status) return this;
    throw new UnarrangedError(`${this.operation ?? 'a request'} was answered ${this.status}, not ${status}`);
  }

  /** The body as text (UTF-8). */
  get text(): string {
    return new TextDecoder().decode(this.body);
  }

  /** The body as JSON. @throws Finding when it is none, or not UTF-8 */
  get json(): unknown {
    if (this.#json === undefined) {
      let text: string;
      try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(this.body);
      } catch {
        throw this.#finding('a JSON body', `${this.status} with a body that is not UTF-8`);
      }
      try {
        this.#json = { value: JSON.parse(text) };
      } catch {
        const what = text === '' ? 'an empty body' : 'a body that is not JSON';
        throw this.#finding('a JSON body', `${this.status} with ${what}`);
      }
    }
    return this.#json.value;
  }

  /**
   * The value at a JSON Pointer of the body, or of a header when written `header:name`; undefined when absent. An integer too large
   * for a number comes as a bigint.
   */
  at(pointer: string): unknown {
    if (pointer.startsWith('header:')) return this.headers.get(pointer.slice(7).trim().toLowerCase());
    const value = valueAt(this.json, pointer);
    if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    return valueAt(parseDigits(this.text), pointer);
  }

  /** The body as an object. @throws Finding when it is not one */
  get object(): Readonly<Record<string, unknown>> {
    const { json } = this;
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw this.#finding(
        'a JSON object',
        `${this.status} with ${json === null ? 'null' : Array.isArray(json) ? 'an array' : typeof json}`,
      );
    return json as Record<string, unknown>;
  }

  /**
   * The elements of an array at a pointer.
   * @throws Finding when there is no array; Unarranged when the request was refused: that it is, is for a check of its own
   */
  list(pointer = ''): readonly unknown[] {
    if (this.status >= 400) this.requireStatus(200);
    const value = this.at(pointer);
    if (!Array.isArray(value))
      throw this.#finding(
        `an array at ${pointer || 'the top'}`,
        value === undefined ? 'nothing' : value === null ? 'null' : typeof value,
      );
    return value;
  }

  #finding(expected: string, actual: string): PromiseFinding {
    return new PromiseFinding(expected, actual, undefined, this.exchange || undefined);
  }
}

/** JSON as `JSON.parse` reads it, but with integers that no number holds exactly as a bigint. */
function parseDigits(text: string): unknown {
  return parse(text, undefined, {
    parseNumber: (digits) =>
      /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? BigInt(digits) : Number(digits),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}
