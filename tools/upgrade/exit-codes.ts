import { EXIT_CODES } from '#trouble';
import type { UpgradeVerdict } from './result.ts';

/** What a program ends with that was asked about an upgrade. */
export const UPGRADE_EXIT_CODES: Readonly<Record<UpgradeVerdict, number>> = {
  safe: EXIT_CODES.kept,
  'safe with notes': EXIT_CODES.kept,
  'needs work': EXIT_CODES.unsafe,
  'cannot tell': EXIT_CODES.usage,
};
