import type { TargetLine } from '../service-offer.ts';
import type { V1Choices } from './choices.ts';
import { deliveryPointers } from './webhooks/message-format.ts';

/** What a target file has to say of a v1 service that makes these choices. */
export function v1TargetLines(choices: V1Choices): readonly TargetLine[] {
  return Object.entries(deliveryPointers(choices)).map(([name, value]): TargetLine => [['v1', 'wire', name], value]);
}
