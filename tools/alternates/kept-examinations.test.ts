import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';
import { drawExamination, hashTree, keepExaminations, readExaminations } from './kept-examinations.test-support.ts';

test('what was examined of another tree, or of one that changed by a letter, is not taken', () => {
  const [file, tree] = [test.info().outputPath('examinations.json'), hashTree()];
  expect(readExaminations(tree, file)).toBeUndefined();
  const tallies = { v1: { checks: 1, passed: 1 }, gateway: { checks: 0, passed: 0 } };
  const red = { title: 'a check', rules: ['V1-TRC-03'], outcome: 'fail', charged: ['V1-TRC-03'] };
  const examined = (reasons?: readonly string[]) => ({
    one: { code: 1, tallies, red: [{ ...red, ...(reasons && { reasons }) }], learned: [] },
  });
  keepExaminations({ tree, examined: examined(['what came']) }, file);
  expect(readExaminations(tree, file)).toEqual(examined());
  for (const changed of [
    'specs/v1.yaml',
    'targets/embedded.yaml',
    'tests/v1/errors.spec.ts',
    'tools/alternates/alternates.test.ts',
    'tools/run/prove-variations.test.ts',
    'tools/run/hollow-service.test.ts',
    'tools/alternates/server.ts',
    'tools/harness/expect.ts',
    'package-lock.json',
  ]) {
    const read = (path: string) => {
      const text = readFileSync(join(SUITE_FOLDER, path));
      return path === changed ? Buffer.concat([text, Buffer.from(' ')]) : text;
    };
    expect(readExaminations(hashTree(read), file), changed).toBeUndefined();
  }
});

test('a tree draws one examination, the same from the same names in any order', () => {
  const names = ['one', 'other', 'third'];
  const trees = ['00', '01', '02', hashTree()];
  const drawn = trees.map((tree) => drawExamination(names, tree));
  expect(drawn.slice(0, 3)).toEqual(names);
  expect(names).toContain(drawn[3]);
  expect(trees.map((tree) => drawExamination([...names].reverse(), tree))).toEqual(drawn);
  expect(drawExamination([], '07')).toBeUndefined();
});
