import { GATEWAY_FIXTURES, type GatewayFixtures } from './gateway/fixtures.ts';
import { GATEWAY_TURNS } from './gateway/gateway-turns.ts';
import { GATEWAY_MATCHERS } from './gateway/matchers.ts';
import { tryGateway } from './gateway/try-gateway.ts';
import type { ServiceTurn } from './service-turns.ts';
import type { ServiceTrial } from './trial-kit.ts';
import { V1_FIXTURES, type V1Fixtures } from './v1/fixtures.ts';
import { V1_MATCHERS } from './v1/matchers.ts';
import { tryV1 } from './v1/try-v1.ts';
import { V1_TURNS } from './v1/v1-turns.ts';

/** What a check may ask for besides what every check may. */
export interface ServiceFixtures extends GatewayFixtures, V1Fixtures {}

/** Makes the fixtures of every service. */
export const SERVICE_FIXTURES = { ...GATEWAY_FIXTURES, ...V1_FIXTURES };

/** Matchers of every service. */
export const SERVICE_MATCHERS = { ...GATEWAY_MATCHERS, ...V1_MATCHERS };

/** What there is one of at each service. */
export const SERVICE_TURNS: readonly ServiceTurn[] = [...GATEWAY_TURNS, ...V1_TURNS];

/** Trial of every service, in the order of the services. */
export const SERVICE_TRIALS: readonly ServiceTrial[] = [tryGateway, tryV1];
