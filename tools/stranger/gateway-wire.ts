import type { GatewayChoices } from './gateway-choices.ts';
import type { Entry, Order } from './gateway-orders.ts';
import { find, look, put } from './pointer.ts';

/** An amount in minor units, as a request writes it; undefined for none, NaN for what is no amount. */
export function minor(value: unknown, style: GatewayChoices['amount']): number | undefined {
  if (value === undefined) return undefined;
  const [unit, type] = style.split('-');
  if (typeof value !== type) return Number.NaN;
  return Math.round(Number(value) * (unit === 'decimal' ? 100 : 1));
}

function written(amount: number, style: GatewayChoices['amount']): unknown {
  const [unit, type] = style.split('-');
  if (type === 'number') return unit === 'decimal' ? amount / 100 : amount;
  return unit === 'decimal' ? (amount / 100).toFixed(2) : String(amount);
}

/** What a payment request says, read where the templates of the choices have it. */
export function paid(choices: GatewayChoices, body: Record<string, unknown>) {
  const template = { order: choices.order, ...choices.card };
  const layers = [choices.card, { order: choices.order }];
  const read = (name: string): string | number | undefined => {
    for (const layer of layers) {
      const place = find(layer, name);
      if (place === undefined) continue;
      const value = look(body, place.at);
      return typeof value === 'string' ? place.form.exec(value)?.[1] : (value as number | undefined);
    }
    return undefined;
  };
  const amount = minor(read('amount'), choices.amount) ?? Number.NaN;
  const [card, code] = [String(read('cardNumber') ?? ''), String(read('cardCode') ?? '')];
  const merchantId = String(body.orderMerchantId ?? read('orderMerchantId') ?? '');
  const absent = ['order', 'browser', ...Object.keys(choices.besides)].filter((name) => body[name] === undefined);
  const wrong = [
    ...absent,
    ...(absent.includes('order') || !Number.isNaN(amount) ? [] : ['amount']),
    ...(/^\d{12,19}$/.test(card) ? [] : [Object.keys(template).at(-1)!]),
  ];
  const said = choices.steers === 'code' ? code : String(amount);
  const behaviour = Object.entries(choices.behaviours).find(([, one]) => one === said)?.[0] ?? 'approved';
  return { wrong, behaviour, amount, merchantId, credit: card === choices.cards.credit };
}

/** The transactions of an order as the service shows them; undefined while there are none to show. */
export function entries(choices: GatewayChoices, { entries: all }: Order): readonly unknown[] | undefined {
  const listed = all.filter(
    ({ state }) =>
      state === 'approved' ||
      (state === 'refused' && choices.listsRefused) ||
      (state === 'pending' && choices.listsPending),
  );
  if (listed.length === 0) return undefined;
  return listed.map((one) => shown(choices, one));
}

function shown({ entry, types, states, negative, amountRead }: GatewayChoices, one: Entry): unknown {
  const [first, refund = first] = types[one.kind] ?? ['?'];
  let made: unknown = put({}, entry.type, one.refund ? refund : first);
  made = put(made, entry.amount, written(one.kind === 'reversal' && negative ? -one.amount : one.amount, amountRead));
  return entry.state === undefined ? made : put(made, entry.state, states[one.state]);
}
