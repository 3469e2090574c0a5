import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { projectContract } from '#contract';
import { describeShare, enumerateMutants, type MutantResult, type ProofResult, takeShare } from '#proof';
import { suiteHash } from '#run';
import { callInTurn } from './call-in-turn.test-support.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-proofs-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program in a workspace of its own, whose proofs nobody else keeps. */
function assay(workspace: string, ...calls: readonly (readonly string[])[]) {
  mkdirSync(join(folder, workspace), { recursive: true });
  return callInTurn(
    calls.map((argv) => ({ argv })),
    folder,
    { ASSAY_WORKSPACE: join(folder, workspace) },
  );
}

/** A proof of two rules that share their checks: each part has a lie about either. */
const prove = (out: string, ...args: string[]) => [
  ...['prove', '--rule', 'V1-IBN-08', '--rule', 'V1-IBN-09', '--seed', '7', '--out', out],
  ...args,
];
const merge = (...names: string[]) => ['merge', ...names];

/** JSON without when it was. */
const read = (name: string) => {
  const text = readFileSync(join(folder, name), 'utf8').replaceAll(/"finishedAt": ?"[^"]*"/g, '"finishedAt":""');
  return JSON.parse(text) as ProofResult;
};

test('two shards make the proof that one machine would have made, in file and register', () => {
  const shards = [1, 2].map((index) => prove(`part-${index}.json`, '--shard', `${index}/2`));
  expect(assay('whole', prove('whole.json')).map(({ code }) => code)).toEqual([0]);
  expect(assay('parts', ...shards).map(({ code }) => code)).toEqual([0, 0]);
  const [all, one, other] = ['whole.json', 'part-1.json', 'part-2.json'].map((name) => read(name).lies.length) as [
    number,
    number,
    number,
  ];
  expect([one > 0, other > 0, one + other]).toEqual([true, true, all]);
  const [merged] = assay('merged', merge('part-2.json', 'part-1.json', '--out', 'merged.json'));
  expect(merged).toMatchObject({
    code: 0,
    out: expect.stringContaining(`2 of 2 rules proven, ${all} of ${all} lies caught`),
  });
  expect(read('merged.json')).toEqual(read('whole.json'));
  expect(read('merged/reports/proof.json')).toEqual(read('whole/reports/proof.json'));
});

test('what is no shard of a proof of this suite is refused', () => {
  const part = readFileSync(join(folder, 'part-2.json'), 'utf8');
  writeFileSync(join(folder, 'other.json'), part.replace(/"suite": "\w+"/, '"suite": "0"'));
  writeFileSync(join(folder, 'missed.json'), part.replace(/"by": \[[^\]]*\]/, '"by": []'));
  const [lonely, whole, mixed, other, missed] = assay(
    'none',
    merge('part-1.json'),
    merge('whole.json'),
    merge('part-1.json', '.'),
    merge('part-1.json', 'other.json'),
    merge('part-1.json', 'missed.json'),
  );
  expect(lonely).toMatchObject({ code: 2, err: expect.stringContaining('1 of 2 shards are missing: 2') });
  expect(whole!.err).toContain('whole.json is no shard of a proof');
  expect(mixed).toMatchObject({ code: 2, err: expect.stringContaining('merge them apart') });
  expect(other!.err).toContain('other.json was proved by another suite than this one');
  expect(missed!.code).toBe(4);
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
  const mutants = (...indices: number[]) => indices.map((index) => `mutants-${index}.json`);
  const [merged, lacking, mixed] = assay(
    'mutants',
    merge(...mutants(3, 1, 2), '--out', 'mutants.json'),
    merge(...mutants(3, 1)),
    merge('part-1.json', ...mutants(1)),
  );
  expect(merged).toMatchObject({ code: 0, out: expect.stringContaining('10 of 10 mutants killed') });
  const { results } = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8')) as { results: MutantResult[] };
  expect(results).toEqual(all.map(result));
  expect(lacking).toMatchObject({ code: 2, err: expect.stringContaining('1 of 3 shards are missing: 2') });
  expect(mixed!.err).toContain('of another kind');
});
