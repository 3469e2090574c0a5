import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { projectContract } from '#contract';
import { describeShare, enumerateMutants, type MutantResult, type ProofResult, takeShare } from '#proof';
import { suiteHash } from '#run';

const PROGRAM = fileURLToPath(new URL('assay.mjs', import.meta.url));

test.describe.configure({ mode: 'serial', timeout: 300_000 });

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-proofs-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program in a workspace of its own, whose proofs nobody else keeps. */
function assay(workspace: string, ...args: string[]): { status: number | null; text: string } {
  const { ASSAY_RUN: _run, TEST_WORKER_INDEX: _index, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...env, ASSAY_WORKSPACE: join(folder, workspace), ASSAY_WORKERS: '1' },
  });
  return { status, text: `${stdout}${stderr}` };
}

/** JSON without when it was. */
const read = (name: string) => {
  const text = readFileSync(join(folder, name), 'utf8').replaceAll(/"finishedAt": ?"[^"]*"/g, '"finishedAt":""');
  return JSON.parse(text) as ProofResult;
};

test('two shards make the proof that one machine would have made, in file and register', () => {
  const prove = (workspace: string, out: string, ...args: string[]) =>
    assay(workspace, 'prove', '--rule', 'V1-IBN-02', '--rule', 'V1-IBN-03', '--seed', '7', '--out', out, ...args);
  expect(prove('whole', 'whole.json')).toMatchObject({ status: 0 });
  for (const index of [1, 2])
    expect(prove(`part-${index}`, `part-${index}.json`, '--shard', `${index}/2`)).toMatchObject({ status: 0 });
  const [all, one, other] = ['whole.json', 'part-1.json', 'part-2.json'].map((name) => read(name).lies.length) as [
    number,
    number,
    number,
  ];
  expect([one > 0, other > 0, one + other]).toEqual([true, true, all]);
  const merged = assay('merged', 'merge', 'part-2.json', 'part-1.json', '--out', 'merged.json');
  expect(merged).toMatchObject({
    status: 0,
    text: expect.stringContaining(`2 of 2 rules proven, ${all} of ${all} lies caught`),
  });
  expect(read('merged.json')).toEqual(read('whole.json'));
  expect(read('merged/reports/proof.json')).toEqual(read('whole/reports/proof.json'));
});

test('what is no shard of a proof of this suite is refused', () => {
  const merge = (...names: string[]) => assay('none', 'merge', ...names);
  expect(merge('part-1.json')).toMatchObject({
    status: 2,
    text: expect.stringContaining('1 of 2 shards are missing: 2'),
  });
  expect(merge('whole.json').text).toContain('whole.json is no shard of a proof');
  expect(merge('part-1.json', '.')).toMatchObject({ status: 2, text: expect.stringContaining('merge them apart') });
  const part = readFileSync(join(folder, 'part-2.json'), 'utf8');
  writeFileSync(join(folder, 'other.json'), part.replace(/"suite": "\w+"/, '"suite": "0"'));
  expect(merge('part-1.json', 'other.json').text).toContain('other.json was proved by another suite than this one');
  writeFileSync(join(folder, 'missed.json'), part.replace(/"by": \[[^\]]*\]/, '"by": []'));
  expect(merge('part-1.json', 'missed.json').status).toBe(4);
});

test('shards of mutants make one list in the order of the contract', () => {
  const all = enumerateMutants(projectContract()).slice(0, 10);
  const names = all.map(({ id }) => id);
  const result = ({ id, operation, place, operator }: (typeof all)[number]): MutantResult => ({
    ...{ id, operation, place, operator, rules: ['V1-IBN-02'], tried: ['a'], broken: 0 },
    fate: 'killed',
  });
  for (const index of [1, 2, 3]) {
    const share = describeShare(`${index}/3`, names, { suite: suiteHash(), seed: 1 });
    const results = takeShare(all, `${index}/3`).map(result);
    writeFileSync(join(folder, `mutants-${index}.json`), JSON.stringify({ format: 'assay.mutants/2', share, results }));
  }
  const merge = (...indices: number[]) =>
    assay('mutants', 'merge', ...indices.map((index) => `mutants-${index}.json`), '--out', 'mutants.json');
  expect(merge(3, 1, 2)).toMatchObject({ status: 0, text: expect.stringContaining('10 of 10 mutants killed') });
  const { results } = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8')) as { results: MutantResult[] };
  expect(results).toEqual(all.map(result));
  expect(merge(3, 1)).toMatchObject({ status: 2, text: expect.stringContaining('1 of 3 shards are missing: 2') });
  expect(assay('mutants', 'merge', 'part-1.json', 'mutants-1.json').text).toContain('of another kind');
});
