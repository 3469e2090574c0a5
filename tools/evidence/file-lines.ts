import { closeSync, openSync, readSync } from 'node:fs';

const PIECE = 1 << 16;

/**
 * The text of a file in pieces that end with a line, the last one apart where the file does not.
 * @param size bytes of it that are read; by default all
 */
export function* readWholeLines(path: string, size = Number.POSITIVE_INFINITY): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(PIECE);
    // Pieces of a line that is longer than the buffer.
    let begun: Buffer[] = [];
    for (let at = 0; at < size; ) {
      const length = readSync(file, buffer, 0, Math.min(PIECE, size - at), at);
      if (length === 0) break;
      at += length;
      const read = buffer.subarray(0, length);
      const end = read.lastIndexOf(0x0a) + 1;
      if (end > 0) {
        yield begun.length === 0
          ? read.toString('utf8', 0, end)
          : Buffer.concat([...begun, read.subarray(0, end)]).toString('utf8');
        begun = [];
      }
      if (end < length) begun.push(Buffer.from(read.subarray(end)));
    }
    if (begun.length > 0) yield Buffer.concat(begun).toString('utf8');
  } finally {
    closeSync(file);
  }
}
