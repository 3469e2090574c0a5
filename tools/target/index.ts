/**
 * @module target
 * Takes a target file; gives a complete, frozen Target: addresses, resolved secrets, request templates, test data, and what its
 * checks may rely on. Imports the contract for its types and the line finder. Client, harness and CLI may import it.
 */
export { type Detected, draftTarget, VARIABLES } from './draft.ts';
export { ENABLING, type Enabling, type Lack, lacking } from './enable.ts';
export { parseTarget, type Written } from './parse.ts';
export { PLACEHOLDERS } from './placeholders.ts';
export { dangling, type Lookups, references, resolveSigning, resolveTarget, type Signing } from './resolve.ts';
export { cardValues, fill, merge, minor, money, place, type Values } from './template.ts';
export * from './types.ts';
