import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readKeptProof, rulesByProof } from '#proof';
import { acceptBaseline, verifyRun } from '#report';
import { readWorkspaceProfile } from '#run';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay accept`: makes a run the baseline that later runs are compared with. */
export const acceptCommand: CliCommand = {
  name: 'accept',
  help: 'Makes a complete run the baseline: verdicts, what was learned, shapes, timing and proof, small enough to commit.',
  positionals: ['DIR'],
  flags: {
    to: { value: 'DIR', help: 'folder of the baseline; default reports/baseline, or that of the profile' },
    profile: { value: 'NAME', help: 'profile of assay.config.yaml' },
  },
  async run(given) {
    const folder = resolve(given.positional[0]!);
    const to = resolve(given.flag('to') ?? (await readWorkspaceProfile(given.flag('profile'))).baseline);
    if (existsSync(join(folder, 'SHA256SUMS'))) {
      const { findings } = verifyRun(folder);
      if (findings.length > 0)
        throw new Trouble('incomplete', 'the run folder is not what was signed', {
          place: { file: folder },
          reason: findings[0]!,
          fix: 'assay verify says all of it',
        });
    }
    const proof = await readKeptProof();
    const { id, verdict, counts } = acceptBaseline(folder, to, proof);
    console.log(`baseline: run ${id}, ${verdict}, ${counts.pass} of ${counts.total} rules pass`);
    const states = Object.entries(rulesByProof(proof)).map(([state, ids]) => `${ids.length} ${state}`);
    console.log(`its proof: rules ${states.join(', ')}`);
    return EXIT_CODES.kept;
  },
};
