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

/**
 * Looks for secrets in the final bytes of a file: card numbers, private keys, bearer and signed tokens by their looks, and what the
 * redactor knows by value. Packed evidence is unpacked first.
 * @param name of the file, for the findings
 * @param redactor when at hand, with the secrets of the target
 */
export function gate(name: string, bytes: Uint8Array | string, redactor?: Redactor): Leak[] {
  const look = (text: string) => redactor?.leaks(text) ?? leaks(text);
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8');
  const packs: string[] = [];
  const open = text.replace(PACK, (all, packed: string) => {
    const inner = unpack(packed);
    if (inner === undefined) return all;
    packs.push(inner);
    return '';
  });
  const inside = packs.flatMap((pack) => look(pack).map((kind) => ({ name, kind, line: 0 })));
  // Once for the whole, and line by line only when there is something to find.
  if (look(open).length === 0) return inside;
  const found = open.split('\n').flatMap((one, i) => look(one).map((kind) => ({ name, kind, line: i + 1 })));
  return [...(found.length === 0 ? look(open).map((kind) => ({ name, kind, line: 0 })) : found), ...inside].slice(
    0,
    MOST,
  );
}

function unpack(packed: string): string | undefined {
  try {
    return inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8');
  } catch {
    return undefined;
  }
}
