import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** Bytes that are kept of one body, and that it may become when it is unpacked. */
const MOST = 16 * 1024 * 1024;

const UNPACKERS: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** A copy of a body that passes, as far as it is kept. */
export class BodyCopy {
  readonly #pieces: Uint8Array[] = [];
  #size = 0;
  isCut = false;

  add(piece: Uint8Array): void {
    if (this.#size + piece.length > MOST) this.isCut = true;
    if (this.isCut) return;
    this.#size += piece.length;
    this.#pieces.push(piece);
  }

  /** What was kept, as it passed. */
  whole(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }

  /** What was kept, unpacked; as it passed where that cannot be done. */
  unpacked(encoding: string | undefined): Uint8Array {
    const whole = this.whole();
    const unpack = this.isCut ? undefined : UNPACKERS[encoding?.trim().toLowerCase() ?? ''];
    if (unpack === undefined || whole.length === 0) return whole;
    try {
      return unpack(whole, { maxOutputLength: MOST });
    } catch {
      return whole;
    }
  }
}
