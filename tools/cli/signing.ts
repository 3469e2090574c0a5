import { locate } from '#contract';
import { type Signer, signerFrom, signerOf } from '#report';
import { resolveSigning, type Written } from '#target';

/**
 * Who signs a run: as the environment says, else as the target file says.
 * @returns undefined when neither names a key
 * @throws Trouble (usage) for a pair that cannot sign, with the variable or the line of the target file
 */
export function signerFor(written: Written): Signer | undefined {
  const named = signerOf();
  if (named !== undefined) return named;
  const signing = resolveSigning(written);
  if (signing === undefined) return undefined;
  const place = (line: string) => locate(written, `/signing/${line}`);
  return signerFrom({
    ...signing,
    places: { key: place('key'), certificate: place('certificate') },
    opens: 'signing.passphrase',
  });
}
