import { existsSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { proofHolds } from '#proof';
import { mergeProofs, mergeRuns, readWorkspaceProfile } from '#run';
import { parseTarget } from '#target';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand, GivenArguments } from '../arguments.ts';
import { exitCodeOfMutants, printMutants, printProof } from '../print-proof.ts';

/** `assay merge`: one run, or one proof, of the parts that several machines played. */
export const mergeCommand: CliCommand = {
  name: 'merge',
  help: 'Makes one run, with one page and one signature, of the folders that assay run --shard left; or one proof of the files that assay prove --shard left. Each part has to be there once and finished, runs as they were signed, and all of them of the same suite, target, selection and seed.',
  positionals: ['DIR|FILE...'],
  flags: {
    out: {
      value: 'DIR|FILE',
      help: 'run folder; default reports/<run id>. Of proofs the file that the whole goes to as JSON',
    },
    profile: { value: 'NAME', help: 'profile of assay.config.yaml' },
    target: { value: 'FILE', help: 'target file whose signing lines name the key, and whose secrets are looked for' },
    html: { value: 'FILE', help: 'of proofs: where the page goes, besides reports/' },
  },
  async run(given) {
    if (given.positional.length === 0) throw new Trouble('usage', 'no shard was named', { fix: 'assay merge DIR DIR' });
    const parts = given.positional.map((one) => resolve(one));
    const files = parts.filter((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
    const nowhere = parts.find((one) => !existsSync(one));
    if (files.length > 0 && nowhere !== undefined) throw new Trouble('usage', `there is no ${nowhere}`);
    if (files.length > 0 && files.length < parts.length)
      throw new Trouble('usage', `${files[0]} is a file, and others are none`, {
        reason: 'shards of a run are folders, shards of a proof are files',
        fix: 'merge them apart',
      });
    if (files.length > 0) return mergeProved(files, given);
    const file = given.flag('target');
    return mergeRuns({
      folders: parts,
      out: given.flag('out'),
      workspace: await readWorkspaceProfile(given.flag('profile')),
      target: file === undefined ? undefined : parseTarget(resolve(file)),
    });
  },
};

async function mergeProved(files: readonly string[], given: GivenArguments): Promise<number> {
  const merged = await mergeProofs(files, given.flag('html'));
  const out = given.flag('out');
  const write = (whole: object) =>
    out !== undefined && writeFileSync(resolve(out), `${JSON.stringify(whole, null, 1)}\n`);
  if (merged.of === 'mutants') {
    const { results } = merged;
    write({ format: 'assay.mutants/2', results });
    printMutants(results);
    return exitCodeOfMutants(results);
  }
  const { proof, numbers, unused } = merged;
  write({ ...proof, numbers });
  printProof(proof, numbers, unused);
  return proofHolds(proof) ? EXIT_CODES.kept : EXIT_CODES.unprovable;
}
