import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { projectContract } from '#contract';
import { readWaivers } from './waiver-file.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-waivers-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const GOOD = '- rule: GW-CAP-05\n  reason: It is mended soon.\n  owner: payments desk\n  until: 2030-06-30\n';
const read = (text: string) => {
  const file = join(folder, 'waivers.yaml');
  writeFileSync(file, text);
  return readWaivers(projectContract(), file);
};

test('reads a list, and nothing from a file of comments', () => {
  expect(read(GOOD)).toEqual([
    { rule: 'GW-CAP-05', reason: 'It is mended soon.', owner: 'payments desk', until: '2030-06-30' },
  ]);
  expect(read('# nothing\n')).toEqual([]);
  expect(readWaivers(projectContract())).toEqual([]);
});

const WRONG: readonly [name: string, text: string, line: number, says: string][] = [
  ['a rule nobody knows', GOOD.replace('CAP-05', 'CAP-99'), 1, 'no rule is called GW-CAP-99'],
  ['a key nobody knows', GOOD.replace('owner:', 'ownr:'), 3, 'unknown key ownr'],
  ['no owner', GOOD.replace(/ {2}owner.*\n/, ''), 1, 'the waiver has no owner'],
  ['an empty reason', GOOD.replace('It is mended soon.', '""'), 2, 'the waiver has no reason'],
  ['no such day', GOOD.replace('06-30', '06-31'), 4, '2030-06-31 is no day'],
  ['a rule waived twice', GOOD + GOOD, 5, 'GW-CAP-05 is waived twice'],
  ['no list', 'rule: GW-CAP-05\n', 1, 'the waivers are not a list'],
  ['broken YAML', `${GOOD}- "rule\n`, 5, 'not valid YAML'],
];
for (const [name, text, line, says] of WRONG) {
  test(`refuses ${name} with file and line`, () => {
    let said = '';
    try {
      read(text);
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain(says);
    expect(said).toMatch(new RegExp(`waivers\\.yaml:${name === 'broken YAML' ? '\\d+' : line}: `));
  });
}
