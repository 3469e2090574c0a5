/** An answer other than 200, thrown by whoever notices; not an Error, since nothing went wrong on our side. */
export class GatewayRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly more: Readonly<Record<string, unknown>>;

  /**
   * @param status HTTP status
   * @param code errorCode
   * @param message errorMessage
   * @param more what some errors add: invalidParams, context
   */
  constructor(status: number, code: number, message: string, more: Readonly<Record<string, unknown>> = {}) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.more = more;
  }
}

/** The sandbox's own choice for a body that misses or breaks a field; the document shows no code for it. */
export function refuseParameter(parameter: string, reason = `${parameter} is missing or invalid`): GatewayRefusal {
  return new GatewayRefusal(400, -3, reason, { invalidParams: [parameter] });
}
