import { decision } from '../../decision.ts';
import { isRefusedAgain } from '../asked-again.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayOperationId } from '../gateway-reply.ts';
import type { AdmissionProblem } from '../wire/gateway-refusal.ts';

/**
 * Whether what is refused for one reason is left undone; the answer is the refusal either way.
 * @param how the requests that are so refused, in the words of a lie's name
 * @param reasons why they are refused; absent: whatever it is
 */
function leavingUndone(
  rule: string,
  how: string,
  operations: readonly GatewayOperationId[],
  reasons?: readonly (AdmissionProblem | undefined)[],
) {
  const isOf = (operation: GatewayOperationId, call: GatewayCall, reason: AdmissionProblem | undefined) =>
    call.operation === operation && (reasons?.includes(reason) ?? true);
  const [first] = operations;
  return decision({
    rule,
    honest: (_call: GatewayCall, _reason: AdmissionProblem | undefined) => true,
    lies: {
      ...Object.fromEntries(
        operations.map((operation) => [
          `${operation}-${how}-carried-out`,
          (call: GatewayCall, reason: AdmissionProblem | undefined) => !isOf(operation, call, reason),
        ]),
      ),
      [`${first}-${how}-carried-out-when-it-comes-again`]: (call, reason) =>
        !(isOf(first!, call, reason) && isRefusedAgain(call)),
    },
  });
}

const ALL = ['sale', 'auth', 'accountVerification', 'capture', 'reversal'] as const;

const decisions = [
  leavingUndone('GW-BEA-04', 'with-an-unknown-token', ALL, ['unknown token']),
  leavingUndone('GW-BEA-05', 'with-anothers-token', ['sale', 'capture', 'reversal'], ['other requestor']),
  leavingUndone('GW-BEA-08', 'at-another-host', ['sale', 'auth', 'reversal'], ['other host']),
  leavingUndone('GW-ERR-02', 'without-a-header', ALL, ['no header', 'empty header']),
  leavingUndone(
    'GW-ERR-04',
    'under-another-scheme',
    ['sale', 'capture', 'accountVerification'],
    ['other scheme', 'no space'],
  ),
  leavingUndone('GW-ADR-02', 'from-a-refused-address', ['sale', 'auth', 'accountVerification'], ['other address']),
  leavingUndone('GW-BEA-10', 'that-is-refused', ['threeDSCRes']),
  leavingUndone('GW-BEA-11', 'that-is-refused', ['threeDSPaRes']),
  leavingUndone('OA-ERR-01', 'without-a-header', ['transfer'], ['no header']),
  leavingUndone('OA-ERR-02', 'under-another-scheme', ['transfer'], ['other scheme']),
  leavingUndone('OA-ERR-03', 'without-a-parameter', ['transfer'], ['missing parameter']),
  leavingUndone('OA-ERR-04', 'of-another-body', ['transfer'], ['other body']),
  leavingUndone('OA-ERR-05', 'with-a-bad-signature', ['transfer'], ['wrong signature']),
];

/** Whether nothing is done of what a request asks for that is not admitted. */
export function leavesUndone(call: GatewayCall, reason: AdmissionProblem | undefined): boolean {
  return decisions.every((decide) => decide(call.activeLies, call, reason));
}
