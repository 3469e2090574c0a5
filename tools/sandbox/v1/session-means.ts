import type { SessionMeansTable } from '../session-lie.ts';
import type { WireMutation, WireOperator } from '../wire-mutation.ts';

const TRANSFERS = '^/api/v1/transactions$';
const MESSAGE = 'transactionEvent';
const FAILURE = { status: false, status_code: 500, message: 'INTERNAL_SERVER_ERROR', errors: ['Something failed.'] };

function created(operator: WireOperator, more: Partial<WireMutation> = {}): WireMutation {
  return { answer: { method: 'POST', path: TRANSFERS, status: 201 }, operator, ...more };
}

function read(operator: WireOperator, more: Partial<WireMutation> = {}): WireMutation {
  return { answer: { method: 'GET', path: '^/api/v1/', status: 200 }, operator, ...more };
}

/** How the v1 service tells what can be told in a session. */
export const V1_SESSION_MEANS: SessionMeansTable = {
  slow: { wire: [created('delay', { value: 1500 }), read('delay', { value: 1500 })] },
  'cut-off': { wire: [created('cut-off', { times: 1 })] },
  'error-after': {
    wire: [created('value', { value: FAILURE, times: 1 }), created('status', { value: 500, times: 1 })],
  },
  'error-before': { fails: { status: 500, count: 1 } },
  'too-many': { fails: { status: 429, count: 1 } },
  'extra-members': {
    wire: [
      created('add', { member: ['routing_hint'], value: { lane: 7 } }),
      read('add', { member: ['routing_hint'], value: { lane: 7 } }),
    ],
  },
  'unnamed-word': {
    wire: [
      created('value', { member: ['status'], value: 'in_review' }),
      read('value', { member: ['status'], value: 'in_review' }),
      read('value', { member: ['transactions', '*', 'status'], value: 'in_review' }),
    ],
  },
  'message-again': { wire: [{ message: MESSAGE, operator: 'send-twice' }] },
};
