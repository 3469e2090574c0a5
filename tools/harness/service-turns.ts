import type { TargetNeed } from '#contract';

/** What there is one of at a service, and which checks use it. */
export interface ServiceTurn {
  readonly areas?: readonly string[];
  readonly needs?: readonly TargetNeed[];
  /** Name of the thing that one check after the other uses. */
  readonly shared?: string;
  /** Whether such a check judges what any other one at the service would change, or changes what any other one would judge. */
  readonly isAlone?: boolean;
  /** Whether it lets days pass where the clock can be moved. */
  readonly movesClock?: boolean;
  /** Whether messages come to it. */
  readonly usesPort?: boolean;
}
