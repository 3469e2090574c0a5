import { type ActiveLies, decision } from '../../decision.ts';

/** Operations about an account, each with the rule about its answer. */
const ANSWERED = {
  createTransaction: 'V1-TRC-08',
  listTransactions: 'V1-TRL-08',
  readTransaction: 'V1-TRR-03',
  uploadDocument: 'V1-DOC-04',
  listDocuments: 'V1-DOC-08',
} as const;

/** Whether a right request about the second account fails. */
const failures: Readonly<Record<string, (activeLies: ActiveLies) => boolean>> = Object.fromEntries(
  Object.entries(ANSWERED).map(([operation, rule]) => [
    operation,
    decision({ rule, honest: () => false, lies: { [`${operation}-in-second-account-answered-500`]: () => true } }),
  ]),
);

/** Whether an operation that is asked for the second account fails; honestly, none does. */
export function failsInSecondAccount(activeLies: ActiveLies, operation: string): boolean {
  return failures[operation]?.(activeLies) ?? false;
}
