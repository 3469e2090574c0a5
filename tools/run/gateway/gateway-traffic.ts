import { cardPlaceholders, fillTemplate, mergeBodies, type Target, writeStyledAmount } from '#target';
import type { ForeignRequest } from '../foreign-request.ts';

/** Sales of the main requestor; none where a merchant's balances are looked at, which is nobody's but the run's. */
export function gatewayTraffic({ gateway }: Target): readonly ForeignRequest[] {
  const card = gateway?.cards.approved;
  if (gateway === undefined || card === undefined || gateway.merchant !== undefined) return [];
  const { address, requestors, wire } = gateway;
  const { id, token, currency } = requestors.main;
  const values = {
    amount: writeStyledAmount(700, wire.amount),
    currency,
    orderMerchantId: 'colleague',
    returnUrl: 'https://merchant.example/',
    cancelUrl: 'https://merchant.example/',
    ...cardPlaceholders(card),
  };
  const filled = Object.entries({ order: wire.order, customer: wire.customer, browser: wire.browser, urls: wire.urls });
  const body = Object.fromEntries(filled.map(([name, template]) => [name, fillTemplate(template, values)]));
  const means = fillTemplate(wire.card, values) as Record<string, unknown>;
  const sale = mergeBodies({ orderMerchantId: 'colleague', paymentMethod: 'CARD', ...body }, means);
  return [{ url: `${address}/payments/sale/${id}`, token, body: sale }];
}
