import { valueAt } from '#json-pointer';
import type { GatewayChoices } from '../choices.ts';
import type { GatewayOperationId } from '../gateway-reply.ts';
import { refuseParameter } from './gateway-refusal.ts';
import { parseSystemId, translateBalanceName } from './identifiers.ts';
import { isJsonObject, type JsonObject } from './request-fields.ts';
import { chooseTemplates, type RequestTemplates, readThroughTemplate } from './request-templates.ts';

const PAYMENTS: ReadonlySet<GatewayOperationId> = new Set([
  'sale',
  'auth',
  'saleForm',
  'authForm',
  'accountVerification',
]);

/** Where a request carries the CRes and the PaRes value. */
export const THREE_DS_NAMES: Readonly<Record<GatewayChoices['threeDSNames'], { cres: string; pares: string }>> = {
  usual: { cres: 'cres', pares: 'pares' },
  other: { cres: 'challengeResult', pares: 'authenticationResult' },
  nested: { cres: '/answer/cres/value', pares: '/answer/pares' },
};

/**
 * Gives a reader that turns requests written in a variation's way into those of the plain sandbox.
 * @returns undefined where the choices are the plain ones
 */
export function createRequestReader(
  choices: GatewayChoices,
): (operation: GatewayOperationId, body: JsonObject) => JsonObject {
  const templates = chooseTemplates(choices);
  return (operation, body) => {
    const read = named(choices, operation, body);
    if (PAYMENTS.has(operation)) {
      needBesides(choices, read);
      return isAsUsual(choices) ? read : payment(choices, templates, read);
    }
    switch (operation) {
      case 'transfer': {
        const values = readThroughTemplate(templates.transfer, body);
        return { order: orderOf(choices, values), card: { cardNumber: values.cardNumber } };
      }
      case 'capture':
      case 'reversal':
        needBesides(choices, read);
        return amounts(choices, read, ['captureAmount', 'reversalAmount']);
      case 'threeDSCRes':
        return moved(read, THREE_DS_NAMES[choices.threeDSNames].cres, 'cres');
      case 'threeDSPaRes':
        return moved(read, THREE_DS_NAMES[choices.threeDSNames].pares, 'pares');
      case 'getCardHistory':
        return historyLookup(choices, read);
      case 'registerCards':
        return named(choices, operation, readThroughTemplate(templates.recurring, body));
      case 'transactionReport':
        return named(choices, operation, readThroughTemplate(templates.report, body));
      default:
        return read;
    }
  };
}

/** Whether payments are written as the plain sandbox reads them, members that no template names included. */
function isAsUsual({ orderFields, urlFields, cardFields, cardIdField, amount }: GatewayChoices): boolean {
  const usual = [orderFields, urlFields, cardFields].every((way) => way === 'usual') && cardIdField === 'cardId';
  return usual && amount.startsWith('decimal');
}

/** A request with the names of an order and of a balance as the plain sandbox knows them. */
function named(choices: GatewayChoices, operation: GatewayOperationId, body: JsonObject): JsonObject {
  const read: Record<string, unknown> = { ...body };
  if ('orderSystemId' in read) read.orderSystemId = parseSystemId(choices, read.orderSystemId);
  if (operation.startsWith('balance') && typeof read.balanceName === 'string')
    read.balanceName = translateBalanceName(choices, read.balanceName, 'inward');
  return read;
}

function historyLookup({ historyExpiry, historyEmpty }: GatewayChoices, body: JsonObject): JsonObject {
  const type = historyExpiry === 'text' ? 'string' : 'number';
  for (const name of ['expireMonth', 'expireYear'])
    if (name in body && typeof body[name] !== type) throw refuseParameter(name);
  for (const name of ['cardNumber', 'cardFirstDigits', 'cardLastDigits'])
    if (historyEmpty === 'left out' && body[name] === '') throw refuseParameter(name);
  return body;
}

function needBesides(choices: GatewayChoices, body: JsonObject): JsonObject {
  if (choices.besides !== 'nothing' && !isJsonObject(body.channel)) throw refuseParameter('channel');
  return body;
}

function payment(choices: GatewayChoices, templates: RequestTemplates, body: JsonObject): JsonObject {
  const { order, urls, card, registered } = templates;
  const values: Record<string, unknown> = {
    ...readThroughTemplate({ order, urls }, body),
    ...readThroughTemplate(card, body),
    ...readThroughTemplate(registered, body),
  };
  const { orderMerchantId, paymentMethod, browser, customer, feature } = body;
  return present({
    orderMerchantId,
    paymentMethod,
    browser,
    customer,
    feature,
    order: isJsonObject(body.order) ? orderOf(choices, values) : body.order,
    urls: present({
      resultUrl: values.returnUrl,
      cancelUrl: values.cancelUrl,
      webhookUrl: values.callbackUrl,
      cresUrl: values.cresUrl,
      redirectWebhookUrl: isJsonObject(body.urls) ? body.urls.redirectWebhookUrl : undefined,
    }),
    card:
      values.cardNumber === undefined
        ? undefined
        : present({
            cardNumber: values.cardNumber,
            cvv2: values.cardCode,
            expireMonth: values.cardMonth,
            expireYear:
              values.cardYear ?? (values.cardYear2 === undefined ? undefined : `20${String(values.cardYear2)}`),
            cardPrintedName: values.cardHolder,
          }),
    cardId: values.cardId,
  });
}

function orderOf(choices: GatewayChoices, values: JsonObject): JsonObject {
  return present({
    orderMerchantId: values.orderMerchantId,
    orderAmount: decimal(choices, values.amount),
    orderCurrencyCode: values.currency,
  });
}

function amounts(choices: GatewayChoices, body: JsonObject, names: readonly string[]): JsonObject {
  const read: Record<string, unknown> = { ...body };
  for (const name of names) if (read[name] !== undefined) read[name] = decimal(choices, read[name]);
  return read;
}

/** An amount in major units; what is none stays none. */
function decimal({ amount }: GatewayChoices, value: unknown): unknown {
  if (value === undefined || value === null || value === '' || amount.startsWith('decimal')) return value;
  return /^-?\d{1,12}$/.test(String(value)) ? (Number(value) / 100).toFixed(2) : 'none';
}

function moved(body: JsonObject, from: string, to: string): JsonObject {
  if (from === to) return body;
  const { [to]: _, ...rest } = body;
  const value = from.startsWith('/') ? valueAt(body, from) : body[from];
  return value === undefined ? rest : { ...rest, [to]: value };
}

function present(values: Record<string, unknown>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
