/**
 * Files that outlive the process that writes them: written at once, and where they are only kept to save time, not at all where nothing can be
 * written. Anyone may import it; it imports nothing of the project.
 */
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file at once, so that whoever reads it meanwhile sees the old or the new, and a crash leaves one of them.
 * @param {string} file in a folder that is there
 * @param {string | Uint8Array} content
 * @param {number} [mode] who may read it; as the process leaves it when absent
 * @throws Error of the file system
 */
export function replaceFile(file, content, mode) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content, { mode });
  renameSync(draft, file);
}

/**
 * Keeps a file that can be made again; its folder is made where it is missing. Read-only places keep none.
 * @param {string} file
 * @param {string | Uint8Array} content
 * @param {number} [mode] who may read it, in a folder that only its user may enter
 */
export function keepFile(file, content, mode) {
  try {
    mkdirSync(dirname(file), { recursive: true, ...(mode !== undefined && { mode: 0o700 }) });
    replaceFile(file, content, mode);
  } catch {
    // Whoever wants it makes it again.
  }
}

/** What shows that a file was changed; the time of its last change cannot be set by anybody. @param {string} file */
export function stampFile(file) {
  const { ctimeMs, ino, size } = statSync(file);
  return `${ctimeMs} ${ino} ${size}`;
}
