import { resolve } from 'node:path';
import type { SignerPin } from '#report';
import { Trouble } from '#trouble';
import type { CommandFlag, GivenArguments } from './arguments.ts';

/** Flags that say who must have signed. */
export const PIN_FLAGS: Readonly<Record<string, CommandFlag>> = {
  cert: { value: 'PEM', help: 'file with the certificate that must have signed; default ASSAY_SIGN_CERT' },
  fingerprint: { value: 'HEX', help: 'its SHA-256 fingerprint instead' },
};

/**
 * Who must have signed, by flags or environment.
 * @throws Trouble (usage) when both flags are given
 */
export function readSignerPin(given: GivenArguments): SignerPin | undefined {
  const fingerprint = given.flag('fingerprint');
  const certificate = given.flag('cert');
  if (fingerprint !== undefined && certificate !== undefined)
    throw new Trouble('usage', '--cert and --fingerprint say the same', { fix: 'leave one of them out' });
  if (fingerprint !== undefined) return { fingerprint };
  const named = certificate ?? (process.env.ASSAY_SIGN_CERT || undefined);
  return named === undefined ? undefined : { certificate: resolve(named) };
}
