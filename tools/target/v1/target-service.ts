import type { TargetService } from '../target-service.ts';
import { draftV1Section, V1_DRAFT_VARIABLES, V1_EXAMPLE_ADDRESS } from './draft-v1.ts';
import { V1_NEED_OFFERS } from './need-offers.ts';
import { V1_PLACEHOLDERS } from './placeholders.ts';
import { resolveV1 } from './resolve-v1.ts';
import type { V1Target } from './types.ts';

/** The section `v1:` of a target file. */
export const V1_TARGET_SERVICE: TargetService<'v1', V1Target> = {
  api: 'v1',
  resolve: resolveV1,
  listAddresses: ({ address }) => [['/v1/address', address]],
  listCards: () => [],
  wireOf: ({ wire }) => wire,
  listSecretMembers: ({ wire }) => [[wire.token, 'text']],
  secretPlaceholders: { token: 'reference' },
  secretKeys: ['token', 'unprivileged', 'newcomer', 'newcomers', 'webhookToken'],
  binaryKeys: [],
  needs: V1_NEED_OFFERS,
  placeholders: V1_PLACEHOLDERS,
  draftVariables: V1_DRAFT_VARIABLES,
  draft: draftV1Section,
  exampleAddress: V1_EXAMPLE_ADDRESS,
  completeAddress: async (address) => address.replace(/\/api\/v1$/, ''),
};
