import { decision } from '../decision.ts';
import type { Call } from './call.ts';
import { isObject, type Json, needObject, text, webAddress } from './fields.ts';
import { isCurrency, readAmount } from './money.ts';
import type { Kind, Order } from './order.ts';
import { invalid } from './refusal.ts';

const accepted = (rule: string, operation: Call['operation'], part: string, name: string) =>
  decision({
    rule,
    honest: (_call: Call, _part: string) => true,
    lies: { [`${name}-without-${part}-accepted`]: (call, asked) => call.operation !== operation || asked !== part },
  });

const isRequired = [
  accepted('GW-SAL-05', 'sale', 'order', 'sale'),
  accepted('GW-SAL-06', 'sale', 'browser', 'sale'),
  accepted('GW-VER-07', 'accountVerification', 'order', 'verification'),
  accepted('GW-VER-07', 'accountVerification', 'browser', 'verification'),
  accepted('GW-FRM-09', 'saleForm', 'order', 'sale-form'),
  accepted('GW-FRM-09', 'saleForm', 'customer', 'sale-form'),
  accepted('GW-FRM-09', 'saleForm', 'browser', 'sale-form'),
  accepted('GW-FRM-09', 'authForm', 'customer', 'auth-form'),
];

/**
 * An object that the document requires in the body.
 * @throws Refusal 400 when it is missing
 */
export function needPart(call: Call, name: 'order' | 'browser' | 'customer'): Json {
  const value = call.body[name];
  if (isObject(value) || isRequired.every((required) => required(call.faults, call, name)))
    return needObject(call.body, name);
  return {};
}

/**
 * Opens an order from `order`, `orderMerchantId` and `urls` of a request; nothing is decided about it yet.
 * @throws Refusal 400 naming what is missing or malformed
 */
export function openOrder(call: Call, kind: Kind): Order {
  const { desk, body } = call;
  const { world } = desk;
  const details = needPart(call, 'order');
  const currency = details['orderCurrencyCode'] ?? ownCurrency(call);
  if (!isCurrency(currency)) throw invalid('order.orderCurrencyCode');
  const free = kind === 'ACCOUNT_VERIFICATION';
  const asked = details['orderAmount'] ?? (free || !isObject(body['order']) ? (free ? 0 : 1) : undefined);
  const amount = readAmount(asked, currency);
  if (amount === undefined || (amount === 0 && !free)) throw invalid('order.orderAmount');
  const urls = isObject(body['urls']) ? body['urls'] : {};
  const id = world.serial('order', 100_000_001);
  const order: Order = {
    id,
    merchantOrderId: text(body['orderMerchantId']) ?? text(details['orderMerchantId']) ?? `order-${id}`,
    description: text(details['orderDescription']),
    requestor: call.requestor,
    merchant: desk.merchantOf(call.requestor),
    kind,
    amount: free ? 0 : amount,
    currency,
    origin: call.origin,
    urls: {
      result: webAddress(urls['resultUrl']) ?? webAddress(urls['returnUrl']),
      cancel: webAddress(urls['cancelUrl']),
      webhook: webAddress(urls['webhookUrl']),
      cres: webAddress(urls['cresUrl']) ?? webAddress(body['cresUrl']),
    },
    transactions: [],
    state: 'PROCESSING',
    first: 'PROCESSING',
    polls: 0,
    stamped: world.clock.now(),
    card: undefined,
    step: undefined,
    redirect: undefined,
    html: undefined,
    form: undefined,
    typed: undefined,
    heldUntil: undefined,
    voided: false,
    chargedBack: false,
    error: undefined,
  };
  desk.orders.add(order);
  return order;
}

function ownCurrency(call: Call): string {
  const { main, second, multicurrency, allowlisted, elsewhere } = call.desk.world.credentials.gateway;
  const own = [main, second, multicurrency, allowlisted, elsewhere].find((one) => one.id === call.requestor);
  return own?.currency ?? main.currency;
}
