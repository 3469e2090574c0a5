import type { PlaceholderTable } from '../target-service.ts';

/** What a target file may use in the templates of the gateway. */
export const GATEWAY_PLACEHOLDERS: PlaceholderTable = {
  amount: { type: 'as wire.amount says', means: 'amount of the payment', in: 'gateway bodies' },
  amountMinor: { type: 'number', means: 'the same in minor units', in: 'gateway bodies' },
  amountDecimal: { type: 'string', means: 'the same with two decimals', in: 'gateway bodies' },
  currency: { type: 'string', means: 'ISO 4217 code of the payment', in: 'gateway bodies' },
  orderMerchantId: { type: 'string', means: "the caller's own order id, new for each order", in: 'gateway bodies' },
  orderSystemId: {
    type: 'as the service wrote it',
    means: "the service's order id",
    in: 'follow-ups, recurring, report, control',
  },
  requestorId: {
    type: 'number',
    means: 'requestor that the request is sent for',
    in: 'gateway bodies, recurring, report, control',
  },
  cardNumber: { type: 'string', means: 'number of the test card', in: 'card, transfer' },
  cardCode: { type: 'string', means: 'its verification code', in: 'card, transfer' },
  cardMonth: { type: 'string', means: 'month it expires in, two digits', in: 'card, transfer' },
  cardYear: { type: 'string', means: 'year it expires in, four digits', in: 'card, transfer' },
  cardYear2: { type: 'string', means: 'year it expires in, two digits', in: 'card, transfer' },
  cardHolder: { type: 'string', means: 'name on it', in: 'card, transfer' },
  cardFirstDigits: { type: 'string', means: 'its first six digits', in: 'card, transfer' },
  cardLastDigits: { type: 'string', means: 'its last four digits', in: 'card, transfer' },
  cardId: { type: 'as the service wrote it', means: 'a registered card', in: 'registered' },
  callbackUrl: {
    type: 'string',
    means: "where the suite's callback receiver can be reached",
    in: 'gateway bodies, control.callback',
  },
  returnUrl: { type: 'string', means: 'where a customer goes after paying', in: 'gateway bodies' },
  cancelUrl: { type: 'string', means: 'where a customer goes after cancelling', in: 'gateway bodies' },
  cresUrl: { type: 'string', means: 'where an issuer posts the CRes to', in: 'gateway bodies' },
  login: { type: 'string', means: 'merchant login', in: 'report' },
  from: { type: 'string', means: 'yesterday, YYYY-MM-DD', in: 'report' },
  to: { type: 'string', means: 'tomorrow, YYYY-MM-DD', in: 'report' },
  state: { type: 'string', means: 'order state to set', in: 'control.later' },
};
