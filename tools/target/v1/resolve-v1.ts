import { trimAddress } from '../address.ts';
import type { V1Target } from './types.ts';
import { SEPA_CHARACTERS, TRANSFER_SAMPLES, V1_WIRE_DEFAULTS } from './wire-defaults.ts';

/** The section `v1:` with its defaults. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what target.schema.json has just checked
export function resolveV1(written: any): V1Target {
  const recipient = written.wire?.recipient ?? V1_WIRE_DEFAULTS.recipient;
  const { newcomer, newcomers = [], history, ...rest } = written;
  return {
    ...rest,
    address: trimAddress(written.address),
    newcomers: [newcomer, ...newcomers].filter((one) => one !== undefined),
    ...(history ? { history: { account: written.account, ...history } } : {}),
    ibans: { further: [], ...written.ibans },
    wire: {
      ...V1_WIRE_DEFAULTS,
      swift: recipient,
      characters: SEPA_CHARACTERS,
      ...written.wire,
      samples: { ...TRANSFER_SAMPLES, ...written.wire?.samples },
    },
  };
}
