import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTimeStamp, type RunSigner, SIGNATURE_FILE, STAMP_FILE, signRun, writeStampRequest } from '#report';

/** Milliseconds that an authority may take to answer, and bytes of its answer. */
const PATIENCE = 20_000;
const LARGEST = 64 * 1024;

/** How a run folder was closed. */
export interface ClosedRun {
  /** SHA-256 fingerprint of the signer's certificate. */
  readonly fingerprint: string;
  /** Who stamped the time and when, in words; absent where no authority was named or it gave none. */
  readonly stamped?: string;
  /** Why there is no stamp although an authority was named. */
  readonly unstamped?: string;
}

/**
 * Signs a run folder and has the time of the signature stamped (RFC 3161) where an authority is named. Without an answer of the authority
 * the folder is signed all the same, and does not claim a stamp.
 */
export async function closeRun(
  folder: string,
  run: string,
  signer: RunSigner | undefined,
  authority: string | undefined,
): Promise<ClosedRun> {
  rmSync(join(folder, STAMP_FILE), { force: true });
  if (authority === undefined) return { fingerprint: signRun(folder, run, signer) };
  const fingerprint = signRun(folder, run, signer, new Date(), true);
  try {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, SIGNATURE_FILE)))
      .digest();
    const answer = await askAuthority(authority, writeStampRequest(digest));
    const { certificate, stampedAt } = checkTimeStamp(answer, digest);
    writeFileSync(join(folder, STAMP_FILE), answer);
    return { fingerprint, stamped: `${certificate.subject.replace(/\n/g, ', ')}, ${stampedAt.toISOString()}` };
  } catch (error) {
    return { fingerprint: signRun(folder, run, signer), unstamped: (error as Error).message };
  }
}

/** What is printed of a closed run. @param named whether somebody vouches for the key */
export function describeClosing({ fingerprint, stamped, unstamped }: ClosedRun, named: boolean): string {
  return [
    `signed${named ? '' : ' (unpinned, integrity only)'}: certificate ${fingerprint}`,
    ...(stamped === undefined ? [] : [`stamped: ${stamped}`]),
    ...(unstamped === undefined ? [] : [`not stamped: ${unstamped}`]),
  ].join('\n');
}

async function askAuthority(authority: string, request: Buffer): Promise<Buffer> {
  const answer = await fetch(authority, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: new Uint8Array(request),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (answer.status !== 200) throw new RangeError(`the authority answered ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.length > LARGEST) throw new RangeError('the answer of the authority is too large');
  return bytes;
}
