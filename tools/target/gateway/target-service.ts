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
  listCards: ({ cards = {} }) => Object.values(cards).map(({ number }) => String(number)),
  wireOf: ({ wire }) => wire,
  listSecretMembers: ({ wire: { names, read } }) => [
    [names.cres, 'text'],
    [names.pares, 'text'],
    [read.cardId, 'reference'],
  ],
  secretPlaceholders: { cardNumber: 'card', cardCode: 'code', cardId: 'reference' },
  secretKeys: ['token', 'consumerKey', 'privateKey'],
  binaryKeys: ['privateKey'],
  needs: GATEWAY_NEED_OFFERS,
  placeholders: GATEWAY_PLACEHOLDERS,
  draftVariables: GATEWAY_DRAFT_VARIABLES,
  draft: draftGatewaySection,
  exampleAddress: GATEWAY_EXAMPLE_ADDRESS,
  completeAddress: completeGatewayAddress,
};
