import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FOLDER } from '#folders';
import { keepFile } from '#kept-files';

/** An RSA key pair, PEM. */
interface IssuedKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

const FOLDER = join(CACHE_FOLDER, 'keys');
const pairs = new Map<string, IssuedKeyPair>();

/**
 * The RSA pair of a name. Making one costs more than starting the sandbox, so it is kept where only its user can read it; it opens nothing
 * but a sandbox. Where nothing can be kept, each process has its own.
 */
export function provideKeyPair(name: 'first' | 'second'): IssuedKeyPair {
  const pair = pairs.get(name) ?? readKeyPair(name) ?? makeKeyPair(name);
  pairs.set(name, pair);
  return pair;
}

function readKeyPair(name: string): IssuedKeyPair | undefined {
  try {
    return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as IssuedKeyPair;
  } catch {
    return undefined;
  }
}

function makeKeyPair(name: string): IssuedKeyPair {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  keepFile(join(FOLDER, `${name}.json`), JSON.stringify(pair), 0o600);
  return pair;
}
