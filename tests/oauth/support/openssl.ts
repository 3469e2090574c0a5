import { spawnSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** OpenSSL's command line, for whoever has it. */
export const opensslProgram = {
  /** Why it cannot be asked, or undefined. */
  missing(): string | undefined {
    return spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed';
  },

  /** Whether it takes these bytes for the SHA-256 with RSA signature of that text. */
  verifies(text: string, signature: Buffer, publicKey: KeyObject): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'assay-openssl-'));
    try {
      writeFileSync(join(folder, 'key'), publicKey.export({ type: 'spki', format: 'pem' }));
      writeFileSync(join(folder, 'signature'), signature);
      const asked = spawnSync('openssl', ['dgst', '-sha256', '-verify', 'key', '-signature', 'signature'], {
        cwd: folder,
        input: text,
      });
      return asked.status === 0 && /Verified OK/.test(String(asked.stdout));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
