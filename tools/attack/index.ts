/**
 * @module attack
 * Attacks on the suite itself, each with a count: spellings of secrets, hostile answers and hosted pages, floods of the callback port, changed
 * bundles, killed runs. Takes how much of each, gives what survived. A script runs all of it, our own tests a sample; nobody else imports it.
 */

export { renderAttack } from './attack-page.ts';
export { type AttackSize, attackSuite } from './attack-suite.ts';
export type { AttackTally } from './attack-tally.ts';
