import { trimAddress } from '../address.ts';
import type { V1Target } from './types.ts';
import { V1_WIRE_DEFAULTS } from './wire-defaults.ts';

/** The section `v1:` with its defaults. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what target.schema.json has just checked
export function resolveV1(written: any): V1Target {
  const recipient = written.wire?.recipient ?? V1_WIRE_DEFAULTS.recipient;
  return {
    ...written,
    address: trimAddress(written.address),
    ibans: written.ibans ?? {},
    wire: { ...V1_WIRE_DEFAULTS, swift: recipient, ...written.wire },
  };
}
