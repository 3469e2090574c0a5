import { createHash } from 'node:crypto';
import { type Bitmap, readPng, writePng } from './png.ts';

/** A rectangle of a picture, in its pixels. */
export interface PictureBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Which picture it is, and how large. */
export interface PictureFacts {
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
}

/** A picture as it may be kept. */
export interface CoveredPicture extends PictureFacts {
  readonly png: Buffer;
}

/** Bytes of the largest picture that is kept. */
export const LARGEST_PICTURE = 128 * 1024;

/** What lies over what is not shown. */
export const COVER = [0x5b, 0x64, 0x70] as const;
/** Letters reach a little beyond the box that they are measured by. */
const MARGIN = 2;

/**
 * Paints over what must not be seen in a picture; the pixels below are gone.
 * @param png as the browser took it
 * @returns undefined for one that is too large to be kept
 * @throws RangeError for bytes that are no such picture
 */
export function coverPicture(png: Uint8Array, covers: readonly PictureBox[]): CoveredPicture | undefined {
  const bitmap = readPng(png);
  for (const box of covers) paint(bitmap, box);
  const written = writePng(bitmap);
  if (written.length > LARGEST_PICTURE) return undefined;
  const { width, height } = bitmap;
  return { png: written, sha256: createHash('sha256').update(written).digest('hex'), width, height };
}

function paint({ width, height, pixels }: Bitmap, box: PictureBox): void {
  const left = Math.max(0, Math.floor(box.x) - MARGIN);
  const right = Math.min(width, Math.ceil(box.x + box.width) + MARGIN);
  const bottom = Math.min(height, Math.ceil(box.y + box.height) + MARGIN);
  for (let y = Math.max(0, Math.floor(box.y) - MARGIN); y < bottom; y += 1)
    for (let x = left; x < right; x += 1) pixels.set(COVER, (y * width + x) * 3);
}

/** Whether these bytes are a picture that holds pixels and nothing beside them. */
export function isPlainPicture(bytes: Uint8Array): boolean {
  if (bytes.length > LARGEST_PICTURE) return false;
  try {
    readPng(bytes);
    return true;
  } catch {
    return false;
  }
}
