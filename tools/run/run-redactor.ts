import { Redactor } from '#evidence';
import { listSensitive, resolveSigning, resolveTarget, type WrittenTarget } from '#target';

/** What must not be in any file: the secrets of a target file. Those of the embedded sandbox are known to its workers only. */
export function createRunRedactor(written: WrittenTarget): Redactor {
  const redactor = new Redactor();
  const { key, passphrase } = resolveSigning(written) ?? {};
  for (const secret of [key, passphrase]) if (secret !== undefined) redactor.add(secret);
  if (written.root.kind === 'embedded') return redactor;
  const target = resolveTarget(written);
  for (const secret of target.secrets) redactor.add(secret);
  for (const number of listSensitive(target).cards) redactor.addCard(number);
  return redactor;
}
