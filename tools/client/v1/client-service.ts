import type { ClientService } from '../client-service.ts';
import { noteV1Answer, noteV1Request } from './created-objects.ts';
import { examineV1 } from './examine-v1.ts';
import { takeBackV1 } from './take-back.ts';

/** The account, transfer, document and webhook service, as the client knows it. */
export const V1_CLIENT_SERVICE: ClientService = {
  api: 'v1',
  moneyOperations: { createTransaction: true },
  limitsRate: true,
  probe: { method: 'GET', path: '/api/v1/auth' },
  moreAddresses: () => [],
  examine: examineV1,
  noteRequest: noteV1Request,
  noteAnswer: noteV1Answer,
  takeBack: takeBackV1,
};
