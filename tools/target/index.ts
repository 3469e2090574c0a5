/**
 * @module target
 * Takes a target file; gives a complete, frozen Target: addresses, resolved secrets, request templates, test data, and what its
 * checks may rely on. Imports the contract for its types and the line finder. Client, harness and CLI may import it.
 */

export { type DetectedSettings, DRAFT_VARIABLES, draftTarget } from './draft.ts';
export { EMBEDDED_TARGET } from './embedded-target.ts';
export { describeLack, type LackReason, NEED_OFFERS, type NeedOffer } from './need-offers.ts';
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
export { type SecretMember, secretsOf, type TargetSecretList } from './secrets.ts';
export {
  cardPlaceholders,
  fillTemplate,
  mergeBodies,
  type PlaceholderValues,
  placeValue,
  readStyledAmount,
  writeStyledAmount,
} from './template.ts';
export * from './types.ts';
