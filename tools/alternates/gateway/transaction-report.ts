import { withValueAt } from '#json-pointer';

import type { GatewayAlternateChoices } from './choices.ts';
import type { AlternateOrder } from './orders.ts';
import { listedTransactions, readPlaceholder, transactionTypeOf } from './wire.ts';

/**
 * A report: a row for each transaction that has one by now.
 * @param values what stands for the placeholders of its path
 */
export function writeTransactionReport(
  choices: GatewayAlternateChoices,
  orders: readonly AlternateOrder[],
  now: number,
  values: Readonly<Record<string, string>>,
  body: unknown,
): unknown {
  const { report: how } = choices.journeys;
  const asked = (name: string) => values[name] ?? readPlaceholder(how.body, body, name);
  const wanted = (order: AlternateOrder) =>
    [String(order.systemId), undefined].includes(asked('orderSystemId')?.toString()) &&
    [order.currency, undefined].includes(asked('currency')?.toString());
  const rows = orders.filter(wanted).flatMap((order) =>
    listedTransactions(choices, order.entries)
      .filter(({ at }) => now >= at + how.takes * 1000 && within(at, asked('from'), asked('to')))
      .map((entry) => {
        let row = withValueAt({}, how.row.orderSystemId, order.systemId);
        if (how.row.type !== undefined) row = withValueAt(row, how.row.type, transactionTypeOf(choices, entry));
        return withValueAt(row, how.row.reason ?? '/remarks/0/text', entry.reason ?? '');
      }),
  );
  return withValueAt(how.rows === '/1' ? [{ count: rows.length }] : undefined, how.rows, rows);
}

function within(at: number, from: unknown, to: unknown): boolean {
  const day = new Date(at).toISOString().slice(0, 10);
  return (from === undefined || day >= String(from)) && (to === undefined || day <= String(to));
}
