import { createHash } from 'node:crypto';
import { closeSync, existsSync, opendirSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble } from '#trouble';
import { printable } from './printable.ts';

const MIB = 1024 * 1024;

/** What a folder may hold to be looked at: many times what any run writes. */
export const BUNDLE_LIMITS = {
  files: 64,
  /** Bytes of the sums, of the signature, of VERIFY.txt. */
  small: 64 * 1024,
  /** Bytes of any other file, and of all together. */
  file: 160 * MIB,
  folder: 400 * MIB,
  /** Bytes of one line, and lines of the journal. */
  line: 16 * MIB,
  lines: 500_000,
} as const;

const PIECE = 1 << 20;

/**
 * Names of the files in a folder, sorted.
 * @throws Trouble (usage) for no folder, one with too many entries, and one that holds anything but files: no sum covers a folder or a link
 */
export function listBundle(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Trouble('usage', 'there is no such folder', {
      place: { file: folder },
      fix: 'name a folder below reports/',
    });
  const names: string[] = [];
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (!entry.isFile() || names.length >= BUNDLE_LIMITS.files)
        throw new Trouble('usage', 'a run folder holds a few files only', {
          place: entry.isFile() ? { file: folder } : { file: join(folder, printable(entry.name)) },
          fix: 'name a run folder',
        });
      names.push(entry.name);
    }
  } finally {
    entries.closeSync();
  }
  return names.sort();
}

/** What is larger than a run writes it, found without reading. @param small names of the files that are small */
export function findOversized(folder: string, names: readonly string[], small: readonly string[]): string[] {
  const sizes = names.map((name) => ({ name, size: statSync(join(folder, name)).size }));
  const whole = sizes.reduce((sum, { size }) => sum + size, 0);
  const over = sizes.filter(
    ({ name, size }) => size > (small.includes(name) ? BUNDLE_LIMITS.small : BUNDLE_LIMITS.file),
  );
  return [
    ...over.map(({ name, size }) => `${printable(name)} is larger than a run writes it: ${size} bytes`),
    ...(whole > BUNDLE_LIMITS.folder ? [`the folder is larger than a run writes it: ${whole} bytes`] : []),
  ];
}

/** What of a file's lines is more than a run writes; undefined when nothing is. Never holds more than a piece of it. */
export function findLongLine(folder: string, name: string): string | undefined {
  let lines = 1;
  let length = 0;
  for (const piece of readPieces(join(folder, name))) {
    for (let from = 0; from < piece.length; ) {
      const end = piece.indexOf(0x0a, from);
      length += (end < 0 ? piece.length : end) - from;
      if (length > BUNDLE_LIMITS.line) return `${name} line ${lines} is longer than a run writes one`;
      if (end < 0) break;
      from = end + 1;
      length = 0;
      lines += 1;
      if (lines > BUNDLE_LIMITS.lines) return `${name} has more lines than a run writes`;
    }
  }
  return undefined;
}

/** SHA-256 of a file in hex, read in pieces. */
export function hashFile(path: string): string {
  const hash = createHash('sha256');
  for (const piece of readPieces(path)) hash.update(piece);
  return hash.digest('hex');
}

function* readPieces(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(PIECE);
  try {
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) yield buffer.subarray(0, size);
  } finally {
    closeSync(file);
  }
}
