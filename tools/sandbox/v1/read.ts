import { decision } from '../decision.ts';
import type { Call } from './call.ts';
import { UUID } from './form.ts';
import { queriedAccount } from './history.ts';
import { needed } from './limit.ts';
import { type Answer, success } from './shape.ts';
import { present, type Transaction } from './transaction.ts';
import { transactionShape } from './transaction-shape.ts';

const accountNeeded = needed('V1-TRR-01', 'read-without-account-accepted');

/** Whether a malformed uuid in the path is refused; `newest` is what a careless server might take it for. */
const malformed = decision({
  rule: 'V1-GEN-04',
  honest: (_newest: Transaction | undefined): Transaction | undefined => undefined,
  lies: { 'read-takes-any-transaction': (newest) => newest },
});

const chosen = decision({
  rule: 'V1-TRR-02',
  honest: (asked: Transaction, _history: readonly Transaction[]) => asked,
  lies: {
    'read-gives-newest': (asked, history) => history.at(-1) ?? asked,
    'read-gives-oldest': (asked, history) => history[0] ?? asked,
  },
});

/** What a transaction shows of what was sent when it is read. */
const repeated = decision({
  rule: 'V1-TRC-04',
  honest: (shown: Transaction) => shown,
  lies: {
    'read-amount-one-cent-more': (shown) => ({ ...shown, amount: Number((shown.amount + 0.01).toFixed(2)) }),
    'read-ident-replaced': (shown) => ({ ...shown, end_to_end_ident: 'NOTPROVIDED' }),
  },
});

const answered = success('V1-TRR-03', 200, {
  'read-answered-201': (body) => ({ status: 201, body }),
  'read-answered-206': (body) => ({ status: 206, body }),
  'read-without-body': () => ({ status: 200, hollow: true }),
});

/**
 * One transaction of one account.
 * @throws Refusal 404 when the account has no such transaction
 */
export function readTransaction(call: Call): Answer {
  const { world, memory, query, path } = call;
  const { faults } = world;
  const account = queriedAccount(call, accountNeeded(faults));
  query.settle();
  const owned = account();
  const uuid = path['uuid']!;
  const taken = UUID.test(uuid) ? undefined : malformed(faults, memory.ledger.of(owned).at(-1));
  const found = taken ?? memory.ledger.find(uuid, owned);
  const shown = present(repeated(faults, chosen(faults, found, memory.ledger.of(owned))));
  return answered(faults, transactionShape(faults, shown, { place: 'read', index: 0 }));
}
