import type { ForeignRequestList } from './foreign-request.ts';
import { gatewayTraffic } from './gateway/gateway-traffic.ts';
import { v1Traffic } from './v1/v1-traffic.ts';

/** What colleagues do beside a run, by service. */
export const FOREIGN_REQUESTS: readonly ForeignRequestList[] = [gatewayTraffic, v1Traffic];
