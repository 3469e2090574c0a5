import { resolve } from 'node:path';
import { printable, verifyRun } from '#report';
import { EXIT_CODES, Trouble } from '#trouble';
import type { CliCommand } from '../arguments.ts';
import { PIN_FLAGS, readSignerPin } from '../signer-pin.ts';

/** `assay verify`: whether a run folder is what was signed, by whom, and whether it agrees with itself. */
export const verifyCommand: CliCommand = {
  name: 'verify',
  help: 'Checks signature, sums and signer of a run folder, draws its files anew and judges its answers again. Exits 1 when anything does not hold, 3 when it was never signed.',
  positionals: ['DIR'],
  flags: {
    ...PIN_FLAGS,
    'require-pin': { help: 'end with 2 when nothing says who must have signed' },
    json: { help: 'as one object' },
  },
  async run(given) {
    const folder = resolve(given.positional[0]!);
    const pin = readSignerPin(given);
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
