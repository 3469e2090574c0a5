import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { SUITE_FOLDER } from '#folders';
import { type CliCommand, readArguments } from './arguments.ts';

const FOLDER = join(SUITE_FOLDER, '.github/workflows');

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const read = (file: string) => parse(readFileSync(join(FOLDER, file), 'utf8')) as Workflow;
const stepsOf = (file: string) => Object.values(read(file).jobs).flatMap(({ steps }) => steps);

for (const file of readdirSync(FOLDER)) {
  test(`${file} is a workflow with few rights, pinned actions and no text of strangers in a script`, () => {
    const { name, on, permissions } = read(file);
    expect(name).toBe(file.replace('.yml', '').replace('-', ' '));
    expect(Object.keys(on).length).toBeGreaterThan(0);
    expect(permissions.contents).toBe('read');
    for (const step of stepsOf(file)) {
      expect([step.uses, step.run].filter((one) => one !== undefined)).toHaveLength(1);
      if (step.uses !== undefined) expect(step.uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
      expect(step.run ?? '').not.toMatch(/\$\{\{\s*(?:inputs|github\.event|github\.head_ref)/);
    }
  });

  test(`${file} calls the program as it is`, async () => {
    const scripts = stepsOf(file).flatMap((step) => step.run?.split('\n') ?? []);
    const calls = scripts.flatMap((line) => /npm run -s assay -- (\w+) ?(.*)$/.exec(line) ?? []);
    for (let i = 0; i < calls.length; i += 3) {
      const [name, rest] = [calls[i + 1]!, calls[i + 2]!.replace(/ [|>].*$/, '')];
      const words = rest
        .replace(/\$\{\{.*?\}\}|\$\(.*?\)/g, 'x')
        .replace(/\$\{TARGET:\+(.*?)\}/, '$1')
        .split(' ')
        .filter((word) => word !== '' && word !== '"$@"');
      const module = (await import(`./commands/${name}.ts`)) as Readonly<Record<string, CliCommand>>;
      const command = module[`${name}Command`]!;
      expect(() => readArguments(command, words)).not.toThrow();
      for (const flag of ['from', 'to', 'waivers']) {
        const given = readArguments(command, words);
        const path = typeof given === 'string' ? undefined : given.flag(flag);
        if (path !== undefined && !['old', 'new'].includes(path))
          expect(existsSync(join(SUITE_FOLDER, path))).toBe(true);
      }
    }
  });
}

test('a pull request that touches the descriptions is compared with its base, told in its summary and annotated', () => {
  const { on } = read('upgrade.yml');
  expect(on.pull_request).toMatchObject({ paths: expect.arrayContaining(['specs/**']) });
  const steps = stepsOf('upgrade.yml');
  const at = (pattern: RegExp) => steps.findIndex((step) => pattern.test(`${step.uses ?? ''} ${step.run ?? ''}`));
  const order = [
    /git show "\$BASE:specs/,
    /assay -- run/,
    /assay -- upgrade --from old --to specs/,
    /upgrade\.md >>/,
    /upload-sarif/,
  ];
  const places = order.map(at);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
  for (const place of places.slice(3)) expect(steps[place]!.if).toContain('always()');
});

test('the live sandbox is run every night, and before an upgrade by hand', () => {
  expect(read('nightly.yml').on).toHaveProperty('schedule');
  expect(JSON.stringify(read('nightly.yml').jobs.live)).toContain('upgrade --from specs --to specs --run run');
  const { on } = read('before-upgrade.yml');
  expect(on.workflow_dispatch).toMatchObject({ inputs: { ref: { required: true }, changelog: { required: false } } });
});
