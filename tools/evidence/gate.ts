import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { readWholeLines } from './file-lines.ts';
import { isPlainPicture } from './picture.ts';
import type { Redactor } from './redact.ts';
import { findSecrets } from './secret-scan.ts';

/** A secret in the final bytes of a file: which kind and on which line, never the value. */
export interface ArtifactLeak {
  readonly name: string;
  readonly kind: string;
  /** Line, counted from 1; 0 for what stands inside a packed part. */
  readonly line: number;
}

// How the page carries the evidence of quiet checks: base64 of raw deflate.
const PACK = /<script type="text\/plain" class="pack">([A-Za-z0-9+/=]+)<\/script>/g;
// Pictures as the journal and the page carry them.
const PICTURE = /("png":"|src="data:image\/png;base64,)([A-Za-z0-9+/=]+)"/g;
const MOST = 10;
const PIECE = 1 << 16;
/** About every so many lines there is one at which a piece may end. */
const MARKING = 61;

/**
 * Looks for secrets in the final bytes of a file: card numbers, private keys, bearer and signed tokens by their looks, and what the
 * redactor knows by value. Packed evidence is unpacked first; pictures are no text, and have to hold pixels only.
 * @param name of the file, for the findings
 * @param redactor when at hand, with the secrets of the target
 */
export function findLeaks(name: string, bytes: Uint8Array | string, redactor?: Redactor): ArtifactLeak[] {
  if (name.endsWith('.png')) return findInPicture(name, Buffer.from(bytes));
  return find(name, typeof bytes === 'string' ? [bytes] : [Buffer.from(bytes).toString('utf8')], redactor);
}

/** As {@link findLeaks}, for a file on disk, which is never in memory as a whole. */
export function findFileLeaks(folder: string, name: string, redactor?: Redactor): ArtifactLeak[] {
  if (name.endsWith('.png')) return findInPicture(name, readFileSync(join(folder, name)));
  return find(name, readWholeLines(join(folder, name)), redactor);
}

/** What is no picture, or carries more than one, is not let through under its name. */
function findInPicture(name: string, bytes: Uint8Array): ArtifactLeak[] {
  return isPlainPicture(bytes) ? [] : [{ name, kind: 'something other than a picture', line: 0 }];
}

function find(name: string, texts: Iterable<string>, redactor: Redactor | undefined): ArtifactLeak[] {
  const look = (text: string) => redactor?.leaks(text) ?? findSecrets(text);
  const found: ArtifactLeak[] = [];
  let line = 1;
  for (const text of texts) {
    for (let from = 0; from < text.length && found.length < MOST; ) {
      const piece = text.slice(from, endOfPiece(text, from));
      from += piece.length;
      const inside: string[] = [];
      const words = piece.replace(PICTURE, (all, before: string, base64: string) =>
        isPlainPicture(Buffer.from(base64, 'base64')) ? before : all,
      );
      const open = words.replace(PACK, (all, packed: string) => {
        const inner = unpack(packed);
        if (inner === undefined) return all;
        for (const value of packedValues(inner)) if (inside.length < MOST) inside.push(...look(value));
        return '';
      });
      const kinds = look(open);
      const lines = kinds.length === 0 ? [] : open.split('\n');
      // Line by line only when there is something to find.
      const placed = lines.flatMap((one, i) => look(one).map((kind) => ({ kind, line: line + i })));
      for (const one of placed) found.push({ name, ...one });
      for (const kind of placed.length === 0 ? [...kinds, ...inside] : inside) found.push({ name, kind, line: 0 });
      for (let at = open.indexOf('\n'); at >= 0; at = open.indexOf('\n', at + 1)) line += 1;
    }
  }
  return found.slice(0, MOST);
}

/**
 * Where a piece ends that begins at `from`: behind a line whose length decides it, so that texts that differ in a few places fall into
 * the same pieces behind them, which need not be looked through twice.
 */
function endOfPiece(text: string, from: number): number {
  const first = text.indexOf('\n', from + PIECE);
  if (first < 0) return text.length;
  for (let last = first; last < from + 2 * PIECE; ) {
    const next = text.indexOf('\n', last + 1);
    if (next < 0) break;
    if ((next - last) % MARKING === 0) return next + 1;
    last = next;
  }
  return first + 1;
}

/** Packed columns put values of different exchanges and columns side by side: each is looked at by itself. */
function packedValues(inner: string): string[] {
  try {
    const { texts, columns } = JSON.parse(inner) as { texts: string[]; columns: string[][] };
    return [...texts, ...columns.flat()].flatMap((one) => one.split('\n'));
  } catch {
    return inner.split(/\\n|\n/);
  }
}

function unpack(packed: string): string | undefined {
  try {
    return inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8');
  } catch {
    return undefined;
  }
}
