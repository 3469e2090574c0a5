import type { GatewayChoices } from '../choices.ts';
import { look } from '../hand.ts';
import type { OperationId } from './call.ts';
import { isObject, type Json } from './fields.ts';
import { balanceName, systemIdFrom } from './names.ts';
import { invalid } from './refusal.ts';
import { type Templates, templatesOf, unfill } from './templates.ts';

const PAYMENTS: ReadonlySet<OperationId> = new Set(['sale', 'auth', 'saleForm', 'authForm', 'accountVerification']);

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
export function inwardOf(choices: GatewayChoices): (operation: OperationId, body: Json) => Json {
  const templates = templatesOf(choices);
  return (operation, body) => {
    const read = named(choices, operation, body);
    if (PAYMENTS.has(operation)) return payment(choices, templates, needBesides(choices, read));
    switch (operation) {
      case 'transfer': {
        const values = unfill(templates.transfer, body);
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
      case 'registerCards':
        return named(choices, operation, unfill(templates.recurring, body));
      case 'transactionReport':
        return named(choices, operation, unfill(templates.report, body));
      default:
        return read;
    }
  };
}

/** A request with the names of an order and of a balance as the plain sandbox knows them. */
function named(choices: GatewayChoices, operation: OperationId, body: Json): Json {
  const read: Record<string, unknown> = { ...body };
  if ('orderSystemId' in read) read.orderSystemId = systemIdFrom(choices, read.orderSystemId);
  if (operation.startsWith('balance') && typeof read.balanceName === 'string')
    read.balanceName = balanceName(choices, read.balanceName, 'inward');
  return read;
}

function needBesides(choices: GatewayChoices, body: Json): Json {
  if (choices.besides !== 'nothing' && !isObject(body.channel)) throw invalid('channel');
  return body;
}

function payment(choices: GatewayChoices, templates: Templates, body: Json): Json {
  const { order, urls, card, registered } = templates;
  const values: Record<string, unknown> = {
    ...unfill({ order, urls }, body),
    ...unfill(card, body),
    ...unfill(registered, body),
  };
  const { orderMerchantId, paymentMethod, browser, customer } = body;
  return present({
    orderMerchantId,
    paymentMethod,
    browser,
    customer,
    order: isObject(body.order) ? orderOf(choices, values) : body.order,
    urls: present({
      resultUrl: values.returnUrl,
      cancelUrl: values.cancelUrl,
      webhookUrl: values.callbackUrl,
      cresUrl: values.cresUrl,
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

function orderOf(choices: GatewayChoices, values: Json): Json {
  return present({
    orderMerchantId: values.orderMerchantId,
    orderAmount: decimal(choices, values.amount),
    orderCurrencyCode: values.currency,
  });
}

function amounts(choices: GatewayChoices, body: Json, names: readonly string[]): Json {
  const read: Record<string, unknown> = { ...body };
  for (const name of names) if (read[name] !== undefined) read[name] = decimal(choices, read[name]);
  return read;
}

/** An amount in major units; what is none stays none. */
function decimal({ amount }: GatewayChoices, value: unknown): unknown {
  if (value === undefined || value === null || value === '' || amount.startsWith('decimal')) return value;
  return /^-?\d{1,12}$/.test(String(value)) ? (Number(value) / 100).toFixed(2) : 'none';
}

function moved(body: Json, from: string, to: string): Json {
  if (from === to) return body;
  const { [to]: _, ...rest } = body;
  const value = from.startsWith('/') ? look(body, from) : body[from];
  return value === undefined ? rest : { ...rest, [to]: value };
}

function present(values: Record<string, unknown>): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
