import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUITE_FOLDER } from '#folders';
import { EXIT_CODES } from '#trouble';
import { type AttackTally, attackSuite, renderAttack } from './index.ts';

// npm run attack [-- WORD]: every attack, or those whose kind holds the word; a page of what came of them in reports/attack.md.
const seed = Number(process.env.ASSAY_SEED ?? 1);
const only = process.argv[2];
const tallies: AttackTally[] = [];
mkdirSync(join(SUITE_FOLDER, 'reports'), { recursive: true });
for await (const tally of attackSuite({ spellings: 1, every: 1, kills: 30, seed, only }, (text) => console.log(text))) {
  tallies.push(tally);
  writeFileSync(join(SUITE_FOLDER, 'reports/attack.md'), renderAttack(tallies));
}
console.log(renderAttack(tallies));
process.exitCode = tallies.some(({ survivors }) => survivors.length > 0) ? EXIT_CODES.broken : EXIT_CODES.kept;
