import { resolve } from 'node:path';
import { conclude, exitCode, writeReport } from '#report';
import type { Command } from '../arguments.ts';

/** `assay report`: everything in a run folder, regenerated from its journal. */
export const report: Command = {
  name: 'report',
  usage: 'report DIR',
  help: 'Writes the audit page and its companions anew from the journal of a run folder.',
  takes: ['DIR'],
  flags: {},
  async run(given) {
    const folder = resolve(given.positional[0]!);
    const run = writeReport(folder);
    console.log(conclude(run, folder));
    return exitCode(run);
  },
};
