import type { SandboxWorld } from '../world.ts';
import type { GatewayChoices } from './choices.ts';
import type { GatewayCredentials } from './credentials.ts';

/** What the gateway stands on. */
export type GatewayWorld = SandboxWorld<GatewayChoices, GatewayCredentials>;
