import type { IncomingHttpHeaders } from 'node:http';
import type { ActiveLies } from '../decision.ts';
import type { GatewayHost, GatewayOperationId } from './gateway-reply.ts';
import type { GatewayState } from './gateway-state.ts';
import type { JsonObject } from './wire/request-fields.ts';

/** One request that was let in, as its operation sees it. */
export interface GatewayCall {
  readonly gatewayState: GatewayState;
  readonly activeLies: ActiveLies;
  readonly operation: GatewayOperationId;
  readonly host: GatewayHost;
  /** Scheme and authority as the caller wrote them. */
  readonly origin: string;
  /** Last path segment: requestor id, login or client id. */
  readonly subject: string;
  /** The subject as a requestor id; NaN for logins and clients. */
  readonly requestor: number;
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly raw: Buffer;
  readonly body: JsonObject;
}

/** Whether a request names its order by the caller's own id, not by the system id. */
export function isByMerchantId({ body }: GatewayCall): boolean {
  return body['orderSystemId'] === undefined;
}

/** Whether a request names its order by both of its ids. */
export function isByBothIds({ body }: GatewayCall): boolean {
  return body['orderSystemId'] !== undefined && body['orderMerchantId'] !== undefined;
}
