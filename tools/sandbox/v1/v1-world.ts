import type { SandboxWorld } from '../world.ts';
import type { V1Choices } from './choices.ts';
import type { V1Credentials } from './credentials.ts';

/** What the v1 service stands on. */
export type V1World = SandboxWorld<V1Choices, V1Credentials>;
