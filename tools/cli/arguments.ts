import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { Trouble } from '#trouble';

/** A flag of a command: its value's name, or nothing when it takes none. */
export interface CommandFlag {
  readonly value?: string;
  /** The command does nothing without it. */
  readonly required?: boolean;
  /** It does nothing without this other flag. */
  readonly needs?: string;
  readonly repeatable?: boolean;
  /** Takes two values, one after the other. */
  readonly pair?: boolean;
  readonly help: string;
}

/** One command of the program; how it is called and its help are derived from this. */
export interface CliCommand {
  readonly name: string;
  readonly help: string;
  readonly flags: Readonly<Record<string, CommandFlag>>;
  /** Names of the positional arguments; any number of the last one, none too, when it ends in `...`. */
  readonly positionals: readonly string[];
  /** @returns the exit code */
  run(given: GivenArguments): Promise<number>;
}

/** What was given to a command. */
export interface GivenArguments {
  readonly positional: readonly string[];
  /** Value of a flag, the first of several. */
  flag(name: string): string | undefined;
  /** Value of a flag that the command does nothing without. */
  required(name: string): string;
  /** All values of a flag. */
  flags(name: string): readonly string[];
  has(name: string): boolean;
  readonly argv: readonly string[];
}

/**
 * Reads the arguments of a command.
 * @returns what was given, or the text that `--help` or `--version` asks for
 * @throws Trouble (usage) for an unknown flag (with the nearest), a flag without its value or without the one that it needs, too many or
 *   too few arguments
 */
export function readArguments(command: CliCommand, argv: readonly string[]): GivenArguments | string {
  const { parser, options } = parserOf(command);
  let asked = '';
  parser.configureOutput({ writeErr: () => {}, writeOut: (text) => (asked += text) });
  try {
    parser.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return asked.trimEnd();
    const [message, near] = error.message.replace(/^error: /, '').split('\n') as [string, string | undefined];
    throw new Trouble('usage', message, { fix: near?.replace(/^\(D(.*)\)$/, 'd$1') ?? `assay ${usageLine(command)}` });
  }
  const read = (name: string): unknown => {
    const option = options.get(name);
    return option && parser.getOptionValue(option.attributeName());
  };
  const flags = (name: string): readonly string[] => {
    const value = read(name);
    return Array.isArray(value) ? value : [];
  };
  for (const [name, { required, needs, pair, value }] of Object.entries(command.flags)) {
    const { length } = flags(name);
    if (required && length === 0)
      throw new Trouble('usage', `${command.name} needs --${name} ${value}`, { fix: `assay ${usageLine(command)}` });
    if (needs !== undefined && read(name) !== undefined && read(needs) === undefined)
      throw new Trouble('usage', `--${name} needs --${needs}`, { fix: `assay ${usageLine(command)}` });
    if (pair && length % 2 !== 0)
      throw new Trouble('usage', `--${name} needs two values`, { fix: `--${name} ${value}` });
  }
  return {
    positional: parser.args,
    argv,
    flag: (name) => flags(name)[0],
    required: (name) => flags(name)[0]!,
    flags,
    has: (name) => read(name) !== undefined,
  };
}

/** How a command is called, without the program's name. */
export function usageLine({ name, positionals, flags }: CliCommand): string {
  const shown = Object.entries(flags).map(([flag, { value, required }]) => {
    const whole = value === undefined ? `--${flag}` : `--${flag} ${value}`;
    return required ? whole : `[${whole}]`;
  });
  return [name, ...positionals.map((one) => (one.endsWith('...') ? `[${one}]` : one)), ...shown].join(' ');
}

/**
 * A port that a flag names; undefined when it was not given.
 * @throws Trouble (usage) for what is none
 */
export function readPort(given: GivenArguments, name: string): number | undefined {
  if (!given.has(name)) return undefined;
  const value = Number(given.flag(name));
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new Trouble('usage', `--${name} ${given.flag(name)} is not a port`, { fix: `--${name} 0 takes a free one` });
  return value;
}

/** Version of the program. */
export function programVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function parserOf(command: CliCommand): { parser: Command; options: ReadonlyMap<string, Option> } {
  const options = new Map(Object.entries(command.flags).map(([name, flag]) => [name, optionOf(name, flag)]));
  const [word, ...rest] = usageLine(command).split(' ');
  const parser = new Command(`assay ${word}`)
    .usage(rest.join(' '))
    .description(command.help)
    .helpOption('-h, --help', 'show this help')
    .version(programVersion(), '--version', 'show the version of the program')
    .allowExcessArguments(false)
    .exitOverride();
  for (const one of command.positionals) parser.argument(one.endsWith('...') ? `[${one}]` : `<${one}>`);
  for (const option of options.values()) parser.addOption(option);
  return { parser, options };
}

function optionOf(name: string, { value, repeatable, pair, help }: CommandFlag): Option {
  if (value === undefined) return new Option(`--${name}`, help);
  // What begins like a flag is one: `--rule --json` has forgotten a value.
  const collect = (given: string, before: readonly string[] | undefined): readonly string[] => {
    if (given === '' || given.startsWith('--'))
      throw new Trouble('usage', `--${name} needs a value`, { fix: `--${name} ${value}` });
    if (before !== undefined && !repeatable && !pair) throw new Trouble('usage', `--${name} is given twice`);
    return [...(before ?? []), given];
  };
  return new Option(`--${name} <${value}${pair ? '...' : ''}>`, help).argParser(collect);
}
