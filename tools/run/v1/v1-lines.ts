import type { SpareLines } from '../spare-lines.ts';

/** Of the lines about v1. */
export const v1Lines: SpareLines = {
  spare: [...['payer', 'samples', 'token', 'message'].map((name) => `v1.wire.${name}`), 'v1.ibans.further'],
  kept: ['v1.account'],
};
