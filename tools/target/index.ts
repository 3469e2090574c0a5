/**
 * @module target
 * Takes a target file; gives a complete, frozen Target: addresses, resolved secrets, request templates, test data, and what its
 * checks may rely on. Imports the contract for its types and the line finder. Client, harness and CLI may import it.
 */
export { parseTarget, type Written } from './parse.ts';
export { type Lookups, references, resolveTarget } from './resolve.ts';
export { fill, minor, money, type Values } from './template.ts';
export * from './types.ts';
