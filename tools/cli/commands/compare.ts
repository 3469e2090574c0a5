import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectContract } from '#contract';
import { compareRuns, readBaseline, renderComparePage, verdictWord } from '#report';
import { EXIT_CODES } from '#trouble';
import type { CliCommand } from '../arguments.ts';

const SHOWN = 12;

/** `assay compare`: what changed from one run to another. */
export const compareCommand: CliCommand = {
  name: 'compare',
  help: 'Compares two run folders, or reports/baseline with one: verdicts, what was seen in holes, shapes of answers, timing. Exits 1 when a verdict got worse; drift breaks nothing.',
  positionals: ['A', 'B'],
  flags: {
    json: { help: 'as one object' },
    html: { value: 'FILE', help: 'draw both runs side by side as a page of its own' },
  },
  async run(given) {
    const [a, b] = given.positional.map((folder) => readBaseline(resolve(folder)));
    const found = compareRuns(a!, b!);
    const file = given.flag('html');
    if (file !== undefined) {
      const texts = new Map([...projectContract().rules.values()].map(({ id, text }) => [id, text]));
      writeFileSync(resolve(file), renderComparePage({ a: a!, b: b!, found, texts }));
    }
    const worse = found.verdicts.filter((one) => one.worse).length;
    if (given.has('json')) {
      console.log(JSON.stringify(found, null, 2));
      return worse > 0 ? EXIT_CODES.broken : EXIT_CODES.kept;
    }
    if (!found.sameSpecs) console.log('specs    the two runs judged by different specs');
    for (const { rule, from, to, worse: down } of found.verdicts)
      console.log(`${down ? 'worse ' : 'better'}   ${rule}  ${verdictWord(from)} -> ${verdictWord(to)}`);
    for (const [name, list] of [
      ['drift', found.drift],
      ['shape', found.shapes],
    ] as const)
      for (const { where, appeared, vanished } of list)
        for (const [sign, ones] of [
          ['+', appeared],
          ['-', vanished],
        ] as const) {
          for (const one of ones.slice(0, SHOWN)) console.log(`${name}    ${where}  ${sign} ${one}`);
          if (ones.length > SHOWN) console.log(`${name}    ${where}  ${sign} and ${ones.length - SHOWN} more`);
        }
    for (const { operation, from, to, slower } of found.timing)
      console.log(
        `${slower ? 'slower' : 'faster'}   ${operation}  median ${from[0]} -> ${to[0]} ms, p90 ${from[1]} -> ${to[1]} ms`,
      );
    console.log(
      `${found.from} -> ${found.to}: ${worse} worse, ${found.verdicts.length - worse} better or new, drift in ${found.drift.length} holes, ${found.shapes.length} changed shapes, ${found.timing.length} changed timings`,
    );
    return worse > 0 ? EXIT_CODES.broken : EXIT_CODES.kept;
  },
};
