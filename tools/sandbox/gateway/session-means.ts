import type { SessionMeansTable } from '../session-lie.ts';
import type { WireMutation, WireOperator } from '../wire-mutation.ts';

const PAYMENTS = '^/api/payments/(?:sale|auth)/';
const MONEY = '^/api/payments/(?:sale|auth|capture|reversal)/';
const ORDERS = '^/api/payments/(?:sale|auth|account-verification|status)/';
const MESSAGE = 'orderCallback';
const FAILURE = { errorCode: -1, errorMessage: 'Internal system error', errorCorrelationId: 'told-to-fail' };
const NEWS = { settlementHint: { batch: 7 } };

function answers(path: string, operator: WireOperator, more: Partial<WireMutation> = {}): WireMutation {
  return { answer: { method: 'POST', path, status: 200 }, operator, ...more };
}

function state(value: string, times?: number): WireMutation {
  return answers(ORDERS, 'value', { member: ['orderState'], value, ...(times === undefined ? {} : { times }) });
}

const callbackState = (value: string): WireMutation => ({
  message: MESSAGE,
  operator: 'value',
  member: ['orderState'],
  value,
});

/** How the gateway tells what can be told in a session; of 429 its document does not speak. */
export const GATEWAY_SESSION_MEANS: SessionMeansTable = {
  slow: { wire: [answers('^/api/', 'delay', { value: 1500 })] },
  'cut-off': { wire: [answers(MONEY, 'cut-off', { times: 1 })] },
  'error-after': {
    wire: [answers(MONEY, 'value', { value: FAILURE, times: 1 }), answers(MONEY, 'status', { value: 500, times: 1 })],
  },
  'error-before': { fails: { status: 500, count: 1 } },
  'stays-open': { wire: [state('PROCESSING', 3)] },
  'message-twice': { wire: [{ message: MESSAGE, operator: 'send-twice' }] },
  // Longer than a pending payment takes.
  'message-first': { wire: [answers(PAYMENTS, 'delay', { value: 3500, times: 1 })] },
  'older-message': { wire: [{ message: MESSAGE, operator: 'send-earlier', value: { orderState: 'PROCESSING' } }] },
  'extra-members': {
    wire: [
      answers('^/api/', 'add', { member: ['settlementHint'], value: NEWS }),
      answers(ORDERS, 'add', { member: ['transactions', '*', 'settlementHint'], value: NEWS }),
      { message: MESSAGE, operator: 'add', member: ['settlementHint'], value: NEWS },
    ],
  },
  'unknown-state': { wire: [state('SETTLING', 3)] },
  'never-final': { wire: [state('PROCESSING'), callbackState('PROCESSING')] },
  'false-message': { wire: [state('PROCESSING'), callbackState('APPROVED')] },
};
