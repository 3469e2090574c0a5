import { resolve } from 'node:path';
import { verifyRun } from '#report';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';

/** `assay verify`: whether a run folder is what was signed, by whom, and whether it agrees with itself. */
export const verifyCommand: CliCommand = {
  name: 'verify',
  help: 'Checks signature, sums and signer of a run folder, draws its files anew and judges its answers again. Exits 1 when anything does not hold, 3 when it was never signed.',
  positionals: ['DIR'],
  flags: {
    cert: { value: 'PEM', help: 'file with the certificate that must have signed; default ASSAY_SIGN_CERT' },
    fingerprint: { value: 'HEX', help: 'its SHA-256 fingerprint instead' },
    json: { help: 'as one object' },
  },
  async run(given) {
    const fingerprint = given.flag('fingerprint');
    const certificate = given.flag('cert');
    if (fingerprint !== undefined && certificate !== undefined)
      throw new Trouble('usage', '--cert and --fingerprint say the same', { fix: 'leave one of them out' });
    const named = certificate ?? (fingerprint === undefined ? process.env.ASSAY_SIGN_CERT || undefined : undefined);
    const folder = resolve(given.positional[0]!);
    const pin =
      fingerprint !== undefined ? { fingerprint } : named !== undefined ? { certificate: resolve(named) } : undefined;
    const { run, findings, held, notes } = verifyRun(folder, pin);
    if (given.has('json')) {
      console.log(
        JSON.stringify(
          { folder, run: run?.id, verdict: run?.verdict, holds: findings.length === 0, findings, held, notes },
          null,
          2,
        ),
      );
    } else {
      for (const claim of held) console.log(`holds  ${claim}`);
      for (const note of notes) console.log(`note   ${note}`);
      for (const finding of findings) console.log(`WRONG  ${finding}`);
      console.log(findings.length === 0 ? `verified: run ${run?.id}, verdict ${run?.verdict}` : 'not verified');
    }
    return findings.length === 0 ? EXIT_CODES.kept : EXIT_CODES.broken;
  },
};
