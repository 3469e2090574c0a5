import type { TargetService } from '../target-service.ts';
import { completeGatewayAddress } from './complete-address.ts';
import { draftGatewaySection, GATEWAY_DRAFT_VARIABLES, GATEWAY_EXAMPLE_ADDRESS } from './draft-gateway.ts';
import { GATEWAY_NEED_OFFERS } from './need-offers.ts';
import { GATEWAY_PLACEHOLDERS } from './placeholders.ts';
import { listGatewayAddresses, resolveGateway } from './resolve-gateway.ts';
import type { GatewayTarget } from './types.ts';

/** The section `gateway:` of a target file. */
export const GATEWAY_TARGET_SERVICE: TargetService<'gateway', GatewayTarget> = {
  api: 'gateway',
  resolve: resolveGateway,
  listAddresses: listGatewayAddresses,
  listSensitive: ({ cards, wire }) => ({
    cards: Object.values(cards).map(({ number }) => number),
    members: Object.values(wire.names).map((name) => name.split('/').at(-1) ?? name),
  }),
  secretKeys: ['token', 'consumerKey', 'privateKey'],
  binaryKeys: ['privateKey'],
  needs: GATEWAY_NEED_OFFERS,
  placeholders: GATEWAY_PLACEHOLDERS,
  draftVariables: GATEWAY_DRAFT_VARIABLES,
  draft: draftGatewaySection,
  exampleAddress: GATEWAY_EXAMPLE_ADDRESS,
  completeAddress: completeGatewayAddress,
};
