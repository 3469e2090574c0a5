import type { Said } from './serve.ts';
import type { V1Choices } from './v1-choices.ts';

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'INTERNAL_SERVER_ERROR',
  401: 'UNAUTHORIZED',
  403: 'NO_PERMISSION',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'Too Many Attempts.',
};

/** An answer that ends the handling of a request; thrown. */
export class Refusal extends Error {
  readonly said: Said;

  constructor(said: Said) {
    super(`refused with ${said.status}`);
    this.said = said;
  }
}

/** A refusal that is not about the input. */
export function refusal(choices: V1Choices, status: number): Refusal {
  if (status === 422) return invalid(choices, ['request']);
  const errors = status === 429 ? [MESSAGES[429]!] : choices.wording(`answer ${status}`);
  const body = { status: false, status_code: status, message: MESSAGES[status], errors, ...choices.errorExtra };
  return new Refusal({ status, body });
}

/** A refusal of input, for these fields. */
export function invalid(choices: V1Choices, fields: readonly string[]): Refusal {
  const errors = Object.fromEntries(fields.map((field) => [field, choices.wording(field)]));
  const body = { status: false, status_code: 422, message: 'VALIDATION_ERROR', errors, ...choices.errorExtra };
  return new Refusal({ status: 422, body });
}

/** Whether a value is one of a table's rule; a table maps fields to what they must be. */
export type Table = Readonly<Record<string, (value: unknown) => boolean>>;

/** @throws Refusal naming every field that is not as its table has it */
export function demand(choices: V1Choices, values: Readonly<Record<string, unknown>>, table: Table): void {
  const wrong = Object.entries(table).filter(([name, fits]) => !fits(values[name]));
  if (wrong.length > 0)
    throw invalid(
      choices,
      wrong.map(([name]) => name),
    );
}

/** Text of so many characters, code points and not bytes. */
export const text =
  (most: number, least = 1) =>
  (value: unknown): boolean =>
    typeof value === 'string' && [...value].length >= least && [...value].length <= most;

/** The same, or nothing. */
export const perhaps =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || value === null || fits(value);
