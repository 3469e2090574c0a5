import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import fc from 'fast-check';
import { PropertyMarathon, type PropertyProgress } from './marathon.ts';
import { tryProperty } from './property.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-marathon-'));
  process.env.ASSAY_MARATHON = folder;
  process.env.ASSAY_SEED = '7';
});
test.afterEach(() => {
  for (const name of ['ASSAY_MARATHON', 'ASSAY_SEED', 'ASSAY_RUNS', 'ASSAY_SLICE']) delete process.env[name];
  rmSync(folder, { recursive: true });
});

const read = () => JSON.parse(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')) as PropertyProgress;

/** Tries a property of numbers, and says which were drawn, in order. */
async function walk(runs: number, breaks: (drawn: number) => boolean = () => false) {
  process.env.ASSAY_RUNS = String(runs);
  const info = { annotations: [], timeout: 60_000, setTimeout() {}, file: '/a.spec.ts', title: 'a' };
  const drawn: number[] = [];
  const property = fc.property(fc.noBias(fc.nat()), (one) => {
    drawn.push(one);
    return !breaks(one);
  });
  const tried = await tryProperty(info as unknown as TestInfo, 'numbers', property, { runs: 1 });
  return { drawn, tried };
}

test('a run goes on where the last one with its seed stopped, and meets the very cases that one run would', async () => {
  const whole = await walk(400);
  rmSync(folder, { recursive: true });
  const first = await walk(150);
  const second = await walk(400);
  expect(whole.drawn).toHaveLength(400);
  expect([...first.drawn, ...second.drawn]).toEqual(whole.drawn);
  expect(read()).toMatchObject({ name: expect.stringContaining('a.spec.ts > a > numbers'), seed: 7, next: 400 });
});

test('one that came to its goal is held for its first cases again, and another seed begins anew', async () => {
  const { drawn } = await walk(250);
  expect((await walk(250)).drawn).toEqual(drawn.slice(0, 100));
  process.env.ASSAY_SEED = '8';
  expect((await walk(250)).drawn).not.toEqual(drawn);
  expect(read()).toMatchObject({ seed: 8, next: 250 });
});

test('a case that broke the property is found again by its path, kept, and tried before any other', async () => {
  const { drawn } = await walk(300);
  rmSync(folder, { recursive: true });
  const wrong = drawn[220]!;
  const { tried } = await walk(300, (one) => one === wrong);
  expect(tried).toMatchObject({ case: String(wrong), path: expect.stringMatching(/^220(:\d+)*$/), runs: 221 });
  expect(read()).toMatchObject({ next: 100, cases: [{ seed: 7, nth: 220, why: 'failed' }] });
  process.env.ASSAY_SEED = '9';
  const again = await walk(300, (one) => one === wrong);
  expect(again.drawn[0]).toBe(wrong);
  expect(again.tried).toMatchObject({ seed: 7, runs: 1 });
  expect((await walk(150)).drawn[0]).toBe(wrong);
  expect(read().next).toBe(150);
});

test('its time over, it stops between two stretches and says how far it came', async () => {
  process.env.ASSAY_SLICE = '0';
  const { tried } = await walk(1_000_000);
  expect(tried.runs).toBe(100);
  expect(read().next).toBe(100);
});

test('cases of a kind that is seldom drawn are kept once enough were seen, a few of them', () => {
  const open = () => new PropertyMarathon(folder, ['b'], { seed: 1, goal: 10, milliseconds: undefined });
  const marathon = open();
  for (let nth = 0; nth < 5000; nth += 1) marathon.see(nth, nth % 900 === 899 ? `é${'x'.repeat(nth / 20)}` : 'abc');
  marathon.finish();
  const { cases } = read();
  expect(cases.map(({ nth }) => nth)).toContain(899);
  expect(cases.every(({ why }) => why === 'rare')).toBe(true);
  expect([...open().stretches()].slice(0, cases.length).every(({ isKept }) => isKept)).toBe(true);
  const few = new PropertyMarathon(join(folder, 'few'), ['c'], { seed: 1, goal: 10, milliseconds: undefined });
  few.see(0, 'abc');
  few.finish();
  expect(readdirSync(join(folder, 'few'))).toEqual([]);
});

test('a damaged file is as good as none', async () => {
  await walk(120);
  writeFileSync(join(folder, readdirSync(folder)[0]!), '{"next":');
  expect((await walk(120)).drawn).toHaveLength(120);
});
