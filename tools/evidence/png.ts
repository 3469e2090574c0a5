import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Pixels by row, three bytes each: red, green, blue. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Pixels of the largest picture that is read. */
const MOST_PIXELS = 4_000_000;
/** Bytes a pixel, by the colour type of the header; others are not read. */
const BYTES: Readonly<Record<number, number>> = { 2: 3, 6: 4 };
const UP = 2;

/**
 * Reads a PNG (ISO/IEC 15948) as a browser writes it: eight bits a channel, not interlaced; what shines through is dropped.
 * @throws RangeError for anything else, for chunks beside header, data and end, and for bytes that are no pixels
 */
export function readPng(bytes: Uint8Array): Bitmap {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new RangeError('it is no PNG');
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  let at = 8;
  for (let kind = ''; kind !== 'IEND'; ) {
    if (at + 12 > file.length) throw new RangeError('it ends early');
    const size = file.readUInt32BE(at);
    if (at + 12 + size > file.length) throw new RangeError('it ends early');
    const named = file.subarray(at + 4, at + 8 + size);
    kind = named.toString('latin1', 0, 4);
    if (crc32(named) !== file.readUInt32BE(at + 8 + size)) throw new RangeError('a sum in it is wrong');
    if ((kind === 'IHDR') !== (at === 8) || (kind === 'IEND' && size > 0))
      throw new RangeError('its parts are out of order');
    if (kind === 'IHDR') header = named.subarray(4);
    else if (kind === 'IDAT') data.push(named.subarray(4));
    else if (kind !== 'IEND') throw new RangeError('it holds more than a picture');
    at += 12 + size;
  }
  if (at !== file.length) throw new RangeError('something stands behind its end');
  return decode(header!, Buffer.concat(data));
}

function decode(header: Buffer, data: Buffer): Bitmap {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colour, , , interlaced] = header.subarray(8);
  const step = BYTES[colour!];
  if (header.length !== 13 || depth !== 8 || step === undefined || interlaced !== 0)
    throw new RangeError('it is of another kind');
  if (width === 0 || height === 0 || width * height > MOST_PIXELS) throw new RangeError('it is too large');
  const stride = width * step;
  const size = (stride + 1) * height;
  const { buffer: raw, engine } = inflate(data, size);
  if (raw.length !== size || engine.bytesWritten !== data.length) throw new RangeError('its data are no pixels');
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) undoFilter(raw, y * (stride + 1), rows, y * stride, stride, step);
  if (step === 3) return { width, height, pixels: rows };
  const pixels = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) pixels.set(rows.subarray(i * 4, i * 4 + 3), i * 3);
  return { width, height, pixels };
}

function inflate(data: Buffer, size: number): { buffer: Buffer; engine: { bytesWritten: number } } {
  try {
    const options = { maxOutputLength: size, info: true };
    return inflateSync(data, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
  } catch {
    throw new RangeError('its data are no pixels');
  }
}

/** One row of what a filter made of it (ISO/IEC 15948, section 9). */
function undoFilter(raw: Buffer, from: number, rows: Uint8Array, to: number, stride: number, step: number): void {
  const filter = raw[from]!;
  if (filter > 4) throw new RangeError('its data are no pixels');
  const leftOf = (i: number) => (i >= step ? rows[to + i - step]! : 0);
  const aboveOf = (i: number) => (to > 0 ? rows[to + i - stride]! : 0);
  const cornerOf = (i: number) => (to > 0 && i >= step ? rows[to + i - stride - step]! : 0);
  const write = (guess: (i: number) => number) => {
    for (let i = 0; i < stride; i += 1) rows[to + i] = raw[from + 1 + i]! + guess(i);
  };
  if (filter === 0) rows.set(raw.subarray(from + 1, from + 1 + stride), to);
  else if (filter === 1) write(leftOf);
  else if (filter === 2) write(aboveOf);
  else if (filter === 3) write((i) => (leftOf(i) + aboveOf(i)) >> 1);
  else write((i) => nearest(leftOf(i), aboveOf(i), cornerOf(i)));
}

function nearest(left: number, above: number, corner: number): number {
  const base = left + above - corner;
  const a = Math.abs(base - left);
  const b = Math.abs(base - above);
  const c = Math.abs(base - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** Writes a PNG that holds pixels and nothing else. */
export function writePng({ width, height, pixels }: Bitmap): Buffer {
  const stride = width * 3;
  const raw = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) {
    raw[y * (stride + 1)] = UP;
    for (let i = 0; i < stride; i += 1)
      raw[y * (stride + 1) + 1 + i] = pixels[y * stride + i]! - (y > 0 ? pixels[(y - 1) * stride + i]! : 0);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(raw, { level: 9 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(kind, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}
