import { type ActiveLies, decision } from '../../decision.ts';
import { takeNote } from '../../take-note.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayOperationId } from '../gateway-reply.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';
import type { TokenGrant } from './token-grants.ts';

/** A request that is not admitted: why, and what its token was issued for where it is somebody's. */
interface RefusedCall {
  readonly call: GatewayCall;
  readonly problem: unknown;
  readonly grant: TokenGrant | undefined;
}

const isRefusal = (problem: unknown, status: number, code: number) =>
  problem instanceof GatewayRefusal && problem.status === status && problem.code === code;
const isUnfound = ({ problem }: RefusedCall) => isRefusal(problem, 401, -7);

/**
 * Whether what is refused for one reason is left undone; the answer is the refusal either way.
 * @param how the requests that are so refused, in the words of a lie's name
 * @param isMeant whether a request is refused for that reason
 */
function leavingUndone(
  rule: string,
  how: string,
  isMeant: (refused: RefusedCall) => boolean,
  operations: readonly GatewayOperationId[],
) {
  const isOf = (operation: GatewayOperationId, refused: RefusedCall) =>
    refused.call.operation === operation && isMeant(refused);
  const [first] = operations;
  return decision({
    rule,
    honest: (_refused: RefusedCall) => true,
    lies: {
      ...Object.fromEntries(
        operations.map((operation) => [
          `${operation}-${how}-carried-out`,
          (refused: RefusedCall) => !isOf(operation, refused),
        ]),
      ),
      [`${first}-${how}-carried-out-when-it-comes-again`]: (refused) => !(isOf(first!, refused) && isAgain(refused)),
    },
  });
}

/** Whether the very same was refused before. */
function isAgain({ call: { gatewayState, url, headers, raw } }: RefusedCall): boolean {
  return takeNote(gatewayState.refused, `${url} ${headers.authorization} ${raw}`);
}

const ALL = ['sale', 'auth', 'accountVerification', 'capture', 'reversal'] as const;

const decisions = [
  leavingUndone('GW-BEA-04', 'with-an-unknown-token', (one) => isUnfound(one) && one.grant === undefined, ALL),
  leavingUndone(
    'GW-BEA-05',
    'with-anothers-token',
    (one) => isUnfound(one) && one.grant?.host === one.call.host && one.grant.subject !== one.call.subject,
    ['sale', 'capture', 'reversal'],
  ),
  leavingUndone(
    'GW-BEA-08',
    'at-another-host',
    (one) => isUnfound(one) && one.grant !== undefined && one.grant.host !== one.call.host,
    ['sale', 'auth', 'reversal'],
  ),
  leavingUndone('GW-ERR-02', 'without-a-header', ({ problem }) => isRefusal(problem, 400, -6), ALL),
  leavingUndone('GW-ERR-04', 'under-another-scheme', ({ problem }) => isRefusal(problem, 400, -7), [
    'sale',
    'capture',
    'accountVerification',
  ]),
  leavingUndone('GW-ADR-02', 'from-a-refused-address', ({ problem }) => isRefusal(problem, 401, -20), [
    'sale',
    'auth',
    'accountVerification',
  ]),
  leavingUndone('GW-BEA-10', 'that-is-refused', () => true, ['threeDSCRes']),
  leavingUndone('GW-BEA-11', 'that-is-refused', () => true, ['threeDSPaRes']),
  leavingUndone('OA-ERR-01', 'without-a-header', ({ problem }) => isRefusal(problem, 400, -6), ['transfer']),
  leavingUndone('OA-ERR-02', 'under-another-scheme', ({ problem }) => isRefusal(problem, 400, -7), ['transfer']),
  leavingUndone('OA-ERR-03', 'without-a-parameter', ({ problem }) => isRefusal(problem, 400, -18), ['transfer']),
  leavingUndone('OA-ERR-04', 'of-another-body', ({ problem }) => isRefusal(problem, 401, -19), ['transfer']),
  leavingUndone('OA-ERR-05', 'with-a-bad-signature', ({ problem }) => isRefusal(problem, 401, -13), ['transfer']),
];

/** Whether nothing is done of what a request asks for that is not admitted. */
export function leavesUndone(activeLies: ActiveLies, refused: RefusedCall): boolean {
  return decisions.every((decide) => decide(activeLies, refused));
}
