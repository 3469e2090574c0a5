import { type ActiveLies, type Decision, decision } from '../../decision.ts';
import { GATEWAY_OPERATIONS, type GatewayOperationId } from '../gateway-reply.ts';

type RuleOf = (operation: GatewayOperationId) => string | undefined;

/** Rules about the two operations that a customer's step comes before. */
const FORWARDING: Partial<Record<GatewayOperationId, string>> = {
  threeDSCRes: 'GW-BEA-10',
  threeDSPaRes: 'GW-BEA-11',
};
const isBearer = (operation: GatewayOperationId) => operation !== 'transfer';
const isBalance = (operation: GatewayOperationId) => operation.startsWith('balance');
const hasRequestor = (operation: GatewayOperationId) =>
  !isBalance(operation) && operation !== 'getCardInfo' && operation !== 'transactionReport';
const about =
  (rule: string, concerns: (operation: GatewayOperationId) => boolean = isBearer): RuleOf =>
  (operation) =>
    concerns(operation) ? (FORWARDING[operation] ?? rule) : undefined;

/** What is looked at before an operation: how the lies begin that let a wrong request pass or refuse a right one, and their rules. */
const GUARDS = {
  number: { lie: 'requestor-id-looked-up', rule: about('GW-ERR-01', hasRequestor) },
  header: { lie: 'no-authentication', rule: about('GW-ERR-02') },
  scheme: { lie: 'any-scheme-accepted', rule: about('GW-ERR-04') },
  token: { lie: 'any-token-accepted', rule: about('GW-BEA-04') },
  place: { lie: 'token-in-the-address-accepted', rule: about('GW-ERR-02') },
  besides: { lie: 'token-beside-the-header-accepted', rule: about('GW-ERR-02') },
  discretion: { lie: 'mismatch-told', rule: about('GW-BEA-09') },
  subject: { lie: 'anothers-token-accepted', rule: subjectRule },
  host: { lie: 'other-host-accepted', rule: about('GW-BEA-08') },
  opening: { lie: 'right-token-refused', rule: about('GW-BEA-01') },
  address: {
    lie: 'any-address-accepted',
    rule: (operation) => (isBearer(operation) && hasRequestor(operation) ? 'GW-ADR-02' : undefined),
  },
} as const satisfies Record<string, { lie: string; rule: RuleOf }>;

/** Something that every operation does about a request before it is let in. */
export type OperationGuard = keyof typeof GUARDS;

const guards: ReadonlyMap<string, Decision<[], boolean>> = new Map(
  Object.entries(GUARDS).flatMap(([guard, { lie, rule: ruleOf }]) =>
    GATEWAY_OPERATIONS.flatMap((operation) => {
      const rule = ruleOf(operation);
      if (rule === undefined) return [];
      const spec = { rule, honest: () => true, lies: { [`${lie}-at-${operation}`]: () => false } };
      return [[`${guard} ${operation}`, decision(spec)] as const];
    }),
  ),
);

/** Whether an operation keeps a guard; honestly each keeps all. A lie about one operation alone is about the rule of all. */
export function keepsGuard(activeLies: ActiveLies, guard: OperationGuard, operation: GatewayOperationId): boolean {
  return guards.get(`${guard} ${operation}`)?.(activeLies) ?? true;
}

/** Whose token opens a manager's balances and the lookup of a card's issuer besides their own is not said. */
function subjectRule(operation: GatewayOperationId): string | undefined {
  if (operation === 'getCardInfo' || operation === 'balanceByManager' || !isBearer(operation)) return undefined;
  if (operation === 'transactionReport') return 'GW-BEA-07';
  return isBalance(operation) ? 'GW-BEA-06' : (FORWARDING[operation] ?? 'GW-BEA-05');
}
