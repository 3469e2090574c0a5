import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findLeaks, type Line, type PictureLine, writePng } from '#evidence';
import { sampleLines } from './sample-run.ts';
import { signRun } from './sign-run.ts';
import { verifyRun } from './verify-run.ts';
import { drawRunFiles, writeReport } from './write-report.ts';

/** The sample run with a picture of a page that two of its checks came to. */
function picturedLines(png = writePng({ width: 40, height: 20, pixels: new Uint8Array(2400).fill(200) })): Line[] {
  const lines = sampleLines();
  const browsed = lines.find((line) => line.kind === 'exchange' && line.direction === 'browser');
  if (browsed?.kind !== 'exchange') throw new Error('the sample has no browser in it');
  const { id: exchange, check } = browsed;
  const sha256 = createHash('sha256').update(png).digest('hex');
  const line: PictureLine = {
    kind: 'picture',
    check,
    exchange,
    page: 'the payment form',
    width: 40,
    height: 20,
    sha256,
  };
  return [...lines.slice(0, -1), { ...line, png: png.toString('base64') }, line, lines.at(-1)!];
}

test('keeps a picture as a file that the result names and the page shows in its sequence', () => {
  const { run, files } = drawRunFiles(picturedLines());
  const [picture] = run.pictures!;
  expect(run.pictures).toHaveLength(2);
  const [bytes] = files[picture!.file]!;
  expect(createHash('sha256').update(bytes!).digest('hex')).toBe(picture!.sha256);
  const page = files['index.html']!.join('');
  expect(page.match(/<img /g)).toHaveLength(1);
  expect(page).toContain('alt="What the customer saw: the payment form. Fields, images and numerals are covered."');
  expect(page).toContain('looks like <a href="#picture-');
  expect(page).toMatch(/Content-Security-Policy" content="[^"]*; img-src data:;/);
  expect(drawRunFiles(sampleLines()).files['index.html']!.join('')).not.toContain('img-src');
});

test('names no picture so that it could be taken for a card number', () => {
  const name = (png: Buffer) => `picture-${createHash('sha256').update(png).digest('hex').slice(0, 16)}.png`;
  const picture = (shade: number) => {
    const pixels = new Uint8Array(2400);
    new DataView(pixels.buffer).setUint32(0, shade);
    return writePng({ width: 40, height: 20, pixels });
  };
  let png = picture(0);
  for (let shade = 1; findLeaks('index.html', name(png)).length === 0; shade += 1) png = picture(shade);
  const { run, files } = drawRunFiles(picturedLines(png));
  expect(findLeaks('index.html', files['index.html']!.join(''))).toEqual([]);
  expect(findLeaks('run.json', run.pictures![0]!.file)).toEqual([]);
});

test('does not draw what is no picture, or another than its line says', () => {
  expect(() => drawRunFiles(picturedLines(Buffer.from('4929939187355598')))).toThrow('is not what its line says');
  const lines = picturedLines();
  const other = writePng({ width: 1, height: 1, pixels: new Uint8Array(3) }).toString('base64');
  expect(() =>
    drawRunFiles(lines.map((line) => (line.kind === 'picture' && line.png ? { ...line, png: other } : line))),
  ).toThrow('is not what its line says');
});

test('is covered by the signature, and by drawing anew when somebody else signs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pictured-'));
  try {
    const text = picturedLines().map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(join(folder, 'evidence.ndjson'), text.join(''));
    const { id, pictures } = writeReport(folder);
    signRun(folder, id);
    expect(verifyRun(folder).findings).toEqual([]);
    const file = join(folder, pictures![0]!.file);
    const other = writePng({ width: 40, height: 20, pixels: new Uint8Array(2400).fill(9) });
    expect(readFileSync(file).equals(other)).toBe(false);
    writeFileSync(file, other);
    expect(verifyRun(folder).findings).toEqual([`${pictures![0]!.file} was changed`]);
    signRun(folder, id);
    expect(verifyRun(folder).findings).toEqual([`${pictures![0]!.file} is not what the journal gives`]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
