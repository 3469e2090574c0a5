import { spawnSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A text and what is claimed to be its signature. */
export interface ClaimedSignature {
  readonly text: string;
  readonly signature: Buffer;
}

const VERIFY_EACH = `nth=0
while [ -e "text-$nth" ]; do
  said=$(openssl dgst -sha256 -verify key -signature "signature-$nth" "text-$nth") && [ "$said" = 'Verified OK' ] && echo yes || echo no
  nth=$((nth + 1))
done`;

/** OpenSSL's command line, for whoever has it and a shell. */
export const opensslProgram = {
  /** Why it cannot be asked, or undefined. */
  missing(): string | undefined {
    return spawnSync('sh', ['-c', 'openssl version']).status === 0 ? undefined : 'openssl is not installed';
  },

  /** Which of these it takes for SHA-256 with RSA signatures. A shell asks: a process costs a worker of many megabytes more than it costs a small one. */
  verifies(claimed: readonly ClaimedSignature[], publicKey: KeyObject): boolean[] {
    const folder = mkdtempSync(join(tmpdir(), 'assay-openssl-'));
    try {
      writeFileSync(join(folder, 'key'), publicKey.export({ type: 'spki', format: 'pem' }));
      for (const [nth, { text, signature }] of claimed.entries()) {
        writeFileSync(join(folder, `text-${nth}`), text);
        writeFileSync(join(folder, `signature-${nth}`), signature);
      }
      const { stdout } = spawnSync('sh', ['-c', VERIFY_EACH], { cwd: folder, encoding: 'utf8' });
      return stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => line === 'yes');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
