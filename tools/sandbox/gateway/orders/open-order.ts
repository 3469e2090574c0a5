import { decision } from '../../decision.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import { refuseParameter } from '../wire/gateway-refusal.ts';
import { isJsonObject, type JsonObject, readFieldText, requireObject } from '../wire/request-fields.ts';
import { readWebAddress } from '../wire/web-addresses.ts';
import { isCurrencyCode, parseAmount } from './money.ts';
import type { GatewayOrder, OrderKind } from './order.ts';

const accepted = (rule: string, operation: GatewayCall['operation'], part: string, name: string) =>
  decision({
    rule,
    honest: (_call: GatewayCall, _part: string) => true,
    lies: {
      [`${name}-without-${part}-accepted`]: (call, asked) => call.operation !== operation || asked !== part,
      [`${name}-for-another-requestor-without-${part}-accepted`]: (call, asked) =>
        call.operation !== operation || asked !== part || !isForSecond(call),
    },
  });

/** The same of a payment by a registered card. */
const acceptedByCardId = (rule: string, operation: GatewayCall['operation'], part: string, name: string) =>
  decision({
    rule,
    honest: (_call: GatewayCall, _part: string) => true,
    lies: {
      [`${name}-by-card-id-without-${part}-accepted`]: (call, asked) =>
        call.operation !== operation || asked !== part || call.body['paymentMethod'] !== 'CARD_ID',
    },
  });

const isRequired = [
  accepted('GW-SAL-05', 'sale', 'order', 'sale'),
  accepted('GW-SAL-06', 'sale', 'browser', 'sale'),
  acceptedByCardId('GW-SAL-05', 'sale', 'order', 'sale'),
  acceptedByCardId('GW-SAL-06', 'sale', 'browser', 'sale'),
  accepted('GW-VER-07', 'accountVerification', 'order', 'verification'),
  accepted('GW-VER-07', 'accountVerification', 'browser', 'verification'),
  acceptedByCardId('GW-VER-07', 'accountVerification', 'order', 'verification'),
  acceptedByCardId('GW-VER-07', 'accountVerification', 'browser', 'verification'),
  accepted('GW-FRM-09', 'saleForm', 'order', 'sale-form'),
  accepted('GW-FRM-09', 'saleForm', 'customer', 'sale-form'),
  accepted('GW-FRM-09', 'saleForm', 'browser', 'sale-form'),
  accepted('GW-FRM-09', 'authForm', 'order', 'auth-form'),
  accepted('GW-FRM-09', 'authForm', 'customer', 'auth-form'),
];

/**
 * An object that the document requires in the body.
 * @throws Refusal 400 when it is missing
 */
export function requireBodyPart(call: GatewayCall, name: 'order' | 'browser' | 'customer'): JsonObject {
  const value = call.body[name];
  if (isJsonObject(value) || isRequired.every((required) => required(call.activeLies, call, name)))
    return requireObject(call.body, name);
  return {};
}

/**
 * Opens an order from `order`, `orderMerchantId` and `urls` of a request; nothing is decided about it yet.
 * @throws Refusal 400 naming what is missing or malformed
 */
export function openOrder(call: GatewayCall, kind: OrderKind): GatewayOrder {
  const { gatewayState, body } = call;
  const { world } = gatewayState;
  const details = requireBodyPart(call, 'order');
  const currency = details['orderCurrencyCode'] ?? ownCurrency(call);
  if (!isCurrencyCode(currency)) throw refuseParameter('order.orderCurrencyCode');
  const free = kind === 'ACCOUNT_VERIFICATION';
  const asked = details['orderAmount'] ?? (free || !isJsonObject(body['order']) ? (free ? 0 : 1) : undefined);
  const amount = parseAmount(asked, currency);
  if (amount === undefined || (amount === 0 && !free)) throw refuseParameter('order.orderAmount');
  const urls = isJsonObject(body['urls']) ? body['urls'] : {};
  const redirectWebhook = readWebAddress(urls['redirectWebhookUrl']);
  const feature = isJsonObject(body['feature']) ? body['feature'] : {};
  const id = world.serial('order', 100_000_001);
  const order: GatewayOrder = {
    id,
    merchantOrderId:
      readFieldText(body['orderMerchantId']) ?? readFieldText(details['orderMerchantId']) ?? `order-${id}`,
    description: readFieldText(details['orderDescription']),
    requestor: call.requestor,
    merchant: gatewayState.merchantOf(call.requestor),
    kind,
    amount: free ? 0 : amount,
    currency,
    origin: call.origin,
    urls: {
      result: readWebAddress(urls['resultUrl']) ?? readWebAddress(urls['returnUrl']),
      cancel: readWebAddress(urls['cancelUrl']),
      webhook: readWebAddress(urls['webhookUrl']),
      redirectWebhook,
      cres: readWebAddress(urls['cresUrl']) ?? readWebAddress(body['cresUrl']),
    },
    wantsRedirect: redirectWebhook !== undefined || feature['redirectUrlCreation'] === 'CREATE_IN_RESPONSE',
    transactions: [],
    state: 'PROCESSING',
    first: 'PROCESSING',
    polls: 0,
    changedAt: world.clock.now(),
    card: undefined,
    step: undefined,
    redirect: undefined,
    html: undefined,
    form: undefined,
    typed: undefined,
    heldUntil: undefined,
    end: undefined,
    voided: false,
    chargedBack: false,
    error: undefined,
  };
  gatewayState.orders.add(order);
  return order;
}

function ownCurrency(call: GatewayCall): string {
  const { main, second, multicurrency, allowlisted, elsewhere } = call.gatewayState.world.credentials;
  const own = [main, second, multicurrency, allowlisted, elsewhere].find((one) => one.id === call.requestor);
  return own?.currency ?? main.currency;
}
