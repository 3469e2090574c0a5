import { inflateRawSync } from 'node:zlib';
import { leaks, type Redactor } from './redact.ts';

/** A secret in the final bytes of a file: which kind and on which line, never the value. */
export interface Leak {
  readonly name: string;
  readonly kind: string;
  /** Line, counted from 1; 0 for what stands inside a packed part. */
  readonly line: number;
}

// How the page carries the evidence of quiet checks: base64 of raw deflate.
const PACK = /<script type="text\/plain" class="pack">([A-Za-z0-9+/=]+)<\/script>/g;
const MOST = 10;
const PIECE = 1 << 18;

/**
 * Looks for secrets in the final bytes of a file: card numbers, private keys, bearer and signed tokens by their looks, and what the
 * redactor knows by value. Packed evidence is unpacked first.
 * @param name of the file, for the findings
 * @param redactor when at hand, with the secrets of the target
 */
export function gate(name: string, bytes: Uint8Array | string, redactor?: Redactor): Leak[] {
  const look = (text: string) => redactor?.leaks(text) ?? leaks(text);
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8');
  const found: Leak[] = [];
  let line = 1;
  // Piece by piece, so that a long journal takes no more memory than a short one.
  for (let from = 0; from < text.length && found.length < MOST; ) {
    const end = text.indexOf('\n', from + PIECE);
    const piece = text.slice(from, end < 0 ? text.length : end + 1);
    const packs: string[] = [];
    const open = piece.replace(PACK, (all, packed: string) => {
      const inner = unpack(packed);
      if (inner === undefined) return all;
      packs.push(inner);
      return '';
    });
    const lines = open.split('\n');
    const kinds = look(open);
    // Line by line only when there is something to find.
    const placed =
      kinds.length === 0 ? [] : lines.flatMap((one, i) => look(one).map((kind) => ({ kind, line: line + i })));
    const inside = packs.flatMap(look);
    for (const one of placed) found.push({ name, ...one });
    for (const kind of placed.length === 0 ? [...kinds, ...inside] : inside) found.push({ name, kind, line: 0 });
    line += lines.length - 1;
    from += piece.length;
  }
  return found.slice(0, MOST);
}

function unpack(packed: string): string | undefined {
  try {
    return inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8');
  } catch {
    return undefined;
  }
}
