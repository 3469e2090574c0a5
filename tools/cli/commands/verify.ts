import { resolve } from 'node:path';
import { printable, verifyRun } from '#report';
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
    'require-pin': { help: 'end with 2 when nothing says who must have signed' },
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
    if (pin === undefined && given.has('require-pin'))
      throw new Trouble('usage', 'nothing says who must have signed', {
        reason: 'without a certificate anybody can have made and signed the folder',
        fix: 'give --cert or --fingerprint, or set ASSAY_SIGN_CERT',
      });
    const { run, findings, held, notes } = verifyRun(folder, pin);
    if (given.has('json')) {
      console.log(
        JSON.stringify(
          {
            folder,
            run: run?.id,
            verdict: run?.verdict,
            holds: findings.length === 0,
            signer: pin === undefined ? 'unknown' : 'named',
            findings,
            held,
            notes,
          },
          null,
          2,
        ),
      );
    } else {
      for (const claim of held) console.log(`holds  ${printable(claim)}`);
      for (const note of notes) console.log(`note   ${printable(note)}`);
      for (const finding of findings) console.log(`WRONG  ${printable(finding)}`);
      const content = `run ${printable(String(run?.id))}, verdict ${run?.verdict}`;
      if (findings.length > 0) console.log('not verified');
      else console.log(pin === undefined ? `intact, signer unknown: ${content}` : `verified: ${content}`);
    }
    return findings.length === 0 ? EXIT_CODES.kept : EXIT_CODES.broken;
  },
};
