import type { TargetNeed } from '#contract';
import type { ServiceTargets } from './services.ts';
import type { CommonTarget } from './types.ts';

/** Everything the suite knows about a server beyond the documents: complete, resolved, frozen. */
export interface Target extends CommonTarget, ServiceTargets {
  /** What its checks may rely on. */
  readonly offers: ReadonlySet<TargetNeed>;
}
