import { createHash } from 'node:crypto';
import { inLetters, isPlainPicture, type PictureLine } from '#evidence';
import { Trouble } from '#trouble';
import type { PictureResult } from './types.ts';

/** Different pictures of one run; a folder holds a few files only. */
const MOST = 24;

/**
 * The different pictures of a run by the names of their files.
 * @throws Trouble (incomplete) for one that is not what its line says, or is no picture
 */
export function keptPictures(pictures: readonly PictureLine[]): ReadonlyMap<string, Buffer> {
  const kept = new Map<string, Buffer>();
  for (const { png, sha256, check } of pictures) {
    if (png === undefined || kept.has(pictureFile(sha256)) || kept.size >= MOST) continue;
    const bytes = Buffer.from(png, 'base64');
    if (createHash('sha256').update(bytes).digest('hex') !== sha256 || !isPlainPicture(bytes))
      throw new Trouble('incomplete', `a picture of check ${check} is not what its line says`, {
        fix: 'restore the journal or run again',
      });
    kept.set(pictureFile(sha256), bytes);
  }
  return kept;
}

/** Which check saw which picture; those that are not kept are left out. */
export function listPictures(pictures: readonly PictureLine[]): PictureResult[] {
  const kept = keptPictures(pictures);
  return pictures.flatMap(({ check, exchange, page, width, height, sha256 }) => {
    const file = pictureFile(sha256);
    return kept.has(file) ? [{ check, exchange, page, file, width, height, sha256 }] : [];
  });
}

/** Without figures: one in some four thousand digests begins like a card number, and the whole run would be withheld. */
function pictureFile(sha256: string): string {
  return `picture-${inLetters(sha256.slice(0, 16))}.png`;
}
