import { resolve } from 'node:path';
import { mergeRuns, readWorkspaceProfile } from '#run';
import { parseTarget } from '#target';
import { Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay merge`: one run of the parts that several machines played. */
export const mergeCommand: CliCommand = {
  name: 'merge',
  help: 'Makes one run, with one page and one signature, of the folders that assay run --shard left. Each part has to be there once, finished and as it was signed, and all of them of the same suite, target, selection and seed.',
  positionals: ['DIR...'],
  flags: {
    out: { value: 'DIR', help: 'run folder; default reports/<run id>' },
    profile: { value: 'NAME', help: 'profile of assay.config.yaml' },
    target: { value: 'FILE', help: 'target file whose signing lines name the key, and whose secrets are looked for' },
  },
  async run(given) {
    if (given.positional.length === 0) throw new Trouble('usage', 'no shard was named', { fix: 'assay merge DIR DIR' });
    const file = given.flag('target');
    return mergeRuns({
      folders: given.positional.map((one) => resolve(one)),
      out: given.flag('out'),
      workspace: await readWorkspaceProfile(given.flag('profile')),
      target: file === undefined ? undefined : parseTarget(resolve(file)),
    });
  },
};
