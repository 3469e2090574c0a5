import { Redactor } from '#evidence';
import { resolveSigning, resolveTarget, secretsOf, type WrittenTarget, writtenCards } from '#target';

/** What must not be in any file: the secrets of a target file. Those of the embedded sandbox are known to its workers only. */
export function createRunRedactor(written: WrittenTarget): Redactor {
  const redactor = new Redactor();
  const { key, passphrase } = resolveSigning(written) ?? {};
  for (const secret of [key, passphrase]) if (secret !== undefined) redactor.add(secret);
  // The cards stand in the file of the embedded sandbox as well.
  for (const number of writtenCards(written)) redactor.addCard(number);
  if (written.root.kind !== 'embedded') redactor.register(secretsOf(resolveTarget(written)));
  return redactor;
}
