import { trimAddress } from '../address.ts';
import type { WrittenSection } from '../target-service.ts';
import type { V1Target } from './types.ts';
import { SEPA_CHARACTERS, TRANSFER_SAMPLES, V1_WIRE_DEFAULTS } from './wire-defaults.ts';

/** The section `v1:` with its defaults. */
export function resolveV1(written: WrittenSection<'v1'>): V1Target {
  const recipient = written.wire?.recipient ?? V1_WIRE_DEFAULTS.recipient;
  const { newcomer, newcomers = [], history, account, secondAccount, customer, ...rest } = written;
  return {
    ...rest,
    account: String(account),
    ...(secondAccount === undefined ? {} : { secondAccount: String(secondAccount) }),
    ...(customer === undefined ? {} : { customer: String(customer) }),
    address: trimAddress(written.address),
    newcomers: [newcomer, ...newcomers].filter((one) => one !== undefined),
    ...(history ? { history: { ...history, account: String(history.account ?? account) } } : {}),
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
