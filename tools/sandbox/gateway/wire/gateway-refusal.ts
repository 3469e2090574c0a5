/** Why a request is not admitted. */
export type AdmissionProblem =
  | 'no header'
  | 'empty header'
  | 'other scheme'
  | 'no space'
  | 'unknown token'
  | 'other requestor'
  | 'other login'
  | 'other host'
  | 'other address'
  | 'missing parameter'
  | 'other body'
  | 'wrong signature';

/** An answer other than 200, thrown by whoever notices; not an Error, since nothing went wrong on our side. */
export class GatewayRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly more: Readonly<Record<string, unknown>>;
  readonly reason: AdmissionProblem | undefined;

  /**
   * @param status HTTP status
   * @param code errorCode
   * @param message errorMessage
   * @param more what some errors add: invalidParams, context
   * @param reason why the request is not admitted, where that is what it is about
   */
  constructor(
    status: number,
    code: number,
    message: string,
    more: Readonly<Record<string, unknown>> = {},
    reason?: AdmissionProblem,
  ) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.more = more;
    this.reason = reason;
  }

  /** The same, of a request that is not admitted. */
  because(reason: AdmissionProblem | undefined): GatewayRefusal {
    return new GatewayRefusal(this.status, this.code, this.message, this.more, reason);
  }
}

/** The sandbox's own choice for a body that misses or breaks a field; the document shows no code for it. */
export function refuseParameter(parameter: string, reason = `${parameter} is missing or invalid`): GatewayRefusal {
  return new GatewayRefusal(400, -3, reason, { invalidParams: [parameter] });
}
