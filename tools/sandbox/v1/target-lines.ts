import type { TargetLine } from '../service-offer.ts';
import type { V1Choices } from './choices.ts';
import { deliveryPointers } from './webhooks/message-format.ts';

/** What a target file has to say of a v1 service that makes these choices. */
export function v1TargetLines(choices: V1Choices): readonly TargetLine[] {
  const lines: [string[], unknown][] = Object.entries(deliveryPointers(choices)).map(([name, value]) => [
    ['v1', 'wire', name],
    value,
  ]);
  if (choices.recipientBanks !== 'anywhere') lines.push([['v1', 'ibans', 'valid'], 'NL91ABNA0417164300']);
  if (choices.periodEnd === 'excluded') lines.push([['v1', 'history', 'lastDay'], 'does not count']);
  if (choices.paymentCodes === 'purpose codes')
    lines.push([
      ['v1', 'wire', 'samples', 'payment_code'],
      ['SUPP', 'SALA'],
    ]);
  return lines;
}
