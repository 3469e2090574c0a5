import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { coverPicture, findLeaks, isPlainPicture, readPng, writePng } from './index.ts';

const NUMBER = '4929939187355598';
const bitmap = (width: number, height: number, fill: (i: number) => number) => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height * 3 }, (_, i) => fill(i)),
});

/** A chunk of a PNG with a right sum. */
function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, sum]);
}

/** A PNG of one row whose data are what is given. */
function pictureOf({
  data,
  before = [],
  behind = Buffer.alloc(0),
  width = 4,
  height = 1,
  colour = 2,
}: {
  readonly data: Buffer;
  readonly before?: readonly Buffer[];
  readonly behind?: Buffer;
  readonly width?: number;
  readonly height?: number;
  readonly colour?: number;
}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colour], 8);
  const signature = writePng(bitmap(1, 1, () => 0)).subarray(0, 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...before,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
    behind,
  ]);
}

const row = deflateSync(Buffer.alloc(13));

test('reads what it writes, pixel by pixel', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.nat(250), (width, height, by) => {
      const one = bitmap(width, height, (i) => (i * by) % 256);
      expect(readPng(writePng(one))).toEqual(one);
    }),
  );
});

test('undoes every filter that a browser may use', () => {
  // Two rows of two pixels, each filter with the same differences (ISO/IEC 15948, section 9).
  const decoded = [0, 1, 2, 3, 4].map((filter) => {
    const raw = Buffer.from([0, 10, 20, 30, 40, 50, 60, filter, 1, 2, 3, 4, 5, 6]);
    return [...readPng(pictureOf({ data: deflateSync(raw), width: 2, height: 2 })).pixels.subarray(6)];
  });
  expect(decoded).toEqual([
    [1, 2, 3, 4, 5, 6],
    [1, 2, 3, 5, 7, 9],
    [11, 22, 33, 44, 55, 66],
    [6, 12, 18, 27, 36, 45],
    [11, 22, 33, 44, 55, 66],
  ]);
});

test('takes nothing for a picture that holds more than pixels', () => {
  const cases: Readonly<Record<string, Buffer>> = {
    'a text beside it': pictureOf({ data: row, before: [chunk('tEXt', Buffer.from(`Comment\0${NUMBER}`))] }),
    'a text behind it': pictureOf({ data: row, behind: Buffer.from(NUMBER) }),
    'a text behind its data': pictureOf({ data: Buffer.concat([row, Buffer.from(NUMBER)]) }),
    'more data than pixels': pictureOf({ data: deflateSync(Buffer.alloc(14)) }),
    'fewer data than pixels': pictureOf({ data: deflateSync(Buffer.alloc(12)) }),
    'a bomb': pictureOf({ data: deflateSync(Buffer.alloc(1 << 24)) }),
    'a size that nothing holds': pictureOf({ data: row, width: 2 ** 31 - 1, height: 2 ** 31 - 1 }),
    'another kind': pictureOf({ data: row, colour: 3 }),
    'a filter that is none': pictureOf({ data: deflateSync(Buffer.from([5, ...Array<number>(12).fill(0)])) }),
    'text alone': Buffer.from(NUMBER),
    'an end too early': pictureOf({ data: row }).subarray(0, -3),
  };
  expect(isPlainPicture(pictureOf({ data: row }))).toBe(true);
  for (const [name, bytes] of Object.entries(cases)) {
    expect(isPlainPicture(bytes), name).toBe(false);
    expect(findLeaks('picture-0.png', bytes), name).toHaveLength(1);
  }
});

test('paints over a box and what stands out of it, and leaves the rest', () => {
  const covered = coverPicture(writePng(bitmap(20, 10, () => 250)), [{ x: 5.5, y: 4, width: 3, height: 1.2 }])!;
  const { pixels } = readPng(covered.png);
  const painted = Array.from({ length: 200 }, (_, i) => i).filter((i) => pixels[i * 3] !== 250);
  const columns = new Set(painted.map((i) => i % 20));
  const rows = new Set(painted.map((i) => Math.floor(i / 20)));
  expect([Math.min(...columns), Math.max(...columns), Math.min(...rows), Math.max(...rows)]).toEqual([3, 10, 2, 7]);
  expect(painted).toHaveLength(columns.size * rows.size);
});

test('looks into what a journal and a page call a picture', () => {
  const plain = pictureOf({ data: row }).toString('base64');
  const hidden = Buffer.from(`${NUMBER} ${NUMBER}`).toString('base64');
  expect(findLeaks('evidence.ndjson', `{"kind":"picture","png":"${plain}"}\n`)).toEqual([]);
  expect(findLeaks('evidence.ndjson', `{"kind":"picture","png":"${hidden}"}\n`)).toHaveLength(1);
  expect(findLeaks('index.html', `<img src="data:image/png;base64,${plain}" alt="${NUMBER}">\n`)).toHaveLength(1);
});
