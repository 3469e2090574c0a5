import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  exitCode,
  findSiblingRuns,
  renderChatMessage,
  renderConclusion,
  signerFromEnvironment,
  signRun,
  writeHistory,
  writeReport,
} from '#report';
import { signerForTarget } from '#run';
import { parseTarget } from '#target';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay report`: everything in a run folder, regenerated from its journal. */
export const reportCommand: CliCommand = {
  name: 'report',
  help: 'Writes the audit page and its companions anew from the journal of a run folder. Further folders are other runs: the page draws the trend over all of them. With --chat it says what is new, and exits 0.',
  positionals: ['DIR', 'OTHER...'],
  flags: {
    history: { help: 'draw the trend over all finished runs of the same target beside DIR' },
    sign: { help: 'sign what is there, as a run does at its end' },
    chat: {
      help: 'print the body of a chat webhook with new failures and expired waivers; nothing when there are none',
    },
    link: { value: 'URL', help: 'with --chat: where the page stands' },
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
    if (given.has('chat')) {
      const message = renderChatMessage(run, given.flag('link'));
      if (message !== undefined) console.log(message);
      return EXIT_CODES.kept;
    }
    console.log(renderConclusion(run, folder));
    if (given.has('sign')) console.log(`signed: certificate ${signRun(folder, run.id, signer)}`);
    else if (others.length > 0 && existsSync(join(folder, 'SHA256SUMS')))
      console.error('assay: the trend is not covered by the signature that is there; sign anew with --sign');
    return exitCode(run);
  },
};
