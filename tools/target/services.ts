import type { Api } from '#apis';
import { GATEWAY_TARGET_SERVICE } from './gateway/target-service.ts';
import type { TargetService } from './target-service.ts';
import { V1_TARGET_SERVICE } from './v1/target-service.ts';

const SERVICES = { gateway: GATEWAY_TARGET_SERVICE, v1: V1_TARGET_SERVICE };

/** Section of each service in a resolved target. */
export type ServiceTargets = {
  readonly [Name in Api]: ReturnType<(typeof SERVICES)[Name]['resolve']> | undefined;
};

/** Sections of a target file, in their order. */
export const TARGET_SERVICES: readonly TargetService<Api, never>[] = Object.values(SERVICES) as never;
