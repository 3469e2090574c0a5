import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Trouble } from '#trouble';
import { type CliCommand, type GivenArguments, programVersion, readArguments, usageLine } from './arguments.ts';
import { runProgram } from './main.ts';

const COMMANDS: readonly CliCommand[] = await Promise.all(
  readdirSync(new URL('commands', import.meta.url)).map(async (file) => {
    const exported = (await import(`./commands/${file}`)) as Readonly<Record<string, CliCommand>>;
    return exported[`${file.replace('.ts', '')}Command`]!;
  }),
);

const SAMPLE: CliCommand = {
  name: 'sample',
  help: 'Does nothing.',
  positionals: ['DIR', 'OTHER...'],
  flags: {
    from: { value: 'A', required: true, help: 'where from' },
    rule: { value: 'ID|AREA', repeatable: true, help: 'which' },
    pair: { value: 'OLD NEW', pair: true, help: 'two' },
    'dry-run': { help: 'only look' },
    closely: { needs: 'dry-run', help: 'look at each' },
  },
  run: async () => 0,
};

const given = (...argv: string[]) => readArguments(SAMPLE, argv) as GivenArguments;

test('a usage line says all there is', () => {
  expect(usageLine(SAMPLE)).toBe(
    'sample DIR [OTHER...] --from A [--rule ID|AREA] [--pair OLD NEW] [--dry-run] [--closely]',
  );
});

test('values come as they were given', () => {
  const read = given('run', '--rule', 'A', '--from=x=y', 'b', '--rule=B', '--dry-run', '--pair', 'old', 'new');
  expect(read.positional).toEqual(['run', 'b']);
  expect(read.flags('rule')).toEqual(['A', 'B']);
  expect(read.required('from')).toBe('x=y');
  expect(read.flags('pair')).toEqual(['old', 'new']);
  expect([read.has('dry-run'), read.flag('absent'), given('a', '--from', '-1').flag('from')]).toEqual([
    true,
    undefined,
    '-1',
  ]);
});

for (const [what, argv, says] of [
  ['an unknown flag, with the nearest', ['d', '--form', 'x'], /unknown option '--form'[\s\S]*did you mean --from\?/i],
  [
    'an unknown flag like none',
    ['d', '--from', 'x', '--zzzzzz'],
    /unknown option '--zzzzzz'[\s\S]*fix: {3}assay sample DIR/,
  ],
  ['an unknown short flag', ['d', '--from', 'x', '-z'], /unknown option '-z'/],
  ['no value at the end', ['d', '--from'], /option '--from <A>' argument missing/],
  ['no value before a flag', ['d', '--from', '--dry-run'], /--from needs a value[\s\S]*fix: {3}--from A/],
  ['an empty value', ['d', '--from='], /--from needs a value/],
  ['a flag twice', ['d', '--from', 'a', '--from', 'b'], /--from is given twice/],
  ['half a pair', ['d', '--from', 'a', '--pair', 'x'], /--pair needs two values/],
  [
    'a flag without the one it needs',
    ['d', '--from', 'a', '--closely'],
    /--closely needs --dry-run[\s\S]*fix: {3}assay sample DIR/,
  ],
  ['no flag where one is required', ['d'], /sample needs --from A[\s\S]*fix: {3}assay sample DIR/],
  ['no argument', ['--from', 'a'], /missing required argument 'DIR'/],
] as const)
  test(`refuses ${what}`, () => {
    const refused = (() => {
      try {
        return given(...argv);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(Trouble);
    expect((refused as Trouble).outcome).toBe('usage');
    expect(String(refused)).toMatch(says);
  });

test('refuses more arguments than a command takes', () => {
  const one = { ...SAMPLE, positionals: ['DIR'] };
  expect(() => readArguments(one, ['a', 'b', '--from', 'x'])).toThrow(/too many arguments/);
});

for (const command of COMMANDS)
  test(`${command.name}: --help and -h name every flag, --version the version`, () => {
    const help = readArguments(command, ['--help']) as string;
    expect(readArguments(command, ['-h'])).toBe(help);
    expect(help).toContain(`assay ${usageLine(command)}`);
    for (const flag of ['help', 'version', ...Object.keys(command.flags)]) expect(help).toContain(`--${flag}`);
    expect(readArguments(command, ['--version'])).toBe(programVersion());
  });

test('the program itself has -h, --help and --version', async () => {
  const printed: string[] = [];
  const { log } = console;
  console.log = (text: string) => printed.push(text);
  try {
    for (const word of ['-h', '--help', 'help', '--version']) expect(await runProgram([word])).toBe(0);
    expect(await runProgram(['help', 'rules'])).toBe(0);
  } finally {
    console.log = log;
  }
  for (const { name } of COMMANDS) expect(printed[0]).toContain(`assay ${name}`);
  expect(printed[1]).toBe(printed[0]);
  expect(printed[2]).toBe(printed[0]);
  expect(printed[3]).toBe(programVersion());
  expect(printed[4]).toContain('assay rules [--area ID]');
});

test('the README names no flag that a command does not have', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/`(?:npx )?assay (\w+)([^`\n]*)`|^npx assay (\w+)(.*)$/gm)];
  expect(rows.length).toBeGreaterThan(COMMANDS.length - 3);
  for (const [, quoted, ofQuoted, block, ofBlock] of rows) {
    const command = COMMANDS.find(({ name }) => name === (quoted ?? block));
    expect(command, quoted ?? block).toBeDefined();
    for (const [, flag] of (ofQuoted ?? ofBlock)!.matchAll(/--([a-z0-9-]+)/g))
      expect([...Object.keys(command!.flags), 'help'], command!.name).toContain(flag);
  }
});
