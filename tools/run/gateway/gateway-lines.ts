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
  // A pending payment that ends by a control request alone would never end.
  kept: ['gateway.address', 'gateway.requestors.main', 'gateway.cards.approved', 'control.finish'],
};
