import { type ActiveLies, decision } from '../../decision.ts';
import type { GatewayOperationId } from '../gateway-reply.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';

const isRefusal = (problem: unknown, code: number) =>
  problem instanceof GatewayRefusal && problem.status === 401 && problem.code === code;

/** Whether what comes with a refused token is left undone. */
const refusedTokenDoesNothing = decision({
  rule: 'GW-BEA-04',
  honest: (_operation: GatewayOperationId, _problem: unknown) => true,
  lies: {
    'sale-with-a-refused-token-carried-out': (operation, problem) => operation !== 'sale' || !isRefusal(problem, -7),
    'capture-with-a-refused-token-carried-out': (operation, problem) =>
      operation !== 'capture' || !isRefusal(problem, -7),
    'reversal-with-a-refused-token-carried-out': (operation, problem) =>
      operation !== 'reversal' || !isRefusal(problem, -7),
  },
});

/** Whether a transfer of another body than was hashed is left undone. */
const refusedBodyDoesNothing = decision({
  rule: 'OA-ERR-04',
  honest: (_problem: unknown) => true,
  lies: { 'transfer-of-another-body-carried-out': (problem) => !isRefusal(problem, -19) },
});

/** Whether a transfer whose signature does not verify is left undone. */
const refusedSignatureDoesNothing = decision({
  rule: 'OA-ERR-05',
  honest: (_problem: unknown) => true,
  lies: { 'transfer-with-a-bad-signature-carried-out': (problem) => !isRefusal(problem, -13) },
});

/** Whether what comes from an address off the allowlist is left undone. */
const refusedAddressDoesNothing = decision({
  rule: 'GW-ADR-02',
  honest: (_operation: GatewayOperationId, _problem: unknown) => true,
  lies: {
    'sale-from-a-refused-address-carried-out': (operation, problem) => operation !== 'sale' || !isRefusal(problem, -20),
  },
});

/** Whether nothing is done of what a request asks for that is not admitted. @param problem why it is not */
export function leavesUndone(activeLies: ActiveLies, operation: GatewayOperationId, problem: unknown): boolean {
  return (
    refusedTokenDoesNothing(activeLies, operation, problem) &&
    refusedAddressDoesNothing(activeLies, operation, problem) &&
    refusedBodyDoesNothing(activeLies, problem) &&
    refusedSignatureDoesNothing(activeLies, problem)
  );
}
