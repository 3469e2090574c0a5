import { at } from '#contract';
import { Finding } from './failure.ts';

/** An answer as it came, with readers that turn a wrong shape into a finding instead of a crash. */
export class Reply {
  /** Id of the recorded exchange. */
  readonly exchange: string;
  readonly operation: string | undefined;
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  #json: { value: unknown } | undefined;

  constructor(parts: {
    exchange: string;
    operation: string | undefined;
    status: number;
    headers: ReadonlyMap<string, string>;
    body: Uint8Array;
  }) {
    this.exchange = parts.exchange;
    this.operation = parts.operation;
    this.status = parts.status;
    this.headers = parts.headers;
    this.body = parts.body;
  }

  /** The body as text (UTF-8). */
  get text(): string {
    return new TextDecoder().decode(this.body);
  }

  /** The body as JSON. @throws Finding when it is none */
  get json(): unknown {
    if (this.#json === undefined) {
      try {
        this.#json = { value: JSON.parse(this.text) };
      } catch {
        throw new Finding(
          'a JSON body',
          this.body.byteLength === 0
            ? `${this.status} with an empty body`
            : `${this.status} with a body that is not JSON`,
        );
      }
    }
    return this.#json.value;
  }

  /** The value at a JSON Pointer of the body, or of a header when written `header:name`; undefined when absent. */
  at(pointer: string): unknown {
    if (pointer.startsWith('header:')) return this.headers.get(pointer.slice(7).trim().toLowerCase());
    return at(this.json, pointer);
  }

  /** The body as an object. @throws Finding when it is not one */
  get object(): Readonly<Record<string, unknown>> {
    const { json } = this;
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new Finding(
        'a JSON object',
        `${this.status} with ${json === null ? 'null' : Array.isArray(json) ? 'an array' : typeof json}`,
      );
    return json as Record<string, unknown>;
  }

  /** The elements of an array at a pointer. @throws Finding when there is no array */
  list(pointer = ''): readonly unknown[] {
    const value = this.at(pointer);
    if (!Array.isArray(value))
      throw new Finding(
        `an array at ${pointer || 'the top'}`,
        value === undefined ? 'nothing' : value === null ? 'null' : typeof value,
      );
    return value;
  }
}
