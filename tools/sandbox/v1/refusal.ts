/** Messages of a validation error by field name. */
export type Complaints = Record<string, string[]>;

/** Thrown by an operation that is refused; the service turns it into the documented error body. */
export class Refusal extends Error {
  readonly status: number;
  readonly details: Complaints | readonly string[];
  /** What does not exist, where that is the reason. */
  readonly what: string | undefined;

  /**
   * @param status HTTP status
   * @param message machine-readable error type
   * @param details messages by field for a validation error, else a list of texts
   */
  constructor(status: number, message: string, details: Complaints | readonly string[], what?: string) {
    super(message);
    this.status = status;
    this.details = details;
    this.what = what;
  }
}

/** No such resource or endpoint. */
export function missing(what: string): Refusal {
  return new Refusal(404, 'NOT_FOUND', [`${what} does not exist.`], what);
}
