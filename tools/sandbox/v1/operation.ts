import { decision } from '../decision.ts';
import type { Call } from './call.ts';
import { createTransaction } from './create.ts';
import { deleteDocument, listDocuments, readDocument } from './documents.ts';
import { listTransactions } from './history.ts';
import { getIbanDetails } from './iban.ts';
import { readTransaction } from './read.ts';
import { type Answer, success } from './shape.ts';
import { uploadDocument } from './upload.ts';
import { createWebhook, readWebhook, replaceWebhook } from './webhook.ts';

/** One documented operation: where it is served and what it does. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly run: (call: Call) => Answer;
}

const known = success('V1-AUT-05', 200, {
  'v1-auth-answered-201': (body) => ({ status: 201, body }),
  'v1-auth-answered-204': () => ({ status: 204 }),
  'v1-auth-answered-without-information': () => ({ status: 200, hollow: true }),
});

function getAuth({ world, user }: Call): Answer {
  return known(world.faults, { name: user.name, accounts: [...user.accounts.values()].map(({ uuid }) => ({ uuid })) });
}

const DRAWER = '/api/v1/customers/:customer_uuid/accounts/:account_uuid/documents';

/** Every operation of the document, in its order. */
export const OPERATIONS: readonly Operation[] = [
  { id: 'getAuth', method: 'GET', path: '/api/v1/auth', run: getAuth },
  { id: 'listTransactions', method: 'GET', path: '/api/v1/transactions', run: listTransactions },
  { id: 'createTransaction', method: 'POST', path: '/api/v1/transactions', run: createTransaction },
  { id: 'readTransaction', method: 'GET', path: '/api/v1/transactions/:uuid', run: readTransaction },
  { id: 'getIbanDetails', method: 'GET', path: '/api/v1/transactions/iban-details', run: getIbanDetails },
  { id: 'uploadDocument', method: 'POST', path: DRAWER, run: uploadDocument },
  { id: 'listDocuments', method: 'GET', path: DRAWER, run: listDocuments },
  { id: 'readDocument', method: 'GET', path: `${DRAWER}/:document_uuid`, run: readDocument },
  { id: 'deleteDocument', method: 'DELETE', path: `${DRAWER}/:document_uuid`, run: deleteDocument },
  { id: 'createWebhook', method: 'POST', path: '/api/v1/webhooks', run: createWebhook },
  { id: 'readWebhook', method: 'GET', path: '/api/v1/webhooks', run: readWebhook },
  { id: 'replaceWebhook', method: 'PUT', path: '/api/v1/webhooks', run: replaceWebhook },
];

/** Whether the operation is found at its documented path. */
export const placed = decision({
  rule: 'V1-GEN-01',
  honest: (_id: string) => true,
  lies: {
    'v1-auth-not-under-the-prefix': (id) => id !== 'getAuth',
    'v1-lookup-not-under-the-prefix': (id) => id !== 'getIbanDetails',
    'v1-document-delete-not-under-the-prefix': (id) => id !== 'deleteDocument',
  },
});
