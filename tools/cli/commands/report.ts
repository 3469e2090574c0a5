import { resolve } from 'node:path';
import { conclude, exitCode, sign, signerOf, writeReport } from '#report';
import type { Command } from '../arguments.ts';

/** `assay report`: everything in a run folder, regenerated from its journal. */
export const report: Command = {
  name: 'report',
  usage: 'report DIR [--sign]',
  help: 'Writes the audit page and its companions anew from the journal of a run folder.',
  takes: ['DIR'],
  flags: { sign: { help: 'sign what is there, as a run does at its end' } },
  async run(given) {
    const folder = resolve(given.positional[0]!);
    const signer = given.has('sign') ? signerOf() : undefined;
    const run = writeReport(folder);
    console.log(conclude(run, folder));
    if (given.has('sign')) console.log(`signed: certificate ${sign(folder, run.id, signer)}`);
    return exitCode(run);
  },
};
