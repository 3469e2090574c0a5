import type { V1Choices } from '../choices.ts';

/** Messages of a validation error by field name. */
export type FieldComplaints = Record<string, string[]>;

/** Thrown by an operation that is refused; the service turns it into the documented error body. */
export class V1Refusal extends Error {
  readonly status: number;
  readonly details: FieldComplaints | readonly string[];
  /** What does not exist, where that is the reason. */
  readonly what: string | undefined;

  /**
   * @param status HTTP status
   * @param message machine-readable error type
   * @param details messages by field for a validation error, else a list of texts
   */
  constructor(status: number, message: string, details: FieldComplaints | readonly string[], what?: string) {
    super(message);
    this.status = status;
    this.details = details;
    this.what = what;
  }
}

/** No such resource or endpoint. */
export function refuseMissing(what: string): V1Refusal {
  return new V1Refusal(404, 'NOT_FOUND', [`${what} does not exist.`], what);
}

/** A 422 that the input is not to blame for: messages of business conditions, and so their errors, are left open. */
export function refuseBusiness(
  { businessRefusal }: Pick<V1Choices, 'businessRefusal'>,
  field: string,
  message: string,
  text: string,
): V1Refusal {
  if (businessRefusal === 'as validation') return new V1Refusal(422, 'VALIDATION_ERROR', { [field]: [text] });
  return new V1Refusal(422, businessRefusal === 'array' ? message : 'VALIDATION_ERROR', [text]);
}
