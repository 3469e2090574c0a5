import type { ForeignRequestList } from './foreign-request.ts';
import { gatewayLines } from './gateway/gateway-lines.ts';
import { gatewayTraffic } from './gateway/gateway-traffic.ts';
import type { SpareLines } from './spare-lines.ts';
import { v1Lines } from './v1/v1-lines.ts';
import { v1Traffic } from './v1/v1-traffic.ts';

/** What colleagues do beside a run, by service. */
export const FOREIGN_REQUESTS: readonly ForeignRequestList[] = [gatewayTraffic, v1Traffic];

/** Which lines a target file may lack, by service. */
export const SPARE_LINES: readonly SpareLines[] = [gatewayLines, v1Lines];
