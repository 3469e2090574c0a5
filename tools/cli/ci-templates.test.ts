import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { SUITE_FOLDER } from '#folders';
import { type CliCommand, readArguments } from './arguments.ts';

const TEMPLATES = ['action.yml', ...readdirSync(join(SUITE_FOLDER, 'ci')).map((name) => `ci/${name}`)].filter(
  (name) => !name.endsWith('.md'),
);
const read = (name: string) => readFileSync(join(SUITE_FOLDER, name), 'utf8');

for (const name of TEMPLATES)
  test(`${name} calls the program as it is, and holds no secret`, async () => {
    const text = read(name);
    // What a variable holds is a value, whatever it is.
    const plain = text.replace(/="[\w/-]*\$[^"\n]*"/g, '=x');
    const calls = [...plain.matchAll(/\bassay (run|sandbox|merge|prove|watch|publish|report)\b([^;\n]*)/g)];
    expect(calls.length).toBeGreaterThan(0);
    for (const [, command, rest] of calls) {
      const words = rest!
        .replace(/\$\{\w+:\+(--\w+) ?.*$/, '$1 x')
        .replace(/ \|\| .*$|[)"']+$/, '')
        .replace(/"\$(?:\w+|\([^)]*\))"/g, 'x')
        .split(/\s+/)
        .filter((word) => word.startsWith('--') || /^[\w./-]+$/.test(word));
      const module = (await import(`./commands/${command}.ts`)) as Readonly<Record<string, CliCommand>>;
      expect(() => readArguments(module[`${command}Command`]!, words), `assay ${command} ${rest}`).not.toThrow();
    }
    expect(text).not.toMatch(/(?:token|password|secret)\s*[:=]\s*['"]?[A-Za-z0-9+/]{16,}/i);
  });

for (const name of TEMPLATES.filter((one) => one.endsWith('.yml')))
  test(`${name} is YAML`, () => expect(parse(read(name))).toEqual(expect.any(Object)));

test('every output of the action is one that a run writes, and its script takes inputs from the environment alone', () => {
  const action = parse(read('action.yml'));
  const [{ run, env }] = action.runs.steps;
  expect(run).not.toContain('${{');
  expect(Object.keys(env)).toEqual(['PROFILE', 'SELECTION', 'PACKAGE']);
  const written = /const values = \{([\s\S]*?)\};/.exec(read('tools/report/github-annotations.ts'))![1]!;
  for (const output of Object.keys(action.outputs)) expect(written).toContain(output);
});

test('the image runs as nobody in particular, with a browser, and without what it was built from', () => {
  const stages = read('ci/Dockerfile')
    .split(/^(?=FROM )/m)
    .slice(1);
  const last = stages.at(-1)!;
  const steps = last.split('\n').map((line) => line.split(' ')[0]);
  expect(stages).toHaveLength(2);
  for (const stage of stages) expect(stage).toMatch(/^FROM node:22-bookworm/);
  expect(last).toContain('USER node');
  expect(steps.indexOf('USER')).toBeGreaterThan(steps.lastIndexOf('RUN'));
  expect(last).toMatch(/apt-get install .*chromium/);
  expect(last).toContain('HEALTHCHECK');
  expect(last).not.toContain('COPY . ');
});
