/** Thrown by what finds an error of the document's own kind. */
export class GatewayAlternateError extends Error {
  readonly status: number;
  readonly code: number;
  /** For `invalidParams`. */
  readonly names: readonly string[];
  readonly context: object | undefined;

  constructor(status: number, code: number, message: string, names: readonly string[] = [], context?: object) {
    super(message);
    this.status = status;
    this.code = code;
    this.names = names;
    this.context = context;
  }
}
