import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  exitCode,
  findSiblingRuns,
  renderConclusion,
  signerFromEnvironment,
  signRun,
  writeHistory,
  writeReport,
} from '#report';
import { signerForTarget } from '#run';
import { parseTarget } from '#target';
import { Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay report`: everything in a run folder, regenerated from its journal. */
export const reportCommand: CliCommand = {
  name: 'report',
  help: 'Writes the audit page and its companions anew from the journal of a run folder. Further folders are other runs: the page draws the trend over all of them.',
  positionals: ['DIR', 'OTHER...'],
  flags: {
    history: { help: 'draw the trend over all finished runs of the same target beside DIR' },
    sign: { help: 'sign what is there, as a run does at its end' },
    target: { value: 'FILE', help: 'target file whose signing lines name the key; default: the environment' },
  },
  async run(given) {
    const [folder, ...named] = given.positional.map((one) => resolve(one)) as [string, ...string[]];
    const file = given.flag('target');
    if (file !== undefined && !given.has('sign'))
      throw new Trouble('usage', '--target says who signs', { fix: 'add --sign' });
    const signer = given.has('sign')
      ? file === undefined
        ? signerFromEnvironment()
        : await signerForTarget(parseTarget(resolve(file)))
      : undefined;
    const others = given.has('history') ? [...findSiblingRuns(folder), ...named] : named;
    if (others.length > 0) writeHistory(folder, others);
    const run = writeReport(folder);
    console.log(renderConclusion(run, folder));
    if (given.has('sign')) console.log(`signed: certificate ${signRun(folder, run.id, signer)}`);
    else if (others.length > 0 && existsSync(join(folder, 'SHA256SUMS')))
      console.error('assay: the trend is not covered by the signature that is there; sign anew with --sign');
    return exitCode(run);
  },
};
