import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FOLDER } from '#folders';
import { keepFile } from '#kept-files';

const FOLDER = join(CACHE_FOLDER, 'parsed');

/**
 * What a text parses to, kept by the text's hash: parsing a spec as YAML takes longer than everything else that loading does, and
 * every worker and every command loads both. Where nothing can be kept, it is parsed each time.
 * @param sha256 of the text, hex
 * @param parse what to do when it is not kept; what it throws is thrown on
 */
export function parseCached(sha256: string, parse: () => unknown): unknown {
  const file = join(FOLDER, `${sha256}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const value = parse();
    keepFile(file, JSON.stringify(value));
    return value;
  }
}
