import type { SpareLines } from '../spare-lines.ts';

/** Of the lines about the gateway. */
export const gatewayLines: SpareLines = {
  spare: [
    'gateway.oauth.second',
    'gateway.wire.provider',
    ...['correlationId', 'history', 'transaction'].map((name) => `gateway.wire.read.${name}`),
    'gateway.form.cancel',
    'gateway.acs.cancel',
  ],
  kept: ['gateway.address', 'gateway.requestors.main', 'gateway.cards.approved'],
};
