import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUITE_FOLDER } from '#folders';
import { EXIT_CODES } from '#trouble';
import { attackSuite, renderAttack } from './index.ts';

// npm run attack [-- WORD]: every attack, or those whose kind holds the word; a page of what came of them in reports/attack.md.
const seed = Number(process.env.ASSAY_SEED ?? 1);
const only = process.argv[2];
const tallies = await attackSuite({ spellings: 1, every: 1, kills: 30, seed, only }, (text) => console.log(text));
const page = renderAttack(tallies);
mkdirSync(join(SUITE_FOLDER, 'reports'), { recursive: true });
writeFileSync(join(SUITE_FOLDER, 'reports/attack.md'), page);
console.log(page);
process.exitCode = tallies.some(({ survivors }) => survivors.length > 0) ? EXIT_CODES.broken : EXIT_CODES.kept;
