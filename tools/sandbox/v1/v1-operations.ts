import { decision } from '../decision.ts';
import { decideMixUp } from '../rush.ts';
import type { ApiUser } from './access/api-users.ts';
import { deleteDocument, listDocuments, readDocument } from './documents/document-operations.ts';
import { uploadDocument } from './documents/document-upload.ts';
import { getIbanDetails } from './transactions/iban-details.ts';
import { createTransaction } from './transactions/transaction-creation.ts';
import { listTransactions } from './transactions/transaction-list.ts';
import { readTransaction } from './transactions/transaction-read.ts';
import type { V1Call } from './v1-call.ts';
import { createWebhook, readWebhook, replaceWebhook } from './webhooks/webhook-operations.ts';
import { answerBehind, decideSuccess, type V1Answer } from './wire/answer-shape.ts';

/** One documented operation: where it is served and what it does. */
export interface V1Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly run: (call: V1Call) => V1Answer;
}

const known = decideSuccess('V1-AUT-05', 200, {
  'v1-auth-answered-201': (body) => ({ status: 201, body }),
  'v1-auth-answered-204': () => ({ status: 204 }),
  'v1-auth-answered-without-information': () => ({ status: 200, labelledEmpty: true }),
});

/** Whom the answer tells about. */
const toldAbout = decision({
  rule: 'V1-AUT-05',
  honest: (caller: ApiUser, _first: ApiUser, _before: ApiUser | undefined) => caller,
  lies: {
    'v1-auth-tells-everybody-of-the-first-user': (_caller, first) => first,
    'v1-auth-tells-of-whoever-asked-before': (caller, _first, before) => before ?? caller,
  },
});

/** Who asked last to be told about; only a lie looks at it. */
const lastCallers = new WeakMap<object, ApiUser>();

/** How many milliseconds it goes on to tell about one user in which others are told about the same. */
const mixesCallers = decideMixUp('V1-AUT-05', 'v1-auth-tells-those-who-ask-at-once-of-one-user');

function getAuth({ world, user: caller, v1State }: V1Call): V1Answer {
  const { rush } = v1State;
  const { value: meant, lasts } = rush.lend(world.activeLies, 'auth', mixesCallers, caller);
  const user = toldAbout(world.activeLies, meant, v1State.users[0], lastCallers.get(rush));
  if (world.activeLies.size > 0) lastCallers.set(rush, caller);
  const answer = known(world.activeLies, {
    name: user.name,
    accounts: [...user.accounts.values()].map(({ uuid }) => ({ uuid })),
  });
  return answerBehind(answer, lasts);
}

const DRAWER = '/api/v1/customers/:customer_uuid/accounts/:account_uuid/documents';

/** Every operation of the document, in its order. */
export const V1_OPERATIONS: readonly V1Operation[] = [
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
export const answersAtV1Path = decision({
  rule: 'V1-GEN-01',
  honest: (_id: string) => true,
  lies: {
    'v1-auth-not-under-the-prefix': (id) => id !== 'getAuth',
    'v1-lookup-not-under-the-prefix': (id) => id !== 'getIbanDetails',
    'v1-webhook-replace-not-under-the-prefix': (id) => id !== 'replaceWebhook',
    'v1-document-delete-not-under-the-prefix': (id) => id !== 'deleteDocument',
  },
});
