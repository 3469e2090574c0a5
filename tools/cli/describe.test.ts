import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { byApi } from '#apis';
import { loadContract, type SpecSchema } from '#contract';
import { SUITE_FOLDER } from '#folders';
import { rehearseTarget } from '#rehearse-target';
import { EMBEDDED_TARGET } from '#target';
import { callProgram } from './call-program.test-support.ts';

test.describe.configure({ mode: 'default' });
test.setTimeout(180_000);

let home: string;
test.beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-describe-'));
});
test.afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the real program. */
function assay(...argv: string[]) {
  const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
  const program = join(SUITE_FOLDER, 'tools/cli/assay.mjs');
  return spawnSync(process.execPath, [program, ...argv], { cwd: SUITE_FOLDER, env, encoding: 'utf8' });
}

test('writes a description of each service, which names the file in its first line', () => {
  const { status, stdout } = assay('describe', '--out', join(home, 'described'));
  expect([status, stdout.trim().split('\n').length]).toEqual([0, 2]);
  expect(readdirSync(join(home, 'described'))).toEqual(['gateway.yaml', 'v1.yaml']);
  expect(readFileSync(join(home, 'described/v1.yaml'), 'utf8')).toMatch(
    /^# The .* Made by assay describe;.*\nopenapi: 3\.1/,
  );
});

test('a place that cannot be written to ends with 2 and its cause', async () => {
  writeFileSync(join(home, 'file'), '');
  const { code, err } = await callProgram(['describe', '--out', join(home, 'file')]);
  expect([code, err]).toEqual([2, expect.stringMatching(/gateway\.yaml cannot be written\n\s+cause: \w+\n\s+fix:/)]);
});

test('the descriptions as written take and refuse what a run recorded as the contract does', async () => {
  expect(await callProgram(['describe', '--out', join(home, 'described')])).toMatchObject({ code: 0 });
  const { code, lines } = await rehearseTarget(EMBEDDED_TARGET, ['GW-STR', 'GW-INF', 'V1-TRL', 'V1-ERR']);
  expect(code).toBe(0);
  const own = loadContract();
  const described = loadContract(byApi(({ name }) => join(home, 'described', `${name}.yaml`)));
  const count = { accepted: 0, refused: 0 };
  const parted: string[] = [];
  const hold = (id: string, ours: SpecSchema | undefined, theirs: SpecSchema | undefined, text: string | undefined) => {
    if (ours === undefined || text === undefined || text === '') return;
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return;
    }
    const accepted = ours.accepts(body);
    count[accepted ? 'accepted' : 'refused'] += 1;
    if (theirs?.accepts(body) !== accepted) parted.push(id);
  };
  for (const line of lines) {
    if (line.kind !== 'exchange' || line.operation === undefined) continue;
    const { id, operation, request, response } = line;
    const [before, after] = [own, described].map(({ operations }) => operations.get(operation));
    const [sent, came] = [own, described].map(({ events }) => events.get(operation)?.schema);
    hold(id, before?.request?.schema ?? sent, after?.request?.schema ?? came, request.body);
    if (response)
      hold(
        id,
        before?.answers.get(response.status)?.schema,
        after?.answers.get(response.status)?.schema,
        response.body,
      );
  }
  expect(parted).toEqual([]);
  expect(count.accepted).toBeGreaterThan(200);
  expect(count.refused).toBeGreaterThan(10);
});
