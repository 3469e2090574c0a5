/**
 * @module proof
 * Takes the journal of a run in which the sandbox told every lie in turn; gives what each lie came to: caught by which checks, or
 * missed. Imports evidence, and of the sandbox only its list of lies. The command line imports it.
 */
export { accounts, type Declared, settle, type Undeclared } from './collateral.ts';
export { count, holds, judgeLies, unlied } from './judge.ts';
export type * from './types.ts';
