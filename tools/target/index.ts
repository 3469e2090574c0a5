/**
 * @module target
 * Takes a target file; gives a complete, frozen Target: addresses, resolved secrets, request templates, test data, and what its
 * checks may rely on. Imports the contract for its types and the line finder. Client, harness and CLI may import it.
 */

export { type DetectedSettings, DRAFT_VARIABLES, draftTarget } from './draft.ts';
export { EMBEDDED_TARGET } from './embedded-target.ts';
export { namesCallbackUrl } from './gateway/names-callback-url.ts';
export { cardPlaceholders, readStyledAmount, writeStyledAmount } from './gateway/payment-values.ts';
export type * from './gateway/types.ts';
export { describeLack, NEED_OFFERS } from './need-offers.ts';
export { parseTarget, type WrittenTarget } from './parse-target.ts';
export { KNOWN_PLACEHOLDERS } from './placeholders.ts';
export {
  listDanglingReferences,
  listReferences,
  type ReferenceSources,
  resolveSigning,
  resolveTarget,
  type SigningMaterial,
} from './resolve-target.ts';
export { explainSchemaErrors } from './schema-errors.ts';
export { type SecretMember, secretsOf, type TargetSecretList, writtenCards } from './secrets.ts';
export { baseAddresses, completeAddresses, listAddresses } from './service-addresses.ts';
export type { ServiceTargets } from './services.ts';
export type { Target } from './target.ts';
export type { LackReason, NeedOffer } from './target-service.ts';
export {
  fillTemplate,
  mergeBodies,
  namesPlaceholder,
  type PlaceholderValues,
  placeValue,
} from './template.ts';
export type * from './types.ts';
export type * from './v1/types.ts';
