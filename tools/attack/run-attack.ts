import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUITE_FOLDER } from '#folders';
import { EXIT_CODES, Trouble } from '#trouble';
import { type AttackTally, attackSuite, renderAttack } from './index.ts';

// npm run attack [-- WORD]: every attack, or those whose kind holds the word; a page of what came of them in reports/attack.md.
const seed = Number(process.env.ASSAY_SEED ?? 1);
const only = process.argv[2];
const tallies: AttackTally[] = [];
try {
  mkdirSync(join(SUITE_FOLDER, 'reports'), { recursive: true });
  for await (const tally of attackSuite({ spellings: 1, every: 1, kills: 30, seed, only }, (text) =>
    console.log(text),
  )) {
    tallies.push(tally);
    writeFileSync(join(SUITE_FOLDER, 'reports/attack.md'), renderAttack(tallies));
  }
  if (!tallies.some(({ tries }) => tries > 0))
    throw new Trouble('incomplete', 'no attack was made', { fix: 'see above what this machine lacks for it' });
  console.log(renderAttack(tallies));
  process.exitCode = tallies.some(({ survivors }) => survivors.length > 0) ? EXIT_CODES.broken : EXIT_CODES.kept;
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(`${error}`);
  process.exitCode = EXIT_CODES[error.outcome];
}
