import type { AlternateAnswer } from '../server.ts';
import type { V1AlternateChoices } from './choices.ts';

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'INTERNAL_SERVER_ERROR',
  401: 'UNAUTHORIZED',
  403: 'NO_PERMISSION',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'Too Many Attempts.',
};

/** An answer that ends the handling of a request; thrown. */
export class V1AlternateRefusal extends Error {
  readonly answer: AlternateAnswer;

  constructor(said: AlternateAnswer) {
    super(`refused with ${said.status}`);
    this.answer = said;
  }
}

/** A refusal that is not about the input. */
export function refuseWithStatus(choices: V1AlternateChoices, status: number): V1AlternateRefusal {
  if (status === 422) return refuseFields(choices, ['request']);
  const errors = status === 429 ? [MESSAGES[429]!] : choices.wording(`answer ${status}`);
  const body = { status: false, status_code: status, message: MESSAGES[status], errors, ...choices.errorExtra };
  return new V1AlternateRefusal({ status, body });
}

/** A refusal for a business condition, whose message the document does not show. */
export function refuseForFunds({ errorExtra }: V1AlternateChoices): V1AlternateRefusal {
  const body = { status: false, status_code: 422, message: 'INSUFFICIENT_FUNDS', errors: ['The account is empty.'] };
  return new V1AlternateRefusal({ status: 422, body: { ...body, ...errorExtra } });
}

/** A refusal of input, for these fields. */
export function refuseFields(choices: V1AlternateChoices, fields: readonly string[]): V1AlternateRefusal {
  const errors = Object.fromEntries(fields.map((field) => [field, choices.wording(field)]));
  const body = { status: false, status_code: 422, message: 'VALIDATION_ERROR', errors, ...choices.errorExtra };
  return new V1AlternateRefusal({ status: 422, body });
}

/** Whether a value is one of a table's rule; a table maps fields to what they must be. */
export type FieldTable = Readonly<Record<string, (value: unknown) => boolean>>;

/** @throws Refusal naming every field that is not as its table has it */
export function demandFields(
  choices: V1AlternateChoices,
  values: Readonly<Record<string, unknown>>,
  table: FieldTable,
): void {
  const wrong = Object.entries(table).filter(([name, fits]) => !fits(values[name]));
  if (wrong.length > 0)
    throw refuseFields(
      choices,
      wrong.map(([name]) => name),
    );
}

/** Text of so many characters, code points and not bytes. */
export const textUpTo =
  (most: number, least = 1) =>
  (value: unknown): boolean =>
    typeof value === 'string' && [...value].length >= least && [...value].length <= most;

/** The same, or nothing. */
export const absentOr =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || value === null || fits(value);
