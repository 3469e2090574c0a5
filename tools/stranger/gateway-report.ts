import type { GatewayChoices } from './gateway-choices.ts';
import type { Order } from './gateway-orders.ts';
import { listedOf, read, typeOf } from './gateway-wire.ts';
import { put } from './pointer.ts';

/**
 * A report: a row for each transaction that has one by now.
 * @param values what stands for the placeholders of its path
 */
export function report(
  choices: GatewayChoices,
  orders: readonly Order[],
  now: number,
  values: Readonly<Record<string, string>>,
  body: unknown,
): unknown {
  const { report: how } = choices.journeys;
  const asked = (name: string) => values[name] ?? read(how.body, body, name);
  const wanted = (order: Order) =>
    [String(order.systemId), undefined].includes(asked('orderSystemId')?.toString()) &&
    [order.currency, undefined].includes(asked('currency')?.toString());
  const rows = orders.filter(wanted).flatMap((order) =>
    listedOf(choices, order.entries)
      .filter(({ at }) => now >= at + how.takes * 1000 && within(at, asked('from'), asked('to')))
      .map((entry) => {
        let row = put({}, how.row.orderSystemId, order.systemId);
        if (how.row.type !== undefined) row = put(row, how.row.type, typeOf(choices, entry));
        return put(row, how.row.reason ?? '/remarks/0/text', entry.reason ?? '');
      }),
  );
  return put(how.rows === '/1' ? [{ count: rows.length }] : undefined, how.rows, rows);
}

function within(at: number, from: unknown, to: unknown): boolean {
  const day = new Date(at).toISOString().slice(0, 10);
  return (from === undefined || day >= String(from)) && (to === undefined || day <= String(to));
}
