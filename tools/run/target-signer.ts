import { locatePointer } from '#contract';
import { type RunSigner, signerFromEnvironment, signerFromPair } from '#report';
import { resolveSigning, type WrittenTarget } from '#target';

/**
 * Who signs a run: as the environment says, else as the target file says.
 * @returns undefined when neither names a key
 * @throws Trouble (usage) for a pair that cannot sign, with the variable or the line of the target file
 */
export function signerForTarget(written: WrittenTarget): RunSigner | undefined {
  const named = signerFromEnvironment();
  if (named !== undefined) return named;
  const signing = resolveSigning(written);
  if (signing === undefined) return undefined;
  const place = (line: string) => locatePointer(written, `/signing/${line}`);
  return signerFromPair({
    ...signing,
    places: { key: place('key'), certificate: place('certificate') },
    passphraseName: 'signing.passphrase',
  });
}

/** The authority that stamps the time of signatures, where the target file names one. */
export function authorityForTarget(written: WrittenTarget): string | undefined {
  return written.root.signing?.timestamp;
}
