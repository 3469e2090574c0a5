import type { ClientService } from '../client-service.ts';
import { examineGateway } from './examine-gateway.ts';

/** The card payment gateway, as the client knows it. */
export const GATEWAY_CLIENT_SERVICE: ClientService = {
  api: 'gateway',
  moneyOperations: { sale: true, auth: false, saleForm: true, authForm: false, capture: true, transfer: true },
  limitsRate: false,
  probe: { method: 'HEAD', path: '/payments/_Overview' },
  moreAddresses({ gateway }) {
    const elsewhere = gateway?.requestors.elsewhere?.address;
    return elsewhere === undefined ? [] : [['gateway.requestors.elsewhere.address', elsewhere]];
  },
  examine: examineGateway,
};
